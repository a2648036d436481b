// The chance of every arc in a random spanning tree, from the walk of head_walk.hpp, in O(n^3).
//
// The head of d in a random tree is the word or root to which the walk from d goes when it leaves d for the
// last time (start Wilson's algorithm at d). Hence
//   chance of h -> d   is proportional to   P(h, d) x (chance that the walk from h reaches the root before d)
// which also makes each column sum to 1. Eliminating all words but d leaves the second factor in the root's
// row. To do so for every d, halve: eliminate one half of the words and go on with the other half, and vice
// versa. A block of m words takes 3/4 m^2 row operations of length n, all blocks together 3/2 n^3.
//
// When a few words are left, halving goes on among them alone, in rows as short as they are few: what a walk
// from any other word does is where it first enters the few, then what it does from there.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/wide.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/decode/spanning/head_walk.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

// Wide numbers go one at a time.
template <int Bytes>
struct Lanes<Wide, Bytes> {
    static constexpr int count = 1;
    Wide lane;

    static NONPROJ_INLINE Lanes load(const Wide* from) { return {*from}; }
    static NONPROJ_INLINE Lanes all(Wide value) { return {value}; }
    NONPROJ_INLINE void store(Wide* to) const { *to = lane; }
    friend NONPROJ_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.lane + b.lane}; }
    friend NONPROJ_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.lane * b.lane}; }
};

template <class Number>
class Halving {
  public:
    // Writes the chance of h -> d to chance[h * (n + 1) + d] and returns Z; 0 when there is no tree or Z
    // cannot be relied on, with the chances unspecified.
    [[gnu::noinline]] Number marginals(const HeadWalk<Number>& walk, std::span<double> chance) {
        walk_ = &walk;
        chance_ = chance;
        width_ = walk.words() + 1;
        stride_ = (width_ + aligned - 1) / aligned * aligned;
        unscaled_.resize(static_cast<std::size_t>(width_) * few);
        spare_.assign(stride_, Number());
        for (int h = 0; h < width_; ++h) chance[static_cast<std::size_t>(h) * width_] = 0;
        z_ = Number(1.0);
        is_sound_ = true;
        Number* const rows = level(0, width_);
        for (int h = 0; h < width_; ++h) {
            Number* const end = std::copy(walk.row(h) + 1, walk.row(h) + width_, row(rows, h) + 1);
            *row(rows, h) = Number();
            std::fill(end, row(rows, h + 1), Number());
        }
        if (width_ > 1) block(0, {rows, row(rows, 1), 1, width_}, Number(1.0));
        return is_sound_ ? z_ : Number();
    }

  private:
    static constexpr int aligned = 8;   // rows are a multiple of so many numbers, zeros at the end
    static constexpr int together = 4;  // so many words are eliminated at once
    static constexpr int few = 8;       // where halving goes on in short rows
    static constexpr int max_levels = 32;

    // The rows of the words begin..end-1 and the root's; all other words are eliminated.
    struct Rows {
        Number *root, *rows;
        int begin, end;
    };

    // The escapes of the words eliminated so far have product z.
    void block(int depth, const Rows& all, Number z) {
        const int count = all.end - all.begin;
        if (count <= few) return heads_of(all, z);
        const int middle = all.begin + (count + 2 * few - 1) / (2 * few) * few;
        Number* const copy = level(depth + 1, 1 + count);
        Number* const copied = std::copy(all.root, all.root + stride_, copy);
        std::copy(all.rows, row(all.rows, count), copied);

        Number left = z;
        if (!eliminate({copy, copied, all.begin, all.end}, middle, all.end, left)) return;
        block(depth + 1, {copy, copied, all.begin, middle}, left);

        Number right = z;
        if (!eliminate(all, all.begin, middle, right)) return;
        block(depth + 1, {all.root, row(all, middle), middle, all.end}, right);
    }

