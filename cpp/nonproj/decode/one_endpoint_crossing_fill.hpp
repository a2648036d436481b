// Fills a chart, and finds the derivatives of its goal, with packs where the chart has them.
#pragma once
#include <algorithm>

#include "nonproj/decode/one_endpoint_crossing_passes.hpp"
#include "nonproj/decode/one_endpoint_crossing_plain.hpp"

namespace nonproj::one_endpoint_crossing {

template <Place place, bool top, class Chart>
void compute(const Chart& chart, int i, int j) {
    if constexpr (Chart::lanes > 1) Pass<Chart, place, top>::compute(chart, i, j);
    else Plain<Chart>(chart, place, top).compute(i, j);
}
template <Place place, bool top, class Chart>
void derive(const Chart& chart, const Chart& derivatives, int i, int j) {
    if constexpr (Chart::lanes > 1) Pass<Chart, place, top>::derive(chart, derivatives, i, j);
    else Plain<Chart>(chart, place, top).derive(derivatives, i, j);
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

// The derivatives of the goal by every value of a filled chart, into a chart made for them.
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

// Calls use(chart) with a filled chart, in which the arc h -> d is worth weight(h, d).
template <const Grammar& G, Semiring S, class Weight, class Use>
void with_filled_chart(int words, bool single_root, const Weight& weight, const Use& use) {
    if constexpr (Lanes<S>::count > 1) {
        if (has_vector_instructions()) {
            const Chart<G, S> chart(words, single_root, weight);
            fill(chart);
            return use(chart);
        }
    }
    const Chart<G, S, 1> chart(words, single_root, weight);
    fill(chart);
    use(chart);
}

}  // namespace nonproj::one_endpoint_crossing
