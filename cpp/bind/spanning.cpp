// Spanning trees: the best, bounds, sums, counts and samples. Scores are checked to be square; the rest, such
// as NaN, is the wrapper's to check.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/arc_bounds.hpp"
#include "nonproj/decode/spanning/matrix_tree.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/decode/spanning/tree_count.hpp"
#include "nonproj/decode/spanning/tree_sampler.hpp"
#include "nonproj/error.hpp"
#include "nonproj/tree/tree.hpp"
#include "support/bind.hpp"
#include "support/score_array.hpp"

namespace {

using namespace nonproj;

// Room that is not cleared first.
template <int Dimensions = 1, class T>
NumpyArray<T, Dimensions> to_numpy(std::unique_ptr<T[]> data, std::initializer_list<std::size_t> shape) {
    T* const values = data.get();
    nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<T*>(pointer); });
    data.release();
    return NumpyArray<T, Dimensions>(values, shape, owner);
}

// Calls work(workspace) without the GIL. Sentences of a usual length share one workspace a thread.
template <class Workspace, class Work>
auto with(int words, Work work) {
    nb::gil_scoped_release release;
    SignalInterrupt interrupt;
    if (words > 128) {
        Workspace once;
        return work(once);
    }
    thread_local Workspace kept;
    return work(kept);
}

template <class Real>
ScoreAndHeads solve(const ArcScores<Real>& scores, bool single_root, std::span<const Arc> forbidden) {
    const std::size_t words = scores.words();
    auto heads = std::make_unique_for_overwrite<int[]>(words);
    const double score = with<SpanningTrees<Real>>(
        scores.words(), [&](auto& trees) { return trees.solve(scores, single_root, {heads.get(), words}, forbidden); });
    return {score, to_numpy(std::move(heads), {score > minus_infinity<double> ? words : 0})};
}

template <class Real>
ScoreAndHeads best(const ScoreArray<Real>& table, bool single_root) {
    return solve(arc_scores(table), single_root, {});
}

template <class Real>
ScoreAndHeads best_without(const ScoreArray<Real>& table, bool single_root, const ScoreArray<int>& arcs) {
    const auto scores = arc_scores(table);
    if (arcs.shape(1) != 2) throw Error("forbidden arcs must be rows of a head and a dependent");
    std::vector<Arc> forbidden;
    for (std::size_t i = 0; i < arcs.shape(0); ++i) {
        const Arc arc{arcs.data()[2 * i], arcs.data()[2 * i + 1]};
        if (arc.left() < 0 || arc.right() > scores.words() || arc.dependent == 0)
            throw Error("there is no arc from " + std::to_string(arc.head) + " to " + std::to_string(arc.dependent) +
                        " in a sentence of " + std::to_string(scores.words()) + " words");
        forbidden.push_back(arc);
    }
    return solve(scores, single_root, forbidden);
}

// An array of the shape of the scores, filled by fill(workspace, scores, values).
template <class Workspace, class Real, class Fill>
NumpyArray<double, 2> square(const ScoreArray<Real>& table, Fill fill) {
    const auto scores = arc_scores(table);
    const std::size_t width = scores.words() + 1;
    auto values = std::make_unique_for_overwrite<double[]>(width * width);
    with<Workspace>(scores.words(),
                    [&](auto& workspace) { fill(workspace, scores, std::span<double>(values.get(), width * width)); });
    return to_numpy<2>(std::move(values), {width, width});
}

template <class Real>
NumpyArray<double, 2> arc_bounds(const ScoreArray<Real>& table, bool single_root) {
    return square<ArcBounds<Real>>(table, [&](auto& workspace, const auto& scores, std::span<double> bounds) {
        workspace.arc_bounds(scores, single_root, bounds);
    });
}

template <class Real>
NumpyArray<double, 2> marginals(const ScoreArray<Real>& table, bool single_root) {
    return square<MatrixTree>(table, [&](auto& workspace, const auto& scores, std::span<double> chance) {
        workspace.marginals(scores, single_root, chance);
    });
}

template <class Real>
double log_partition(const ScoreArray<Real>& table, bool single_root) {
    const auto scores = arc_scores(table);
    return with<MatrixTree>(scores.words(), [&](auto& sums) { return sums.log_partition(scores, single_root); });
}

template <class Real>
double entropy(const ScoreArray<Real>& table, bool single_root) {
    const auto scores = arc_scores(table);
    return with<MatrixTree>(scores.words(), [&](auto& sums) { return sums.entropy(scores, single_root); });
}

template <class Real>
std::uint64_t count_mod(const ScoreArray<Real>& table, bool single_root, std::uint64_t prime) {
    const auto scores = arc_scores(table);
    nb::gil_scoped_release release;
    SignalInterrupt interrupt;
    return TreeCount(prime).count(scores, single_root);
}

// A fresh workspace: the eliminated table must live from one batch of trees to the next.
template <class Real>
NumpyArray<std::int32_t, 2> sample(const ScoreArray<Real>& table, bool single_root, std::size_t samples,
                                   std::uint64_t seed) {
    const auto scores = arc_scores(table);
    const std::size_t words = scores.words();
    auto heads = std::make_unique_for_overwrite<int[]>(heads_of(samples, words));
    std::mt19937_64 random(seed);
    TreeSampler sampler;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        if (!sampler.read(scores, single_root))
            throw Error("there is no spanning tree to sample: too many arcs have a score of -inf");
    }
    constexpr std::size_t batch = 1000;
    for (std::size_t drawn = 0; drawn < samples;) {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        nb::gil_scoped_release release;
        for (const std::size_t end = std::min(samples, drawn + batch); drawn < end; ++drawn)
            sampler.draw(random, {heads.get() + drawn * words, words});
    }
    return to_numpy<2>(std::move(heads), {samples, words});
}

template <class Real>
void bind(nb::module_& m) {
    const auto scores = nb::arg("scores").noconvert();
    const auto single_root = nb::arg("single_root");
    m.def("spanning_best", &best<Real>, scores, single_root,
          "The score and the heads of the best spanning tree; (-inf, no heads) when there is none.");
    m.def("spanning_best_without", &best_without<Real>, scores, single_root, nb::arg("forbidden").noconvert(),
          "The same without some arcs, given as int32 rows of a head and a dependent.");
    m.def("spanning_arc_bounds", &arc_bounds<Real>, scores, single_root,
          "For every arc an upper bound on the score of the best spanning tree that holds it.");
    m.def("matrix_tree_log_partition", &log_partition<Real>, scores, single_root,
          "The log of the sum over spanning trees of exp(score); -inf when there is none.");
    m.def("matrix_tree_marginals", &marginals<Real>, scores, single_root,
          "The chance of every arc when a tree has a chance proportional to exp(score).");
    m.def("matrix_tree_entropy", &entropy<Real>, scores, single_root,
          "The entropy of that distribution in nats; -inf when there is no tree.");
    m.def("matrix_tree_count_mod", &count_mod<Real>, scores, single_root, nb::arg("prime"),
          "The number of spanning trees without arcs of score -inf, modulo a prime below 2**62.");
    m.def("spanning_sample", &sample<Real>, scores, single_root, nb::arg("samples"), nb::arg("seed"),
          "The heads of independent random trees, one a row, with a chance proportional to exp(score).");
}

}  // namespace

void bind_spanning(nb::module_& m) {
    bind<double>(m);
    bind<float>(m);
}
