// The best 1-endpoint-crossing tree, exactly, in O(n^4) time and O(n^3) space. See rules.hpp.
#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/decode/one_endpoint_crossing/one_endpoint_crossing.hpp"
#include "nonproj/decode/sums/lot.hpp"

namespace nonproj::one_endpoint_crossing {

namespace {

using S = Best<double>;

template <class Chart>
DecodedTree best_of(const ArcScores<double>& scores, const Chart& chart) {
    if (chart.goal() == S::zero()) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<double> largest;
    Descent<Chart>(chart).run(largest, heads.data());
    return decoded(scores, std::move(heads));
}

DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    DecodedTree tree;
    with_filled_chart<overlapping, S>(scores.words(), single_root, scores,
                                      [&](const auto& chart) { tree = best_of(scores, chart); });
    return tree;
}
double bytes(int words, int) { return static_cast<double>(Chart<overlapping, S>::bytes(words)); }
double nanoseconds(int words, int) {
    const double n = words;
    return 25 * n * n * n + 0.45 * n * n * n * n;
}

template <const Grammar& G>
DecodedTree best_without_packs(const ArcScores<double>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const Chart<G, S, 1> chart(scores.words(), single_root, scores);
    fill(chart);
    return best_of(scores, chart);
}

}  // namespace

constinit const ClassChart chart{"1-endpoint-crossing", &bytes, &nanoseconds, &best};

DecodedTree best_plainly(const ArcScores<double>& scores, bool single_root, bool is_unique) {
    return is_unique ? best_without_packs<unique>(scores, single_root)
                     : best_without_packs<overlapping>(scores, single_root);
}

}  // namespace nonproj::one_endpoint_crossing