    // Eliminates the words from..to-1 and multiplies z by their escapes; a few words at a time, because the
    // time goes into loading and storing rows.
    bool eliminate(const Rows& block, int from, int to, Number& z) {
        for (int first = from; first < to; first += together) {
            Interrupt::check();
            const int last = std::min(first + together, to);
            targets_.clear();
            for (int r = block.begin; r < from; ++r) targets_.push_back(row(block, r));
            for (int r = last; r < block.end; ++r) targets_.push_back(row(block, r));
            targets_.push_back(block.root);
            vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { eliminate_together<Bytes>(block, first, last, z); });
            if (!is_sound_) return false;
        }
        return true;
    }

    // What each target owes to the words first..last-1, one word after the other, then all of it at once. The
    // last target is the root.
    template <int Bytes>
    NONPROJ_INLINE void eliminate_together(const Rows& block, int first, int last, Number& z) {
        const int count = last - first;
        const std::size_t root = targets_.size() - 1;
        const std::size_t padded = (targets_.size() + aligned - 1) / aligned * aligned;
        Number* share[together];
        shares_.assign(together * padded, Number());
        for (int k = 0; k < together; ++k) share[k] = shares_.data() + k * padded;
        for (std::size_t t = 0; t <= root; ++t)
            for (int k = 0; k < count; ++k) share[k][t] = targets_[t][first + k];
        for (int k = 0; k < count; ++k) {
            const Number* const source = row(block, first + k);
            const Number of_root = share[k][root];
            if (walk_->first_exit() > 0) share[k][root] = Number();
            Number escape = sum(share[k], padded);
            share[k][root] = of_root;
            for (int later = k + 1; later < count; ++later) escape += row(block, first + later)[first + k];
            z = z * escape;
            if (!check(z)) return;
            const Number inverse = Number(1.0) / escape;
            for (std::size_t t = 0; t < padded; ++t) share[k][t] = share[k][t] * inverse;
            for (int later = k + 1; later < count; ++later) {
                add<Bytes>(source[first + later], share[k], share[later], static_cast<int>(padded));
                Number* const target = row(block, first + later);
                add<Bytes>(target[first + k] * inverse, source, target, stride_);
            }
        }
        const Number* source[together];
        for (int k = 0; k < together; ++k) source[k] = row(block, std::min(first + k, last - 1));
        if (targets_.size() % 2 == 1) targets_.push_back(spare_.data());  // its shares are 0
        for (std::size_t t = 0; t < targets_.size(); t += 2) add_shares<Bytes>(t, share, source);
    }

    // To two targets at once: what is loaded from the sources serves both.
    template <int Bytes>
    NONPROJ_INLINE void add_shares(std::size_t t, Number* const* share, const Number* const* source) const {
        using Pack = Lanes<Number, Bytes>;
        Number *const one = targets_[t], *const two = targets_[t + 1];
        const Pack one0 = Pack::all(share[0][t]), two0 = Pack::all(share[0][t + 1]);
        const Pack one1 = Pack::all(share[1][t]), two1 = Pack::all(share[1][t + 1]);
        const Pack one2 = Pack::all(share[2][t]), two2 = Pack::all(share[2][t + 1]);
        const Pack one3 = Pack::all(share[3][t]), two3 = Pack::all(share[3][t + 1]);
        for (int h = 0; h < stride_; h += Pack::count) {
            const Pack s0 = Pack::load(source[0] + h), s1 = Pack::load(source[1] + h);
            const Pack s2 = Pack::load(source[2] + h), s3 = Pack::load(source[3] + h);
            (Pack::load(one + h) + one0 * s0 + one1 * s1 + one2 * s2 + one3 * s3).store(one + h);
            (Pack::load(two + h) + two0 * s0 + two1 * s1 + two2 * s2 + two3 * s3).store(two + h);
        }
    }

    // target += share x source; the size is a multiple of `aligned`.
    template <int Bytes>
    NONPROJ_INLINE static void add(Number share, const Number* source, Number* target, int size) {
        using Pack = Lanes<Number, Bytes>;
        const Pack shares = Pack::all(share);
        for (int h = 0; h < size; h += Pack::count)
            (Pack::load(target + h) + shares * Pack::load(source + h)).store(target + h);
    }

    // Several partial sums, so that no addition waits for the one before.
    NONPROJ_INLINE static Number sum(const Number* values, std::size_t padded) {
        Number part[aligned] = {};
        for (std::size_t t = 0; t < padded; t += aligned)
            for (int l = 0; l < aligned; ++l) part[l] += values[t + l];
        return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }

    // Few words and the root: step[r][v] is the chance that the walk goes from the v-th of them to the r-th;
    // the root's row comes after theirs.
    using Steps = std::array<std::array<Number, few>, few + 1>;

    void heads_of(const Rows& block, Number z) {
        const int count = block.end - block.begin;
        Steps steps{};
        for (int r = 0; r < count; ++r) std::copy_n(row(block, block.begin + r) + block.begin, count, steps[r].begin());
        std::copy_n(block.root + block.begin, count, steps[few].begin());
        if (!narrow(steps, 0, count, z)) return;
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { heads_by_arrival<Bytes>(block); });
    }

    // Halving among the few, down to each of them; all but begin..end-1 are eliminated.
    bool narrow(const Steps& steps, int begin, int end, Number z) {
        if (end - begin == 1) {
            for (int r = 0; r < few; ++r) arrival_[r][begin] = r == begin ? Number() : steps[few][r];
            z_before_[begin] = z;
            return true;
        }
        const int middle = begin + (end - begin) / 2;
        return narrow(steps, begin, middle, middle, end, z) && narrow(steps, middle, end, begin, middle, z);
    }
    bool narrow(Steps steps, int begin, int end, int from, int to, Number z) {
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            for (int v = from; v < to; ++v) {
                Number escape = walk_->first_exit() == 0 ? steps[few][v] : Number();
                for (int r = begin; r < end; ++r) escape += steps[r][v];
                for (int r = v + 1; r < to; ++r) escape += steps[r][v];
                z = z * escape;
                if (!check(z)) return;
                const Number inverse = Number(1.0) / escape;
                const auto pass_on = [&](int r) NONPROJ_INLINE_LAMBDA {
                    add<Bytes>(steps[r][v] * inverse, steps[v].data(), steps[r].data(), few);
                };
                for (int r = begin; r < end; ++r) pass_on(r);
                for (int r = v + 1; r < to; ++r) pass_on(r);
                pass_on(few);
            }
        });
        return is_sound_ && narrow(steps, begin, end, z);
    }

    // The chances of the heads of the few words of a block, all at once, from arrival_.
    template <int Bytes>
    NONPROJ_INLINE void heads_by_arrival(const Rows& block) {
        using Pack = Lanes<Number, Bytes>;
        const int count = block.end - block.begin;
        Number last[few] = {};  // the rows of the walk may end before `few` words do
        Number total[few] = {};
        for (int h = 0; h < width_; ++h) {
            const Number* step = walk_->row(h) + block.begin;
            if (count < few) step = std::copy_n(step, count, last) - count;
            Number* const found = unscaled_.data() + static_cast<std::size_t>(h) * few;
            const Pack direct = Pack::all(h == 0 ? Number(1.0) : block.root[h]);
            for (int d = 0; d < few; d += Pack::count) {
                Pack reached = direct;
                for (int r = 0; h > 0 && r < count; ++r)
                    reached = reached + Pack::all(row(block, block.begin + r)[h]) * Pack::load(&arrival_[r][d]);
                reached = reached * Pack::load(step + d);
                reached.store(found + d);
                (Pack::load(total + d) + reached).store(total + d);
            }
        }
        for (int d = 0; d < count; ++d) {
            z_ = z_before_[d] * total[d];
            if (!check(z_)) return;
            total[d] = Number(1.0) / total[d];
        }
        for (int h = 0; h < width_; ++h) {
            const Number* const found = unscaled_.data() + static_cast<std::size_t>(h) * few;
            double* const chance = chance_.data() + static_cast<std::size_t>(h) * width_ + block.begin;
            for (int d = 0; d < count; ++d) chance[d] = to_double(found[d] * total[d]);
        }
    }

    NONPROJ_INLINE Number* row(Number* rows, int number) const {
        return rows + static_cast<std::size_t>(number) * stride_;
    }
    NONPROJ_INLINE Number* row(const Rows& block, int word) const { return row(block.rows, word - block.begin); }

    // Room for so many rows, each beginning where vectors like to.
    Number* level(int depth, int rows) {
        std::vector<Number>& memory = levels_[depth];
        memory.resize(static_cast<std::size_t>(rows) * stride_ + aligned);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (sizeof(Number) == 8 ? (64 - address % 64) % 64 / 8 : 0);
    }

    bool check(Number z) { return is_sound_ = is_sound_ && is_positive(z) && is_reliable(z); }

    const HeadWalk<Number>* walk_ = nullptr;
    std::span<double> chance_;
    int width_ = 0, stride_ = 0;
    bool is_sound_ = true;
    Number z_;
    std::array<std::array<Number, few>, few> arrival_{};  // [r][d]: that the walk from r reaches the root before d
    std::array<Number, few> z_before_{};                  // the product of the escapes of all words but d
    std::vector<Number> shares_, spare_, unscaled_;
    std::vector<Number*> targets_;
    std::array<std::vector<Number>, max_levels> levels_;
};

}  // namespace nonproj
