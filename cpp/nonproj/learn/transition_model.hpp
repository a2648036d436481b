// A transition-based parser that is ready to parse: its system, its options and its weights.
#pragma once
#include <memory>
#include <string>

#include "nonproj/learn/parse_corpus.hpp"
#include "nonproj/learn/transition_parser.hpp"

namespace nonproj::learn {

struct TransitionModel {
    std::shared_ptr<const AnySystem> system;
    TransitionOptions options;
    TransitionWeights weights;

    // Tables of 2^bits weights, all 0.
    TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options, int bits);
    TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                    TransitionWeights weights);

    // tree, label
    WeightTable& table(const std::string& name);
    Parses parse(const Corpus& corpus, int threads) const;
};

}  // namespace nonproj::learn
