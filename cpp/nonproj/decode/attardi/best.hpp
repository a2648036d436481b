// The best tree of AD_2: Attardi's transition system with arcs between the top of the stack and one of the two words
// below it (Attardi 2006), by dynamic programming over its push computations (after Cohen, Gomez-Rodriguez & Satta 2011,
// "Exact inference for generative probabilistic non-projective dependency parsing"). O(n^7) time, O(n^5) space. A tree may
// have several derivations: this chart gives the best tree; push_computations.hpp has the sums.
//
//   item  [h1, i | h2 h3, j]   h1 < i <= h3 < j;  h2 = h1 or i <= h2 < h3
//         with h1 on top and i first in the buffer, a computation that begins with a shift, never goes below two symbols
//         in the place of h1, and ends with h1 replaced by h2 h3, and j first in the buffer
//
//   [h1, i | h1 i, i+1]                                    a shift
//   [h1, i | h2 h3, k]  [h3, k | h4 h5, j]                 the stack ends with h2 h4 h5; one reduction follows:
//       la_1  h5 -> h4  gives [h1, i | h2 h5, j]           ra_1  h4 -> h5  gives [h1, i | h2 h4, j]
//       la_2  h5 -> h2  gives [h1, i | h4 h5, j]           ra_2  h2 -> h5  gives [h1, i | h2 h4, j]
//
// In each rule one index leaves, and is maximised away first:
//
//   T (h3, k, x, j | h2) = max_{h5}  [h3, k | x h5, j] + max(s(x, h5), s(h2, h5))     ra_1, ra_2: x = h4
//                      and max_{h4}  [h3, k | h4 x, j] + s(x, h4)                     la_1: x = h5
//   L2(i, h3, k, h5 | h1) = max_{h2}  [h1, i | h2 h3, k] + s(h5, h2)
//   [h1, i | h2 x, j]   = max_{k, h3}  [h1, i | h2 h3, k] + T(h3, k, x, j | h2)
//   [h1, i | h4 h5, j]  = max_{k, h3}  L2(i, h3, k, h5 | h1) + [h3, k | h4 h5, j]
//
// The items that differ in h1 only lie side by side (|). F(j) is the best way to the stack [0] with j first in the
// buffer: F(1) = 0, F(j) = max_{i, h3} F(i) + [0, i | 0 h3, j] + s(0, h3). For a single root no other arc leaves 0, and
// the sentence is one such step.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class AttardiChart {
  public:
    AttardiChart(const ArcScores<double>& scores, bool single_root)
        : words_(scores.words()),
          end_(words_ + 1),
          width_(words_ + 1 + nested::row_padding),
          single_root_(single_root) {
        read(scores);
        make_room();
        for (int j = 2; j <= end_; ++j)
            for (int i = j - 1; i >= 1; --i) {
                Interrupt::check();
                vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill<Bytes>(i, j); });
            }
        reach_goal();
    }

    double best() const { return reached_[end_]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<Item> open;
        for (int j = end_; j > 1;) {
            const auto [i, h3] = last_[j];
            heads[h3 - 1] = 0;
            open.push_back({0, i, 0, h3, j});
            j = i;
        }
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            if (item.j > item.i + 1) undo(item, open, heads);
        }
        return heads;
    }

    static double bytes(int words) {
        double items = 0, tops = 0, leaving = 0;
        const double n = words;
        for (int i = 1; i <= words; ++i)
            for (int k = i + 1; k <= words + 1; ++k) {
                const double m = k - i;
                items += (m * (m - 1) / 2 + m) * padded(i);
                leaving += m * (n - k + 1) * padded(i);
                tops += 0.5 * i * i * (m + 1);
            }
        return sizeof(double) * (items + leaving + tops);
    }

  private:
    static constexpr double none = minus_infinity<double>;
    using Value = double;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    struct Item {
        int h1, i, h2, h3, j;
    };

    // The length of a row for i: whole vectors, none behind the last h1.
    static NONPROJ_INLINE std::ptrdiff_t padded(std::ptrdiff_t i) { return (i + 3) / 4 * 4; }

    int words_, end_;
    std::ptrdiff_t width_;
    bool single_root_;
    std::vector<double> by_dependent_, by_head_;  // [d][h] and [h][d]: the score of h -> d, but no arc from 0 twice
    std::vector<double> from_root_;
    std::vector<std::ptrdiff_t> items_at_, tops_at_, leaving_at_;
    std::optional<ChartCells<double>> room_;
    double *items_ = nullptr, *tops_ = nullptr, *leaving_ = nullptr;
    std::vector<double> reached_;            // F
    std::vector<std::pair<int, int>> last_;  // the i and h3 of the last step to F(j)

    void read(const ArcScores<double>& scores) {
        by_dependent_.assign(width_ * end_, none);
        by_head_.assign(width_ * end_, none);
        from_root_.assign(end_, none);
        for (int h = 0; h <= words_; ++h)
            for (int d = 1; d <= words_; ++d) {
                if (h == d) continue;
                if (h == 0) from_root_[d] = scores(h, d);
                if (h == 0 && single_root_) continue;
                by_dependent_[width_ * d + h] = by_head_[width_ * h + d] = scores(h, d);
            }
    }
    void make_room() {
        const std::ptrdiff_t n = words_, side = end_ + 1;
        for (auto* at : {&items_at_, &tops_at_, &leaving_at_}) at->assign(side * side, 0);
        std::ptrdiff_t items = 0, tops = 0, leaving = 0;
        for (std::ptrdiff_t i = 1; i <= n; ++i)
            for (std::ptrdiff_t k = i + 1; k <= n + 1; ++k) {
                const std::ptrdiff_t m = k - i;
                items_at_[i * side + k] = items;
                items += (m * (m - 1) / 2 + m) * padded(i);
                tops_at_[i * side + k] = tops;
                tops += i * (i - 1) / 2 * (m + 1);
                leaving_at_[i * side + k] = leaving;
                leaving += m * (n - k + 1) * padded(i);
            }
        room_.emplace(items + tops + leaving + nested::row_padding, none);
        items_ = room_->data();
        tops_ = items_ + items;
        leaving_ = tops_ + tops;
        reached_.assign(end_ + 1, none);
        last_.resize(end_ + 1);
    }

    const double* heads_of(int d) const { return &by_dependent_[width_ * d]; }
    const double* dependents_of(int h) const { return &by_head_[width_ * h]; }
    // [., i | h2 h3, j] for all h1 < i, i <= h2; and [h1, i | h1 h3, j] for all h1.
    NONPROJ_INLINE const double* items(int i, int j, int h2, int h3) const {
        const std::ptrdiff_t far = h3 - i;
        return &items_[items_at_[i * (end_ + 1) + j] + (far * (far - 1) / 2 + (h2 - i)) * padded(i)];
    }
    NONPROJ_INLINE double* items(int i, int j, int h2, int h3) {
        return const_cast<double*>(std::as_const(*this).items(i, j, h2, h3));
    }
    NONPROJ_INLINE const double* same(int i, int j, int h3) const {
        const std::ptrdiff_t m = j - i;
        return &items_[items_at_[i * (end_ + 1) + j] + (m * (m - 1) / 2 + (h3 - i)) * padded(i)];
    }
    NONPROJ_INLINE double* same(int i, int j, int h3) {
        return const_cast<double*>(std::as_const(*this).same(i, j, h3));
    }
    // T(h3, k, x, j | .); x is h3 or in k..j-1.
    NONPROJ_INLINE const double* tops(int h3, int k, int x, int j) const {
        const std::ptrdiff_t place = x == h3 ? 0 : x - k + 1, h = h3;
        return &tops_[tops_at_[k * (end_ + 1) + j] + h * (h - 1) / 2 * (j - k + 1) + place * h];
    }
    NONPROJ_INLINE double* tops(int h3, int k, int x, int j) {
        return const_cast<double*>(std::as_const(*this).tops(h3, k, x, j));
    }
    // L2(i, h3, k, h5 | .)
    NONPROJ_INLINE const double* leaving(int i, int h3, int k, int h5) const {
        return &leaving_[leaving_at_[i * (end_ + 1) + k] + ((h3 - i) * (words_ - k + 1) + (h5 - k)) * padded(i)];
    }
    NONPROJ_INLINE double* leaving(int i, int h3, int k, int h5) {
        return const_cast<double*>(std::as_const(*this).leaving(i, h3, k, h5));
    }
    double value(const Item& item) const {
        return item.h2 == item.h1 ? same(item.i, item.j, item.h3)[item.h1]
                                  : items(item.i, item.j, item.h2, item.h3)[item.h1];
    }

    template <int Bytes>
    NONPROJ_INLINE void fill(int i, int j) {
        if (j == i + 1) std::fill_n(same(i, j, i), i, 0.0);
        for (int k = i + 1; k < j; ++k)
            for (int h3 = i; h3 < k; ++h3) combine<Bytes>(i, k, j, h3);
        if (j <= words_) prepare_left<Bytes>(i, j);
        prepare_right<Bytes>(i, j);
    }
    template <int Bytes>
    NONPROJ_INLINE void combine(int i, int k, int j, int h3) {
        const int length = static_cast<int>(padded(i));
        const double* left = items(i, k, i, h3);
        for (int x = k - 1; x < j; ++x) {  // k - 1 stands for h3
            const int top = x < k ? h3 : x;
            const double* by_h2 = tops(h3, k, top, j);
            Math<Bytes>::add_product(same(i, j, top), same(i, k, h3), by_h2, 0, length);
            double* to = items(i, j, i, top);
            for (int h2 = i; h2 < h3; ++h2, to += length)
                Math<Bytes>::add_scaled(to, by_h2[h2], left + (h2 - i) * length, 0, length);
        }
        for (int h5 = k; h5 < j; ++h5) {
            const double* leaves = leaving(i, h3, k, h5);
            Math<Bytes>::add_scaled(items(i, j, h3, h5), same(k, j, h5)[h3], leaves, 0, length);
            double* to = items(i, j, k, h5);
            const double* right = items(k, j, k, h5) + h3;
            for (int h4 = k; h4 < h5; ++h4, to += length, right += padded(k))
                Math<Bytes>::add_scaled(to, *right, leaves, 0, length);
        }
    }
    // The items of i..k as first antecedents: L2.
    template <int Bytes>
    NONPROJ_INLINE void prepare_left(int i, int k) {
        const int length = static_cast<int>(padded(i));
        for (int h3 = i; h3 < k; ++h3)
            for (int h5 = k; h5 <= words_; ++h5) {
                double* to = leaving(i, h3, k, h5);
                const double* arcs = dependents_of(h5);
                Math<Bytes>::add_product(to, same(i, k, h3), arcs, 0, length);
                for (int h2 = i; h2 < h3; ++h2) Math<Bytes>::add_scaled(to, arcs[h2], items(i, k, h2, h3), 0, length);
            }
    }
    // The items of k..j as second antecedents: T, for all h1 = h3 of theirs.
    template <int Bytes>
    NONPROJ_INLINE void prepare_right(int k, int j) {
        for (int h3 = 1; h3 < k; ++h3) {
            const auto right = [&](int h4, int h5) NONPROJ_INLINE_LAMBDA {
                return h4 == h3 ? same(k, j, h5)[h3] : items(k, j, h4, h5)[h3];
            };
            for (int x = k - 1; x < j; ++x) {
                const int top = x < k ? h3 : x;
                double* to = tops(h3, k, top, j);
                double any = none;  // the terms that do not look at h2
                for (int h5 = std::max(k, x + 1); h5 < j; ++h5) {
                    const double inner = right(top, h5);
                    any = std::max(any, inner + dependents_of(top)[h5]);
                    Math<Bytes>::add_scaled(to, inner, heads_of(h5), 0, h3);
                }
                for (int h4 = k - 1; h4 < x; ++h4)
                    any = std::max(any, right(h4 < k ? h3 : h4, x) + dependents_of(x)[h4 < k ? h3 : h4]);
                for (int h2 = 0; h2 < h3; ++h2) to[h2] = std::max(to[h2], any);
            }
        }
    }

    void reach_goal() {
        reached_[1] = 0;
        for (int j = 2; j <= end_; ++j)
            for (int i = 1; i < j; ++i) {
                if (single_root_ && (i > 1 || j < end_)) continue;
                for (int h3 = i; h3 < j; ++h3) {
                    const double sum = reached_[i] + same(i, j, h3)[0] + from_root_[h3];
                    if (sum > reached_[j]) reached_[j] = sum, last_[j] = {i, h3};
                }
            }
    }

    // The best antecedents of an item, and the arc between them.
    void undo(const Item& item, std::vector<Item>& open, std::vector<std::int32_t>& heads) const {
        const auto [h1, i, h2, top, j] = item;
        double best = none;
        Item left{}, right{};
        int head = 0, dependent = 0;
        const auto offer = [&](const Item& l, const Item& r, int from, int to) {
            if (to == 0) return;
            const double sum = value(l) + value(r) + dependents_of(from)[to];
            if (sum > best) best = sum, left = l, right = r, head = from, dependent = to;
        };
        for (int k = i + 1; k < j; ++k)
            for (int h3 = i; h3 < k; ++h3) {
                const auto is_left = [&](int low) { return low == h1 || (i <= low && low < h3); };
                const auto is_right = [&](int h4, int h5) {
                    return k <= h5 && h5 < j && (h4 == h3 || (k <= h4 && h4 < h5));
                };
                if (is_left(h2)) {
                    const Item l{h1, i, h2, h3, k};
                    for (int other = std::min(h3, k); other < j; ++other) {
                        if (is_right(other, top)) offer(l, {h3, k, other, top, j}, top, other);
                        if (!is_right(top, other)) continue;
                        offer(l, {h3, k, top, other, j}, top, other);
                        offer(l, {h3, k, top, other, j}, h2, other);
                    }
                }
                if (!is_right(h2, top)) continue;
                for (int low = i - 1; low < h3; ++low)
                    offer({h1, i, low < i ? h1 : low, h3, k}, {h3, k, h2, top, j}, top, low < i ? h1 : low);
            }
        heads[dependent - 1] = head;
        open.push_back(left);
        open.push_back(right);
    }
};

}  // namespace nonproj
