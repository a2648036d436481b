// A transition-based parser: the best transition after the other, or a beam of the best sequences, by a linear model of
// the configuration; then relations, as for the graph-based parser.
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
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/relations.hpp"
#include "nonproj/learn/state_features.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj::learn {

struct TransitionOptions {
    int beam = 1;
    int relations = 0;
    double exploration = 0;  // how often learning goes on after its own mistakes, where costs are known
};

struct TransitionWeights {
    Table tree, label;
};

// What a step of learning came to.
struct Lesson {
    int wrong = 0;            // transitions
    bool is_skipped = false;  // no sequence derives the tree
};

template <TransitionSystem System>
class TransitionParser {
  public:
    TransitionParser(const System& system, const TransitionOptions& options)
        : system_(system), options_(options), relations_(options.relations) {}

    void explore(double exploration) { options_.exploration = exploration; }

    void parse(const Corpus::Sentence& sentence, const TransitionWeights& weights, std::span<std::int32_t> heads,
               std::span<std::int32_t> relations) {
        assign(sentence);
        if (options_.beam > 1)
            search(weights.tree, [](std::size_t, const State&) {});
        else
            follow_best(weights.tree);
        const auto& found = beam_.front().configuration.head;
        std::copy(found.begin() + 1, found.end(), heads.begin());
        complete(heads);
        if (options_.relations > 0) relations_.predict(views_, heads, weights.label, relations);
    }

    // One step on one sentence; `draws` decides when to explore.
    Lesson learn(const Corpus::Sentence& sentence, Algorithm algorithm, double most, Draws& draws, Step& step,
                 AveragedTable& tree, AveragedTable& label) {
        assign(sentence);
        tree_.assign(sentence.heads);
        Lesson lesson;
        if (!system_.oracle(tree_, gold_)) {
            lesson.is_skipped = true;
        } else if (options_.beam > 1) {
            lesson.wrong = learn_by_beam(algorithm, most, step, tree);
        } else if constexpr (HasCost<System>) {
            lesson.wrong = learn_by_cost(algorithm, most, draws, step, tree);
        } else {
            lesson.wrong = learn_by_oracle(algorithm, most, step, tree);
        }
        if (options_.relations > 0) relations_.learn(views_, sentence.heads, algorithm, most, label);
        tree.step();
        label.step();
        return lesson;
    }

  private:
    using Configuration = typename System::Configuration;
    static constexpr int own_slots = 14;  // transitions beyond share two slots and look at their arc

    struct State {
        Configuration configuration;
        Children children;
        std::vector<int> sequence;
        double score = 0;
    };
    struct Move {
        int state, transition;  // -1: a final state stays as it is
        double score;
    };

    void assign(const Corpus::Sentence& sentence) {
        views_.assign(sentence);
        features_.assign(views_);
        if (beam_.empty()) beam_.resize(1);
        start(beam_.front());
    }
    void start(State& state) const {
        system_.start(state.configuration, views_.size());
        state.children.start(views_.size());
        state.sequence.clear();
        state.score = 0;
    }
    void advance(State& state, int transition) const {
        const Arc made = system_.arc(state.configuration, transition);
        if (made != no_arc) state.children.add(made.head, made.dependent);
        system_.apply(state.configuration, transition);
    }

    static int slot(int transition) { return transition < own_slots ? transition : own_slots + (transition & 1); }

    void read(const State& state, const Table& weights) {
        const Addressing at = weights.addressing();
        lines_.clear();
        features_.each(focus_of(state.configuration), state.children, state.configuration.head, [&](Hash hash) {
            lines_.push_back(at.line(hash));
            prefetch(weights.data() + lines_.back());
        });
    }
    // After `read`: the weights of a transition.
    template <class Take>
    void each_place(const State& state, int transition, const Addressing& at, const Take& take) const {
        for (const std::size_t line : lines_) take(line + slot(transition));
        if (transition < own_slots) return;
        const Arc arc = system_.arc(state.configuration, transition);
        if (arc == no_arc) return;
        Hash seed = 3000;
        const Hash side = arc.head < arc.dependent;
        for (const View view : {P, LP, M, X})
            take(at.line(combined(combined(views_(arc.head, view), views_(arc.dependent, view)), ++seed + 8 * side)));
        take(at.line(combined(combined(views_(arc.head, LP), views_(arc.dependent, P)), 3010 + side)));
        take(at.line(combined(combined(views_(arc.head, P), views_(arc.dependent, LP)), 3020 + side)));
    }

