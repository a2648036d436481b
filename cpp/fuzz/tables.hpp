// Small tables of scores with a class, a strategy, a root mode and a mask, made of any bytes; and every tree of them.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/membership.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::fuzz {

constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr int unbounded = ClassRule::unbounded;
inline const ClassRule rules[] = {
    {Family::spanning},
    {Family::projective},
    {Family::planar, 1},
    {Family::planar, 2},
    {Family::planar, 3},
    {Family::one_endpoint_crossing},
    {Family::crossing_interval, 2},
    {Family::crossing_interval, 3},
    {Family::well_nested, 1, 0},
    {Family::well_nested, 1, 1},
    {Family::well_nested, 1},
    {Family::well_nested, 1, 1, true},
    {Family::well_nested, 1, unbounded, true},
    {Family::well_nested, 2},
    {Family::well_nested, 3},
    {Family::mildly_ill_nested, 1},
    {Family::mildly_ill_nested, 2},
    {Family::multi_headed, 3},
    {Family::multi_headed, 4},
    {Family::multi_headed, 5},
    {Family::attardi, 1},
    {Family::attardi, 2},
    {Family::attardi, 3},
    {Family::attardi_variant, 1},
    {Family::attardi_variant, 2},
    {Family::attardi_variant, 3},
    {Family::drop_distance, 2},
    {Family::drop_distance, 3},
};

inline constexpr int longest = 5;

// Few values, so that many trees score the same; and those at the edges.
inline double value(int byte) {
    if (byte < 160) return byte % 9 - 4;
    if (byte < 200) return -infinity;
    if (byte < 248) return (byte - 224) / 7.0;
    static const double edges[] = {1e30, -1e30, 1e-30, -0.0, 3e38, 1e299, infinity, std::nan("")};
    return edges[byte - 248];
}

struct Case {
    int words = 0, width = 0, rule = 0;
    bool is_double = true, single_root = false;
    ClassSolver solver;
    Strategy strategy = Strategy::automatic;
    std::vector<double> values;
    std::vector<char> mask;
    bool has_mask = false;
    std::vector<Arc> required;

    double at(int head, int dependent) const { return values[head * width + dependent]; }
    bool allows(int head, int dependent) const {
        if (has_mask && !mask[head * width + dependent]) return false;
        for (const Arc& arc : required)
            if (arc.dependent == dependent && arc.head != head) return false;
        return at(head, dependent) > -infinity;
    }
};

inline Case read_case(Choices& choices, int at_most = longest) {
    Case made;
    made.words = 1 + choices.below(9) % at_most;
    made.width = made.words + 1;
    made.rule = choices.below(static_cast<int>(std::size(rules)));
    made.solver = ClassSolver(class_name(rules[made.rule]), rules[made.rule]);
    const int modes = choices.byte();
    made.single_root = (modes & 1) != 0;
    made.is_double = (modes & 2) != 0;
    made.has_mask = (modes & 12) == 12;
    made.strategy = static_cast<Strategy>((modes >> 4) % 3);
    if ((modes & 192) == 192) {
        const int dependent = 1 + choices.below(made.words), head = choices.below(made.width);
        if (head != dependent) made.required.push_back({head, dependent});
    }
    for (int i = 0; i < made.width * made.width; ++i) {
        made.values.push_back(value(choices.byte()));
        if (!made.is_double) made.values.back() = static_cast<float>(made.values.back());
        made.mask.push_back(!made.has_mask || choices.below(4) != 0);
    }
    return made;
}

inline bool is_bad(const Case& given) {
    const double limit = given.is_double ? 1e300 : std::numeric_limits<float>::max();
    for (int h = 0; h <= given.words; ++h)
        for (int d = 1; d <= given.words; ++d)
            if (h != d && !(given.at(h, d) <= limit)) return true;
    return false;
}

struct Scored {
    std::span<const int> heads;
    double score;
};

// Every tree of a class, one after the other; kept, since the classes and sizes are few.
inline const std::vector<int>& trees_of(int rule, int words) {
    static std::vector<int> kept[std::size(rules)][longest + 1];
    std::vector<int>& trees = kept[rule][words];
    if (!trees.empty()) return trees;
    const ClassSolver solver(class_name(rules[rule]), rules[rule]);
    Membership membership;
    std::vector<int> heads(words, 0);
    while (true) {
        bool is_tree = true;
        for (int d = 1; d <= words; ++d) is_tree = is_tree && heads[d - 1] != d;
        if (is_tree && !find_fault(heads) && membership.settle(heads, solver) == 1)
            trees.insert(trees.end(), heads.begin(), heads.end());
        int word = 0;
        while (word < words && ++heads[word] > words) heads[word++] = 0;
        if (word == words) return trees;
    }
}

// The trees of a class without forbidden arcs, the best first; score(heads) adds what is not a score of an arc.
template <class Score>
std::vector<Scored> enumerated(const Case& given, int rule, const Score& score) {
    std::vector<Scored> found;
    const std::vector<int>& trees = trees_of(rule, given.words);
    for (std::size_t first = 0; first < trees.size(); first += given.words) {
        const std::span<const int> heads(trees.data() + first, given.words);
        if (given.single_root && std::count(heads.begin(), heads.end(), 0) != 1) continue;
        double sum = 0;
        bool is_allowed = true;
        for (int d = 1; d <= given.words && is_allowed; ++d) {
            is_allowed = given.allows(heads[d - 1], d);
            if (is_allowed) sum += given.at(heads[d - 1], d);
        }
        if (is_allowed) found.push_back({heads, sum + score(heads)});
    }
    std::stable_sort(found.begin(), found.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return found;
}
inline std::vector<Scored> enumerated(const Case& given) {
    return enumerated(given, given.rule, [](std::span<const int>) { return 0.0; });
}

inline std::string shown(const Case& given) {
    std::string text = given.solver.name() + (given.single_root ? ", single root" : "") +
                       (given.is_double ? ", double" : ", single precision") + ", strategy " +
                       std::to_string(static_cast<int>(given.strategy)) + ", scores";
    for (int h = 0; h <= given.words; ++h) {
        text += " [";
        for (int d = 0; d <= given.words; ++d)
            text += ' ' + (h == d || d == 0 || given.allows(h, d) ? std::to_string(given.at(h, d)) : "-inf");
        text += " ]";
    }
    return text;
}

// Up to rounding, which is as coarse as the largest score.
inline bool is_close(const Case& given, double a, double b) {
    double largest = 1;
    for (int h = 0; h <= given.words; ++h)
        for (int d = 1; d <= given.words; ++d)
            if (h != d && given.allows(h, d)) largest = std::max(largest, std::abs(given.at(h, d)));
    return std::abs(a - b) <= (given.is_double ? 1e-11 : 1e-5) * largest * given.words;
}

// What holds for every tree that a decoder gives.
inline void check_tree(const Case& given, const ClassSolver& solver, const Outcome& found) {
    require(static_cast<int>(found.heads.size()) == given.words && !find_fault(found.heads),
            [&] { return "no tree: " + shown(given); });
    for (int d = 1; d <= given.words; ++d)
        require(given.allows(found.heads[d - 1], d), [&] { return "a forbidden arc: " + shown(given); });
    require(!given.single_root || std::count(found.heads.begin(), found.heads.end(), 0) == 1,
            [&] { return "roots: " + shown(given); });
    require(Membership().settle(found.heads, solver) == 1, [&] { return "outside: " + shown(given); });
}

}  // namespace nonproj::fuzz
