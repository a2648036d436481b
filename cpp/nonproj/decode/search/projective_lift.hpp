// A projective lift of a tree, in little time: every word goes to the lowest of its ancestors that has all words between
// the two below it.
//
// Let a be an ancestor of d with all words between them below it. Then a is such an ancestor of each word w between them,
// and of whatever word w goes to, on the way up to a. So all words between a and d stay below a, and the lift is projective;
// with a single root, which has all words below it, it has the same one. O(n^2); the lift with the fewest steps
// (lifting/smallest_lift.hpp) takes O(n^3).
#pragma once
#include <span>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

class ProjectiveLift {
  public:
    void lift(std::span<int> heads) {
        tree_.assign(std::span<const int>(heads));
        number_descendants();
        const int words = tree_.words();
        first_.assign(words + 1, 0);
        last_.assign(words + 1, words);
        for (int a = 1; a <= words; ++a) {
            for (first_[a] = a; is_below(first_[a] - 1, a);) --first_[a];
            for (last_[a] = a; last_[a] < words && is_below(last_[a] + 1, a);) ++last_[a];
        }
        for (int d = 1; d <= words; ++d) {
            int a = tree_.head(d);
            while (d < first_[a] || last_[a] < d) a = tree_.head(a);
            heads[d - 1] = a;
        }
    }

  private:
    // The words below a node have the numbers that follow its own.
    void number_descendants() {
        const auto top_down = tree_.top_down();
        size_.assign(top_down.size(), 1);
        for (std::size_t i = top_down.size(); --i > 0;) size_[tree_.head(top_down[i])] += size_[top_down[i]];
        number_.assign(top_down.size(), 0);
        next_.assign(top_down.size(), 1);
        for (const int v : top_down.subspan(1)) {
            int& next = next_[tree_.head(v)];
            number_[v] = next;
            next_[v] = next + 1;
            next += size_[v];
        }
    }
    bool is_below(int word, int ancestor) const {
        return number_[ancestor] < number_[word] && number_[word] < number_[ancestor] + size_[ancestor];
    }

    Tree tree_;
    std::vector<int> size_, number_, next_;
    std::vector<int> first_, last_;  // of the words around a word that are all below it
};

}  // namespace nonproj
