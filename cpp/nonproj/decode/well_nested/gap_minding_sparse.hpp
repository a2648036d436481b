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
#include <optional>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/workspace.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class CandidateGapMinding {
  public:
    CandidateGapMinding(const ArcScores<double>& scores, bool single_root)
        : words_(scores.words()), end_(words_ + 1), single_root_(single_root) {
        first_arc_.assign(words_ + 2, 0);
        for (int d = 1; d <= words_; ++d) {
            first_arc_[d] = static_cast<int>(arcs_.size());
            for (int h = 0; h <= words_; ++h)
                if (h != d && scores(h, d) > none) arcs_.push_back({h, d, scores(h, d), 0, 0, 0});
        }
        first_arc_[words_ + 1] = static_cast<int>(arcs_.size());
        list_heads();
        make_room();
        for (int i = end_; i >= 1; --i) {
            Interrupt::check();
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
        const double n = words + 1, width = n + padding;
        return sizeof(double) * (2 * (n + 1) * n * width + arcs * (width + n * width / 2));
    }

  private:
    static constexpr double none = minus_infinity<double>;
    static constexpr int padding = 3;  // behind each row, so that its last vector may reach over its end
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    struct Arc {
        int head, dependent;
        double score;
        std::ptrdiff_t head_row;  // where the rows of the head begin
        std::ptrdiff_t E, D;      // and those of the arc, as if l began with 1
    };
    struct Filled {
        int i, j, head;
    };

    int words_, end_;
    bool single_root_;
    std::vector<Arc> arcs_;       // by dependent
    std::vector<int> first_arc_;  // of a dependent
    std::vector<int> from_head_;  // [c][h]: the first arc to c from h or a later word
    std::optional<Workspace> room_;
    double *F_, *C_;  // [i][h][j]
    double* D_;       // [arc][l][b]
    double* E_;       // [arc][r], for one i
    double best_ = none;
    int root_ = 0;

    void list_heads() {
        from_head_.resize(static_cast<std::size_t>(end_) * (end_ + 1));
        for (int c = 1; c <= words_; ++c)
            for (int h = 0, a = first_arc_[c]; h <= end_; ++h) {
                from_head_[c * (end_ + 1) + h] = a;
                if (a < first_arc_[c + 1] && arcs_[a].head == h) a += 1;
            }
    }
    void make_room() {
        std::ptrdiff_t of_D = 0, of_E = 0;
        for (Arc& arc : arcs_) {
            const int first = arc.dependent + 1, last = last_gap(arc);
            arc.head_row = arc.head * width();
            arc.E = of_E;
            of_E += arc.dependent + padding;
            arc.D = of_D - D_row(first);
            if (first <= last) of_D += D_row(last + 1) - D_row(first);
        }
        const std::ptrdiff_t of_F = row(end_ + 1, 0);
        room_.emplace(sizeof(double) * (2 * of_F + of_D + of_E + nested::row_padding));
        F_ = static_cast<double*>(room_->data());
        C_ = F_ + of_F;
        D_ = C_ + of_F;
        E_ = D_ + of_D;
        for (int i = 1; i <= end_; ++i)
            for (int h = 0; h <= words_; ++h)
                for (double* of : {F(i, h), C(i, h)}) std::fill(of + i - 1, of + width(), none);
    }
    std::ptrdiff_t width() const { return end_ + padding; }
    std::ptrdiff_t row(int i, int h) const { return (static_cast<std::ptrdiff_t>(i) * end_ + h) * width(); }
    // The last l of D: a head behind the child is in its gap, or behind all, so that the gap begins with it at the latest.
    int last_gap(const Arc& arc) const {
        return arc.dependent < arc.head ? std::min(words_ - 1, arc.head) : words_ - 1;
    }
    // The length of the rows of D before l.
    std::ptrdiff_t D_row(std::ptrdiff_t l) const { return (l - 1) * (words_ + padding) - l * (l - 1) / 2; }
    NONPROJ_INLINE double* F(int i, int h) { return F_ + row(i, h); }
    NONPROJ_INLINE const double* F(int i, int h) const { return F_ + row(i, h); }
    NONPROJ_INLINE double* C(int i, int h) { return C_ + row(i, h); }
    NONPROJ_INLINE const double* C(int i, int h) const { return C_ + row(i, h); }
    NONPROJ_INLINE double* D(int arc, int l) { return D_ + (arcs_[arc].D + D_row(l) - (l + 1)); }
    NONPROJ_INLINE const double* D(int arc, int l) const { return D_ + (arcs_[arc].D + D_row(l) - (l + 1)); }

    // The first arc to c from h or a later word.
    NONPROJ_INLINE const Arc* from_head(int c, int h) const { return arcs_.data() + from_head_[c * (end_ + 1) + h]; }
    // Calls use(arc) for the arcs to c from heads outside i..j.
    template <class Use>
    NONPROJ_INLINE void for_each_outside(int c, int i, int j, const Use& use) const {
        for (const Arc *arc = from_head(c, 0), *end = from_head(c, i); arc < end; ++arc) use(*arc);
        for (const Arc *arc = from_head(c, j + 1), *end = from_head(c, end_); arc < end; ++arc) use(*arc);
    }
    static bool is_in(int h, int i, int j) { return i <= h && h <= j; }
    // to = max(to, factor + row) from `lo` to `hi`, the end of the row, or a little further.
    template <int Bytes>
    NONPROJ_INLINE void add(double* to, double factor, const double* row, int lo, int hi) const {
        using Pack = Lanes<double, Bytes>;
        const Pack by = Pack::all(factor);
        for (int b = lo; b < hi; b += Pack::count) higher(Pack::load(to + b), by + Pack::load(row + b)).store(to + b);
    }

    template <int Bytes>
    NONPROJ_INLINE void fill(int i) {
        for (int h = 0; h <= words_; ++h) F(i, h)[i - 1] = 0;
        for (int a = first_arc_[std::min(i + 1, end_)]; a < first_arc_[end_]; ++a)
            std::fill(E_ + arcs_[a].E + i, E_ + arcs_[a].E + arcs_[a].dependent, none);
        for (int j = i; j <= words_; ++j) {
            if (i == j) C(i, i)[i] = 0;
            for (int h = i; h <= j; ++h) extend<Bytes>(i, j, h);
            link(i, j);
            for (int h = 0; h < i; ++h) extend<Bytes>(i, j, h);
            for (int h = j + 1; h <= words_; ++h) extend<Bytes>(i, j, h);
            for (int c = i; c <= j && j + 2 <= words_; ++c) close_left<Bytes>(i, j, c);
            for (int c = j + 1; c <= words_; ++c) close_right<Bytes>(i, j, c);
        }
        for (int a = 0; a < first_arc_[std::min(i, end_)] && i < words_; ++a)
            if (i <= last_gap(arcs_[a])) join_right<Bytes>(a, i);
    }
    // C(i, j | h) is final.
    template <int Bytes>
    NONPROJ_INLINE void extend(int i, int j, int h) {
        const double first = C(i, h)[j];
        if (first == none) return;
        F(i, h)[j] = std::max(F(i, h)[j], first);
        if (j < words_) add<Bytes>(F(i, h), first, F(j + 1, h), j + 1, end_);
    }
    // F(i, j | c) is final for the c in i..j: what it is for a head outside.
    NONPROJ_INLINE void link(int i, int j) {
        double* const C_rows = C(i, 0) + j;
        for (int c = i; c <= j; ++c) {
            const double filled = F(i, c)[j];
            if (filled == none) continue;
            for_each_outside(c, i, j, [&](const Arc& arc) NONPROJ_INLINE_LAMBDA {
                C_rows[arc.head_row] = std::max(C_rows[arc.head_row], filled + arc.score);
            });
        }
    }
    // F(i, j | c) is final: as the first block of c, which holds c.
    template <int Bytes>
    NONPROJ_INLINE void close_left(int i, int j, int c) {
        const double left = F(i, c)[j];
        if (left == none) return;
        double* const C_rows = C(i, 0);
        const double* const D_rows = D_ + D_row(j + 1) - (j + 2);
        for_each_outside(c, i, j, [&](const Arc& arc) NONPROJ_INLINE_LAMBDA {
            add<Bytes>(C_rows + arc.head_row, left, D_rows + arc.D, j + 2, end_);
        });
    }
    // F(i, j | c) and E(., i, j) are final, c > j: as the first block of c, and as this and the gap.
    template <int Bytes>
    NONPROJ_INLINE void close_right(int i, int j, int c) {
        const double left = F(i, c)[j];
        double* const C_rows = C(i, 0);
        const double *const F_rows = F(j + 1, 0), *const second = F(j + 1, c);
        for (const Arc *arc = from_head(c, 0), *end = from_head(c, j + 1); arc < end; ++arc) {
            const double closed = E_[arc->E + j] + arc->score;
            if (closed != none) add<Bytes>(C_rows + arc->head_row, closed, second, c, end_);
        }
        for (const Arc *arc = from_head(c, c), *end = from_head(c, end_); arc < end; ++arc) {
            const double closed = E_[arc->E + j] + arc->score;
            if (closed != none) Math<Bytes>::add_scaled(C_rows + arc->head_row, closed, second, c, arc->head);
        }
        if (left == none) return;
        for_each_outside(c, i, j, [&](const Arc& arc) NONPROJ_INLINE_LAMBDA {
            // A head between the first block and the child has to be in the gap.
            const int first = arc.head < c ? std::max(j + 1, arc.head) : j + 1;
            add<Bytes>(E_ + arc.E, left, F_rows + arc.head_row, first, c);
        });
    }
    template <int Bytes>
    NONPROJ_INLINE void join_right(int a, int l) {
        const Arc& arc = arcs_[a];
        const int h = arc.head;
        double* const to = D(a, l);
        const double *const gaps = F(l, h), *second = F(l + 1, arc.dependent);
        std::fill(to + l + 1, to + end_ + padding, none);
        for (int r = l; r < words_; ++r, second += end_ * width()) {
            if (gaps[r] == none) continue;
            if (h <= r)
                add<Bytes>(to, gaps[r] + arc.score, second, r + 1, end_);
            else
                Math<Bytes>::add_scaled(to, gaps[r] + arc.score, second, r + 1, h);
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
            const int head = arcs_[e].head, c = arcs_[e].dependent;
            const double score = arcs_[e].score;
            if (head != h) continue;
            if (!is_in(h, a, b)) offer(F(a, c)[b] + score, c, 0, 0);
            for (int left = a + 1; left < b; ++left) {
                if (is_in(h, a, left - 1)) continue;
                const double outer = F(a, c)[left - 1] + score;
                if (outer == none || (c < left && F(a, c)[left - 1] + D(e, left)[b] <= most)) continue;
                for (int right = left; right < (c < left ? b : c); ++right)
                    if (!is_in(h, right + 1, b)) offer(outer + F(left, h)[right] + F(right + 1, c)[b], c, left, right);
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
