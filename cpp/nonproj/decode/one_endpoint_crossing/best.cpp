// The best 1-endpoint-crossing tree, exactly, in O(n^4) time and O(n^3) space. See rules.hpp.
#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/decode/one_endpoint_crossing/one_endpoint_crossing.hpp"

namespace nonproj::one_endpoint_crossing {

namespace {

using S = Best<double>;

DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    DecodedTree tree;
    with_filled_chart<overlapping, S>(scores.words(), single_root, scores,
                                      [&](const auto& chart) { tree = best_tree(chart, scores); });
    return tree;
}
double bytes(int words, int) { return static_cast<double>(Chart<overlapping, S>::bytes(words)); }
double nanoseconds(int words, int) {
    const double n = words;
    return 25 * n * n * n + 0.45 * n * n * n * n;
}

}  // namespace

constinit const ClassChart chart{"1-endpoint-crossing", &bytes, &nanoseconds, &best};

}  // namespace nonproj::one_endpoint_crossing
