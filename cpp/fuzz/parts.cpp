// Larger parts on any small table of scores within any class, against enumeration.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/tables.hpp"
#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/parts/decode_parts.hpp"
#include "nonproj/error.hpp"

namespace nonproj::fuzz {

namespace {

// Small numbers and none that is not finite: a part is no wall.
double part(int byte) { return byte < 128 ? 0 : (byte % 17 - 8) / 4.0; }

std::vector<double> read_parts(Choices& choices, std::size_t size) {
    std::vector<double> made(size);
    for (double& each : made) each = part(choices.byte());
    return made;
}

std::vector<Part> listed(const std::vector<double>& table, int side) {
    std::vector<Part> made;
    for (int a = 0; a < side; ++a)
        for (int b = 0; b < side; ++b)
            for (int c = 0; c < side; ++c)
                if (const double score = table[(a * side + b) * side + c]; score != 0)
                    made.push_back({a, b, c, 0, score});
    return made;
}

}  // namespace

void parts(Bytes bytes) {
    Choices choices(bytes);
    const int kinds = choices.byte();
    Case given = read_case(choices, 4);
    given.has_mask = false;
    given.required.clear();
    given.is_double = true;
    for (const double each : given.values)
        if (!(std::abs(each) < 100 || each == -infinity)) return;  // the target `scores` has them
    const int side = given.width;
    const std::vector<double> siblings = read_parts(choices, side * side * side);
    const std::vector<double> grandparents = read_parts(choices, side * side * side);
    const std::vector<double> ends = read_parts(choices, side * side), valency = read_parts(choices, side * 3 * 2);
    const bool is_list = (kinds & 16) != 0;
    PartList scores({given.values.data(), given.words});
    if ((kinds & 1) != 0 && is_list) scores.list_siblings(listed(siblings, side));
    if ((kinds & 1) != 0 && !is_list) scores.sibling_table = siblings.data();
    if ((kinds & 2) != 0 && is_list) scores.list_grandparents(listed(grandparents, side));
    if ((kinds & 2) != 0 && !is_list) scores.grandparent_table = grandparents.data();
    if ((kinds & 4) != 0) scores.ends = ends.data();
    if ((kinds & 8) != 0) scores.valency = valency.data(), scores.max_left = 2, scores.max_right = 1;
    const std::vector<Scored> trees = enumerated(given, given.rule, [&](std::span<const int> heads) {
        double arcs = 0;
        for (int d = 1; d <= given.words; ++d) arcs += given.at(heads[d - 1], d);
        return scores.of_tree(heads.data()) - arcs;
    });
    DecodeOptions options;
    options.solver = given.solver;
    options.single_root = given.single_root;
    options.strategy = given.strategy == Strategy::chart ? Strategy::automatic : given.strategy;
    Outcome found;
    try {
        found = decode_parts(scores, options, false);
    } catch (const Error& error) {
        require(trees.empty(), [&] { return "refused: " + std::string(error.what()) + ": " + shown(given); });
        return;
    }
    require(!trees.empty(), [&] { return "a tree where there is none: " + shown(given); });
    check_tree(given, given.solver, found);
    const auto what = [&] { return ", parts " + std::to_string(kinds & 31) + ": " + shown(given); };
    require(is_close(given, found.score, scores.of_tree(found.heads.data())),
            [&] { return "another score than its parts'" + what(); });
    require(found.bound >= trees.front().score - 1e-9, [&] { return "a bound below the best tree" + what(); });
    require(is_close(given, found.score, trees.front().score), [&] {
        return std::to_string(found.score) + " instead of " + std::to_string(trees.front().score) + what();
    });
    require(found.bound <= found.score + 1e-6, [&] { return "not proven" + what(); });
}

}  // namespace nonproj::fuzz
