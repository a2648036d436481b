// Trees of the class MH_k: the multi-headed parser of Gomez-Rodriguez, Carroll and Weir (2011), in the form
// of Figure 2 of Gomez-Rodriguez (2016), "Restricted non-projectivity: coverage vs. efficiency". O(n^k) time,
// O(n^(k-1)) space. A tree has many derivations: the chart gives the best tree, and never a sum.
//
//   item      [h1, ..., hm], 2 <= m <= k    the words between h1 and hm have heads, except the nodes hj
//   axioms    [i, i+1]                      goal  [0, n+1]
//   Combine   [h1, ..., hm] [hm, ..., hp]  |-  [h1, ..., hp]                                       p <= k
//   Link      [h1, ..., hm]  |-  the same without y = hj; adds the score of an arc hi -> y         1 < j < m
//
// Items of up to k-1 nodes are stored. Those of k nodes are not: only a Link can follow their Combine, and
// the two are taken as one step. Let the parts meet at g. It is enough to consider
//   (a)  [.., y] + [y, ..]            y is the node where they meet, with any head
//   (b)  [.., g] + [g, .., y, ..]     y in the right part, with its head in the left part, before g
//   (c)  [.., y, .., g] + [g, ..]     y in the left part, with its head in the right part, behind g
// since with its head in the same part, y could have been taken away there before. None can be spared:
// without (b) or (c), MH_4 loses trees of 5 words; so does MH_5 when two parts of three nodes may not meet.
//
// Rows. The items [i, g...] that differ in i only lie side by side: a row, named by its c = m - 1 nodes g. In
// every step the left part is a row, while the right part and the arc are numbers; if i is the head, the
// scores of i -> y are a row, too. So all i are done at once, with vectors. Only (a) with i < y < g[0] needs
// an item of the same row, [y, g...]: rows are filled from the back. What lies behind the last item of a row
// is -inf.
//
// Order. By rising last node; then depth first: as soon as [y, g...] is final, the row of y, g... is filled.
//
// Single root. The dummy then holds three positions. `once` is for items with at most one arc from the root;
// `giving` and `unused` are for those without any, and only `giving` may be a head. When a row is done, what
// came from `once` or `giving` becomes `once`. As every tree has an arc from the root, the goal with `once`
// has exactly one.
#pragma once
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/decode/multi_headed/row_layout.hpp"
#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

// FixedK = k lets the compiler unroll the loops over an item's nodes; 0 serves every k.
template <class Real, int FixedK = 0>
class MultiHeadedChart {
  public:
    static constexpr int max_nodes = 30;

    MultiHeadedChart(const ArcScores<Real>& scores, int k, bool single_root)
        : k_(k),
          roots_(single_root ? 3 : 1),
          end_(scores.words() + roots_),
          layout_(end_ + 1, k, block),
          stride_(layout_.row_length(end_ + 1)) {
        assert(3 <= k && k <= max_nodes && (FixedK == 0 || FixedK == k));
        make_room();
        read(scores);
        for (int last = roots_; last <= end_; ++last) {
            nodes_[k_ - 1] = last;
            fill_row(1);
        }
    }

