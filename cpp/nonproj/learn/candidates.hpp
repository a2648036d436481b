// The heads that each word of a sentence may have.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace nonproj::learn
