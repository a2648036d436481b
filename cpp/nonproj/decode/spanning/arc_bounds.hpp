// For every arc an upper bound on the score of the best spanning tree that holds it, to prune arcs that
// cannot be in an optimum. O(n^2), and O(n) for each pair of a word and its descendant in the best tree.
//
// The z of the contraction solve the dual of the arborescence programme. Let the reduced cost of an arc be
//     r(h, d) = sum of z(S) over the nodes S that the arc enters - s(h, d)  >=  0,
// since the outermost such S picked at least in(S, h). A tree T enters every node at least once, every word
// exactly once, and z(S) <= 0 unless S is a word. Therefore
// (1) score(T) = sum_S z(S) |arcs of T entering S| - sum_{a in T} r(a)  <=  sum_S z(S) - sum_{a in T} r(a)
// and for the best tree T* equality holds, with r = 0 on all its arcs: sum_S z(S) = score(T*).
// A tree T that holds h -> d also holds a path from 0 to h, which avoids d. So, by (1),
// (2) score(T)  <=  score(T*) - r(h, d) - p(d, h),   p(d, h) = the cheapest path from 0 to h that avoids d
// where T* itself has such a path, of cost 0, unless h descends from d in T*; then p is found by Dijkstra's
// method among the descendants of d. The bound is -inf just when no tree holds the arc. It is exact when no
// cycle was contracted: give the words on the cheapest path their heads on it, d the head h, and all others
// their heads in T*; that is a tree.
//
// With a single root, (2) for all trees bounds those with one root too. In the rank of fewest roots, (1)
// holds for them as well: the node R that took its root arc may have z(R) > 0, but no other arc enters R, so
// every tree enters it exactly once, from the root; and a root arc to a word outside R is in no tree with a
// single root. It is exact for the root arcs into R: opening R at d gives a tree with r = 0 on all other
// arcs. The lower of both bounds is taken.
//
// Rounding: a sum of k terms errs by less than k eps times the sum of their magnitudes. `slack` covers the
// errors of the n costs in (1), so that the bound holds for what is computed, not only on paper.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/contraction.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <class Real>
class ArcBounds {
  public:
    // Writes the bound of h -> d to bounds[h * (n + 1) + d] and returns the score of the best tree, which is
    // the bound of each of its arcs. -inf in column 0, on the diagonal, and everywhere when there is no tree.
    double arc_bounds(const ArcScores<Real>& scores, bool single_root, std::span<double> bounds) {
        words_ = scores.words();
        assert(bounds.size() == static_cast<std::size_t>(words_ + 1) * (words_ + 1));
        heads_.resize(words_);
        std::fill(bounds.begin(), bounds.end(), minus_infinity<double>);
        contraction_.read(scores, {});
        if (!contraction_.contract(Rank::score, false)) return minus_infinity<double>;
        double score = reduced_costs(scores, false);
        order_words();
        for (int place = 1; place <= words_; ++place) {
            Interrupt::check();
            add_cheapest_paths(place);
        }
        for_each_arc([&](int h, int d, std::size_t at) { bounds[at] = score - cost(d, h); });
        if (!single_root) return score;

        if (!contraction_.contract(Rank::fewest_roots, true)) {
            std::fill(bounds.begin(), bounds.end(), minus_infinity<double>);
            return minus_infinity<double>;
        }
        score = reduced_costs(scores, true);
        for_each_arc([&](int h, int d, std::size_t at) { bounds[at] = std::min(bounds[at], score - cost(d, h)); });
        return score;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    // By dependent first: a word's costs lie side by side.
    double& cost(int dependent, int head) { return cost_[static_cast<std::size_t>(dependent) * (words_ + 1) + head]; }

    template <class Visit>
    void for_each_arc(Visit visit) const {
        for (int h = 0; h <= words_; ++h)
            for (int d = 1; d <= words_; ++d)
                if (h != d) visit(h, d, static_cast<std::size_t>(h) * (words_ + 1) + d);
    }

    // r(h, d) less the slack, and 0 on the best tree, whose heads stay in heads_. Returns its score.
    double reduced_costs(const ArcScores<Real>& scores, bool single_root) {
        cost_.assign(static_cast<std::size_t>(words_ + 1) * (words_ + 1), infinity);
        double largest = 0;
        for (int d = 1; d <= words_; ++d)
            contraction_.for_each_entered(d, [&](int h, double entered) {
                if (single_root && h == 0 && !contraction_.is_below_root_pick(d)) return;
                if (!(scores(h, d) > minus_infinity<Real>)) return;
                cost(d, h) = entered - scores(h, d);
                largest = std::max(largest, std::abs(entered));
            });
        const double eps = std::numeric_limits<double>::epsilon();
        const double slack = 20 * eps * words_ * words_ * largest;
        for (double& c : cost_) c = std::max(0.0, c * (1 - 4 * eps) - slack);
        contraction_.open(heads_);
        for (int d = 1; d <= words_; ++d) cost(d, heads_[d - 1]) = 0;
        return contraction_.total(heads_);
    }

    // order_ lists the words so that d is followed by its descendants_[d] descendants in the best tree.
    void order_words() {
        first_child_.assign(words_ + 1, 0);
        next_child_.assign(words_ + 1, 0);
        descendants_.assign(words_ + 1, 0);
        for (int d = words_; d > 0; --d) {
            int& first = first_child_[heads_[d - 1]];
            next_child_[d] = first;
            first = d;
        }
        order_.clear();
        pending_.assign(1, 0);
        while (!pending_.empty()) {
            const int v = pending_.back();
            pending_.pop_back();
            order_.push_back(v);
            for (int child = first_child_[v]; child != 0; child = next_child_[child]) pending_.push_back(child);
        }
        for (int i = words_; i > 0; --i) descendants_[heads_[order_[i] - 1]] += 1 + descendants_[order_[i]];
    }

    // Adds p(d, h) to the cost of h -> d for the descendants h of d = order_[place]. Must be called for a
    // word before its descendants, whose costs it needs as they were.
    void add_cheapest_paths(int place) {
        const int d = order_[place];
        const std::span<const int> below = std::span(order_).subspan(place + 1, descendants_[d]);
        // Where most arcs are forbidden, few words may hang below their descendants.
        if (std::none_of(below.begin(), below.end(), [&](int x) { return cost(d, x) < infinity; })) return;
        from_outside_.assign(words_ + 1, 0);
        from_outside_[d] = infinity;
        for (int x : below) from_outside_[x] = infinity;
        path_.resize(words_ + 1);
        for (int x : below) {
            double cheapest = infinity;
            for (int u = 0; u <= words_; ++u) cheapest = std::min(cheapest, cost(x, u) + from_outside_[u]);
            path_[x] = cheapest;
        }
        pending_.assign(below.begin(), below.end());
        while (!pending_.empty()) {
            const auto nearest =
                std::min_element(pending_.begin(), pending_.end(), [&](int x, int y) { return path_[x] < path_[y]; });
            const int x = *nearest;
            *nearest = pending_.back();
            pending_.pop_back();
            cost(d, x) += path_[x];
            for (int y : pending_) path_[y] = std::min(path_[y], path_[x] + cost(y, x));
        }
    }

    Contraction<Real> contraction_;
    int words_ = 0;
    std::vector<double> cost_, path_, from_outside_;
    std::vector<int> heads_, first_child_, next_child_, order_, pending_, descendants_;
};

}  // namespace nonproj
