// Products of matrices, whose columns go by panels of 16.
//
// Every element of a product is a sum in the order of its terms, and every term is multiplied and added with a single
// rounding: the same on every machine to the bit, however wide its vectors are.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/error.hpp"

namespace nonproj::learn {

inline constexpr int panel = 16;
constexpr int whole_panels(int columns) { return (columns + panel - 1) / panel * panel; }

// A matrix among the weights, in panels, or a vector.
struct Block {
    std::size_t begin;
    int rows, columns;
    std::size_t size() const { return static_cast<std::size_t>(rows) * columns; }
};

// Columns go by panels: an error where a size does not.
inline void check_sizes(std::initializer_list<int> sizes) {
    for (const int size : sizes)
        if (size < panel || size > 1024 || size % panel != 0)
            throw Error("the sizes of a network are multiples of 16, from 16 to 1024");
}

// Element (i, k) of a left factor.
struct Left {
    const float* data;
    std::size_t row, column;
    const float* at(std::size_t i) const { return data + i * row; }
};
// Column c of row k is at data[c / 16 * panel + k * row + c % 16]: a matrix row by row, or panel by panel.
template <class Value>
struct Panels {
    Value* data;
    std::size_t row, panel;
    Value* at(std::size_t k, std::size_t p) const { return data + k * row + p * panel; }
};
using Right = Panels<const float>;
using Product = Panels<float>;

inline Left by_rows(const float* data, std::size_t width) { return {data, width, 1}; }
inline Left transposed(const float* data, std::size_t width) { return {data, 1, width}; }
template <class Value>
Panels<Value> rows_of(Value* data, std::size_t width) {
    return {data, width, panel};
}
// `depth` rows, one panel after the other.
template <class Value>
Panels<Value> panels_of(Value* data, std::size_t depth) {
    return {data, panel, panel * depth};
}

// a b + c with a single rounding, where the processor has no such operation. The product is exact in doubles; the last
// bit of the sum is set if anything was lost, so that what is then rounded to a float is not taken for half way between
// two of them (Boldo & Melquiond 2008).
inline float fused_multiply_add(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, sum = product + c, added = sum - product;
    const double lost = (product - (sum - added)) + (c - added);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if (std::abs(lost) > 0 && bits % 2 == 0) bits += (lost > 0) == (sum > 0) ? 1 : -1;
    return static_cast<float>(std::bit_cast<double>(bits));
}

// The same in every lane. Who calls this is compiled with -ffp-contract=fast: wide vectors have the operation.
template <int Bytes>
NONPROJ_INLINE Lanes<float, Bytes> multiply_add(const Lanes<float, Bytes>& a, const Lanes<float, Bytes>& b,
                                                Lanes<float, Bytes> c) {
    if constexpr (Bytes > 16) return {c.lane + a.lane * b.lane};
    for (int l = 0; l < c.count; ++l) c.lane[l] = fused_multiply_add(a.lane[l], b.lane[l], c.lane[l]);
    return c;
}

// Adds to `Rows` rows and `Wide` panels of a product, which stay in registers.
template <int Bytes, int Rows, int Wide>
NONPROJ_INLINE void add_tile(const Left& a, std::size_t i, const Right& b, std::size_t p, std::size_t depth,
                             const Product& c) {
    using Pack = Lanes<float, Bytes>;
    constexpr int packs = panel / Pack::count;
    Pack sums[Rows][Wide * packs];
    for (int r = 0; r < Rows; ++r)
        for (int w = 0; w < Wide; ++w)
            for (int x = 0; x < packs; ++x) sums[r][w * packs + x] = Pack::load(c.at(i + r, p + w) + x * Pack::count);
    for (std::size_t k = 0; k < depth; ++k) {
        Pack of_b[Wide * packs];
        for (int w = 0; w < Wide; ++w)
            for (int x = 0; x < packs; ++x) of_b[w * packs + x] = Pack::load(b.at(k, p + w) + x * Pack::count);
        for (int r = 0; r < Rows; ++r) {
            const Pack of_a = Pack::all(a.at(i + r)[k * a.column]);
            for (int x = 0; x < Wide * packs; ++x) sums[r][x] = multiply_add(of_a, of_b[x], sums[r][x]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int w = 0; w < Wide; ++w)
            for (int x = 0; x < packs; ++x) sums[r][w * packs + x].store(c.at(i + r, p + w) + x * Pack::count);
}

// Adds to `rows` rows of `Wide` panels, at most so many rows.
template <int Bytes, int Rows, int Wide>
NONPROJ_INLINE void add_rows(const Left& a, std::size_t i, std::size_t rows, const Right& b, std::size_t p,
                             std::size_t depth, const Product& c) {
    if constexpr (Rows > 0) {
        if (rows == Rows)
            add_tile<Bytes, Rows, Wide>(a, i, b, p, depth, c);
        else
            add_rows<Bytes, Rows - 1, Wide>(a, i, rows, b, p, depth, c);
    }
}

template <int Bytes>
NONPROJ_INLINE void add_product_by(const Left& a, std::size_t rows, std::size_t depth, const Right& b,
                                   std::size_t columns, const Product& c) {
    // Tiles whose sums, and what they need, are as many as there are registers.
    constexpr std::size_t most = 6;
    constexpr int wide = Bytes > 32 ? 2 : 1;
    const std::size_t panels = columns / panel;
    std::size_t p = 0;
    if (rows == 1)
        for (; p + 4 <= panels; p += 4) add_tile<Bytes, 1, 4>(a, 0, b, p, depth, c);
    if constexpr (wide > 1)
        for (; p + wide <= panels; p += wide)
            for (std::size_t i = 0; i < rows; i += most)
                add_rows<Bytes, most, wide>(a, i, std::min(most, rows - i), b, p, depth, c);
    for (; p < panels; ++p)
        for (std::size_t i = 0; i < rows; i += most)
            add_rows<Bytes, most, 1>(a, i, std::min(most, rows - i), b, p, depth, c);
}

// c += a b; `columns` is a multiple of 16.
void add_product(const Left& a, std::size_t rows, std::size_t depth, const Right& b, std::size_t columns,
                 const Product& c);

// The transpose of rows x columns numbers that lie in `from`, in panels of its own rows; behind the last row come zeros.
void transpose(const Right& from, std::size_t rows, std::size_t columns, float* to);

}  // namespace nonproj::learn
