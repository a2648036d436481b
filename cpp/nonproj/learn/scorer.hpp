// What a model says about a sentence: the likely heads of words, by the pruner or the network, and the scores of arcs and
// larger parts, by the linear model. Trees are the searcher's (searcher.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/parts/part_table.hpp"
#include "nonproj/learn/advice.hpp"
#include "nonproj/learn/arc_features.hpp"
#include "nonproj/learn/asked_parts.hpp"
#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/network/trees.hpp"
#include "nonproj/learn/part_features.hpp"
#include "nonproj/learn/pruner.hpp"
#include "nonproj/learn/tree_decoder.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/tree/child_lists.hpp"

namespace nonproj::learn {

// A workspace of one thread. Everything but `read` is about the sentence that it looks at.
class Scorer {
  public:
    // Pruning as a whole takes time cubic in the length of a sentence; by windows it may be longer.
    static constexpr int max_words = 4096;
    static constexpr int max_words_by_windows = Memo::max_words;

    explicit Scorer(const GraphOptions& options)
        : kinds_(options.parts),
          single_root_(options.single_root),
          max_length_(options.max_length),
          pruner_(options.pruned_by) {}

    // Has the network, if there is one, read the sentences that are to be scored next, but those of more words.
    void read(std::span<const Corpus::Sentence> sentences, const GraphWeights& weights, int most = max_words);
    TreePass& network_pass() { return network_pass_; }

    void look_at(const Corpus::Sentence& sentence, int most = max_words);
    const Views& views() const { return views_; }

    // The pruner, at the sentence.
    Pruner& pruner() {
        pruner_.assign(views_);
        return pruner_;
    }
    // The sentence at this place of those that the network read, as it says.
    Advice advice_of_network(const GraphWeights& weights, std::size_t place) {
        return {network_pass_.log_chances(*weights.network, place), weights.arc_share, true};
    }

    struct Pruned {
        Candidates candidates;
        std::vector<int> tree;  // of the class, among them
    };
    // Heads `kept` are among the candidates whatever their chance, and so is some tree of the decoder's class.
    Pruned prune(const WeightTable& weights, const PruningLimits& limits, std::span<const std::int32_t> kept,
                 const Advice& advice, TreeDecoder& decoder);
    // For long sentences (long_sentences.cpp): heads are looked for near each word, and no tree is promised.
    Candidates prune_by_windows(const WeightTable& weights, const PruningLimits& limits);

    // Fills in the scores of the candidates.
    void score(const WeightTable& weights, ScoredArcs& arcs);
    // Lays out all larger parts that trees of the arcs may have, with their scores; the arcs are laid out.
    void score_parts(const WeightTable& weights, const ScoredArcs& arcs, parts::PartTable& table);
    // Makes larger parts ready to be asked for.
    void offer_parts(const WeightTable& weights, const ScoredArcs& arcs, AskedParts& parts);

    // After scores were made: takes the features of a tree, but for arcs that the other tree has too.
    template <class Take>
    void each_feature(std::span<const int> heads, std::span<const int> other, const Addressing& at, const Take& take) {
        for (int d = 1; d <= views_.size(); ++d)
            if (heads[d - 1] != other[d - 1]) arc_features_.each(heads[d - 1], d, at, take);
        if (!kinds_.any()) return;
        children_.assign(heads);
        for (int h = 0; h <= views_.size(); ++h)
            part_features_.each_of_family(kinds_, h, h == 0 ? -1 : heads[h - 1], children_[h],
                                          [&](std::uint64_t, const auto& name) { name(at, take); });
    }

  private:
    PartKinds kinds_;
    bool single_root_;
    int max_length_;  // of arcs to keep when pruning; 0 for any
    TreePass network_pass_;
    Views views_;
    Pruner pruner_;
    RichArcFeatures arc_features_;
    PartFeatures part_features_;
    Gathering gathering_;
    std::vector<float> likely_;  // room for a table of arcs as the pruner scores them
    ChildLists children_;        // room for those of a tree
};

}  // namespace nonproj::learn
