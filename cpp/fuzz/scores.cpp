// Decoders and sums on any small table of scores, against enumeration.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/decode/search/table_decoder.hpp"
#include "nonproj/error.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/membership.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::fuzz {

namespace {

constexpr int unbounded = ClassRule::unbounded;
const ClassRule rules[] = {
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
};

// Few values, so that many trees score the same; and those at the edges.
double value(int byte) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (byte < 160) return byte % 9 - 4;
    if (byte < 200) return -infinity;
    if (byte < 248) return (byte - 224) / 7.0;
    static const double edges[] = {1e30, -1e30, 1e-30, -0.0, 3e38, 1e299, infinity, std::nan("")};
    return edges[byte - 248];
}

struct Case {
    int words = 0, width = 0;
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
        return at(head, dependent) > -std::numeric_limits<double>::infinity();
    }
};

Case read(Choices& choices) {
    Case made;
    made.words = 1 + choices.below(9) % 5;
    made.width = made.words + 1;
    const ClassRule& rule = rules[choices.below(std::size(rules))];
    made.solver = ClassSolver(class_name(rule), rule);
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

bool is_bad(const Case& given) {
    const double limit = given.is_double ? 1e300 : std::numeric_limits<float>::max();
    for (int h = 0; h <= given.words; ++h)
        for (int d = 1; d <= given.words; ++d)
            if (h != d && !(given.at(h, d) <= limit)) return true;
    return false;
}

struct Scored {
    std::vector<int> heads;
    double score;
};

// All trees of the class without forbidden arcs, the best first.
std::vector<Scored> enumerated(const Case& given) {
    std::vector<Scored> found;
    Membership membership;
    std::vector<int> heads(given.words, 0);
    while (true) {
        bool is_allowed = std::count(heads.begin(), heads.end(), 0) == 1 || !given.single_root;
        double score = 0;
        for (int d = 1; d <= given.words && is_allowed; ++d) {
            is_allowed = heads[d - 1] != d && given.allows(heads[d - 1], d);
            if (is_allowed) score += given.at(heads[d - 1], d);
        }
        if (is_allowed && !find_fault(heads) && membership.settle(heads, given.solver) == 1)
            found.push_back({heads, score});
        int word = 0;
        while (word < given.words && ++heads[word] > given.words) heads[word++] = 0;
        if (word == given.words) break;
    }
    std::stable_sort(found.begin(), found.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    return found;
}

std::string shown(const Case& given) {
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

bool is_close(const Case& given, double a, double b) {
    double largest = 1;
    for (int h = 0; h <= given.words; ++h)
        for (int d = 1; d <= given.words; ++d)
            if (h != d && given.allows(h, d)) largest = std::max(largest, std::abs(given.at(h, d)));
    return std::abs(a - b) <= (given.is_double ? 1e-11 : 1e-5) * largest * given.words;
}

void check_best(const Case& given, const Outcome& found, double expected, bool is_first) {
    require(static_cast<int>(found.heads.size()) == given.words && !find_fault(found.heads),
            "no tree: " + shown(given));
    double score = 0;
    for (int d = 1; d <= given.words; ++d) {
        require(given.allows(found.heads[d - 1], d), "a forbidden arc: " + shown(given));
        score += given.at(found.heads[d - 1], d);
    }
    require(!given.single_root || std::count(found.heads.begin(), found.heads.end(), 0) == 1, "roots: " + shown(given));
    require(Membership().settle(found.heads, given.solver) == 1, "outside: " + shown(given));
    require(is_close(given, found.score, score), "another score than its arcs': " + shown(given));
    require(is_close(given, found.score, expected),
            std::to_string(found.score) + " instead of " + std::to_string(expected) + ": " + shown(given));
    if (is_first) require(found.is_optimal(), "not proven: " + shown(given));
}

void check_sums(const Case& given, const std::vector<Scored>& trees) {
    const Sums* const sums = given.solver.sums();
    for (const double each : given.values)
        if (std::abs(each) > 100 && each > -std::numeric_limits<double>::infinity()) return;
    if (sums == nullptr) return;
    std::vector<double> allowed = given.values;
    for (int h = 0; h <= given.words; ++h)
        for (int d = 0; d <= given.words; ++d)
            if (d > 0 && h != d && !given.allows(h, d))
                allowed[h * given.width + d] = -std::numeric_limits<double>::infinity();
    const ArcScores<double> table(allowed.data(), given.words);
    const std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    require(sums->count(table, given.single_root, prime) == trees.size(), "count: " + shown(given));
    double total = 0;
    for (const Scored& tree : trees) total += std::exp(tree.score);
    std::vector<double> chance(allowed.size());
    const double log_total = sums->marginals(table, given.single_root, chance);
    require(std::abs(std::exp(log_total) - total) <= 1e-9 * total, "log-partition: " + shown(given));
    for (int d = 1; d <= given.words; ++d)
        for (int h = 0; h <= given.words; ++h) {
            if (h == d) continue;
            double expected = 0;
            for (const Scored& tree : trees)
                if (tree.heads[d - 1] == h) expected += std::exp(tree.score) / total;
            require(std::abs(chance[h * given.width + d] - expected) <= 1e-9, "marginals: " + shown(given));
        }
}

}  // namespace

void scores(Bytes bytes) {
    Choices choices(bytes);
    const Case given = read(choices);
    const std::vector<float> single(given.values.begin(), given.values.end());
    const void* const values = given.is_double ? static_cast<const void*>(given.values.data()) : single.data();
    const ScoredSentence sentence{values, given.is_double, given.words, 0};
    const std::unique_ptr<bool[]> mask(new bool[given.mask.size()]);
    std::copy(given.mask.begin(), given.mask.end(), mask.get());
    ArcOptions arcs;
    if (given.has_mask) arcs.mask = mask.get();
    arcs.required = given.required;
    DecodeOptions options;
    options.solver = given.solver;
    options.single_root = given.single_root;
    options.strategy = given.strategy;
    const std::vector<Scored> trees = is_bad(given) ? std::vector<Scored>() : enumerated(given);
    const bool has_road = given.strategy != Strategy::chart || given.solver.chart() != nullptr;
    std::vector<LabelledOutcome> found;
    try {
        found.push_back(decode_table(sentence, arcs, options));
        if (given.strategy != Strategy::chart) found = k_best_of_table(sentence, 3, arcs, options);
    } catch (const Error& error) {
        require(trees.empty() || !has_road, "refused: " + std::string(error.what()) + ": " + shown(given));
        return;
    }
    require(!trees.empty(), "a tree where there is none: " + shown(given));
    if (given.strategy != Strategy::chart)
        require(found.size() == std::min<std::size_t>(3, trees.size()), "too few: " + shown(given));
    for (std::size_t i = 0; i < found.size(); ++i) check_best(given, found[i].outcome, trees[i].score, i == 0);
    check_sums(given, trees);
}

}  // namespace nonproj::fuzz
