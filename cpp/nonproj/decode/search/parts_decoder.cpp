#include "nonproj/decode/search/parts_decoder.hpp"

#include <limits>
#include <string>
#include <utility>

#include "nonproj/decode/projective/rearrangement.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

namespace {

double heads_of_a_word(const ArcScores<double>& scores) {
    double arcs = 0;
    for (int d = 1; d <= scores.words(); ++d)
        for (int h = 0; h <= scores.words(); ++h) arcs += h != d && scores(h, d) > minus_infinity<double>;
    return arcs / scores.words();
}

}  // namespace

Outcome decode_parts(const SecondOrderScores& scores, const DecodeOptions& options, bool rearrange) {
    const ClassSolver& solver = options.solver;
    const PartsChart* chart = solver.row().parts_chart;
    if (chart == nullptr)
        throw Error("siblings and grandparents are for Pr, and grandparents for M0I, not for " + solver.name());
    if (scores.siblings != nullptr && !chart->takes_siblings)
        throw Error("for " + solver.name() + " there are scores of grandparents; siblings are for Pr");
    const double bytes = chart->bytes(scores.words(), heads_of_a_word(scores.arcs), scores.grandparents != nullptr);
    const auto mebibytes = [](double size) { return std::to_string(static_cast<long long>(size / 1048576)) + " MiB"; };
    if (bytes > options.memory_limit)
        throw Error("the chart for " + std::to_string(scores.words()) + " words needs about " + mebibytes(bytes) +
                    ", more than memory_limit (" + mebibytes(options.memory_limit) +
                    "): raise it, or allow fewer heads (mask)");
    DecodedTree tree = chart->best(scores, options.single_root);
    if (tree.heads.empty()) solver.refuse_no_tree(options.single_root);
    if (rearrange) tree = rearranged(scores, std::move(tree), options.single_root);
    const double bound = rearrange ? std::numeric_limits<double>::infinity() : tree.score;
    return {tree.score, bound, rearrange ? Road::climb : Road::chart, 0, std::move(tree.heads), {}};
}

}  // namespace nonproj
