// Sums of rows of weights: a feature with a weight for each of many values, such as relations, one after the other.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// Asks for a row before it is needed.
inline void prefetch_row(const float* row, int count) {
    for (int v = 0; v < count; v += slots) prefetch(row + v);
}

// Some values at a time, whose sums stay in registers. The last of them end with the row: some are summed twice. Where
// there are fewer in all, what is read is still in the table, whose lines have as many slots.
template <int Bytes>
NONPROJ_INLINE void sum_rows_by(const WeightTable& weights, std::span<const std::size_t> rows, int count,
                                std::span<const float> start, std::span<float> sums) {
    using Pack = Lanes<float, Bytes>;
    constexpr int packs = slots / Pack::count;
    for (int next = 0; next < count; next += slots) {
        const int begin = std::max(0, std::min(next, count - slots));
        const float* const column = weights.data() + begin;
        Pack pack[packs];
        for (int p = 0; p < packs; ++p) pack[p] = Pack::load(&start[begin + p * Pack::count]);
        for (const std::size_t row : rows)
            for (int p = 0; p < packs; ++p) pack[p] = pack[p] + Pack::load(column + row + p * Pack::count);
        for (int p = 0; p < packs; ++p) pack[p].store(&sums[begin + p * Pack::count]);
    }
}

// sums = start + the weights of all rows; both have room for `slots` values at least.
inline void sum_rows(const WeightTable& weights, std::span<const std::size_t> rows, int count,
                     std::span<const float> start, std::span<float> sums) {
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { sum_rows_by<Bytes>(weights, rows, count, start, sums); });
}

}  // namespace nonproj::learn
