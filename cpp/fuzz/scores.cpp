// Decoders and sums on any small table of scores, against enumeration.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/tables.hpp"
#include "nonproj/decode/search/table_decoder.hpp"
#include "nonproj/error.hpp"

namespace nonproj::fuzz {

namespace {

void check_best(const Case& given, const Outcome& found, double expected, bool is_first) {
    check_tree(given, given.solver, found);
    double score = 0;
    for (int d = 1; d <= given.words; ++d) score += given.at(found.heads[d - 1], d);
    require(is_close(given, found.score, score), [&] { return "another score than its arcs': " + shown(given); });
    require(is_close(given, found.score, expected), [&] {
        return std::to_string(found.score) + " instead of " + std::to_string(expected) + ": " + shown(given);
    });
    if (is_first) require(found.is_optimal(), [&] { return "not proven: " + shown(given); });
}

void check_sums(const Case& given, const std::vector<Scored>& trees) {
    const Sums* const sums = given.solver.sums();
    for (const double each : given.values)
        if (std::abs(each) > 100 && each > -infinity) return;
    if (sums == nullptr) return;
    std::vector<double> allowed = given.values;
    for (int h = 0; h <= given.words; ++h)
        for (int d = 0; d <= given.words; ++d)
            if (d > 0 && h != d && !given.allows(h, d)) allowed[h * given.width + d] = -infinity;
    const ArcScores<double> table(allowed.data(), given.words);
    const std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
    require(sums->count(table, given.single_root, prime) == trees.size(), [&] { return "count: " + shown(given); });
    double total = 0;
    for (const Scored& tree : trees) total += std::exp(tree.score);
    std::vector<double> chance(allowed.size());
    const double log_total = sums->marginals(table, given.single_root, chance);
    require(std::abs(std::exp(log_total) - total) <= 1e-9 * total, [&] { return "log-partition: " + shown(given); });
    for (int d = 1; d <= given.words; ++d)
        for (int h = 0; h <= given.words; ++h) {
            if (h == d) continue;
            double expected = 0;
            for (const Scored& tree : trees)
                if (tree.heads[d - 1] == h) expected += std::exp(tree.score) / total;
            require(std::abs(chance[h * given.width + d] - expected) <= 1e-9,
                    [&] { return "marginals: " + shown(given); });
        }
}

}  // namespace

void scores(Bytes bytes) {
    Choices choices(bytes);
    const Case given = read_case(choices);
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
        require(trees.empty() || !has_road,
                [&] { return "refused: " + std::string(error.what()) + ": " + shown(given); });
        return;
    }
    require(!trees.empty(), [&] { return "a tree where there is none: " + shown(given); });
    if (given.strategy != Strategy::chart)
        require(found.size() == std::min<std::size_t>(3, trees.size()), [&] { return "too few: " + shown(given); });
    for (std::size_t i = 0; i < found.size(); ++i) check_best(given, found[i].outcome, trees[i].score, i == 0);
    check_sums(given, trees);
}

}  // namespace nonproj::fuzz
