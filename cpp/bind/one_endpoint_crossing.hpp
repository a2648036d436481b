// What both files of bindings for 1-endpoint-crossing trees need.
#pragma once
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "bind.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/error.hpp"
#include "numpy.hpp"
#include "signal_watch.hpp"

void bind_one_endpoint_crossing_sums(nb::module_& m);

namespace one_endpoint_crossing_bindings {

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

template <class Compute>
auto without_gil(Compute compute) {
    nb::gil_scoped_release released;
    SignalWatch watch;
    return compute();
}

}  // namespace one_endpoint_crossing_bindings
