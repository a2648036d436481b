// The core of a tree: what is left when a leaf that stands next to its head is deleted as often as possible.
//
// A projective tree shrinks to the dummy alone, and real non-projective trees to a handful of words. Deleting
// such a leaf d with head h changes no structural property that the classes look at:
//   - no arc crosses h-d, so the crossing graph of the arcs that are left is the same;
//   - for v != d, Y(v) holds d exactly when it holds h, so Y(v) keeps its number of gaps, and Y(d) had none;
//   - a chart or a stack that can hold h next to d can link them at once at no cost (MH_k, AD_d, DD_d, MG_k).
// Ancestors of a core word are core words, so paths in the core are the tree's paths. The tests compare every
// property with its definition on the whole tree. Linear time.
#pragma once
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

class Core {
  public:
    template <class Index>
    void assign(std::span<const Index> heads) {
        shrink(heads);
        rename();
        tree_.assign(std::span<const int>(heads_));
    }

    const Tree& tree() const { return tree_; }
    // The word of the whole tree that stands at this place of the core.
    int word(int place) const { return word_[place]; }
    Arc arc(int place) const { return {word_[tree_.head(place)], word_[place]}; }

  private:
    // One pass with a stack: a pair of neighbours can become deletable only while one of them is the top.
    template <class Index>
    void shrink(std::span<const Index> heads) {
        const int words = static_cast<int>(heads.size());
        missing_.assign(words + 1, 0);
        for (Index h : heads) ++missing_[h];
        word_.clear();
        for (int w = 0; w <= words; ++w) {
            word_.push_back(w);
            while (word_.size() > 1) {
                const int top = word_.back(), below = word_[word_.size() - 2];
                if (missing_[top] == 0 && static_cast<int>(heads[top - 1]) == below) {
                    word_.pop_back();
                    --missing_[below];
                } else if (below != 0 && missing_[below] == 0 && static_cast<int>(heads[below - 1]) == top) {
                    word_.pop_back();
                    word_.back() = top;
                    --missing_[top];
                } else {
                    break;
                }
            }
        }
        heads_.clear();
        for (std::size_t place = 1; place < word_.size(); ++place)
            heads_.push_back(static_cast<int>(heads[word_[place] - 1]));
    }

    // Heads as places of the core instead of words of the sentence.
    void rename() {
        place_.resize(missing_.size());
        for (std::size_t place = 0; place < word_.size(); ++place) place_[word_[place]] = static_cast<int>(place);
        for (int& head : heads_) head = place_[head];
    }

    Tree tree_;
    std::vector<int> word_, heads_, missing_, place_;
};

}  // namespace nonproj
