// Training a transition-based parser: the tree and the relations together, epoch after epoch.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "nonproj/learn/transition_parser.hpp"

namespace nonproj::learn {

class TransitionTrainer {
  public:
    TransitionTrainer(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                      const LearningRule& rule, int bits);

    struct Lessons {
        std::int64_t wrong = 0;    // transitions; with a beam, sentences
        std::int64_t skipped = 0;  // sentences that no sequence derives
    };
    // Goes over the sentences in this order. What is drawn for a sentence depends on it and on `seed` alone.
    Lessons learn(const Corpus& corpus, std::span<const std::int64_t> order, std::uint64_t seed);
    void explore(double exploration) { parser_.explore(exploration); }

    // The weights of the parser as it is now, averaged over all steps so far.
    TransitionWeights average() const { return {tree_.average(), label_.average()}; }

    // The tables that learn: tree, label.
    AveragedWeights& table(const std::string& name);

  private:
    LearningRule rule_;
    TransitionParser parser_;
    AveragedWeights tree_, label_;
    Update update_;
};

}  // namespace nonproj::learn
