// The parts of one sentence, numbered in the order in which they are first asked for: a part is a kind and up to four
// words.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

class Memo {
  public:
    static constexpr int max_words = (1 << 15) - 3;  // what a part of a key holds

    // Forgets all parts. A sentence of few words gets few cells, which then stay in the cache.
    void clear(int words) { clear_to(std::bit_ceil(static_cast<std::size_t>(words + 1) * cells_a_word)); }

    // Words from -1 (none) on.
    static std::uint64_t key(int kind, int a, int b, int c, int d) {
        const auto part = [](int word) { return static_cast<std::uint64_t>(word + 2); };
        return static_cast<std::uint64_t>(kind) << 60 | part(a) << 45 | part(b) << 30 | part(c) << 15 | part(d);
    }

    // How many parts have a number.
    std::uint32_t size() const { return used_; }
    // The number of a part: size() as it was before, if the part is new.
    std::uint32_t number(std::uint64_t key) {
        std::size_t place = place_of(key);
        for (; cells_[place].age == age_; place = (place + 1) & mask_)
            if (cells_[place].key == key) return cells_[place].number;
        cells_[place] = {key, used_, age_};
        if (++used_ * std::size_t{2} > mask_) grow();
        return used_ - 1;
    }

  private:
    struct Cell {
        std::uint64_t key = 0;
        std::uint32_t number = 0;
        std::uint32_t age = 0;
    };
    static constexpr std::size_t cells_a_word = 64;

    void clear_to(std::size_t cells) {
        if (++age_ == 0) {
            cells_.assign(cells_.size(), {});
            age_ = 1;
        }
        used_ = 0;
        mask_ = cells - 1;
        if (cells_.size() < cells) cells_.resize(cells);
    }
    // The upper bits of the product depend on all of the key.
    std::size_t place_of(std::uint64_t key) const { return ((key * golden) >> 32) & mask_; }
    void grow() {
        const std::vector<Cell> old(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(mask_ + 1));
        const std::uint32_t before = age_;
        const std::uint32_t used = used_;
        clear_to(2 * (mask_ + 1));
        for (const Cell& cell : old) {
            if (cell.age != before) continue;
            std::size_t place = place_of(cell.key);
            while (cells_[place].age == age_) place = (place + 1) & mask_;
            cells_[place] = {cell.key, cell.number, age_};
        }
        used_ = used;
    }

    std::vector<Cell> cells_;
    std::size_t mask_ = 0;  // cells in use less one
    std::uint32_t age_ = 0;
    std::uint32_t used_ = 0;
};

}  // namespace nonproj::learn
