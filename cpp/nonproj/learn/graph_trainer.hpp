// Training a graph-based parser: first the pruner, then the tree and the relations together, epoch after epoch.
//
// A pruner is surer of the sentences that it was trained on than of others. So each half of the corpus is pruned by a
// pruner trained on the other half, and the parser learns among the heads that it will meet.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/graph_parser.hpp"

namespace nonproj::learn {

struct LearningOptions {
    Algorithm algorithm = Algorithm::mira;
    double most = 1;  // the largest step of MIRA
    float pruner_rate = 0.1f;
};

class GraphTrainer {
  public:
    GraphTrainer(const GraphOptions& options, const LearningOptions& learning, int bits)
        : learning_(learning),
          parser_(options),
          pruner_(bits - 2),
          halves_{LearningPruner(bits - 2), LearningPruner(bits - 2)},
          tree_(bits),
          label_(bits - 1),
          step_(tree_.now().size()) {}

    // Goes over the sentences in this order; returns the sum of their losses.
    double learn_pruner(const Corpus& corpus, std::span<const std::int64_t> order) {
        double loss = 0;
        for (const std::int64_t i : order) {
            Interrupt::check();
            const auto sentence = gold(corpus, i);
            loss += learn(sentence, pruner_);
            learn(sentence, halves_[i % 2]);
        }
        return loss;
    }

    // Call once, after the pruner has learnt and before `learn`.
    void prune(const Corpus& corpus, std::span<const std::int64_t> sentences) {
        candidates_.resize(corpus.sentences());
        for (const std::int64_t i : sentences) {
            Interrupt::check();
            candidates_[i] = parser_.candidates(gold(corpus, i), halves_[1 - i % 2].weights);
        }
    }

    // Goes over the sentences in this order; returns how many words got wrong heads on the way.
    std::int64_t learn(const Corpus& corpus, std::span<const std::int64_t> order) {
        std::int64_t wrong = 0;
        for (const std::int64_t i : order) {
            Interrupt::check();
            const auto sentence = gold(corpus, i);
            if (static_cast<std::size_t>(i) >= candidates_.size() ||
                candidates_[i].begin.size() != static_cast<std::size_t>(sentence.size()) + 1)
                throw Error("the sentence was not pruned");
            wrong += parser_.learn(sentence, candidates_[i], learning_.algorithm, learning_.most, step_, tree_, label_);
        }
        return wrong;
    }

    // The parser as it is now, with the average of all weights so far.
    GraphWeights average() const {
        GraphWeights weights{pruner_.weights, Table(tree_.now().bits()), Table(label_.now().bits())};
        tree_.average(weights.tree);
        label_.average(weights.label);
        return weights;
    }

    AveragedTable& tree() { return tree_; }
    AveragedTable& label() { return label_; }

  private:
    struct LearningPruner {
        explicit LearningPruner(int bits) : weights(bits), squares(bits) {}
        Table weights, squares;
    };

    static Corpus::Sentence gold(const Corpus& corpus, std::int64_t i) {
        if (i < 0) throw Error("there is no sentence " + std::to_string(i));
        const auto sentence = corpus[static_cast<std::size_t>(i)];
        if (!sentence.has_heads()) throw Error("sentence " + std::to_string(i) + " has no heads to learn from");
        return sentence;
    }
    double learn(const Corpus::Sentence& sentence, LearningPruner& pruner) {
        return parser_.learn_pruner(sentence, learning_.pruner_rate, pruner.weights, pruner.squares);
    }

    LearningOptions learning_;
    GraphParser parser_;
    LearningPruner pruner_, halves_[2];
    AveragedTable tree_, label_;
    Step step_;
    std::vector<Candidates> candidates_;
};

}  // namespace nonproj::learn
