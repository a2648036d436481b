// Fills a chart, and finds the derivatives of its goal, with the widest instructions that the processor has.
#pragma once
#include <algorithm>
#include <bit>
#include <utility>

#include "nonproj/decode/one_endpoint_crossing_chart.hpp"

// Packs are passed by value, but only between functions that are inlined into one another.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define NONPROJ_TARGET narrow
#if defined(__GNUC__)
#define NONPROJ_KERNEL __attribute__((always_inline)) inline
#else
#define NONPROJ_KERNEL inline
#endif
#define NONPROJ_ENTRY
#include "nonproj/decode/one_endpoint_crossing_passes.hpp"
#undef NONPROJ_TARGET
#undef NONPROJ_KERNEL
#undef NONPROJ_ENTRY

#if defined(__GNUC__) && defined(__x86_64__)
#define NONPROJ_WIDE "avx2,fma,bmi"
#define NONPROJ_MOVEMASK
#define NONPROJ_TARGET wide
#define NONPROJ_KERNEL __attribute__((always_inline, target(NONPROJ_WIDE))) inline
#define NONPROJ_ENTRY __attribute__((target(NONPROJ_WIDE)))
#include "nonproj/decode/one_endpoint_crossing_passes.hpp"
#undef NONPROJ_MOVEMASK
#undef NONPROJ_TARGET
#undef NONPROJ_KERNEL
#undef NONPROJ_ENTRY

namespace nonproj::one_endpoint_crossing {
inline bool has_wide_instructions() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi");
}
}  // namespace nonproj::one_endpoint_crossing
#endif

namespace nonproj::one_endpoint_crossing {

template <Place place, bool top, class Chart>
void compute(const Chart& chart, int i, int j) {
#if defined(NONPROJ_WIDE)
    if constexpr (Chart::lanes > 1)
        if (has_wide_instructions()) return wide::Pass<Chart, place, top>::compute(chart, i, j);
#endif
    narrow::Pass<Chart, place, top>::compute(chart, i, j);
}
template <Place place, bool top, class Chart>
void derive(const Chart& chart, const Chart& derivatives, int i, int j) {
#if defined(NONPROJ_WIDE)
    if constexpr (Chart::lanes > 1)
        if (has_wide_instructions()) return wide::Pass<Chart, place, top>::derive(chart, derivatives, i, j);
#endif
    narrow::Pass<Chart, place, top>::derive(chart, derivatives, i, j);
}

// The cells in an order in which all that a cell reads is ready; a few i at a time, so that the blocks of one j are
// read again while they are near.
template <class Visit>
void for_each_cell(int words, const Visit& visit) {
    constexpr int together = 4;
    for (int first = (words - 1) / together * together; first >= 0; first -= together)
        for (int j = first + 1; j <= words; ++j)
            for (int i = std::min(j, first + together) - 1; i >= first; --i) visit(i, j);
}
template <class Visit>
void for_each_cell_backwards(int words, const Visit& visit) {
    for (int i = 0; i < words; ++i)
        for (int j = words; j > i; --j) visit(i, j);
}

template <class Chart>
void fill(const Chart& chart) {
    for_each_cell(chart.words(), [&](int i, int j) {
        compute<Place::inner, false>(chart, i, j);
        compute<Place::span, false>(chart, i, j);
        compute<Place::left, false>(chart, i, j);
        compute<Place::right, false>(chart, i, j);
        if (!chart.has_top(i)) return;
        compute<Place::inner, true>(chart, i, j);
        compute<Place::right, true>(chart, i, j);
        compute<Place::span, true>(chart, i, j);
    });
}

// The derivatives of the goal by every value of a filled chart.
template <class Chart>
void derive(const Chart& chart, const Chart& derivatives) {
    for_each_cell_backwards(chart.words(), [&](int i, int j) {
        compute<Place::inner, false>(chart, i, j);  // once more: some tables hold the last cell only
        if (chart.has_top(i)) {
            compute<Place::right, false>(chart, i, j);
            derive<Place::span, true>(chart, derivatives, i, j);
            derive<Place::right, true>(chart, derivatives, i, j);
            derive<Place::inner, true>(chart, derivatives, i, j);
        }
        derive<Place::right, false>(chart, derivatives, i, j);
        derive<Place::left, false>(chart, derivatives, i, j);
        derive<Place::span, false>(chart, derivatives, i, j);
        derive<Place::inner, false>(chart, derivatives, i, j);
    });
}

}  // namespace nonproj::one_endpoint_crossing

#undef NONPROJ_WIDE
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
