#include "nonproj/decode/well_nested/gap_minding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nonproj/decode/machine/solve.hpp"
#include "nonproj/decode/well_nested/gap_minding_sparse.hpp"
#include "nonproj/decode/well_nested/well_nested.hpp"

namespace nonproj::gap_minding {

namespace {

using Recurrences = nested::GapMinding;

// So few that the chart which looks at possible arcs alone is the faster one.
bool are_few(int words, double arcs) { return 3 * arcs < static_cast<double>(words) * words; }
bool has_few_arcs(const ArcScores<double>& scores) {
    int arcs = 0;
    for (int d = 1; d <= scores.words(); ++d)
        for (int h = 0; h <= scores.words(); ++h) arcs += h != d && scores(h, d) > minus_infinity<double>;
    return are_few(scores.words(), arcs);
}

DecodedTree best(const ArcScores<double>& scores, int k, bool single_root) {
    return has_few_arcs(scores) ? candidate_gap_minding_best(scores, single_root)
                                : nested::Questions<Recurrences>::best(scores, k, single_root);
}
double bytes(int words, int k) {
    return std::max(nested::Questions<Recurrences>::bytes<Best<double>>(words, k),
                    CandidateGapMinding::bytes(words, words * (words / 3.0)));
}
double nanoseconds(int words, int) { return 20 * std::pow(words, 3) + 0.075 * std::pow(words, 5); }
double nanoseconds_of_few(int words, double arcs) {
    return are_few(words, arcs) ? 0.01 * arcs * std::pow(words, 3) : std::numeric_limits<double>::infinity();
}

}  // namespace

constinit const ClassChart chart{.name = "gap-minding",
                                 .bytes = &bytes,
                                 .nanoseconds = &nanoseconds,
                                 .best = &best,
                                 .nanoseconds_of_few = &nanoseconds_of_few,
                                 .bytes_of_few = &CandidateGapMinding::bytes};
constinit const ChartSums sums = nested::Questions<Recurrences>::sums();

}  // namespace nonproj::gap_minding
