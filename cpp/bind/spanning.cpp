#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <memory>

#include "bind.hpp"
#include "nonproj/decode/arc_bounds.hpp"
#include "nonproj/decode/spanning.hpp"
#include "nonproj/error.hpp"

using namespace nonproj;
namespace {
template <class Real>
using Table = nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Real>
ArcScores<Real> scores_of(const Table<Real>& t) {
    if (t.shape(0) != t.shape(1) || t.shape(0) == 0) throw Error("scores must be square");
    return {t.data(), static_cast<int>(t.shape(0)) - 1};
}
template <class Real>
std::pair<double, nb::ndarray<nb::numpy, int>> best(const Table<Real>& t, bool single) {
    auto s = scores_of(t);
    int* heads = new int[s.words()+1];
    double score;
    {
        nb::gil_scoped_release r;
        thread_local SpanningTrees<Real> trees;
        score = trees.solve(s, single, {heads, (size_t)s.words()});
    }
    nb::capsule owner(heads, [](void* p) noexcept { delete[] (int*)p; });
    size_t shape[1] = {score > -INFINITY ? (size_t)s.words() : 0};
    return {score, nb::ndarray<nb::numpy, int>(heads, 1, shape, owner)};
}
template <class Real>
nb::ndarray<nb::numpy, double> bounds(const Table<Real>& t, bool single) {
    auto s = scores_of(t);
    size_t w = s.words() + 1;
    double* out = new double[w * w];
    {
        nb::gil_scoped_release r;
        thread_local ArcBounds<Real> trees;
        trees.arc_bounds(s, single, {out, w * w});
    }
    nb::capsule owner(out, [](void* p) noexcept { delete[] (double*)p; });
    size_t shape[2] = {w, w};
    return nb::ndarray<nb::numpy, double>(out, 2, shape, owner);
}
}
void bind_spanning(nb::module_& m) {
    m.def("spanning_best", &best<double>, nb::arg("scores").noconvert(), nb::arg("single_root"));
    m.def("spanning_best", &best<float>, nb::arg("scores").noconvert(), nb::arg("single_root"));
    m.def("spanning_arc_bounds", &bounds<double>, nb::arg("scores").noconvert(), nb::arg("single_root"));
    m.def("spanning_arc_bounds", &bounds<float>, nb::arg("scores").noconvert(), nb::arg("single_root"));
}
