// WG_k and MG_k, each of the two charts alone. Private functions; the package nonproj.decode checks and explains.
#include "nonproj/decode/gaps.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <string>
#include <utility>

#include "bind.hpp"
#include "nonproj/error.hpp"
#include "numpy.hpp"
#include "signal_watch.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using ScoreArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::pair<double, NumpyArray<std::int32_t, 1>> best(const ScoreArray& array, int k, bool well_nested, bool single_root,
                                                    bool packed) {
    const std::size_t rows = array.shape(0), columns = array.shape(1);
    if (rows != columns || rows == 0 || rows > SparseGapChart::most_words + 1)
        throw Error("scores must have the shape (n + 1, n + 1) for at most " +
                    std::to_string(SparseGapChart::most_words) + " words; got (" + std::to_string(rows) + ", " +
                    std::to_string(columns) + ")");
    const ArcScores<double> scores(array.data(), static_cast<int>(rows) - 1);
    if (k < 0 || k > gaps::most_gaps || (packed && !gaps::has_room_for_all(scores.words(), k)))
        throw Error("no chart for " + std::to_string(scores.words()) + " words and " + std::to_string(k) + " gaps");
    DecodedTree tree;
    {
        nb::gil_scoped_release released;
        SignalWatch watch;
        tree = packed ? gaps::packed_best(scores, k, well_nested, single_root)
                      : gaps::sparse_best(scores, k, well_nested, single_root);
    }
    const std::size_t words = tree.heads.size();
    return {tree.score, to_numpy(std::move(tree.heads), {words})};
}

}  // namespace

void bind_gaps(nb::module_& m) {
    m.def("gaps_best", &best, "scores"_a.noconvert(), "k"_a, "well_nested"_a, "single_root"_a, "packed"_a,
          "The score and the heads of the best tree of WG_k or MG_k, (-inf, no heads) when there is none: by the chart "
          "with all items, or by that with those which matter alone.");
}
