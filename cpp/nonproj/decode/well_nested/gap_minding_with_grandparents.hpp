// The best gap-minding tree (M0I) when each word has few possible heads, with or without scores of grandparents: sections
// 5.1 and 6 of Pitler, Kannan & Marcus (2012), with the rules of gap_minding.hpp. With k heads a word it takes O(k n^4)
// time, and O(k^2 n^4) with grandparents; O(n^6) when every head is possible.
//
// A head h goes with its own head g, so that items speak of h under g. The possible g of a word h lie side by side: its
// *lanes*. A lane is the same as an arc g -> h; without grandparents a word has one lane, and 0 always has one.
//
//   F(i, j | h, g), C(a, b | h, g)           as in nested_closed.hpp
//   E(h -> c, a, r | g) = A(h, c | g) + max_l  F(a, l-1 | c, h) + F(l, r | h, g)           c < l or c > r,  h not in a..l-1
//   C(a, b | h, g)      = max_c  F(a, b | c, h) + A(h, c | g)                              h not in a..b
//                     and max_{c, r}  E(h -> c, a, r | g) + F(r+1, b | c, h)               h not in r+1..b
// where A(h, c | g) = s(h, c) + gp(g, h, c).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/base/workspace.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class PrunedGapMinding {
  public:
    PrunedGapMinding(const PartList& given, bool single_root)
        : given_(given), words_(given.words()), single_root_(single_root) {
        list_arcs();
        make_room();
        for (int i = words_ + 1; i >= 1; --i) {
            std::fill_n(F(i, i - 1), width_, 0.0);
            for (int j = i; j <= words_; ++j) {
                Interrupt::check();
                vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill<Bytes>(i, j); });
            }
        }
        reach_goal();
    }

    double best() const { return best_; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<Filled> open;
        if (single_root_)
            heads[root_ - 1] = 0, open.push_back({1, words_, lane_of(root_, 0)});
        else
            open.push_back({1, words_, 0});
        while (!open.empty()) {
            const Filled item = open.back();
            open.pop_back();
            undo(item, open, heads);
        }
        return heads;
    }

    static double bytes(int words, double heads_of_a_word, bool grandparents) {
        const double n = words, lanes = grandparents ? heads_of_a_word + 4 : 4;
        return sizeof(double) * (2 * n * n * lanes * n + heads_of_a_word * n * n * lanes);
    }

    static double nanoseconds(int words, double heads_of_a_word, bool grandparents) {
        const double n = words, lanes = grandparents ? heads_of_a_word : 1;
        return 2000 + 20 * n * n * n + 0.15 * n * n * n * n * heads_of_a_word * lanes;
    }

  private:
    static constexpr double none = minus_infinity<double>;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    struct Arc {
        int head, dependent;
        std::ptrdiff_t scores, E;  // where its rows begin
        int context;               // the lane of `dependent` under `head`
    };
    struct Filled {  // F(i, j) in one lane
        int i, j, lane;
    };

    const PartList& given_;
    int words_;
    bool single_root_;
    int width_ = 0;                  // of a row with all lanes
    std::vector<int> first_lane_;    // of a word; words_ + 1 has the end
    std::vector<int> head_of_lane_;  // h of the lane (h, g)
    std::vector<int> above_lane_;    // g
    std::vector<Arc> arcs_;          // by dependent
    std::vector<int> first_arc_;     // of a dependent
    std::optional<Workspace> room_;
    double *F_ = nullptr, *C_ = nullptr, *A_ = nullptr, *E_ = nullptr;
    double best_ = none;
    int root_ = 0;

    bool has_grandparents() const { return given_.has_grandparents(); }
    int lanes(int h) const { return first_lane_[h + 1] - first_lane_[h]; }
    int lane_of(int h, int g) const {
        if (!has_grandparents()) return first_lane_[h];
        for (int lane = first_lane_[h]; lane < first_lane_[h + 1]; ++lane)
            if (above_lane_[lane] == g) return lane;
        return -1;
    }

    void list_arcs() {
        const auto is_possible = [&](int h, int d) { return h != d && given_.arcs(h, d) > none; };
        first_lane_.assign(words_ + 2, 0);
        for (int h = 0; h <= words_; ++h) {
            int count = 0;
            for (int g = 0; g <= words_ && h > 0; ++g)
                if (is_possible(g, h)) {
                    if (has_grandparents() || count == 0) head_of_lane_.push_back(h), above_lane_.push_back(g);
                    count += 1;
                }
            if (!has_grandparents() || h == 0) count = 1;
            while (static_cast<int>(head_of_lane_.size()) < first_lane_[h] + std::max(1, count))
                head_of_lane_.push_back(h), above_lane_.push_back(-1);
            first_lane_[h + 1] = static_cast<int>(head_of_lane_.size());
        }
        width_ = first_lane_[words_ + 1];
        first_arc_.assign(words_ + 2, 0);
        for (int d = 1; d <= words_; ++d) {
            first_arc_[d] = static_cast<int>(arcs_.size());
            for (int h = 0; h <= words_; ++h)
                if (is_possible(h, d)) arcs_.push_back({h, d, 0, 0, lane_of(d, h)});
        }
        first_arc_[words_ + 1] = static_cast<int>(arcs_.size());
    }
    void make_room() {
        const std::ptrdiff_t n = words_;
        std::ptrdiff_t scores = 0, joined = 0;
        for (Arc& arc : arcs_) {
            arc.scores = scores, arc.E = joined;
            scores += lanes(arc.head);
            joined += n * lanes(arc.head);
        }
        const std::ptrdiff_t spans = (n + 2) * (n + 2) * width_;
        room_.emplace(sizeof(double) * (2 * spans + scores + joined + nested::row_padding));
        F_ = static_cast<double*>(room_->data());
        C_ = F_ + spans;
        A_ = C_ + spans;
        E_ = A_ + scores;
        std::fill_n(F_, 2 * spans + scores, none);  // E is filled row by row
        for (const Arc& arc : arcs_)
            for (int t = 0; t < lanes(arc.head); ++t) {
                const int g = above_lane_[first_lane_[arc.head] + t];
                A_[arc.scores + t] =
                    given_.arcs(arc.head, arc.dependent) +
                    (has_grandparents() && g >= 0 ? given_.grandparent(g, arc.head, arc.dependent) : 0);
            }
    }

    std::ptrdiff_t span(int i, int j) const { return (static_cast<std::ptrdiff_t>(i) * (words_ + 2) + j) * width_; }
    double* F(int i, int j) { return &F_[span(i, j)]; }
    const double* F(int i, int j) const { return &F_[span(i, j)]; }
    double* C(int i, int j) { return &C_[span(i, j)]; }
    const double* C(int i, int j) const { return &C_[span(i, j)]; }
    // Rows of an arc, so that row[first_lane_[head] + t] is the value of lane t.
    const double* A(const Arc& arc) const { return A_ + arc.scores - first_lane_[arc.head]; }
    // E is kept for one a.
    std::ptrdiff_t E_at(const Arc& arc, int r) const {
        return arc.E + std::ptrdiff_t{r - 1} * lanes(arc.head) - first_lane_[arc.head];
    }

    static bool is_in(int h, int i, int j) { return i <= h && h <= j; }

    // Adds factor + row to the lanes of the arc's head.
    template <int Bytes>
    NONPROJ_INLINE void add(double* to, const Arc& arc, double factor, const double* row) const {
        if (factor != none) Math<Bytes>::add_scaled(to, factor, row, first_lane_[arc.head], first_lane_[arc.head + 1]);
    }

    template <int Bytes>
    NONPROJ_INLINE void fill(int i, int j) {
        close_gaps<Bytes>(i, j);
        if (i == j) std::fill(C(i, i) + first_lane_[i], C(i, i) + first_lane_[i + 1], 0.0);
        concatenate<Bytes>(i, j, first_lane_[i], first_lane_[j + 1]);
        for (int a = first_arc_[i]; a < first_arc_[j + 1]; ++a)
            if (!is_in(arcs_[a].head, i, j)) add<Bytes>(C(i, j), arcs_[a], F(i, j)[arcs_[a].context], A(arcs_[a]));
        concatenate<Bytes>(i, j, 0, first_lane_[i]);
        concatenate<Bytes>(i, j, first_lane_[j + 1], width_);
        if (j == i) return;
        // A head between its child and the gap would be in a block of the child.
        for (int a = first_arc_[i]; a < first_arc_[words_ + 1]; ++a)
            if (!is_in(arcs_[a].head, j + 1, arcs_[a].dependent)) join<Bytes>(arcs_[a], i, j);
    }
    template <int Bytes>
    NONPROJ_INLINE void concatenate(int i, int j, int lo, int hi) {
        for (int k = i; k <= j; ++k) Math<Bytes>::add_product(F(i, j), C(i, k), F(k + 1, j), lo, hi);
    }
    // Arc by arc, so that E is read as it lies.
    template <int Bytes>
    NONPROJ_INLINE void close_gaps(int a, int b) {
        for (int e = first_arc_[a]; e < first_arc_[b + 1]; ++e) {
            const Arc& arc = arcs_[e];
            const int first = arc.head > b ? a + 1 : std::max(a + 1, arc.head);  // h not in r+1..b
            for (int r = first; r < b; ++r)
                if (r != arc.dependent) add<Bytes>(C(a, b), arc, F(r + 1, b)[arc.context], E_ + E_at(arc, r));
        }
    }
    // Where the gap of a child can begin at the earliest, if the child begins at a.
    static int first_begin(const Arc& arc, int a, int r) { return arc.dependent <= r ? arc.dependent + 1 : a + 1; }
    template <int Bytes>
    NONPROJ_INLINE void join(const Arc& arc, int a, int r) {
        double* to = E_ + E_at(arc, r);
        std::fill(to + first_lane_[arc.head], to + first_lane_[arc.head + 1], none);
        for (int l = first_begin(arc, a, r); l <= r; ++l)
            if (!is_in(arc.head, a, l - 1)) add<Bytes>(to, arc, F(a, l - 1)[arc.context], F(l, r));
        const double* row = A(arc);
        for (int lane = first_lane_[arc.head]; lane < first_lane_[arc.head + 1]; ++lane) to[lane] += row[lane];
    }
    void reach_goal() {
        if (!single_root_) {
            best_ = F(1, words_)[0];
            return;
        }
        for (int r = 1; r <= words_; ++r) {
            const int lane = given_.arcs(0, r) > none ? lane_of(r, 0) : -1;
            const double sum = lane < 0 ? none : given_.arcs(0, r) + F(1, words_)[lane];
            if (sum > best_) best_ = sum, root_ = r;
        }
    }

    // The best way to fill i..j, from the left.
    void undo(const Filled& item, std::vector<Filled>& open, std::vector<std::int32_t>& heads) const {
        const auto [i, j, lane] = item;
        if (j < i) return;
        int best = i;
        for (int k = i + 1; k <= j; ++k)
            if (C(i, k)[lane] + F(k + 1, j)[lane] > C(i, best)[lane] + F(best + 1, j)[lane]) best = k;
        open.push_back({best + 1, j, lane});
        if (i != best || head_of_lane_[lane] != i) undo_child(i, best, lane, open, heads);
    }
    // The child of h that holds a and b.
    void undo_child(int a, int b, int lane, std::vector<Filled>& open, std::vector<std::int32_t>& heads) const {
        const int h = head_of_lane_[lane];
        double most = none;
        const Arc* child = nullptr;
        int l = 0, r = 0;  // its gap; none is 0
        const auto offer = [&](const Arc& arc, double sum, int begin, int end) {
            if (sum > most) most = sum, child = &arc, l = begin, r = end;
        };
        for (int e = first_arc_[a]; e < first_arc_[b + 1]; ++e) {
            const Arc& arc = arcs_[e];
            if (arc.head != h) continue;
            if (!is_in(h, a, b)) offer(arc, F(a, b)[arc.context] + A(arc)[lane], 0, 0);
            for (int end = a + 1; end < b; ++end) {
                if (end == arc.dependent || is_in(h, end + 1, b)) continue;
                const int begin = first_of_gap(arc, a, end, lane);
                if (is_in(h, a, begin - 1)) continue;
                const double around = F(a, begin - 1)[arc.context] + F(end + 1, b)[arc.context];
                offer(arc, around + F(begin, end)[lane] + A(arc)[lane], begin, end);
            }
        }
        heads[child->dependent - 1] = h;
        if (l == 0) {
            open.push_back({a, b, child->context});
        } else {
            open.push_back({a, l - 1, child->context});
            open.push_back({l, r, lane});
            open.push_back({r + 1, b, child->context});
        }
    }
    int first_of_gap(const Arc& arc, int a, int r, int lane) const {
        double most = none;
        int best = r;
        for (int l = first_begin(arc, a, r); l <= r; ++l) {
            const double sum = F(a, l - 1)[arc.context] + F(l, r)[lane];
            if (!is_in(arc.head, a, l - 1) && sum > most) most = sum, best = l;
        }
        return best;
    }
};

inline DecodedTree pruned_gap_minding_best(const PartList& given, bool single_root) {
    if (given.words() == 0) return {0, {}};
    const PrunedGapMinding chart(given, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads = chart.heads();
    return {given.of_tree(heads.data()), std::move(heads)};
}

}  // namespace nonproj
