// The second stage: the relation of every word, given the tree, by a linear model of label_features.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/label_features.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/network/trees.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// A network that has read a sentence, at this place of its pass: its logarithms of chances join the scores, so many times.
struct NetworkOfRelations {
    const TreeNetwork& network;
    TreePass& pass;
    std::size_t place;
    float share;
};

class Labeller {
  public:
    explicit Labeller(int count) : count_(count), scores_(std::max(count, slots)) {}

    // Writes the best relation of each word; the first of equals.
    void predict(const Views& views, std::span<const std::int32_t> heads, const WeightTable& weights,
                 std::span<std::int32_t> relations, const NetworkOfRelations* network = nullptr);
    // Scores of all relations of each word, a row a word.
    void scores(const Views& views, std::span<const std::int32_t> heads, const WeightTable& weights,
                std::span<float> scores);
    void learn(const Views& views, std::span<const std::int32_t> heads, const LearningRule& rule,
               AveragedWeights& weights);

  private:
    void score(int m, const WeightTable& weights, int gold);
    int best() const;

    int count_;
    LabelFeatures features_;
    std::vector<float> scores_, handicaps_;  // at least as many as a line has slots
    std::vector<std::size_t> lines_;
};

}  // namespace nonproj::learn