    // After `read`: the scores of all transitions, -inf where one is not legal.
    void score(const State& state, const Table& weights) {
        const int count = system_.transitions(views_.size()), own = std::min(count, own_slots);
        scores_.assign(count, 0.0f);
        float sums[slots] = {};
        for (const std::size_t line : lines_)
            for (int t = 0; t < slots; ++t) sums[t] += weights[line + t];
        std::copy(sums, sums + own, scores_.begin());
        for (int t = 0; t < count; ++t) {
            if (system_.objection(state.configuration, t) != nullptr) {
                scores_[t] = minus_infinity<float>;
            } else if (t >= own_slots) {
                float sum = 0;
                each_place(state, t, weights.addressing(), [&](std::size_t place) { sum += weights[place]; });
                scores_[t] = sum;
            }
        }
    }
    int best() const { return static_cast<int>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin()); }
    bool is_legal(int transition) const { return scores_[transition] > minus_infinity<float>; }

    // A system may get stuck. The words that are then without a head go below the root; if there may be just one such
    // word, below the first of them.
    void complete(std::span<std::int32_t> heads) const {
        int root = 0;
        for (std::size_t m = 1; m <= heads.size() && system_.single_root; ++m)
            if (heads[m - 1] == 0) root = static_cast<int>(m);
        for (std::size_t m = 1; m <= heads.size(); ++m) {
            if (heads[m - 1] != no_head) continue;
            heads[m - 1] = root;
            if (system_.single_root && root == 0) root = static_cast<int>(m);
        }
    }

    void follow_best(const Table& weights) {
        State& state = beam_.front();
        while (!system_.is_final(state.configuration)) {
            read(state, weights);
            score(state, weights);
            const int transition = best();
            if (!is_legal(transition)) return;
            advance(state, transition);
        }
    }

    // With MIRA a wrong transition that comes within 1 of the right one is a mistake too.
    int rival(int gold, bool is_mira) {
        if (is_mira) {
            for (float& score : scores_) score += 1;
            scores_[gold] -= 1;
        }
        return best();
    }
    void correct(const State& state, int gold, int found, Algorithm algorithm, double most, Step& step,
                 AveragedTable& tree) const {
        const Addressing at = tree.now().addressing();
        each_place(state, gold, at, [&](std::size_t place) { step.gold(place); });
        each_place(state, found, at, [&](std::size_t place) { step.found(place); });
        step.take(algorithm, scores_[found] - scores_[gold], most, tree);
    }

    int learn_by_oracle(Algorithm algorithm, double most, Step& step, AveragedTable& tree) {
        State& state = beam_.front();
        int wrong = 0;
        for (const int gold : gold_) {
            read(state, tree.now());
            score(state, tree.now());
            wrong += best() != gold;
            const int found = rival(gold, algorithm == Algorithm::mira);
            if (found != gold) correct(state, gold, found, algorithm, most, step, tree);
            advance(state, gold);
        }
        return wrong;
    }

    int learn_by_cost(Algorithm algorithm, double most, Draws& draws, Step& step, AveragedTable& tree)
        requires HasCost<System>
    {
        State& state = beam_.front();
        int wrong = 0;
        while (!system_.is_final(state.configuration)) {
            read(state, tree.now());
            score(state, tree.now());
            const int chosen = best();
            if (!is_legal(chosen)) break;
            const int gold = best_of_least_cost(state);
            const bool is_wrong = cost_[chosen] > cost_[gold];
            wrong += is_wrong;
            // Other transitions of the same cost are no rivals.
            for (std::size_t t = 0; t < scores_.size(); ++t)
                if (static_cast<int>(t) != gold && cost_[t] <= cost_[gold]) scores_[t] = minus_infinity<float>;
            const int found = rival(gold, algorithm == Algorithm::mira);
            if (found != gold) correct(state, gold, found, algorithm, most, step, tree);
            const bool explores = static_cast<double>(draws.next() >> 11) * 0x1p-53 < options_.exploration;
            advance(state, is_wrong && !explores ? gold : chosen);
        }
        return wrong;
    }
    int best_of_least_cost(const State& state)
        requires HasCost<System>
    {
        cost_.assign(scores_.size(), 0);
        int gold = -1;
        for (int t = 0; t < static_cast<int>(scores_.size()); ++t) {
            if (scores_[t] == minus_infinity<float>) continue;
            cost_[t] = system_.cost(state.configuration, t, tree_);
            if (gold < 0 || cost_[t] < cost_[gold] || (cost_[t] == cost_[gold] && scores_[t] > scores_[gold])) gold = t;
        }
        return gold;
    }

    int learn_by_beam(Algorithm algorithm, double most, Step& step, AveragedTable& tree) {
        const Table& weights = tree.now();
        gold_scores_.assign(1, 0);
        start(replay_);
        for (const int transition : gold_) {
            read(replay_, weights);
            score(replay_, weights);
            gold_scores_.push_back(gold_scores_.back() + scores_[transition]);
            advance(replay_, transition);
        }
        double violation = 0;
        std::size_t steps = 0;
        worst_.clear();
        search(weights, [&](std::size_t taken, const State& best) {
            const std::size_t of_gold = std::min(taken, gold_.size());
            const double above = best.score - gold_scores_[of_gold];
            if (above < violation || std::ranges::equal(best.sequence, std::span(gold_).first(of_gold))) return;
            violation = above;
            steps = of_gold;
            worst_ = best.sequence;
        });
        if (worst_.empty()) return 0;
        collect(std::span(gold_).first(steps), weights, [&](std::size_t place) { step.gold(place); });
        collect(worst_, weights, [&](std::size_t place) { step.found(place); });
        step.take(algorithm, violation + (algorithm == Algorithm::mira ? 1 : 0), most, tree);
        return 1;
    }
    template <class Take>
    void collect(std::span<const int> sequence, const Table& weights, const Take& take) {
        start(replay_);
        for (const int transition : sequence) {
            read(replay_, weights);
            each_place(replay_, transition, weights.addressing(), take);
            advance(replay_, transition);
        }
    }

    // The best sequences side by side; the best comes first. Calls see(steps, best) after each step.
    template <class See>
    void search(const Table& weights, const See& see) {
        std::size_t live = 1;
        for (std::size_t steps = 1;; ++steps) {
            moves_.clear();
            bool is_over = true;
            for (std::size_t i = 0; i < live; ++i) {
                State& state = beam_[i];
                if (system_.is_final(state.configuration)) {
                    moves_.push_back({static_cast<int>(i), -1, state.score});
                    continue;
                }
                is_over = false;
                read(state, weights);
                score(state, weights);
                for (int t = 0; t < static_cast<int>(scores_.size()); ++t)
                    if (scores_[t] > minus_infinity<float>)
                        moves_.push_back({static_cast<int>(i), t, state.score + scores_[t]});
            }
            if (is_over || moves_.empty()) break;
            live = keep_best();
            see(steps, beam_.front());
        }
    }

    std::size_t keep_best() {
        const std::size_t kept = std::min<std::size_t>(moves_.size(), options_.beam);
        // Ties go by place, so that the same weights give the same trees.
        std::partial_sort(moves_.begin(), moves_.begin() + kept, moves_.end(), [](const Move& a, const Move& b) {
            return a.score != b.score   ? a.score > b.score
                   : a.state != b.state ? a.state < b.state
                                        : a.transition < b.transition;
        });
        if (next_.size() < kept) next_.resize(kept);
        for (std::size_t i = 0; i < kept; ++i) {
            const Move& move = moves_[i];
            next_[i] = beam_[move.state];
            next_[i].score = move.score;
            if (move.transition < 0) continue;
            next_[i].sequence.push_back(move.transition);
            advance(next_[i], move.transition);
        }
        beam_.swap(next_);
        return kept;
    }

    System system_;
    TransitionOptions options_;
    Relations relations_;
    Views views_;
    StateFeatures features_;
    Tree tree_;
    std::vector<int> gold_, cost_, worst_;
    std::vector<double> gold_scores_;  // of the first steps of the gold sequence
    std::vector<State> beam_, next_;
    State replay_;
    std::vector<Move> moves_;
    std::vector<std::size_t> lines_;
    std::vector<float> scores_;
};

}  // namespace nonproj::learn
