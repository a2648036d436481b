// Attardi's system of degree d (Attardi 2006): la_e and ra_e link the stack's top with the e-th word below
// it, e <= d. A reduction that the tree allows never hurts (the other distances in the stack can only
// shrink), so the oracle that reduces whenever it can, smallest e first, accepts exactly the trees of AD_d.
// O(dn) for one d.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

class Attardi {
  public:
    bool accepts(const Tree& tree, int degree) {
        missing_.resize(tree.words() + 1);
        for (int v = 0; v <= tree.words(); ++v) missing_[v] = static_cast<int>(tree.children(v).size());
        stack_.assign(1, 0);
        for (int next = 1; next <= tree.words(); ++next) {
            stack_.push_back(next);
            while (reduce(tree, degree)) {
            }
        }
        return stack_.size() == 1;
    }

    // No degree suffices when an arc's ends are both buried under a word that waits for one of them.
    static constexpr int no_degree = std::numeric_limits<std::int32_t>::max();

    // AD_d grows with d: double, then halve.
    int smallest_degree(const Tree& tree) {
        int enough = 1;
        while (!accepts(tree, enough)) {
            if (enough >= tree.words()) return no_degree;
            enough *= 2;
        }
        int too_few = enough / 2;
        while (enough - too_few > 1) {
            const int middle = (too_few + enough) / 2;
            (accepts(tree, middle) ? enough : too_few) = middle;
        }
        return enough;
    }

  private:
    bool reduce(const Tree& tree, int degree) {
        const int top = stack_.back(), size = static_cast<int>(stack_.size());
        for (int e = 1; e <= degree && e < size; ++e) {
            const int deep = stack_[size - 1 - e];
            if (deep != 0 && tree.head(deep) == top && missing_[deep] == 0) {
                stack_.erase(stack_.end() - 1 - e);
                --missing_[top];
                return true;
            }
            if (tree.head(top) == deep && missing_[top] == 0) {
                stack_.pop_back();
                --missing_[deep];
                return true;
            }
        }
        return false;
    }

    std::vector<int> stack_, missing_;
};

}  // namespace nonproj
