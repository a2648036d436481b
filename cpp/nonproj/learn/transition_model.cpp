#include "nonproj/learn/transition_model.hpp"

#include <utility>

namespace nonproj::learn {

TransitionModel::TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options, int bits)
    : TransitionModel(std::move(system), options, {WeightTable(bits), WeightTable(bits - 1)}) {}

TransitionModel::TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                                 TransitionWeights weights)
    : system(std::move(system)), options(options), weights(std::move(weights)) {}

WeightTable& TransitionModel::table(const std::string& name) {
    if (name == "tree") return weights.tree;
    if (name == "label") return weights.label;
    throw Error("a transition-based parser has no table " + name);
}

Parses TransitionModel::parse(const Corpus& corpus, int threads) const {
    return parse_corpus(corpus, [&] { return std::make_unique<TransitionParser>(system, options); }, weights, threads);
}

}  // namespace nonproj::learn
