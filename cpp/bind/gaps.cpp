// WG_k and MG_k, each of the two charts alone. Private functions; the package nonproj.decode checks and explains.
#include <string>

#include "nonproj/decode/gaps/best.hpp"
#include "support/score_array.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

ScoreAndHeads best(const ScoreArray<double>& array, int k, bool well_nested, bool single_root, bool packed) {
    const auto scores = arc_scores(array);
    if (scores.words() > SparseGapChart::max_words || k < 0 || k > gaps::max_gaps ||
        (packed && !gaps::has_room_for_all(scores.words(), k)))
        throw Error("no chart for " + std::to_string(scores.words()) + " words and " + std::to_string(k) + " gaps");
    return score_and_heads(without_gil([&] {
        return packed ? gaps::packed_best(scores, k, well_nested, single_root)
                      : gaps::sparse_best(scores, k, well_nested, single_root);
    }));
}

}  // namespace

void bind_gaps(nb::module_& m) {
    m.def("gaps_best", &best, "scores"_a.noconvert(), "k"_a, "well_nested"_a, "single_root"_a, "packed"_a,
          "The score and the heads of the best tree of WG_k or MG_k, (-inf, no heads) when there is none: by the chart "
          "with all items, or by that with those which matter alone.");
}
