// The best gap-minding tree (M0I) when each word has few possible heads, with or without scores of grandparents: sections
// 5.1 and 6 of Pitler, Kannan & Marcus (2012), with the rules of gap_minding.hpp. With k heads a word it takes O(k n^4)
// time, and O(k^2 n^4) with grandparents; O(n^6) when every head is possible.
//
// A head h goes with its own head g, so that items speak of h under g. The possible g of a word h lie side by side: its
// *lanes*. A lane is the same as an arc g -> h; without grandparents a word has one lane, and 0 always has one.
//
//   F(i, j | h, g), C(a, b | h, g)           as in nested_closed.hpp
//   D(h -> c, l, b | g) = A(h, c | g) + max_r  F(r+1, b | c, h) + F(l, r | h, g)           c < l,  h not in r+1..b
//   E(h -> c, a, r | g) = A(h, c | g) + max_l  F(a, l-1 | c, h) + F(l, r | h, g)           c > r,  h not in a..l-1
//   C(a, b | h, g)      = max_c  F(a, b | c, h) + A(h, c | g)                              h not in a..b
//                     and max_{c, l}  F(a, l-1 | c, h) + D(h -> c, l, b | g)               h not in a..l-1
//                     and max_{c, r}  E(h -> c, a, r | g) + F(r+1, b | c, h)               h not in r+1..b
// where A(h, c | g) = s(h, c) + gp(g, h, c).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nonproj/decode/decoded.hpp"
#include "nonproj/decode/nested_rows.hpp"
#include "nonproj/decode/second_order.hpp"
#include "nonproj/decode/watch.hpp"
#include "nonproj/decode/workspace.hpp"

