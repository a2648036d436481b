#include "nonproj/learn/graph_model.hpp"

#include <memory>

namespace nonproj::learn {

GraphModel::GraphModel(const GraphOptions& options, int bits)
    : GraphModel(options, {WeightTable(bits - 2), WeightTable(bits), WeightTable(bits - 1)}) {}

GraphModel::GraphModel(const GraphOptions& options, GraphWeights weights)
    : options(options), weights(std::move(weights)) {}

WeightTable& GraphModel::table(const std::string& name) {
    if (name == "pruner") return weights.pruner;
    if (name == "tree") return weights.tree;
    if (name == "label") return weights.label;
    throw Error("a graph-based parser has no table " + name);
}

Parses GraphModel::parse(const Corpus& corpus, int threads) const {
    return parse_corpus(corpus, [&] { return std::make_unique<GraphParser>(options); }, weights, threads);
}

std::pair<double, std::vector<float>> GraphModel::pruner_gradient(const Corpus& corpus, std::size_t sentence) const {
    Views views;
    views.assign(corpus[sentence]);
    Pruner pruner;
    pruner.assign(views);
    pruner.score(weights.pruner);
    std::vector<float> gradient(weights.pruner.size());
    const double loss = pruner.gradient(corpus[sentence].heads, options.single_root, weights.pruner.addressing(),
                                        [&](std::size_t place, float slope) { gradient[place] -= slope; });
    return {loss, std::move(gradient)};
}

}  // namespace nonproj::learn
