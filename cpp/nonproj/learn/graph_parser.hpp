// A graph-based parser: a scorer (scorer.hpp), a searcher (searcher.hpp) and a labeller (labeller.hpp), one after the other.
//
// Sentences of more than 512 words are pruned window by window and climbed in as a whole (long_sentences.cpp): no table of
// all pairs of words is made for them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/parts/part_table.hpp"
#include "nonproj/learn/labeller.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/scorer.hpp"
#include "nonproj/learn/searcher.hpp"

namespace nonproj::learn {

// A workspace of one thread.
class GraphParser {
  public:
    explicit GraphParser(const GraphOptions& options)
        : options_(options), scorer_(options), searcher_(options), labeller_(options.relations) {}

    Scorer& scorer() { return scorer_; }

    // Has the network, if there is one, read the sentences that are to be parsed next.
    void read(std::span<const Corpus::Sentence> sentences, const GraphWeights& weights) {
        scorer_.read(sentences, weights, max_whole_words);
    }

    // Writes a head, and a relation, for every word of a sentence, which the network read at this place. There may be advice
    // instead, or none. If it `compares`, the proof says what is gained over climbing, which may take longer.
    Proof parse(const Corpus::Sentence& sentence, const GraphWeights& weights, std::size_t place, const Advice& advice,
                bool compares, std::span<std::int32_t> heads, std::span<std::int32_t> relations);

    // All scores of a sentence, by which it is parsed.
    parts::PartTable scores(const Corpus::Sentence& sentence, const GraphWeights& weights, const Advice& advice);

    // The likely heads of every word to learn among; gold heads always are.
    Candidates candidates(const Corpus::Sentence& sentence, const WeightTable& pruner);

    struct Lesson {
        int wrong;   // heads
        double gap;  // how far the tree that was found may be below the best one; 0 when it is proven to be that
    };
    // Learns from one sentence.
    Lesson learn(const Corpus::Sentence& sentence, Candidates candidates, const LearningRule& rule, Update& update,
                 AveragedWeights& tree, AveragedWeights& label);

  private:
    static constexpr int max_whole_words = 512;

    // Prunes and scores arcs; returns a tree of the class among them.
    std::vector<int> score_arcs(const GraphWeights& weights, const Advice& advice);
    Searcher::Found find(const GraphWeights& weights, const Advice& advice, bool compares);
    Searcher::Found find_in_windows(const GraphWeights& weights);
    struct FoundToLearn {
        std::vector<int> heads;
        double violation;  // by how much it scores more than the gold tree
        double gap;        // as in a lesson
    };
    // A tree to learn from; the gold tree when there is none.
    FoundToLearn find_to_learn(const WeightTable& weights, std::span<const std::int32_t> gold);

    GraphOptions options_;
    Scorer scorer_;
    Searcher searcher_;
    Labeller labeller_;
    // Workspaces.
    ScoredArcs arcs_;
    parts::PartTable table_;
    AskedParts asked_;
};

}  // namespace nonproj::learn
