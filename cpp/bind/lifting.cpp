// Lifts of whole treebanks for Python.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/lifting/smallest_lift.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/tree/fault.hpp"
#include "support/bind.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Heads = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

NumpyArray<std::int32_t, 1> smallest_lifts(const Heads& heads, const Offsets& offsets, int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    if (at.empty() || at.front() != 0 || at.back() != static_cast<std::int64_t>(heads.shape(0)) ||
        !std::is_sorted(at.begin(), at.end()))
        throw Error("offsets must rise from 0 to the number of heads");
    std::vector<std::int32_t> lifted(heads.shape(0));
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        parallel_for(at.size() - 1, threads, [&](std::size_t t) {
            static thread_local SmallestLift lifter;
            const std::span<const std::int32_t> tree(heads.data() + at[t], heads.data() + at[t + 1]);
            if (const auto fault = find_fault(tree))
                throw Error("tree " + std::to_string(t) + ": " + describe(*fault, tree));
            lifter.lift(tree, lifted.data() + at[t]);
        });
    }
    const std::size_t words = lifted.size();
    return to_numpy(std::move(lifted), {words});
}

}  // namespace

void bind_lifting(nb::module_& m) { m.def("smallest_lifts", &smallest_lifts, "heads"_a, "offsets"_a, "threads"_a = 1); }
