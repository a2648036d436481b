// Training a transition-based parser, and the model that comes of it: the tree and the relations together, epoch after
// epoch.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/learn/transition_options.hpp"
#include "nonproj/transition/any_system.hpp"
#include "nonproj/workspaces.hpp"

namespace nonproj::learn {

class TransitionParser;

// A parser that is ready to parse.
struct TransitionModel {
    std::shared_ptr<const AnySystem> system;
    TransitionOptions options;
    TransitionWeights weights;
    // Parsers of threads, for the sentences to come; copies of a model share them.
    std::shared_ptr<Workspaces<TransitionParser>> parsers;

    // Tables of 2^bits weights, all 0.
    TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options, int bits);
    TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                    TransitionWeights weights);

    // tree, label
    WeightTable& table(const std::string& name);
    Parses parse(const Corpus& corpus, int threads) const;
    // The transitions that parse a sentence.
    std::vector<int> transitions(const Corpus& corpus, std::size_t sentence) const;
};

class TransitionTrainer {
  public:
    TransitionTrainer(std::shared_ptr<const AnySystem> system, const TransitionOptions& options, int bits);
    ~TransitionTrainer();

    struct Lessons {
        std::int64_t wrong = 0;    // transitions; with a beam, sentences
        std::int64_t skipped = 0;  // sentences that no sequence derives
    };
    // Goes over the sentences in this order. What is drawn for a sentence depends on it and on `seed` alone.
    Lessons learn(const Corpus& corpus, std::span<const std::int64_t> order, std::uint64_t seed);
    void explore(double exploration);

    // The weights of the parser as it is now, averaged over all steps so far.
    TransitionWeights average() const { return {tree_.average(), label_.average()}; }

    // The tables that learn: tree, label.
    AveragedWeights& table(const std::string& name);

  private:
    LearningRule rule_;
    std::unique_ptr<TransitionParser> parser_;
    AveragedWeights tree_, label_;
    Update update_;
};

}  // namespace nonproj::learn
