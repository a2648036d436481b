// The heads that each word of a sentence may have, and the scores of these arcs.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj::learn {

// Those of word d are heads[begin[d - 1]] .. heads[begin[d] - 1].
struct Candidates {
    std::vector<std::int32_t> heads;
    std::vector<std::uint32_t> begin{0};

    std::span<const std::int32_t> of(int word) const {
        return {heads.data() + begin[word - 1], heads.data() + begin[word]};
    }
    // Where a head of a word stands among all; the end of those of the word, if it is none of them.
    std::size_t place(int head, int word) const {
        return std::find(heads.begin() + begin[word - 1], heads.begin() + begin[word], head) - heads.begin();
    }
    bool allows(int head, int word) const { return place(head, word) < begin[word]; }
    void end_word() { begin.push_back(static_cast<std::uint32_t>(heads.size())); }

    // The same with the arcs of a tree.
    Candidates with(std::span<const int> tree) const {
        Candidates more;
        for (int word = 1; word <= static_cast<int>(tree.size()); ++word) {
            more.heads.insert(more.heads.end(), of(word).begin(), of(word).end());
            if (!allows(tree[word - 1], word)) more.heads.push_back(tree[word - 1]);
            more.end_word();
        }
        return more;
    }
};

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

    // The scores as a table of words + 1 rows, with -inf for arcs that are no candidates.
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
