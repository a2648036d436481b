// What the bindings of all charts need: scores in, heads out, the interpreter free meanwhile.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/error.hpp"
#include "support/bind.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

template <class Real>
using ScoreArray = nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Bounds that keep all sizes well within their types.
inline int checked_words(std::int64_t words) {
    if (words < 0 || words > 100000) throw nonproj::Error("no chart for " + std::to_string(words) + " words");
    return static_cast<int>(words);
}

template <class Real>
nonproj::ArcScores<Real> arc_scores(const ScoreArray<Real>& array) {
    const std::size_t rows = array.shape(0), columns = array.shape(1);
    if (rows != columns || rows == 0)
        throw nonproj::Error("scores must have the shape (n + 1, n + 1) for n words; got (" + std::to_string(rows) +
                             ", " + std::to_string(columns) + ")");
    return {array.data(), checked_words(static_cast<std::int64_t>(rows) - 1)};
}

// How many heads so many trees have.
inline std::size_t heads_of(std::size_t trees, std::size_t words) {
    if (words > 0 && trees > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::int32_t) / words)
        throw nonproj::Error(std::to_string(trees) + " samples do not fit in memory");
    return trees * words;
}

using ScoreAndHeads = std::pair<double, NumpyArray<std::int32_t, 1>>;

inline ScoreAndHeads score_and_heads(nonproj::DecodedTree tree) {
    const std::size_t words = tree.heads.size();
    return {tree.score, to_numpy(std::move(tree.heads), {words})};
}