    Real best() const { return row(&end_, 1)[once]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(end_ - roots_);
        std::vector<Item> open{whole()};
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            if (!is_axiom(item)) undo(item, open, heads);
        }
        return heads;
    }

    static std::size_t bytes(int words, int k, bool single_root) {
        const int positions = words + (single_root ? 3 : 1) + 1;
        const RowLayout layout(positions, k, block);
        std::size_t values = 2 * layout.row_length(positions) * static_cast<std::size_t>(positions);
        for (int c = 1; c <= k - 2; ++c) values += layout.table_length(c);
        return values * sizeof(Real);
    }

  private:
    static constexpr Real none = minus_infinity<Real>;
    static constexpr int block = 32 / sizeof(Real);         // the widest vector
    static constexpr int once = 0, giving = 1, unused = 2;  // the dummy's positions for a single root

    using Rows = std::vector<std::vector<Real>>;

    int k_, roots_, end_;  // positions: the dummy's 0 .. roots_ - 1, then the words, then end_
    RowLayout layout_;
    std::size_t stride_;
    Rows table_;                      // [c]: the rows of items with c nodes behind i
    std::vector<Real> by_dependent_;  // [y][h]: the score of h -> y
    std::vector<Real> by_head_;       // [h][y]: the same

    // While a row is filled:
    std::vector<int> nodes_;  // its nodes g are the last c of these
    Rows reach_;              // [c][i]: the items of the row of c nodes so far
    Rows behind_;             // [c][y]: the best score of an arc to y from the last c nodes
    Rows before_;             // [u][y]: the best score of an arc to y from g[0], .., g[u-1]

    // Steps that build items of k - 1 nodes, for all i at once.
    struct Meeting {        // (a)
        const Real* left;   // [i, .., y]
        const Real* heads;  // i -> y
        Real right;         // [y, ..]
        Real right_linked;  // the same with the best arc to y from a node behind i
    };
    struct Later {  // g[0] < y
        Meeting meeting;
        Real across;  // (b) at g[0], which has the same y: [g[0], .., y, ..]
    };
    struct Earlier {  // y < g[0]
        Meeting meeting;
        const Real* around;  // (c) at g[0]: [i, y, g[0]]
        Real right_linked;   // and [g[0], ..] with the best arc to y from a node behind g[0]
    };
    struct Addition {  // a row and a number, for i < until
        const Real* row;
        Real number;
        int until;
    };
    std::vector<Later> later_;
    std::vector<Earlier> earlier_;                 // from the back
    std::vector<Addition> passing_;                // the rest of (c): left part; right part with the arc
    std::vector<std::vector<Addition>> crossing_;  // [u]: (b) at g[u], u > 0: the arcs i -> y; right part
    std::vector<Real> right_;                      // [u]: the right part [g[u], ..]
    std::vector<Real> joined_;  // [u]: the same, or (b) with the arc from one of g[0], .., g[u-1], if better

    int k() const { return FixedK ? FixedK : k_; }
    const Real* heads_of(int y) const { return &by_dependent_[stride_ * y]; }
    const Real* dependents_of(int h) const { return &by_head_[stride_ * h]; }
    const Real* row(const int* g, int c) const { return table_[c].data() + layout_.start(g, c); }
    Real* row(const int* g, int c) { return table_[c].data() + layout_.start(g, c); }

    void make_room() {
        table_.resize(k_ - 1);
        for (int c = 1; c <= k_ - 2; ++c) table_[c].assign(layout_.table_length(c), none);
        nodes_.resize(k_);
        for (auto* rows : {&reach_, &behind_, &before_}) rows->assign(k_, std::vector<Real>(stride_, none));
        later_.resize(stride_);
        earlier_.resize(stride_);
        passing_.resize(k_ * stride_);
        crossing_.resize(k_);
        right_.resize(k_);
        joined_.resize(k_);
    }

    void read(const ArcScores<Real>& scores) {
        by_dependent_.assign(stride_ * (end_ + 1), none);
        by_head_.assign(stride_ * (end_ + 1), none);
        for (int head = 0; head <= scores.words(); ++head)
            for (int dependent = 1; dependent <= scores.words(); ++dependent) {
                if (head == dependent) continue;
                const int h = head > 0 ? head + roots_ - 1 : roots_ > 1 ? giving : 0;
                const int y = dependent + roots_ - 1;
                by_dependent_[stride_ * y + h] = by_head_[stride_ * h + y] = scores(head, dependent);
            }
    }

    void fill_row(int c) {
        if (c == 1 || c < k() - 2) Interrupt::check();
        const int* g = nodes_.data() + (k_ - c);
        const Real* arcs = dependents_of(g[0]);
        for (int y = 0; y < g[c - 1]; ++y) behind_[c][y] = std::max(behind_[c - 1][y], arcs[y]);
        if (c < k() - 2)
            fill_smaller(g, c);
        else
            vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill_largest<Bytes>(g); });
        if (roots_ > 1) {
            Real* filled = row(g, c);
            filled[once] = std::max(filled[once], filled[giving]);
            filled[giving] = filled[unused];
        }
    }

    bool is_axiom(int i, int j) const { return i < roots_ ? j == roots_ : j == i + 1; }

    // Items of less than k - 1 nodes, by Combine, and by Link from items with one node more.
    void fill_smaller(const int* g, int c) {
        Real* reach = reach_[c].data();
        for (int i = 0; i < g[0]; ++i) reach[i] = c == 1 && is_axiom(i, g[0]) ? 0 : none;
        for (int u = 0; u + 1 < c; ++u) link(reach, row(g, u + 1), row(g + u + 1, c - u - 1)[g[u]], end_, g[0]);
        std::array<int, max_nodes> with_y;
        for (int t = 0; t + 1 < c; ++t) {
            std::copy(g + t + 1, g + c, std::copy(g, g + t + 1, with_y.begin()) + 1);
            for (int y = g[t] + 1; y < g[t + 1]; ++y) {
                with_y[t + 1] = y;
                link(reach, row(with_y.data(), c + 1), behind_[c][y], y, g[0]);
            }
        }
        Real* filled = row(g, c);
        for (int y = g[0] - 1; y >= roots_; --y) {
            filled[y] = reach[y];
            nodes_[k_ - c - 1] = y;
            fill_row(c + 1);
            link(reach, row(g - 1, c + 1), behind_[c][y], y, y);
        }
        std::copy(reach, reach + roots_, filled);
    }

    // reach[i] is at least left[i] with the better of `right` and the arc i -> y, for i < until.
    void link(Real* reach, const Real* left, Real right, int y, int until) const {
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            using Pack = Lanes<Real, Bytes>;
            const Real* heads = heads_of(y);
            for (int i = 0; i < until; i += Pack::count) {
                const Pack best = higher(Pack::all(right), Pack::load(heads + i));
                higher(Pack::load(reach + i), Pack::load(left + i) + best).store(reach + i);
            }
        });
    }

    // Items of k - 1 nodes, a vector of them at a time, from the back.
    template <int Bytes>
    NONPROJ_INLINE void fill_largest(const int* g) {
        using Pack = Lanes<Real, Bytes>;
        const int c = k() - 2, g0 = g[0], roots = roots_;
        const auto [later_end, passing_end] = gather(g);
        const Real* pairs = table_[1].data();
        const Real* around = c > 1 ? table_[2].data() + layout_.start(1, g0) : pairs;
        const Real right_0 = c > 1 ? right_[0] : none;
        const Real *behind_i = behind_[c].data(), *behind_0 = behind_[c - 1].data();
        Earlier* earlier_end = earlier_.data();
        Real* filled = row(g, c);
        for (int i = (g0 - 1) / Pack::count * Pack::count; i >= 0; i -= Pack::count) {
            Pack best = reach_without_earlier<Bytes>(g, i, later_end, passing_end);
            const auto meet_earlier = [&](const Earlier& at) NONPROJ_INLINE_LAMBDA {
                best = higher(best, meet<Bytes>(at.meeting, i, Pack::load(at.meeting.heads + i)));
                if (c > 1) best = higher(best, Pack::load(at.around + i) + Pack::all(at.right_linked));
            };
            for (const Earlier* at = earlier_.data(); at != earlier_end; ++at) meet_earlier(*at);
            // Within the vector: from its back, each item is final and is a right part for those before it.
#pragma GCC unroll 8
            for (int lane = Pack::count - 1; lane >= 0; --lane) {
                const int y = i + lane;
                if (y < roots || y >= g0) continue;
                const std::size_t start = layout_.start(0, y);
                const Real right = best.lane[lane];
                *earlier_end = {
                    {pairs + start, heads_of(y), right, right + behind_i[y]}, around + start, right_0 + behind_0[y]};
                if (lane > 0) meet_earlier(*earlier_end);
                earlier_end += right != none || earlier_end->right_linked != none;
            }
            best.store(filled + i);
        }
    }

    template <int Bytes>
    static NONPROJ_INLINE Lanes<Real, Bytes> meet(const Meeting& at, int i, const Lanes<Real, Bytes>& heads) {
        using Pack = Lanes<Real, Bytes>;
        return Pack::load(at.left + i) + higher(Pack::all(at.right_linked), Pack::all(at.right) + heads);
    }

    // The vector of items from i on by every step with g[0] < y, and by Combine.
    template <int Bytes>
    NONPROJ_INLINE Lanes<Real, Bytes> reach_without_earlier(const int* g, int i, const Later* later_end,
                                                            const Addition* passing_end) const {
        using Pack = Lanes<Real, Bytes>;
        const int c = k() - 2;
        Pack best = Pack::all(none);
        if (c == 1) {
            for (int lane = 0; lane < Pack::count; ++lane)
                if (is_axiom(i + lane, g[0])) best.lane[lane] = 0;
            return best;
        }
        Pack right = Pack::all(joined_[0]);
        for (const Later* at = later_.data(); at != later_end; ++at) {
            const Pack heads = Pack::load(at->meeting.heads + i);
            best = higher(best, meet<Bytes>(at->meeting, i, heads));
            right = higher(right, Pack::all(at->across) + heads);
        }
        best = higher(best, Pack::load(row(g, 1) + i) + right);
        for (int u = 1; u + 1 < c; ++u) {
            right = Pack::all(joined_[u]);
            for (const Addition& at : crossing_[u])
                right = higher(right, Pack::load(at.row + i) + Pack::all(at.number));
            best = higher(best, Pack::load(row(g, u + 1) + i) + right);
        }
        for (const Addition* at = passing_.data(); at != passing_end && i < at->until; ++at)
            best = higher(best, Pack::load(at->row + i) + Pack::all(at->number));
        return best;
    }

    // Lists the steps to the items [i, g...], leaving out those that come to nothing for all i, save
    // earlier_, which grows as the row is filled. Returns the ends of later_ and passing_.
    NONPROJ_INLINE std::pair<const Later*, const Addition*> gather(const int* g) {
        const int c = k() - 2;
        for (int u = 0; u + 1 < c; ++u) joined_[u] = right_[u] = row(g + u + 1, c - u - 1)[g[u]];
        for (int u = 1; u + 1 < c; ++u) {
            const Real* arcs = dependents_of(g[u - 1]);
            for (int y = 0; y < g[c - 1]; ++y) before_[u][y] = std::max(before_[u - 1][y], arcs[y]);
            crossing_[u].clear();
        }
        Later* later = later_.data();
        Addition* passing = passing_.data();
        std::array<int, max_nodes> with_y;
        for (int t = 0; t + 1 < c; ++t) {  // g[t] < y < g[t + 1]
            std::copy(g + t + 1, g + c, std::copy(g, g + t + 1, with_y.begin()) + 1);
            with_y[t + 1] = 0;  // adds nothing to the start of a row; each y adds its share below
            const Real* left = row(with_y.data(), t + 2);
            const Real* right = row(g + t + 1, c - t - 1);
            const Real* across = row(with_y.data() + 1, c) + g[0];
            for (int y = g[t] + 1; y < g[t + 1]; ++y) {
                *later = {{left + layout_.start(t + 1, y), heads_of(y), right[y], right[y] + behind_[c][y]},
                          across[layout_.start(t, y)]};
                later += right[y] != none || later->across != none;
            }
            for (int u = 1; u <= t; ++u) {
                const Real* across_u = row(with_y.data() + u + 1, c - u) + g[u];
                for (int y = g[t] + 1; y < g[t + 1]; ++y) {
                    const Real number = across_u[layout_.start(t - u, y)];
                    if (number == none) continue;
                    joined_[u] = std::max(joined_[u], number + before_[u][y]);
                    crossing_[u].push_back({heads_of(y), number, g[0]});
                }
            }
            for (int u = t + 1; u + 1 < c; ++u) {
                const Real* left_u = row(with_y.data(), u + 2);
                for (int y = g[t] + 1; y < g[t + 1]; ++y) {
                    *passing = {left_u + layout_.start(t + 1, y), right_[u] + behind_[c - u - 1][y], g[0]};
                    passing += passing->number != none;
                }
            }
        }
        for (int y = g[0] - 1; y >= roots_; --y)
            for (int u = 1; u + 1 < c; ++u) {
                const Real* left_u = table_[u + 2].data() + layout_.start(g, u + 1, 1);
                *passing = {left_u + layout_.start(0, y), right_[u] + behind_[c - u - 1][y], y};
                passing += passing->number != none;
            }
        return {later, passing};
    }

    // Back from the goal: the last step to an item is found by trying all, with no record of what was done.
    struct Item {
        int count;
        std::array<int, max_nodes> node;
    };
    struct Step {
        Real score = none;
        int first = 0;  // the item's first node, where `once` may have come from `giving`
        int dependent = 0, head = 0,
            at = 0;    // for a Link: the arc, and the dependent's number among the nodes
        int meet = 0;  // for a Combine: the number of the node where the parts meet
    };

    Item whole() const { return {2, {once, end_}}; }
    bool is_axiom(const Item& item) const { return item.count == 2 && is_axiom(item.node[0], item.node[1]); }
    int word(int position) const { return std::max(0, position - roots_ + 1); }
    Real value(const int* node, int count) const { return row(node + 1, count - 1)[node[0]]; }

    static Item part(const Item& item, int from, int to) {
        Item piece{to - from, {}};
        std::copy(item.node.begin() + from, item.node.begin() + to, piece.node.begin());
        return piece;
    }
    static Item with(const Item& item, int y, int at) {
        Item longer{item.count + 1, item.node};
        std::copy(item.node.begin() + at, item.node.begin() + item.count, longer.node.begin() + at + 1);
        longer.node[at] = y;
        return longer;
    }

    void undo(const Item& item, std::vector<Item>& open, std::vector<std::int32_t>& heads) const {
        Step step;
        try_steps(item, step);
        if (roots_ > 1 && item.node[0] == once) {
            Item other = item;
            other.node[0] = giving;
            try_steps(other, step);
        }
        if (step.score == none) throw Error("scores must be numbers or -inf, and so must their sums");
        Item from = step.dependent ? with(item, step.dependent, step.at) : item;
        from.node[0] = roots_ > 1 && step.first == giving ? unused : step.first;
        if (step.dependent) heads[word(step.dependent) - 1] = word(step.head);
        if (step.meet == 0) return open.push_back(from);
        open.push_back(part(from, 0, step.meet + 1));
        open.push_back(part(from, step.meet, from.count));
    }

    // Raises `best` to the best step that leads to the item, the first of equals.
    void try_steps(const Item& item, Step& best) const {
        try_meetings(item, {0, item.node[0], 0, 0, 0, 0}, best);
        for (int at = 1; at < item.count; ++at) {
            Item from = with(item, 0, at);
            for (int y = std::max(item.node[at - 1] + 1, roots_); y < item.node[at]; ++y) {
                from.node[at] = y;
                const Real* heads = heads_of(y);
                const auto is_worse = [&](int g, int h) { return heads[g] < heads[h]; };
                const int head = *std::max_element(item.node.begin(), item.node.begin() + item.count, is_worse);
                Step step{heads[head], item.node[0], y, head, at, 0};
                if (from.count == k_) {
                    try_meetings(from, step, best);
                } else {
                    step.score += value(from.node.data(), from.count);
                    if (best.score < step.score) best = step;
                }
            }
        }
    }

    void try_meetings(const Item& from, Step step, Step& best) const {
        const Real arc = step.score;
        for (int meet = 1; meet + 1 < from.count; ++meet) {
            step.meet = meet;
            step.score = arc + value(from.node.data(), meet + 1) + value(from.node.data() + meet, from.count - meet);
            if (best.score < step.score) best = step;
        }
    }
};

}  // namespace nonproj
