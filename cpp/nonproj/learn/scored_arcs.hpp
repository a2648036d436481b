// The arcs that a tree of a sentence is made of, with their scores.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/learn/candidates.hpp"

namespace nonproj::learn {

struct ScoredArcs {
    Candidates candidates;
    std::vector<float> scores;  // in the order of the candidates

    int words() const { return static_cast<int>(candidates.begin.size()) - 1; }
    float of(int head, int word) const { return scores[candidates.place(head, word)]; }
    // visit(h, d, score); scores may be changed.
    template <class Visit>
    void each(const Visit& visit) {
        for (int d = 1; d <= words(); ++d)
            for (std::size_t i = candidates.begin[d - 1]; i < candidates.begin[d]; ++i)
                visit(candidates.heads[i], d, scores[i]);
    }

    // The same as a table of words + 1 rows, with -inf for other arcs.
    void lay_out() {
        const std::size_t width = static_cast<std::size_t>(words()) + 1;
        table_.assign(width * width, minus_infinity<float>);
        each([&](int h, int d, float& score) { table_[h * width + d] = score; });
    }
    // After lay_out().
    ArcScores<float> table() const { return {table_.data(), words()}; }
    double of_tree(std::span<const int> heads) const {
        double sum = 0;
        for (int d = 1; d <= words(); ++d) sum += table()(heads[d - 1], d);
        return sum;
    }

  private:
    std::vector<float> table_;
};

}  // namespace nonproj::learn
