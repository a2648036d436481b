// The smallest projective lift of a tree (Kahane, Nasr and Rambow 1998, section 2.3).
//
// T' is a lift of T when the head of every word in T' is the word's head in T or an ancestor of it. Lifting a word from
// its head to the k-th ancestor of that head takes k steps. Whatever the other words do, any ancestor may be chosen for a
// word: what was an ancestor chain in T leads to the root in T' too. So a projective lift is a projective tree all of whose
// arcs come from ancestors, and the one with fewest steps is the best projective tree under the scores
//     s(h, d) = -(steps from head(d) up to h)        -inf when h is no ancestor of d
// which Eisner's chart finds in O(n^3). Among lifts with equally many steps, one that moves fewest words is taken.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nonproj {

// Keeps its memory between trees, so one object serves a whole treebank.
class SmallestLift {
  public:
    // Writes the heads of the lift; the caller has made sure that `heads` form a tree.
    void lift(std::span<const std::int32_t> heads, std::int32_t* lifted);

  private:
    std::vector<double> table_;
    std::vector<std::int32_t> first_, last_, size_, waiting_, leaves_;

    bool is_projective(std::span<const std::int32_t> heads);
};

}  // namespace nonproj
