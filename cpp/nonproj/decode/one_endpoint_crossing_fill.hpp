#pragma once
#include <algorithm>
#include <utility>

#include "nonproj/decode/one_endpoint_crossing_chart.hpp"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define NONPROJ_TARGET narrow
#define NONPROJ_KERNEL __attribute__((always_inline)) inline
#define NONPROJ_ENTRY
#include "nonproj/decode/one_endpoint_crossing_passes.hpp"
#undef NONPROJ_TARGET
#undef NONPROJ_KERNEL
#undef NONPROJ_ENTRY

#define NONPROJ_TARGET wide
#define NONPROJ_KERNEL __attribute__((always_inline, target("avx2,fma"))) inline
#define NONPROJ_ENTRY __attribute__((target("avx2,fma")))
#include "nonproj/decode/one_endpoint_crossing_passes.hpp"
#undef NONPROJ_TARGET
#undef NONPROJ_KERNEL
#undef NONPROJ_ENTRY

namespace nonproj::one_endpoint_crossing {

template <Place place, bool top, class Chart>
void pass(const Chart& chart, int i, int j) {
    if constexpr (Chart::lanes > 1)
        if (__builtin_cpu_supports("avx2")) return wide::Pass<Chart, place, top>::compute(chart, i, j);
    narrow::Pass<Chart, place, top>::compute(chart, i, j);
}

template <class Chart>
void fill_cell(const Chart& chart, int i, int j) {
    pass<Place::inner, false>(chart, i, j);
    pass<Place::span, false>(chart, i, j);
    pass<Place::left, false>(chart, i, j);
    pass<Place::right, false>(chart, i, j);
    if (chart.has_top(i)) {
        pass<Place::inner, true>(chart, i, j);
        pass<Place::right, true>(chart, i, j);
        pass<Place::span, true>(chart, i, j);
    }
}

// Cells in an order in which all that a cell reads is ready; a few i at a time, so that the blocks of one j are
// read while they are still near.
template <class Chart>
void fill(const Chart& chart) {
    constexpr int together = 4;
    for (int block = (chart.words() - 1) / together; block >= 0; --block)
        for (int j = block * together + 1; j <= chart.words(); ++j)
            for (int i = std::min(j, (block + 1) * together) - 1; i >= block * together; --i)
                fill_cell(chart, i, j);
}

}  // namespace nonproj::one_endpoint_crossing
