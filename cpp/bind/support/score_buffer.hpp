// A table of scores as Python hands it over, by the buffer protocol: a third of the time that a general array takes to
// cross over, which counts when a sentence is decoded in two microseconds. To be made and dropped with the GIL.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "nonproj/error.hpp"
#include "support/bind.hpp"

class ScoreBuffer {
  public:
    explicit ScoreBuffer(nb::handle array) {
        if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) throw nb::python_error();
        try {
            check();
        } catch (...) {
            PyBuffer_Release(&view_);
            throw;
        }
    }
    ScoreBuffer(ScoreBuffer&& other) noexcept : view_(std::exchange(other.view_, Py_buffer{})) {}
    ScoreBuffer& operator=(ScoreBuffer&&) = delete;
    ~ScoreBuffer() { PyBuffer_Release(&view_); }

    template <class Real>
    const Real* values() const {
        return static_cast<const Real*>(view_.buf);
    }
    bool is_double() const { return view_.itemsize == sizeof(double); }
    int words() const { return static_cast<int>(view_.shape[0]) - 1; }
    int labels() const { return view_.ndim == 3 ? static_cast<int>(view_.shape[2]) : 0; }  // 0 without labels

  private:
    void check() const {
        const bool is_float = std::strcmp(view_.format, "f") == 0 || std::strcmp(view_.format, "d") == 0;
        if (!is_float) throw nonproj::Error("scores must be float32 or float64");
        constexpr Py_ssize_t most = 1 << 20;
        const bool has_shape = (view_.ndim == 2 || view_.ndim == 3) && view_.shape[0] == view_.shape[1] &&
                               view_.shape[0] > 1 && (view_.ndim == 2 || view_.shape[2] > 0);
        if (!has_shape)
            throw nonproj::Error(
                "scores must have the shape (n + 1, n + 1) or (n + 1, n + 1, labels) for n >= 1 words, not " + shape());
        if (view_.shape[0] > most || (view_.ndim == 3 && view_.shape[2] > most))
            throw nonproj::Error("scores of the shape " + shape() + " are too large");
    }
    std::string shape() const {
        std::string shape = "(";
        for (int i = 0; i < view_.ndim; ++i) shape += (i > 0 ? ", " : "") + std::to_string(view_.shape[i]);
        return shape + ")";
    }

    Py_buffer view_{};
};
