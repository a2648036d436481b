// The best spanning tree with root 0, with one root arc or with any number of them: O(n^2).
#pragma once
#include <algorithm>
#include <cassert>
#include <limits>
#include <span>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/contraction.hpp"
#include "nonproj/tree/tree.hpp"

namespace nonproj {

// A workspace: a call allocates nothing when the sentence is no longer than those before.
template <class Real>
class SpanningTrees {
  public:
    // Writes the head of word d to heads[d - 1] and returns the sum of the scores of the tree's arcs, taken
    // in double. When there is no tree, returns -inf and leaves the heads unspecified. A required arc is
    // given by -inf for the other heads of its dependent.
    double solve(const ArcScores<Real>& scores, bool single_root, std::span<int> heads,
                 std::span<const Arc> forbidden = {}) {
        assert(static_cast<int>(heads.size()) == scores.words());
        contraction_.read(scores, forbidden);
        // The best of all trees often has a single root, and is found with fewer contractions.
        if (!contraction_.contract(Rank::score, single_root) &&
            !(single_root && contraction_.contract(Rank::fewest_roots, true)))
            return minus_infinity<double>;
        contraction_.open(heads);
        rounding_ = rounding(scores.words());
        return contraction_.total(heads);
    }

    // After a tree was found: at least this much is lost by every tree in which d has another head than `head`, its
    // head in the best tree; infinite when there is no such tree. By (1) of arc_bounds.hpp it is the second lowest
    // reduced cost of the arcs into d.
    double regret(int head, int d) const {
        double lowest = std::numeric_limits<double>::infinity();
        const bool one_root_node = contraction_.rank() == Rank::fewest_roots;
        contraction_.for_each_entered(d, [&](int h, double entered) {
            if (h == head || (h == 0 && one_root_node && !contraction_.is_below_root_pick(d))) return;
            lowest = std::min(lowest, entered - contraction_.score(h, d));
        });
        return std::max(0.0, lowest - rounding_);
    }

  private:
    // What the n costs in (1) may err by.
    double rounding(int words) const {
        return 20 * std::numeric_limits<double>::epsilon() * words * words * contraction_.largest_value();
    }

    Contraction<Real> contraction_;
    double rounding_ = 0;
};

}  // namespace nonproj
