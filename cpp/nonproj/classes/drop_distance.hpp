// The drop distance of a tree: the smallest d for which all words can be dropped one at a time, each complete (all its
// dependents are dropped) and with its head at most d places away among the words that are left; the dummy is one of
// them, and is never dropped. DD_d holds the trees of drop distance d or less.
//
// The order does not matter: what can be dropped still can after another word is gone. For let x and y both be droppable,
// and drop x. Then y is still complete; its head is still there, since the dependents of x, which was complete, are gone
// and y is not; and the head is no farther away, since words only leave from between. So dropping as long as it goes, in
// any order, ends with the same words left, and with the dummy alone exactly when some order does. For the same reason
// what is dropped at distance d need not be tried again at d + 1, and deleting a leaf never takes a tree out of DD_d.
//
// One pass at a distance d is Attardi's system with words put back (transition/attardi_back.hpp): what can be dropped is
// seen when the right one of it and its head is the top of a stack. When a word has left that lay e places below the
// top, or the top that lay e places above its head, the words above that place go back to the input: the pairs that have
// come nearer, or have become complete, are then met again. O(d^2 n) a pass.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

class DropDistance {
  public:
    int of(const Tree& tree) {
        missing_.resize(tree.words() + 1);
        for (int v = 0; v <= tree.words(); ++v) missing_[v] = static_cast<int>(tree.children(v).size());
        stack_.resize(tree.words() + 1);
        for (int v = 0; v <= tree.words(); ++v) stack_[v] = v;
        int distance = 1;
        for (; stack_.size() > 1; distance = std::max(distance, nearest(tree))) drop(tree, distance);
        return distance;
    }

  private:
    // Drops from the words in stack_ what can be dropped at this distance; the others are left in it.
    void drop(const Tree& tree, int distance) {
        input_.assign(stack_.rbegin(), stack_.rend());
        stack_.clear();
        while (!input_.empty()) {
            stack_.push_back(input_.back());
            input_.pop_back();
            while (reduce(tree, distance)) {
            }
        }
    }
    bool reduce(const Tree& tree, int distance) {
        const int top = stack_.back(), size = static_cast<int>(stack_.size());
        for (int e = 1; e <= distance && e < size; ++e) {
            const int deep = stack_[size - 1 - e];
            const bool drops_deep = deep != 0 && tree.head(deep) == top && missing_[deep] == 0;
            if (!drops_deep && (tree.head(top) != deep || missing_[top] != 0)) continue;
            stack_.erase(drops_deep ? stack_.end() - 1 - e : stack_.end() - 1);
            --missing_[drops_deep ? top : deep];
            for (int i = 1; i < e; ++i) {
                input_.push_back(stack_.back());
                stack_.pop_back();
            }
            return true;
        }
        return false;
    }
    // How far the nearest head of a complete word is among the words left.
    int nearest(const Tree& tree) {
        const int size = static_cast<int>(stack_.size());
        if (size == 1) return 1;
        place_.resize(tree.words() + 1);
        for (int i = 0; i < size; ++i) place_[stack_[i]] = i;
        int least = size;
        for (int i = 1; i < size; ++i)
            if (missing_[stack_[i]] == 0) least = std::min(least, std::abs(place_[tree.head(stack_[i])] - i));
        return least;
    }

    std::vector<int> stack_, input_, missing_, place_;
};

}  // namespace nonproj
