// Where the values of a chart lie: tables, one after the other, of rows that are packed by their keys. A *row* holds the
// items of a table that differ in their last index only, the lane.
#pragma once
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj::nested {

// How the rows of a table are packed, by their keys.
enum class Packing : std::uint8_t {
    word,     // (x | .)          0 <= x <= n + 1
    span,     // (i, j | h)       1 <= i <= j + 1
    ends,     // (i, h | j)
    triple,   // (x, y, z | h)    1 <= x <= y <= z
    corners,  // (i, p, q | j)    i <= p, p + 2 <= q <= j
    ring,     // (a, b, l, r | h) a < l <= r < b, those of a..b together
    gap,      // the same, those of l..r together
    stack     // (w, x, y, z | l) l < w <= x <= y <= z
};
using Packings = std::span<const Packing>;

// Two words, which fit into registers.
class Row {
  public:
    static constexpr int max_words = 4094;

    std::ptrdiff_t at;  // the value of lane l is cells[at + l]

    Row() = default;
    NONPROJ_INLINE Row(std::ptrdiff_t start, int table, int a, int b, int c, int d)
        : at(start), name_(bits(table) << 48 | bits(a) << 36 | bits(b) << 24 | bits(c) << 12 | bits(d)) {
        assert(0 <= std::min({a, b, c, d}) && std::max({a, b, c, d}) <= max_words + 1);
    }

    int table() const { return static_cast<int>(name_ >> 48); }
    std::array<int, 4> keys() const { return {key(36), key(24), key(12), key(0)}; }

  private:
    std::uint64_t name_;

    static NONPROJ_INLINE std::uint64_t bits(int number) { return static_cast<std::uint64_t>(number); }
    int key(int shift) const { return static_cast<int>(name_ >> shift & 4095); }
};
struct Item {
    Row row;
    int lane;
};
NONPROJ_INLINE Item item(Row row, int lane) { return {row, lane}; }

// The tables that every chart begins with.
enum : std::int16_t { arcs_into, arcs_from, first_own_table };  // (dependent | head), (head | dependent)

class Layout {
  public:
    Layout(int words, Packings packings);

    // As many values as `size`, without the tables.
    static double cells(int words, Packings packings);

    int words() const { return words_; }
    std::size_t size() const;

    Row row(int table, int a, int b, int c, int d) const { return row(packings_[table], table, a, b, c, d); }
    // The same, faster where the packing is a constant.
    NONPROJ_INLINE Row row(Packing packing, int table, int a, int b, int c, int d) const {
        return {start_[table] + offset(packing, a, b, c, d), table, a, b, c, d};
    }

  private:
    // x <= y among so many.
    static std::ptrdiff_t pairs(std::ptrdiff_t count) { return count * (count + 1) / 2; }
    // The values of the corner rows q + 1, ..., n.
    std::ptrdiff_t behind(int q) const { return static_cast<std::ptrdiff_t>(words_ - q) * (words_ - q + 1) / 2; }

    NONPROJ_INLINE std::ptrdiff_t offset(Packing packing, int a, int b, int c, int d) const {
        const int side = words_ + 2;
        switch (packing) {
            case Packing::word:
                return width_ * a;
            case Packing::span:
                return width_ * (span_[a] + b);
            case Packing::ends:
                return width_ * (width_ * a + b);
            case Packing::triple:
                return width_ * (triple_[a * side + b] + c);
            case Packing::corners:
                return corners_[a * side + b] + behind(c) - c;
            case Packing::gap:
                return width_ * (gap_[c * side + d] + static_cast<std::ptrdiff_t>(a - 1) * (words_ - d) + (b - d - 1));
            case Packing::stack:
                return stack_[a * side + b] + a * (pairs(words_ - b + 1) - pairs(words_ - c + 1) + (d - c));
            default: {
                const std::ptrdiff_t l = c - a - 1;
                return width_ * (ring_[a * side + b] + l * (b - a - 1) - l * (l - 1) / 2 + (d - c));
            }
        }
    }

    int words_;
    std::ptrdiff_t width_;
    Packings packings_;
    std::vector<std::ptrdiff_t> start_, span_, triple_, corners_, ring_, gap_, stack_;
};

}  // namespace nonproj::nested
