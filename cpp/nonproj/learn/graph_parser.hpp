// A graph-based parser: likely heads by the pruner, arcs and larger parts scored by a linear model, the best tree of a
// class, and then relations.
//
// Without larger parts the tree is the best of its class among the likely arcs. With them a chart finds it where the class
// has one for few arcs; else it is climbed to, and the exact search (decode/parts/parts_decoder.hpp) goes on from there. Sentences of more than 512 words are pruned window by window
// and climbed in as a whole (long_sentences.cpp): no table of all pairs of words is made for them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/parts/climb.hpp"
#include "nonproj/decode/parts/parts_decoder.hpp"
#include "nonproj/learn/advice.hpp"
#include "nonproj/learn/arc_features.hpp"
#include "nonproj/learn/asked_scores.hpp"
#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/families.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/model_scores.hpp"
#include "nonproj/learn/network/network.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/learn/pruner.hpp"
#include "nonproj/learn/relations.hpp"
#include "nonproj/learn/scored_parts.hpp"
#include "nonproj/learn/tree_decoder.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/tree/child_lists.hpp"

namespace nonproj::learn {

// A workspace of one thread.
class GraphParser {
  public:
    explicit GraphParser(const GraphOptions& options)
        : options_(options),
          decoder_(options.solver, options.single_root),
          every_tree_(ClassSolver(), options.single_root),
          pruner_(options.pruned_by),
          relations_(options.relations) {
        exact_options_.solver = options.solver;
        exact_options_.single_root = options.single_root;
        exact_options_.must_find = false;
        if (options.grades == nullptr) return;
        graded_decoder_.emplace(options.solver, options.single_root, options.grades);
        for (std::size_t k = 0; k < options.grades->size(); ++k)
            grade_decoders_.emplace_back((*options.grades)[k].solver, options.single_root);
    }

    // Has the network, if there is one, read the sentences that are to be parsed next.
    void read(std::span<const Corpus::Sentence> sentences, const GraphWeights& weights);

    // Writes a head, and a relation, for every word of a sentence, which the network read at this place. There may be advice
    // instead, or none. If it `compares`, the proof says what is gained over climbing, which may take longer.
    Proof parse(const Corpus::Sentence& sentence, const GraphWeights& weights, std::size_t place, const Advice& advice,
                bool compares, std::span<std::int32_t> heads, std::span<std::int32_t> relations);

    // Of every word under its head, a row a word.
    void relation_scores(const Corpus::Sentence& sentence, const GraphWeights& weights,
                         std::span<const std::int32_t> heads, std::span<float> scores);

    ModelScores scores(const Corpus::Sentence& sentence, const GraphWeights& weights, const Advice& advice);
    // A table of arcs, as what prunes them scores them.
    std::vector<double> pruner_scores(const Corpus::Sentence& sentence, const GraphWeights& weights);

    // The likely heads of every word to learn among; gold heads always are.
    Candidates candidates(const Corpus::Sentence& sentence, const WeightTable& pruner);

    double learn_pruner(const Corpus::Sentence& sentence, float rate, WeightTable& weights, WeightTable& squares);

    // The loss of the pruner, and its gradient by every weight.
    double pruner_gradient(const Corpus::Sentence& sentence, const WeightTable& weights, std::span<float> gradient);

    struct Lesson {
        int wrong;   // heads
        double gap;  // how far the tree that was found may be below the best one; 0 when it is proven to be that
    };
    // Learns from one sentence.
    Lesson learn(const Corpus::Sentence& sentence, Candidates candidates, const LearningRule& rule, Update& update,
                 AveragedWeights& tree, AveragedWeights& label);

  private:
    static constexpr int max_whole_words = 512;

    void read_alone(const Corpus::Sentence& sentence, const GraphWeights& weights);
    Advice advice_of_network(const GraphWeights& weights, std::size_t place);
    void choose_relations(const GraphWeights& weights, std::optional<std::size_t> place,
                          std::span<const std::int32_t> heads, std::span<std::int32_t> relations);

    // The sentence to look at, if it has no more than so many words.
    void assign(const Corpus::Sentence& sentence, int most);
    std::size_t width() const { return static_cast<std::size_t>(views_.size()) + 1; }
    void prune(const WeightTable& weights, const PruningLimits& limits, std::span<const std::int32_t> kept,
               const Advice& advice = {});
    void prune_and_score(const GraphWeights& weights, const Advice& advice);
    void score_arcs(const WeightTable& weights, std::span<const std::int32_t> gold, float cost,
                    const Advice& advice = {});
    void score_candidates(const WeightTable& weights);
    void score_parts(const WeightTable& weights);
    void ask_for_parts(const WeightTable& weights);
    void score_all_parts(const WeightTable& weights);
    Proof find_in_whole(const GraphWeights& weights, const Advice& advice);
    Proof find_in_windows(const GraphWeights& weights);
    void prune_by_windows(const WeightTable& weights);
    std::vector<int> start_within(const ClassSolver& solver, TreeDecoder& decoder);
    std::vector<int> joined_pieces(TreeDecoder& decoder);
    void decode_piece(int first, int last, TreeDecoder& decoder, std::span<int> heads);
    void join_roots(std::span<int> heads) const;
    Proof find_best(const WeightTable& weights, int limit);
    Proof find_tree(const WeightTable& weights);
    template <class Climb>
    void climb_freely(Climb& climb);
    template <class Climb>
    void climb_within_class(Climb& climb, TreeDecoder& decoder);
    template <class Climb>
    double climb_from_best(const std::vector<float>& scores, Climb& climb, TreeDecoder& decoder);
    bool has_family_chart(const ClassSolver& solver) const;
    bool needs_climb(const ClassSolver& solver) const;
    Outcome best_of_class(const DecodeOptions& of_class, int limit, std::span<const int> start);
    Proof find_best_of_grades(const WeightTable& weights, int limit);
    Outcome climb_in_grades();
    double climbed_within(TreeDecoder& decoder);
    double total(std::span<const int> heads);
    template <class Take>
    void each_feature(std::span<const int> heads, std::span<const int> other, const Addressing& at, const Take& take);

    GraphOptions options_;
    TreeDecoder decoder_, every_tree_;
    std::optional<TreeDecoder> graded_decoder_;
    std::vector<TreeDecoder> grade_decoders_;
    Membership membership_;
    Relations relations_;
    std::vector<float> relation_scores_;
    NetworkPass network_pass_;
    Views views_;
    Pruner pruner_;
    RichArcFeatures arc_features_;
    PartFeatures part_features_;
    Gathering gathering_;
    // What climbing asks for; what the exact search needs.
    Families families_;
    AskedScores asked_scores_;
    parts::Climb<AskedScores> asked_climb_;
    ScoredParts scored_parts_;
    parts::FamilyScores family_scores_;
    parts::Climb<parts::FamilyScores> climb_;
    PartsDecoder parts_decoder_;
    DecodeOptions exact_options_;
    std::vector<double> wide_;
    Candidates candidates_;
    std::vector<float> candidate_scores_;  // in the order of the candidates
    std::vector<float> arcs_, gains_;      // tables of words + 1 rows
    std::vector<int> heads_, known_, first_, gold_;
    bool compares_ = false;                 // with what climbing finds
    bool is_climbed_freely_ = false;        // heads_ are what climbing through all trees ended at
    std::vector<std::vector<int>> starts_;  // of the classes of a graded class
    ChildLists children_;
};

}  // namespace nonproj::learn
