// Fills a chart, and finds the derivatives of its goal, with packs where the chart has them.
#pragma once
#include <algorithm>
#include <type_traits>

#include "nonproj/decode/one_endpoint_crossing/passes.hpp"
#include "nonproj/decode/one_endpoint_crossing/plain.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::one_endpoint_crossing {

template <class Chart>
using Rules = std::conditional_t<(Chart::lanes > 1), Packed<Chart>, Plain<Chart>>;

// The cells in an order in which all that a cell reads is ready; a few i at a time, so that the blocks of one j are
// read again while they are near. And the other way round.
inline int rows_together(int words) { return words < 64 ? 4 : 8; }  // as measured
template <class Visit>
void for_each_cell(int words, const Visit& visit) {
    const int rows = rows_together(words);
    for (int first = (words - 1) / rows * rows; first >= 0; first -= rows)
        for (int j = first + 1; j <= words; ++j) {
            Interrupt::check();
            for (int i = std::min(j, first + rows) - 1; i >= first; --i) visit(i, j);
        }
}
template <class Visit>
void for_each_cell_backwards(int words, const Visit& visit) {
    const int rows = rows_together(words);
    for (int first = 0; first < words; first += rows)
        for (int j = words; j > first; --j) {
            Interrupt::check();
            for (int i = first; i < std::min(j, first + rows); ++i) visit(i, j);
        }
}

template <class Chart>
[[gnu::noinline]] void fill(const Chart& chart) {
    Rules<Chart> rules(chart);
    for_each_cell(chart.words(), [&](int i, int j) {
        rules.template compute<Place::inner, false>(i, j);
        rules.template compute<Place::span, false>(i, j);
        rules.template compute<Place::left, false>(i, j);
        rules.template compute<Place::right, false>(i, j);
        if (!chart.has_top(i)) return;
        rules.template compute<Place::inner, true>(i, j);
        rules.template compute<Place::right, true>(i, j);
        rules.template compute<Place::span, true>(i, j);
    });
}

// The derivatives of the goal by every value of a filled chart, into a chart made for them.
template <class Chart>
[[gnu::noinline]] void derive(const Chart& chart, const Chart& derivatives) {
    Rules<Chart> rules(chart);
    for_each_cell_backwards(chart.words(), [&](int i, int j) {
        rules.template compute<Place::inner, false>(i, j);  // once more: some tables hold the last cell only
        if (chart.has_top(i)) {
            rules.template compute<Place::right, false>(i, j);
            rules.template derive<Place::span, true>(derivatives, i, j);
            rules.template derive<Place::right, true>(derivatives, i, j);
            rules.template derive<Place::inner, true>(derivatives, i, j);
        }
        rules.template derive<Place::right, false>(derivatives, i, j);
        rules.template derive<Place::left, false>(derivatives, i, j);
        rules.template derive<Place::span, false>(derivatives, i, j);
        rules.template derive<Place::inner, false>(derivatives, i, j);
    });
}

// Calls use(chart) with a filled chart, in which the arc h -> d is worth weight(h, d).
template <const Grammar& G, Semiring S, class Weight, class Use>
void with_filled_chart(int words, bool single_root, const Weight& weight, const Use& use) {
    if constexpr (lanes_of<S> > 1) {
        if (has_wide_vectors) {
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
