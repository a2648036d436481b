// The best spanning tree with root 0, with one root arc or with any number of them: O(n^2).
#pragma once
#include <cassert>
#include <span>

#include "nonproj/decode/contraction.hpp"
#include "nonproj/decode/scores.hpp"
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
        return contraction_.total(heads);
    }

  private:
    Contraction<Real> contraction_;
};

}  // namespace nonproj
