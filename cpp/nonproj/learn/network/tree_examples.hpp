// What a network of trees learns from: the sentences of a corpus.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/network/trees.hpp"

namespace nonproj::learn {

class TreeExamples {
  public:
    TreeExamples(const Corpus& corpus, const TreeSizes& sizes);

    // Embeddings start at random where the corpus has a feature twice or more, and stay 0 elsewhere: a word is known by its
    // tags and its last letters too.
    void draw_weights(TreeNetwork& network, std::uint64_t seed) const;
    // The same in a step of a resumed training.
    Draws& draws(std::uint64_t seed, std::uint64_t steps) { return draws_ = Draws(mixed(seed * 1000003 + steps)); }
    // A sentence, with word dropout if there are draws; an error if it has no heads.
    std::span<const Sequence> take(std::span<const std::int64_t> chosen, Draws* draws);
    const Corpus::Sentence& gold() const { return gold_; }

  private:
    bool has_embedding(std::size_t row) const { return count_[row] > 1; }

    const Corpus& corpus_;
    TreeSizes sizes_;
    std::vector<std::uint32_t> count_;  // how often the corpus has the feature of each row
    Draws draws_{0};
    WordFeatures features_;
    Sequence sequence_;
    Corpus::Sentence gold_;
};

}  // namespace nonproj::learn
