// Training a graph-based parser, and the model that comes of it: first the pruner, then the tree and the relations together, epoch after epoch.
//
// A pruner is surer of the sentences that it was trained on than of others. So each half of the corpus is pruned by a
// pruner trained on the other half, and the parser learns among the heads that it will meet.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/parts/part_table.hpp"
#include "nonproj/learn/advice.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/workspaces.hpp"

namespace nonproj::learn {

class GraphParser;
struct Candidates;

// A parser that is ready to parse.
struct GraphModel {
    GraphOptions options;
    GraphWeights weights;
    // Parsers of threads, for the sentences to come; copies of a model share them.
    std::shared_ptr<Workspaces<GraphParser>> parsers;

    // Tables of 2^bits weights, all 0.
    GraphModel(const GraphOptions& options, int bits);
    GraphModel(const GraphOptions& options, GraphWeights weights);

    // From here on a network joins in, so many times.
    void join(std::shared_ptr<const TreeNetwork> network, float arc_share, float relation_share);

    // pruner, tree, label
    WeightTable& table(const std::string& name);
    // Trees are compared with those that climbing finds, or not.
    Parses parse(const Corpus& corpus, int threads, bool compares = false,
                 const std::optional<Advice>& advice = {}) const;
    // Of all words under these heads, a row a word; heads must lie within their sentences.
    std::vector<float> relation_scores(const Corpus& corpus, std::span<const std::int32_t> heads) const;

    parts::PartTable scores(const Corpus& corpus, std::size_t sentence, const Advice& advice = {}) const;
    // A table of arcs.
    std::vector<double> pruner_scores(const Corpus& corpus, std::size_t sentence) const;

    // The loss of the pruner on a sentence, and its gradient by every weight.
    std::pair<double, std::vector<float>> pruner_gradient(const Corpus& corpus, std::size_t sentence) const;
};

class GraphTrainer {
  public:
    GraphTrainer(const GraphOptions& options, int bits);
    ~GraphTrainer();

    // Goes over the sentences in this order; returns the sum of their losses.
    double learn_pruner(const Corpus& corpus, std::span<const std::int64_t> order);

    // Call once, after the pruner has learnt and before `learn`.
    void prune(const Corpus& corpus, std::span<const std::int64_t> sentences);

    // In place of both: takes the pruner of another trainer, and what it left of the corpus.
    void prune_as(const GraphTrainer& other);
    // In place of learning a pruner: takes the weights of a parser that scores arcs alone.
    void prune_by(const GraphTrainer& mst);

    struct Lessons {
        std::int64_t wrong = 0;    // heads
        std::vector<double> gaps;  // how far the trees that were found may be below the best ones
    };
    // Goes over the sentences in this order.
    Lessons learn(const Corpus& corpus, std::span<const std::int64_t> order);

    // The weights of the parser as it is now, averaged over all steps so far.
    GraphWeights average() const;

    // The tables that learn: tree, label.
    AveragedWeights& table(const std::string& name);

  private:
    struct LearningPruner {
        explicit LearningPruner(int bits) : weights(bits), squares(bits) {}
        WeightTable weights, squares;
    };

    double learn(const Corpus::Sentence& sentence, LearningPruner& pruner);

    LearningRule rule_;
    PrunedBy pruned_by_;
    bool single_root_;
    std::unique_ptr<GraphParser> parser_;
    LearningPruner pruner_, halves_[2];
    AveragedWeights tree_, label_;
    Update update_;
    std::vector<Candidates> candidates_;
};

}  // namespace nonproj::learn