namespace nonproj {

class PrunedGapMinding {
  public:
    PrunedGapMinding(const SecondOrderScores& scores, bool single_root)
        : scores_(scores), words_(scores.words()), single_root_(single_root) {
        list_arcs();
        make_room();
        for (int i = words_ + 1; i >= 1; --i) {
            std::fill_n(F(i, i - 1), width_, 0.0);
            for (int j = i; j <= words_; ++j) {
                Watch::ask();
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
        return sizeof(double) * (2 * n * n * lanes * n + heads_of_a_word * n * n * (n / 6 + 1) * lanes);
    }

  private:
    static constexpr double none = minus_infinity<double>;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    struct Arc {
        int head, dependent;
        std::ptrdiff_t scores, D, E;  // where its rows begin
        int context;                  // the lane of `dependent` under `head`
    };
    struct Filled {  // F(i, j) in one lane
        int i, j, lane;
    };

    SecondOrderScores scores_;
    int words_;
    bool single_root_;
    int width_ = 0;                  // of a row with all lanes
    std::vector<int> first_lane_;    // of a word; words_ + 1 has the end
    std::vector<int> head_of_lane_;  // h of the lane (h, g)
    std::vector<int> above_lane_;    // g
    std::vector<Arc> arcs_;          // by dependent
    std::vector<int> first_arc_;     // of a dependent
    std::optional<Workspace> room_;
    double *F_ = nullptr, *C_ = nullptr, *A_ = nullptr, *D_ = nullptr, *E_ = nullptr;
    double best_ = none;
    int root_ = 0;

    bool has_grandparents() const { return scores_.grandparents != nullptr; }
    int lanes(int h) const { return first_lane_[h + 1] - first_lane_[h]; }
    int lane_of(int h, int g) const {
        if (!has_grandparents()) return first_lane_[h];
        for (int lane = first_lane_[h]; lane < first_lane_[h + 1]; ++lane)
            if (above_lane_[lane] == g) return lane;
        return -1;
    }

    void list_arcs() {
        const auto is_possible = [&](int h, int d) { return h != d && scores_.arcs(h, d) > none; };
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
                if (is_possible(h, d)) arcs_.push_back({h, d, 0, 0, 0, lane_of(d, h)});
        }
        first_arc_[words_ + 1] = static_cast<int>(arcs_.size());
    }
    void make_room() {
        const std::ptrdiff_t n = words_;
        std::ptrdiff_t scores = 0, right = 0, left = 0;
        for (Arc& arc : arcs_) {
            const std::ptrdiff_t c = arc.dependent, size = lanes(arc.head);
            arc.scores = scores, arc.D = right, arc.E = left;
            scores += size;
            right += (n - c) * (n - c - 1) / 2 * size;
            left += (c - 1) * size;
        }
        const std::ptrdiff_t spans = (n + 2) * (n + 2) * width_;
        room_.emplace(sizeof(double) * (2 * spans + scores + right + left + nested::row_padding));
        F_ = static_cast<double*>(room_->data());
        C_ = F_ + spans;
        A_ = C_ + spans;
        D_ = A_ + scores;
        E_ = D_ + right;
        std::fill_n(F_, 2 * spans + scores, none);  // D and E are filled row by row
        for (const Arc& arc : arcs_)
            for (int t = 0; t < lanes(arc.head); ++t) {
                const int g = above_lane_[first_lane_[arc.head] + t];
                A_[arc.scores + t] =
                    scores_.arcs(arc.head, arc.dependent) +
                    (has_grandparents() && g >= 0 ? scores_.grandparent(g, arc.head, arc.dependent) : 0);
            }
    }

    std::ptrdiff_t span(int i, int j) const { return (static_cast<std::ptrdiff_t>(i) * (words_ + 2) + j) * width_; }
    double* F(int i, int j) { return &F_[span(i, j)]; }
    const double* F(int i, int j) const { return &F_[span(i, j)]; }
    double* C(int i, int j) { return &C_[span(i, j)]; }
    const double* C(int i, int j) const { return &C_[span(i, j)]; }
    // Rows of an arc, so that row[first_lane_[head] + t] is the value of lane t.
    const double* A(const Arc& arc) const { return A_ + arc.scores - first_lane_[arc.head]; }
    std::ptrdiff_t D_at(const Arc& arc, int l, int b) const {
        const std::ptrdiff_t far = b - arc.dependent - 1;
        return arc.D + (far * (far - 1) / 2 + (l - arc.dependent - 1)) * lanes(arc.head) - first_lane_[arc.head];
    }
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
        for (int a = 0; a < first_arc_[i]; ++a)
            if (!is_in(arcs_[a].head, arcs_[a].dependent, i - 1)) join_right<Bytes>(arcs_[a], i, j);
        for (int a = first_arc_[j + 1]; a < first_arc_[words_ + 1]; ++a)
            if (!is_in(arcs_[a].head, j + 1, arcs_[a].dependent)) join_left<Bytes>(arcs_[a], i, j);
    }
    template <int Bytes>
    NONPROJ_INLINE void concatenate(int i, int j, int lo, int hi) {
        for (int k = i; k <= j; ++k) Math<Bytes>::add_product(F(i, j), C(i, k), F(k + 1, j), lo, hi);
    }
    // Arc by arc, so that D and E are read as they lie.
    template <int Bytes>
    NONPROJ_INLINE void close_gaps(int a, int b) {
        for (int e = first_arc_[a]; e < first_arc_[b + 1]; ++e) {
            const Arc& arc = arcs_[e];
            const int last = arc.head < a ? b - 1 : std::min(b - 1, arc.head);  // h not in a..l-1
            for (int l = std::max(a, arc.dependent) + 1; l <= last; ++l)
                add<Bytes>(C(a, b), arc, F(a, l - 1)[arc.context], D_ + D_at(arc, l, b));
            const int first = arc.head > b ? a + 1 : std::max(a + 1, arc.head);  // h not in r+1..b
            for (int r = first; r < std::min(b, arc.dependent); ++r)
                add<Bytes>(C(a, b), arc, F(r + 1, b)[arc.context], E_ + E_at(arc, r));
        }
    }
    template <int Bytes>
    NONPROJ_INLINE void join_right(const Arc& arc, int l, int b) {
        double* to = D_ + D_at(arc, l, b);
        std::fill(to + first_lane_[arc.head], to + first_lane_[arc.head + 1], none);
        for (int r = l; r < b; ++r)
            if (!is_in(arc.head, r + 1, b)) add<Bytes>(to, arc, F(r + 1, b)[arc.context], F(l, r));
        const double* row = A(arc);
        for (int lane = first_lane_[arc.head]; lane < first_lane_[arc.head + 1]; ++lane) to[lane] += row[lane];
    }
    template <int Bytes>
    NONPROJ_INLINE void join_left(const Arc& arc, int a, int r) {
        double* to = E_ + E_at(arc, r);
        std::fill(to + first_lane_[arc.head], to + first_lane_[arc.head + 1], none);
        for (int l = a + 1; l <= r; ++l)
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
            const int lane = scores_.arcs(0, r) > none ? lane_of(r, 0) : -1;
            const double sum = lane < 0 ? none : scores_.arcs(0, r) + F(1, words_)[lane];
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
        int l = 0, r = 0;  // the one that is known of its gap
        const auto offer = [&](const Arc& arc, double sum, int left, int right) {
            if (sum > most) most = sum, child = &arc, l = left, r = right;
        };
        for (int e = first_arc_[a]; e < first_arc_[b + 1]; ++e) {
            const Arc& arc = arcs_[e];
            if (arc.head != h) continue;
            if (!is_in(h, a, b)) offer(arc, F(a, b)[arc.context] + A(arc)[lane], 0, 0);
            for (int begin = arc.dependent + 1; begin < b; ++begin)
                if (!is_in(h, a, begin - 1))
                    offer(arc, F(a, begin - 1)[arc.context] + D_[D_at(arc, begin, b) + lane], begin, 0);
            for (int end = a + 1; end < arc.dependent; ++end)
                if (!is_in(h, end + 1, b)) {
                    const int begin = first_of_gap(arc, a, end, lane);
                    const double gap =
                        is_in(h, a, begin - 1) ? none : F(a, begin - 1)[arc.context] + F(begin, end)[lane];
                    offer(arc, F(end + 1, b)[arc.context] + A(arc)[lane] + gap, 0, end);
                }
        }
        heads[child->dependent - 1] = h;
        if (l > 0)
            r = last_of_gap(*child, l, b, lane);
        else if (r > 0)
            l = first_of_gap(*child, a, r, lane);
        if (l == 0) {
            open.push_back({a, b, child->context});
        } else {
            open.push_back({a, l - 1, child->context});
            open.push_back({l, r, lane});
            open.push_back({r + 1, b, child->context});
        }
    }
    int last_of_gap(const Arc& arc, int l, int b, int lane) const {
        double most = none;
        int best = l;
        for (int r = l; r < b; ++r) {
            const double sum = F(r + 1, b)[arc.context] + F(l, r)[lane];
            if (!is_in(arc.head, r + 1, b) && sum > most) most = sum, best = r;
        }
        return best;
    }
    int first_of_gap(const Arc& arc, int a, int r, int lane) const {
        double most = none;
        int best = r;
        for (int l = a + 1; l <= r; ++l) {
            const double sum = F(a, l - 1)[arc.context] + F(l, r)[lane];
            if (!is_in(arc.head, a, l - 1) && sum > most) most = sum, best = l;
        }
        return best;
    }
};

inline DecodedTree pruned_gap_minding_best(const SecondOrderScores& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const PrunedGapMinding chart(scores, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads = chart.heads();
    return {scores.of_tree(heads.data()), std::move(heads)};
}

}  // namespace nonproj
