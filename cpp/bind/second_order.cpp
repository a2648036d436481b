// Trees with scores of siblings and grandparents. Private functions; the package nonproj.decode checks and explains.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/base/part_scores.hpp"
#include "nonproj/decode/projective/eisner_with_parts.hpp"
#include "nonproj/decode/projective/rearrangement.hpp"
#include "nonproj/decode/well_nested/gap_minding_with_grandparents.hpp"
#include "nonproj/error.hpp"
#include "support/bind.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ScoreAndHeads = std::pair<double, NumpyArray<std::int32_t, 1>>;

const double* cube_of(const char* name, const std::optional<Cube>& cube, std::size_t side) {
    if (!cube) return nullptr;
    for (int axis = 0; axis < 3; ++axis)
        if (cube->shape(axis) != side)
            throw Error(std::string(name) +
                        " must have the shape (n + 1, n + 1, n + 1), n + 1 = " + std::to_string(side));
    return cube->data();
}

SecondOrderScores scores_of(const Table& arcs, const std::optional<Cube>& siblings,
                            const std::optional<Cube>& grandparents) {
    const std::size_t side = arcs.shape(0);
    if (side != arcs.shape(1) || side == 0 || side > 4096)
        throw Error("scores must have the shape (n + 1, n + 1) for n < 4096 words; got (" + std::to_string(side) +
                    ", " + std::to_string(arcs.shape(1)) + ")");
    return {{arcs.data(), static_cast<int>(side) - 1},
            cube_of("siblings", siblings, side),
            cube_of("grandparents", grandparents, side)};
}

template <class Compute>
ScoreAndHeads without_gil(const Compute& compute) {
    DecodedTree tree;
    {
        nb::gil_scoped_release released;
        SignalInterrupt interrupt;
        tree = compute();
    }
    const std::size_t words = tree.heads.size();
    return {tree.score, to_numpy(std::move(tree.heads), {words})};
}

ScoreAndHeads projective(const Table& arcs, const std::optional<Cube>& siblings,
                         const std::optional<Cube>& grandparents, bool single_root, bool rearrange) {
    const auto scores = scores_of(arcs, siblings, grandparents);
    return without_gil([&] {
        DecodedTree best = second_order_best(scores, single_root);
        return rearrange ? rearranged(scores, std::move(best), single_root) : best;
    });
}

ScoreAndHeads gap_minding(const Table& arcs, const std::optional<Cube>& grandparents, bool single_root) {
    const auto scores = scores_of(arcs, {}, grandparents);
    return without_gil([&] { return pruned_gap_minding_best(scores, single_root); });
}

}  // namespace

void bind_second_order(nb::module_& m) {
    m.def("second_order_projective", &projective, "scores"_a.noconvert(), "siblings"_a.noconvert().none(),
          "grandparents"_a.noconvert().none(), "single_root"_a, "rearrange"_a,
          "The score and the heads of the best projective tree, if wished improved by hill-climbing; (-inf, no heads) "
          "when "
          "there is none.");
    m.def("second_order_gap_minding", &gap_minding, "scores"_a.noconvert(), "grandparents"_a.noconvert().none(),
          "single_root"_a,
          "The score and the heads of the best gap-minding tree; (-inf, no heads) when there is none.");
    m.def(
        "second_order_bytes",
        [](bool gap_minding, int words, double heads_of_a_word, bool grandparents) {
            return gap_minding ? PrunedGapMinding::bytes(words, heads_of_a_word, grandparents)
                               : SecondOrderEisner::bytes(words, grandparents);
        },
        "gap_minding"_a, "words"_a, "heads_of_a_word"_a, "grandparents"_a, "The memory of the charts above, in bytes.");
}
