// The best gap-minding tree (M0I) when each word has few possible heads: section 5.1 of Pitler, Kannan & Marcus (2012), with
// the rules of gap_minding.hpp. With k heads a word it takes O(k n^4) time and O(k n^3) space. It gives the best tree.
//
// D and E are kept for possible arcs h -> c alone. Items that differ in their right end lie side by side, and each is
// pushed into what it is a part of as soon as it is final: i falls, and for each i the right end rises.
//
//   F(i, . | h)       = max_k  C(i, k | h) + F(k+1, . | h)
//   D(h -> c, l | .)  = s(h, c) + max_r  F(l, r | h) + F(r+1, . | c)          h not in r+1..b
//   E(h -> c, i | .)  = max_l  F(i, l-1 | c) + F(l, . | h)                    h not in i..l-1
//   C(i, . | h)       = max_{c, l}  F(i, l-1 | c) + D(h -> c, l | .)          h not in i..l-1
//                   and max_{c, r}  E(h -> c, i | r) + s(h, c) + F(r+1, . | c)     h not in r+1..b
//                   and max_c  F(i, . | c) + s(h, c)                          h outside
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/decoded.hpp"
#include "nonproj/decode/nested_rows.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/decode/watch.hpp"

namespace nonproj {

class CandidateGapMinding {
  public:
    CandidateGapMinding(const ArcScores<double>& scores, bool single_root)
        : words_(scores.words()), end_(words_ + 1), single_root_(single_root) {
        first_arc_.assign(words_ + 2, 0);
        for (int d = 1; d <= words_; ++d) {
            first_arc_[d] = static_cast<int>(arcs_.size());
            for (int h = 0; h <= words_; ++h)
                if (h != d && scores(h, d) > none) arcs_.push_back({h, d, scores(h, d)});
        }
        first_arc_[words_ + 1] = static_cast<int>(arcs_.size());
        const std::size_t rows = static_cast<std::size_t>(end_ + 1) * end_;
        F_.assign(rows * end_ + nested::row_padding, none);
        C_.assign(rows * end_ + nested::row_padding, none);
        D_.assign((arcs_.size() * (end_ + 1) + 1) * end_ + nested::row_padding, none);
        E_.assign(arcs_.size() * end_ + nested::row_padding, none);
        for (int i = end_; i >= 1; --i) {
            Watch::ask();
            vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill<Bytes>(i); });
        }
        if (!single_root_) best_ = words_ > 0 ? F(1, 0)[words_] : 0;
        for (const Arc& arc : arcs_)
            if (single_root_ && arc.head == 0 && arc.score + F(1, arc.dependent)[words_] > best_)
                best_ = arc.score + F(1, arc.dependent)[words_], root_ = arc.dependent;
    }

    double best() const { return best_; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<Filled> open{{1, words_, root_}};
        if (single_root_) heads[root_ - 1] = 0;
        while (!open.empty()) {
            const Filled item = open.back();
            open.pop_back();
            if (item.i <= item.j) undo(item, open, heads);
        }
        return heads;
    }

    static double bytes(int words, double arcs) {
        const double n = words;
        return sizeof(double) * (2 * (n + 2) * (n + 1) * (n + 1) + arcs * (n + 3) * (n + 1));
    }

  private:
    static constexpr double none = minus_infinity<double>;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    struct Arc {
        int head, dependent;
        double score;
    };
    struct Filled {
        int i, j, head;
    };

    int words_, end_;
    bool single_root_;
    std::vector<Arc> arcs_;       // by dependent
    std::vector<int> first_arc_;  // of a dependent
    std::vector<double> F_, C_;   // [i][h][j]
    std::vector<double> D_, E_;   // [l][arc][b], and [arc][r] for one i
    double best_ = none;
    int root_ = 0;

    std::size_t row(int i, int h) const { return (static_cast<std::size_t>(i) * end_ + h) * end_; }
    NONPROJ_INLINE double* F(int i, int h) { return &F_[row(i, h)]; }
    NONPROJ_INLINE const double* F(int i, int h) const { return &F_[row(i, h)]; }
    NONPROJ_INLINE double* C(int i, int h) { return &C_[row(i, h)]; }
    NONPROJ_INLINE const double* C(int i, int h) const { return &C_[row(i, h)]; }
    NONPROJ_INLINE double* D(int arc, int l) { return &D_[(static_cast<std::size_t>(l) * arcs_.size() + arc) * end_]; }
    NONPROJ_INLINE const double* D(int arc, int l) const {
        return &D_[(static_cast<std::size_t>(l) * arcs_.size() + arc) * end_];
    }
    NONPROJ_INLINE double* E(int arc) { return &E_[static_cast<std::size_t>(arc) * end_]; }

    static bool is_in(int h, int i, int j) { return i <= h && h <= j; }
    // Right ends b such that h is not in r+1..b, for b > r.
    int reach(int h, int r) const { return h <= r ? end_ : h; }

    template <int Bytes>
    NONPROJ_INLINE void fill(int i) {
        std::fill(E_.begin(), E_.end(), none);
        for (int h = 0; h <= words_; ++h) F(i, h)[i - 1] = 0;
        for (int j = i; j <= words_; ++j) {
            if (i == j) C(i, i)[i] = 0;
            for (int h = i; h <= j; ++h) extend<Bytes>(i, j, h);
            for (int a = first_arc_[i]; a < first_arc_[j + 1]; ++a) {
                const Arc& arc = arcs_[a];
                double& to = C(i, arc.head)[j];
                if (!is_in(arc.head, i, j)) to = std::max(to, F(i, arc.dependent)[j] + arc.score);
            }
            for (int h = 0; h < i; ++h) extend<Bytes>(i, j, h);
            for (int h = j + 1; h <= words_; ++h) extend<Bytes>(i, j, h);
            push<Bytes>(i, j);
        }
        for (int a = 0; a < first_arc_[std::min(i, end_)] && i < words_; ++a) join_right<Bytes>(a, i);
    }
    // C(i, j | h) is final.
    template <int Bytes>
    NONPROJ_INLINE void extend(int i, int j, int h) {
        const double first = C(i, h)[j];
        if (first == none) return;
        F(i, h)[j] = std::max(F(i, h)[j], first);
        if (j < words_) Math<Bytes>::add_scaled(F(i, h), first, F(j + 1, h), j + 1, end_);
    }
    // F(i, j | .) is final, and E(., i | j) as well.
    template <int Bytes>
    NONPROJ_INLINE void push(int i, int j) {
        for (int a = first_arc_[i]; a < first_arc_[j + 1] && j + 2 <= words_; ++a) {
            const Arc& arc = arcs_[a];
            const double left = F(i, arc.dependent)[j];
            if (left != none && !is_in(arc.head, i, j))
                Math<Bytes>::add_scaled(C(i, arc.head), left, D(a, j + 1), j + 2, end_);
        }
        for (int a = first_arc_[std::min(j + 1, end_)]; a < first_arc_[end_]; ++a) {
            const auto [h, c, score] = arcs_[a];
            const double closed = E(a)[j] + score, left = F(i, c)[j];
            if (closed != none) Math<Bytes>::add_scaled(C(i, h), closed, F(j + 1, c), c, reach(h, j));
            if (left != none && !is_in(h, i, j)) Math<Bytes>::add_scaled(E(a), left, F(j + 1, h), j + 1, c);
        }
    }
    template <int Bytes>
    NONPROJ_INLINE void join_right(int a, int l) {
        const auto [h, c, score] = arcs_[a];
        double* to = D(a, l);
        for (int r = l; r < words_; ++r) {
            const double gap = F(l, h)[r];
            if (gap != none) Math<Bytes>::add_scaled(to, gap + score, F(r + 1, c), r + 1, reach(h, r));
        }
    }

    // The best way to fill i..j, from the left.
    void undo(const Filled& item, std::vector<Filled>& open, std::vector<std::int32_t>& heads) const {
        const auto [i, j, h] = item;
        const auto rest = [&](int k) { return C(i, h)[k] + (k < j ? F(k + 1, h)[j] : 0); };
        int best = i;
        for (int k = i + 1; k <= j; ++k)
            if (rest(k) > rest(best)) best = k;
        if (best < j) open.push_back({best + 1, j, h});
        if (i != best || h != i) undo_child(i, best, h, open, heads);
    }
    // The child of h that holds a and b.
    void undo_child(int a, int b, int h, std::vector<Filled>& open, std::vector<std::int32_t>& heads) const {
        double most = none;
        int child = 0, l = 0, r = 0;
        const auto offer = [&](double sum, int c, int left, int right) {
            if (sum > most) most = sum, child = c, l = left, r = right;
        };
        for (int e = first_arc_[a]; e < first_arc_[b + 1]; ++e) {
            const auto [head, c, score] = arcs_[e];
            if (head != h) continue;
            if (!is_in(h, a, b)) offer(F(a, c)[b] + score, c, 0, 0);
            for (int left = a + 1; left < b; ++left) {
                if (is_in(h, a, left - 1)) continue;
                const double outer = F(a, c)[left - 1] + score;
                if (outer == none || (c < left && F(a, c)[left - 1] + D(e, left)[b] <= most)) continue;
                for (int right = left; right < b; ++right)
                    if (!is_in(c, left, right) && !is_in(h, right + 1, b))
                        offer(outer + F(left, h)[right] + F(right + 1, c)[b], c, left, right);
            }
        }
        heads[child - 1] = h;
        if (l == 0) {
            open.push_back({a, b, child});
        } else {
            open.push_back({a, l - 1, child});
            open.push_back({l, r, h});
            open.push_back({r + 1, b, child});
        }
    }
};

inline DecodedTree candidate_gap_minding_best(const ArcScores<double>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const CandidateGapMinding chart(scores, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads = chart.heads();
    return decoded(scores, std::move(heads));
}

}  // namespace nonproj
