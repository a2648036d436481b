// A set of positions 0 .. 64 W - 1 as W machine words.
#pragma once
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

namespace nonproj {

template <int W>
class Bits {
  public:
    static constexpr int capacity = 64 * W;

    static Bits single(int position) {
        Bits set;
        set.insert(position);
        return set;
    }
    // The positions strictly between two others.
    static Bits between(int left, int right) {
        Bits set = below(right);
        const Bits outside = below(left + 1);
        each_word([&](int i) { set.word_[i] &= ~outside.word_[i]; });
        return set;
    }
    // The positions 0 .. end - 1.
    static Bits below(int end) {
        assert(0 <= end && end <= capacity);
        Bits set;
        each_word([&](int i) {
            const int left = end - 64 * i;
            if (left >= 64)
                set.word_[i] = ~std::uint64_t{0};
            else if (left > 0)
                set.word_[i] = (std::uint64_t{1} << left) - 1;
        });
        return set;
    }

    void insert(int position) { word_[index(position)] |= mask(position); }
    void erase(int position) { word_[index(position)] &= ~mask(position); }
    bool contains(int position) const { return (word_[index(position)] & mask(position)) != 0; }

    bool empty() const {
        std::uint64_t any = 0;
        each_word([&](int i) { any |= word_[i]; });
        return any == 0;
    }
    int size() const {
        int size = 0;
        each_word([&](int i) { size += std::popcount(word_[i]); });
        return size;
    }
    // The smallest and the largest position; the set is not empty.
    int first() const {
        int i = 0;
        while (word_[i] == 0) assert(i + 1 < W), ++i;
        return 64 * i + std::countr_zero(word_[i]);
    }
    int last() const {
        int i = W - 1;
        while (word_[i] == 0) assert(i > 0), --i;
        return 64 * i + 63 - std::countl_zero(word_[i]);
    }
    // Number of maximal runs of consecutive positions.
    int runs() const {
        int runs = 0;
        std::uint64_t carry = 0;
        each_word([&](int i) {
            runs += std::popcount(word_[i] & ~((word_[i] << 1) | carry));
            carry = word_[i] >> 63;
        });
        return runs;
    }

    Bits& operator|=(const Bits& o) {
        each_word([&](int i) { word_[i] |= o.word_[i]; });
        return *this;
    }
    Bits& operator&=(const Bits& o) {
        each_word([&](int i) { word_[i] &= o.word_[i]; });
        return *this;
    }
    Bits& operator-=(const Bits& o) {
        each_word([&](int i) { word_[i] &= ~o.word_[i]; });
        return *this;
    }
    friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend Bits operator-(Bits a, const Bits& b) { return a -= b; }
    friend bool operator==(const Bits&, const Bits&) = default;
    friend auto operator<=>(const Bits&, const Bits&) = default;

    bool meets(const Bits& o) const { return !(*this & o).empty(); }

    template <class Visit>
    void for_each(Visit visit) const {
        for (int i = 0; i < W; ++i)
            for (std::uint64_t w = word_[i]; w != 0; w &= w - 1) visit(64 * i + std::countr_zero(w));
    }

    // Whether all positions pass; none is looked at after one that does not.
    template <class Passes>
    bool all_of(Passes passes) const {
        for (int i = 0; i < W; ++i)
            for (std::uint64_t w = word_[i]; w != 0; w &= w - 1)
                if (!passes(64 * i + std::countr_zero(w))) return false;
        return true;
    }

  private:
    // Large sets are loops, which unrolled would take longer to compile than to run.
    template <class Each>
    static void each_word(const Each& each) {
        if constexpr (W <= 4) {
            for (int i = 0; i < W; ++i) each(i);
        } else {
#pragma GCC unroll 1
            for (int i = 0; i < W; ++i) each(i);
        }
    }
    static int index(int position) {
        assert(0 <= position && position < capacity);
        return W == 1 ? 0 : position >> 6;
    }
    static std::uint64_t mask(int position) { return std::uint64_t{1} << (position & 63); }

    std::array<std::uint64_t, W> word_{};
};

}  // namespace nonproj
