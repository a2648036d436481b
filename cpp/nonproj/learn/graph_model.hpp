// A graph-based parser that is ready to parse: its options and its weights.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/learn/graph_parser.hpp"
#include "nonproj/learn/parse_corpus.hpp"

namespace nonproj::learn {

struct GraphModel {
    GraphOptions options;
    GraphWeights weights;

    // Tables of 2^bits weights, all 0.
    GraphModel(const GraphOptions& options, int bits);
    GraphModel(const GraphOptions& options, GraphWeights weights);

    // pruner, tree, label
    WeightTable& table(const std::string& name);
    Parses parse(const Corpus& corpus, int threads) const;

    // The loss of the pruner on a sentence, and its gradient by every weight.
    std::pair<double, std::vector<float>> pruner_gradient(const Corpus& corpus, std::size_t sentence) const;
};

}  // namespace nonproj::learn
