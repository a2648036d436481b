// WG_k and MG_k for any k: the chart that makes only items that can matter, for a while; then the one with all items.
// The first is far quicker when the scores fit the class, or few heads are possible; the second is polynomial with a small
// constant, and as quick for all scores.
#include <algorithm>
#include <cmath>
#include <string>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/gaps/gaps.hpp"
#include "nonproj/decode/gaps/packed.hpp"
#include "nonproj/decode/gaps/sparse.hpp"
#include "nonproj/error.hpp"

namespace nonproj::gaps {

namespace {

constexpr double max_packed_bytes = 4294967296.0;

bool has_room_for_all(int words, int k) { return PackedGapChart::bytes(words, k) <= max_packed_bytes; }

// Of the packed chart, as measured on one machine.
double nanoseconds(int words, int k, bool well_nested) {
    const int exponent = well_nested ? 5 + 2 * k : 4 + 3 * k;
    const double strings = well_nested ? 20 * std::pow(3, k - 1) : 30 * std::pow(10, k - 1);
    return strings * std::pow(words, exponent) / std::tgamma(exponent + 1);
}
// Of the sparse chart, at half a microsecond each: a quarter of the time of the packed one.
double max_steps(int words, int k, bool well_nested) { return nanoseconds(words, k, well_nested) / 2000; }

double bytes(int words, int k, bool well_nested) {
    return PackedGapChart::bytes(words, k) +
           SparseGapChart::bytes_of_an_item * std::min(SparseGapChart::max_items, max_steps(words, k, well_nested));
}

// The chart with all items alone; there must be room.
DecodedTree packed_best(const ArcScores<double>& scores, int k, bool well_nested, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const PackedGapChart chart(scores, k, well_nested, single_root);
    return chart.best() > minus_infinity<double> ? decoded(scores, chart.heads()) : DecodedTree{};
}
// The chart with few items alone.
DecodedTree sparse_best(const ArcScores<double>& scores, int k, bool well_nested, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const SparseGapChart chart(scores, k, well_nested, single_root);
    if (chart.gave_up())
        throw Error(
            "the chart has grown past 8 million items: prune the heads (candidate_heads), or use strategy 'relax'");
    return chart.exists() ? decoded(scores, chart.heads()) : DecodedTree{};
}

DecodedTree best(const ArcScores<double>& scores, int k, bool well_nested, bool single_root) {
    const int words = scores.words();
    if (words == 0) return {0, {}};
    if (words > SparseGapChart::max_words || k > max_gaps)
        throw Error("the chart is for at most " + std::to_string(SparseGapChart::max_words) + " words and " +
                    std::to_string(max_gaps) + " gaps");
    if (!has_room_for_all(words, k)) return sparse_best(scores, k, well_nested, single_root);
    {
        const SparseGapChart sparse(scores, k, well_nested, single_root, max_steps(words, k, well_nested));
        if (sparse.exists()) return decoded(scores, sparse.heads());
        if (!sparse.gave_up()) return {};
    }
    return packed_best(scores, k, well_nested, single_root);
}

template <bool is_well_nested>
constexpr ClassChart any_gaps() {
    return {"any gaps", [](int words, int k) { return bytes(words, k, is_well_nested); },
            [](int words, int k) { return nanoseconds(words, k, is_well_nested); },
            [](const ArcScores<double>& scores, int k, bool single_root) {
                return best(scores, k, is_well_nested, single_root);
            },
            max_gaps};
}

}  // namespace

constinit const ClassChart well_nested = any_gaps<true>(), mildly_ill_nested = any_gaps<false>();

DecodedTree best_by_one_chart(const ArcScores<double>& scores, int k, bool is_well_nested, bool single_root,
                              bool is_packed) {
    if (scores.words() > SparseGapChart::max_words || k < 0 || k > max_gaps ||
        (is_packed && !has_room_for_all(scores.words(), k)))
        throw Error("no chart for " + std::to_string(scores.words()) + " words and " + std::to_string(k) + " gaps");
    return is_packed ? packed_best(scores, k, is_well_nested, single_root)
                     : sparse_best(scores, k, is_well_nested, single_root);
}

}  // namespace nonproj::gaps
