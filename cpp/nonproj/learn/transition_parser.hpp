// A transition-based parser: the best transition after the other, or a beam of the best sequences, by a linear model of
// the configuration; then relations, as for the graph-based parser. Or transitions are predicted together with the
// relation of the arc that they make, as LEFT-ARC_l and RIGHT-ARC_l of the papers.
//
// A choice is a transition t and a relation r, as the number t + transitions * (r + 1), where r = -1 is none.
//
// Learning is the averaged perceptron's or MIRA's, step by step. Alone, each wrong transition is corrected: against the
// sequence of the oracle, or, where the system knows what a transition costs (Goldberg & Nivre 2012), also off the
// path, after mistakes of its own. With a beam, the sequence of the oracle is pushed against the best of the beam, as far
// as the step where that is furthest above it (maximum violation; Huang, Fayong & Guo 2012). That teaches more than to
// stop at the step where the oracle's sequence falls out of the beam (early update; Collins & Roark 2004).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/labeller.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/state_features.hpp"
#include "nonproj/learn/transition_options.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/transition/any_system.hpp"

namespace nonproj::learn {

// What learning from a sentence came to.
struct Lesson {
    int wrong = 0;            // transitions
    bool is_skipped = false;  // no sequence derives the tree
};

// A workspace of one thread.
class TransitionParser {
  public:
    TransitionParser(std::shared_ptr<const AnySystem> system, const TransitionOptions& options)
        : system_(std::move(system)),
          options_(options),
          labeller_(options.relations),
          is_labelled_(options.is_labelled && options.relations > 0),
          relation_scores_(std::max(options.relations, slots)) {}

    void explore(double exploration) { options_.exploration = exploration; }

    // Writes a head, and a relation, for every word.
    void parse(const Corpus::Sentence& sentence, const TransitionWeights& weights, std::span<std::int32_t> heads,
               std::span<std::int32_t> relations);

    // The transitions that led to the last parse; they end early where the system got stuck.
    std::vector<int> transitions() const;

    // Learns from one sentence; `draws` decides when to explore.
    Lesson learn(const Corpus::Sentence& sentence, const LearningRule& rule, Draws& draws, Update& update,
                 AveragedWeights& tree, AveragedWeights& label);

  private:
    struct State {
        std::unique_ptr<AnyConfiguration> configuration;
        Children children;
        std::vector<std::int32_t> relations;  // by node, of the arcs made so far; only where transitions have them
        std::vector<int> sequence;            // choices
        double score = 0;
    };
    struct Move {
        int state, choice;  // -1: a final state stays as it is
        double score;
    };

    void assign(const Corpus::Sentence& sentence);
    void start(State& state) const;
    void copy(const State& from, State& to) const;
    void advance(State& state, int choice) const;

    int transition_of(int choice) const { return choice % transitions_; }
    int relation_of(int choice) const { return choice / transitions_ - 1; }
    int choice_of(int transition, int relation) const { return transition + transitions_ * (relation + 1); }
    int gold_choice(const State& state, int transition) const;

    void look(const State& state, const WeightTable& weights);
    Arc arc_of(const State& state, int transition) const { return system_->arc(*state.configuration, transition); }
    template <class TakePlace, class TakeRow>
    void each_of_arc(Arc arc, int transition, const WeightTable& weights, const TakePlace& take_place,
                     const TakeRow& take_row) const;
    template <class Take>
    void each_place(const State& state, int choice, const WeightTable& weights, const Take& take) const;
    void score(const State& state, const WeightTable& weights);
    int best() const;
    void complete(std::span<std::int32_t> heads, std::span<std::int32_t> relations) const;

    void follow_best(const WeightTable& weights);
    template <class See>
    void search(const WeightTable& weights, const See& see);
    std::size_t keep_best();

    int rival(int gold, const LearningRule& rule);
    void correct(const State& state, int gold, int found, const LearningRule& rule, Update& update,
                 AveragedWeights& tree) const;
    int learn_by_oracle(const LearningRule& rule, Update& update, AveragedWeights& tree);
    int learn_by_cost(const LearningRule& rule, Draws& draws, Update& update, AveragedWeights& tree);
    int best_of_least_cost(const State& state);
    int learn_by_beam(const LearningRule& rule, Update& update, AveragedWeights& tree);
    template <class Take>
    void collect(std::span<const int> sequence, const WeightTable& weights, const Take& take);

    std::shared_ptr<const AnySystem> system_;
    TransitionOptions options_;
    Labeller labeller_;
    bool is_labelled_;
    int transitions_ = 1;  // for the sentence at hand
    Corpus::Sentence sentence_;
    Views views_;
    StateFeatures features_;
    Tree tree_;
    std::vector<int> gold_, cost_, worst_;
    std::vector<double> gold_scores_;  // of the first steps of the gold sequence
    std::vector<State> beam_, next_;
    State replay_;
    std::vector<Move> moves_;
    std::vector<int> uses_;                            // of each state by the moves that are kept
    Outlook outlook_;                                  // of the state that was looked at last,
    std::vector<std::size_t> lines_;                   // the lines of its features,
    std::vector<Hash> relation_hashes_;                // those of relations,
    std::vector<int> choices_;                         // what can be chosen,
    std::vector<float> scores_;                        // the scores of all choices
    std::vector<std::size_t> places_, rows_;           // of an arc
    std::vector<float> arc_scores_, relation_scores_;  // as many as a line has slots at least
};

}  // namespace nonproj::learn
