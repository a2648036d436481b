// What both files of bindings for 1-endpoint-crossing trees need: checked scores, and a way out for Ctrl-C.
#pragma once
#include <nanobind/ndarray.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>

#include "bind.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/error.hpp"
#include "numpy.hpp"

void bind_one_endpoint_crossing_sums(nb::module_& m);

namespace one_endpoint_crossing_bindings {

template <class Real>
using ScoreArray = nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Real>
nonproj::ArcScores<Real> arc_scores(const ScoreArray<Real>& array) {
    const std::size_t rows = array.shape(0), columns = array.shape(1);
    if (rows != columns || rows == 0)
        throw nonproj::Error("scores must have the shape (n + 1, n + 1) for n words; got (" + std::to_string(rows) +
                             ", " + std::to_string(columns) + ")");
    if (rows > 100001) throw nonproj::Error("no chart for " + std::to_string(rows - 1) + " words");
    return {array.data(), static_cast<int>(rows) - 1};
}

// For long work without the GIL: lets Ctrl-C through, ten times a second at most.
class SignalPoll {
  public:
    void operator()() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

  private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
};

}  // namespace one_endpoint_crossing_bindings
