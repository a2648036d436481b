// The best projective tree with scores of siblings, of grandparents, or of both. Siblings: Eisner (1996), McDonald &
// Pereira (2006), O(n^3). Grandparents and both: models 0 and 1 of Koo & Collins (2010), "Efficient third-order dependency
// parsers", O(n^4) time and O(n^3) space. To the right of h, with g the head of h (without grandparents there is one g):
//
//   I(h, d | g)   the arc h -> d and all between them          C(h, e | g)   h with its complete half, up to e
//   S(h, s, d)    two children of h, s before d, and all between them
//
//   I(h, d | g) = s(h, d) + gp(g, h, d) + max( sib(h, h, d) + C(d, h+1 | h),
//                                              max_s  I(h, s | g) + sib(h, s, d) + S(h, s, d) )
//   S(h, s, d)  = max_{s <= r < d}  C(s, r | h) + C(d, r+1 | h)
//   C(h, e | g) = max_{h < m <= e}  I(h, m | g) + C(m, e | h)
//
// and mirrored to the left. The items that differ in g only lie side by side. The sentence is C(0, n); for a single root,
// 0 takes one child, and its half ends with the sentence.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class SecondOrderEisner {
  public:
    SecondOrderEisner(const PartList& given, bool single_root)
        : given_(given),
          words_(given.words()),
          contexts_(given.has_grandparents() ? words_ + 1 : 1),
          single_root_(single_root) {
        const std::size_t pairs = static_cast<std::size_t>(words_ + 1) * (words_ + 1);
        arc_.assign(pairs * contexts_ + nested::row_padding, none);
        half_.assign(arc_.size(), none);
        between_.assign(arc_.size(), none);
        for (int h = 0; h <= words_; ++h) std::fill_n(half(h, h), contexts_, 0.0);
        for (int width = 1; width <= words_; ++width) {
            Interrupt::check();
            for (int i = 0; i + width <= words_; ++i) {
                const int j = i + width;
                join(i, j);
                vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                    link<Bytes>(i, j);
                    if (i > 0) link<Bytes>(j, i);
                    if (i > 0 || !single_root_ || j == words_) complete<Bytes>(i, j);
                    if (i > 0) complete<Bytes>(j, i);
                });
            }
        }
    }

    double best() const { return half(0, words_)[0]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        open_half(0, words_, 0, heads);
        return heads;
    }

    static double bytes(int words, bool grandparents) {
        const double side = words + 1.0;
        return 3 * sizeof(double) * side * side * (grandparents ? side : 1);
    }

  private:
    static constexpr double none = minus_infinity<double>;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    const PartList& given_;
    int words_, contexts_;
    bool single_root_;
    std::vector<double> arc_, half_, between_;  // I, C: [h][d][g], S: [s][d][h] for s < d

    int context(int g) const { return contexts_ == 1 ? 0 : g; }
    std::size_t at(int h, int d) const { return (static_cast<std::size_t>(h) * (words_ + 1) + d) * contexts_; }
    double* arc(int h, int d) { return &arc_[at(h, d)]; }
    const double* arc(int h, int d) const { return &arc_[at(h, d)]; }
    double* half(int h, int e) { return &half_[at(h, e)]; }
    const double* half(int h, int e) const { return &half_[at(h, e)]; }
    double between(int s, int d, int h) const { return between_[at(std::min(s, d), std::max(s, d)) + context(h)]; }

    double meeting(int i, int r, int j, int h) const { return half(i, r)[context(h)] + half(j, r + 1)[context(h)]; }

    // S for the words i < j and every head of both.
    void join(int i, int j) {
        double* to = &between_[at(i, j)];
        for (int r = i; r < j; ++r) {
            const double *left = half(i, r), *right = half(j, r + 1);
            for (int h = 0; h < contexts_; ++h) to[h] = std::max(to[h], left[h] + right[h]);
        }
    }
    // d as the child of h that is nearest to it: the halves between them.
    double nearest(int h, int d) const { return half(d, h < d ? h + 1 : h - 1)[context(h)] + given_.sibling(h, h, d); }
    double further(int h, int s, int d) const { return between(s, d, h) + given_.sibling(h, s, d); }
    bool takes_siblings(int h) const { return h > 0 || !single_root_; }

    template <int Bytes>
    NONPROJ_INLINE void link(int h, int d) {
        const int step = h < d ? 1 : -1;
        double* to = arc(h, d);
        std::fill_n(to, contexts_, nearest(h, d));
        for (int s = h + step; s != d && takes_siblings(h); s += step)
            Math<Bytes>::add_scaled(to, further(h, s, d), arc(h, s), 0, contexts_);
        for (int g = 0; g < contexts_; ++g) to[g] += given_.arcs(h, d) + given_.grandparent(g, h, d);
    }
    template <int Bytes>
    NONPROJ_INLINE void complete(int h, int e) {
        const int step = h < e ? 1 : -1;
        double* to = half(h, e);
        for (int m = h + step; m != e + step; m += step)
            Math<Bytes>::add_scaled(to, half(m, e)[context(h)], arc(h, m), 0, contexts_);
    }

    void open_half(int h, int e, int g, std::vector<std::int32_t>& heads) const {
        if (h == e) return;
        const int step = h < e ? 1 : -1;
        int best = h + step;
        const auto value = [&](int m) { return arc(h, m)[context(g)] + half(m, e)[context(h)]; };
        for (int m = h + step; m != e + step; m += step)
            if (value(m) > value(best)) best = m;
        open_half(best, e, h, heads);
        open_arc(h, best, g, heads);
    }
    // The children of h from d inwards.
    void open_arc(int h, int d, int g, std::vector<std::int32_t>& heads) const {
        const int step = h < d ? 1 : -1;
        for (;;) {
            heads[d - 1] = h;
            int best = h;
            double most = nearest(h, d);
            for (int s = h + step; s != d && takes_siblings(h); s += step) {
                const double sum = arc(h, s)[context(g)] + further(h, s, d);
                if (sum > most) most = sum, best = s;
            }
            if (best == h) return open_half(d, h + step, h, heads);
            open_between(best, d, h, heads);
            d = best;
        }
    }
    void open_between(int s, int d, int h, std::vector<std::int32_t>& heads) const {
        const int i = std::min(s, d), j = std::max(s, d);
        int best = i;
        for (int r = i; r < j; ++r)
            if (meeting(i, r, j, h) > meeting(i, best, j, h)) best = r;
        open_half(i, best, h, heads);
        open_half(j, best + 1, h, heads);
    }
};

// The score is summed anew over the tree.
inline DecodedTree second_order_best(const PartList& given, bool single_root) {
    if (given.words() == 0) return {0, {}};
    const SecondOrderEisner chart(given, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads = chart.heads();
    return {given.of_tree(heads.data()), std::move(heads)};
}

}  // namespace nonproj
