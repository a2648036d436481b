// Attardi's system made wider (Shi, Gómez-Rodríguez & Lee 2018): a word that has all its dependents gets its head and
// leaves the stack. s_0 is the top of the stack, s_e the e-th word below it, b_0 the next word.
//
//   variant 1   s_0 <- s_1, s_0 <- s_2, s_1 <- s_0, s_2 <- s_0 as in AD_2, and s_0 <- b_0, s_1 <- s_2, s_2 <- s_1
//   variant 2   those, and s_1 <- b_0, s_2 <- b_0
//   variant 3   s_0 <- b_0, s_0 <- s_1, s_0 <- s_2, s_1 <- b_0, s_1 <- s_0, s_1 <- s_2: s_2 never leaves
//
// When a word leaves, every pair of the others that could be linked still can, so reducing whenever the tree allows it
// accepts exactly the trees of the variant, and deleting a leaf never takes a tree out of it. O(n).
#pragma once
#include <span>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj::attardi_variants {

constexpr int next_word = -1;  // b_0, where others are places in the stack

struct Reduction {
    int dependent, head;  // e of s_e, or next_word for a head
};

inline constexpr Reduction one_and_two[] = {{0, 1}, {1, 0},         {0, 2},         {2, 0},        {1, 2},
                                            {2, 1}, {0, next_word}, {1, next_word}, {2, next_word}};
inline constexpr Reduction three[] = {{0, 1}, {1, 0}, {0, 2}, {1, 2}, {0, next_word}, {1, next_word}};

constexpr int number = 3;

inline std::span<const Reduction> reductions(int variant) {
    if (variant == 3) return three;
    return std::span(one_and_two).first(variant == 1 ? 7 : 9);
}

class Variant {
  public:
    bool accepts(const Tree& tree, int variant) {
        missing_.resize(tree.words() + 1);
        for (int v = 0; v <= tree.words(); ++v) missing_[v] = static_cast<int>(tree.children(v).size());
        stack_.assign(1, 0);
        for (int next = 1; next <= tree.words() + 1; ++next) {
            while (reduce(tree, variant, next)) {
            }
            if (next <= tree.words()) stack_.push_back(next);
        }
        return stack_.size() == 1;
    }

  private:
    bool reduce(const Tree& tree, int variant, int next) {
        const int size = static_cast<int>(stack_.size());
        for (const auto [dependent, head] : reductions(variant)) {
            if (dependent >= size || head >= size) continue;
            const int word = stack_[size - 1 - dependent], above = head == next_word ? next : stack_[size - 1 - head];
            if (word == 0 || tree.head(word) != above || missing_[word] != 0) continue;
            stack_.erase(stack_.end() - 1 - dependent);
            --missing_[above];
            return true;
        }
        return false;
    }

    std::vector<int> stack_, missing_;
};

}  // namespace nonproj::attardi_variants
