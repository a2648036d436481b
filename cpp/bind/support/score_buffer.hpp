// A table of scores as Python hands it over, by the buffer protocol: a third of the time that a general array takes to
// cross over, which counts when a sentence is decoded in two microseconds. Rows that lie one after the other are read where
// they lie, others are copied. To be made and dropped with the GIL.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "support/bind.hpp"

class ScoreBuffer {
  public:
    explicit ScoreBuffer(nb::handle array) {
        if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
        try {
            check();
            if (PyBuffer_IsContiguous(&view_, 'C') == 0) copy();
        } catch (...) {
            PyBuffer_Release(&view_);
            throw;
        }
    }
    ScoreBuffer(ScoreBuffer&& other) noexcept
        : view_(std::exchange(other.view_, Py_buffer{})), copied_(std::move(other.copied_)) {}
    ScoreBuffer& operator=(ScoreBuffer&&) = delete;
    ~ScoreBuffer() { PyBuffer_Release(&view_); }

    template <class Real>
    const Real* values() const {
        return static_cast<const Real*>(copied_.empty() ? view_.buf : copied_.data());
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
    void copy() {
        copied_.resize(static_cast<std::size_t>(view_.len));
        if (PyBuffer_ToContiguous(copied_.data(), &view_, view_.len, 'C') != 0) throw nb::python_error();
    }
    std::string shape() const {
        std::string shape = "(";
        for (int i = 0; i < view_.ndim; ++i) shape += (i > 0 ? ", " : "") + std::to_string(view_.shape[i]);
        return shape + ")";
    }

    Py_buffer view_{};
    std::vector<std::byte> copied_;  // empty where the scores are read where they lie
};
