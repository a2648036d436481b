#include "nonproj/learn/transition_parser.hpp"

#include <algorithm>
#include <utility>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj::learn {

namespace {

constexpr int own_slots = 14;  // transitions beyond share two slots and look at their arc

int slot(int transition) { return transition < own_slots ? transition : own_slots + (transition & 1); }

}  // namespace

void TransitionParser::parse(const Corpus::Sentence& sentence, const TransitionWeights& weights,
                             std::span<std::int32_t> heads, std::span<std::int32_t> relations) {
    assign(sentence);
    if (options_.beam > 1)
        search(weights.tree, [](std::size_t, const State&) {});
    else
        follow_best(weights.tree);
    const auto& found = system_->heads(*beam_.front().configuration);
    std::copy(found.begin() + 1, found.end(), heads.begin());
    complete(heads);
    if (options_.relations > 0) relations_.predict(views_, heads, weights.label, relations);
}

Lesson TransitionParser::learn(const Corpus::Sentence& sentence, const LearningRule& rule, Draws& draws, Update& update,
                               AveragedWeights& tree, AveragedWeights& label) {
    assign(sentence);
    tree_.assign(sentence.heads);
    Lesson lesson;
    if (!system_->oracle(tree_, gold_))
        lesson.is_skipped = true;
    else if (options_.beam > 1)
        lesson.wrong = learn_by_beam(rule, update, tree);
    else if (system_->has_cost())
        lesson.wrong = learn_by_cost(rule, draws, update, tree);
    else
        lesson.wrong = learn_by_oracle(rule, update, tree);
    if (options_.relations > 0) relations_.learn(views_, sentence.heads, rule, label);
    tree.end_sentence();
    label.end_sentence();
    return lesson;
}

void TransitionParser::assign(const Corpus::Sentence& sentence) {
    views_.assign(sentence);
    features_.assign(views_);
    if (beam_.empty()) beam_.resize(1);
    start(beam_.front());
}

void TransitionParser::start(State& state) const {
    if (!state.configuration) state.configuration = system_->make_configuration();
    system_->start(*state.configuration, views_.size());
    state.children.start(views_.size());
    state.sequence.clear();
    state.score = 0;
}

void TransitionParser::copy(const State& from, State& to) const {
    if (!to.configuration) to.configuration = system_->make_configuration();
    system_->copy(*from.configuration, *to.configuration);
    to.children = from.children;
    to.sequence = from.sequence;
    to.score = from.score;
}

void TransitionParser::advance(State& state, int transition) const {
    const Arc made = system_->apply(*state.configuration, transition);
    if (made != no_arc) state.children.add(made.head, made.dependent);
}

// What the state offers; unless it is final, the lines of its features.
void TransitionParser::look(const State& state, const WeightTable& weights) {
    system_->look(*state.configuration, outlook_);
    if (outlook_.is_final) return;
    const Addressing at = weights.addressing();
    lines_.clear();
    features_.each(outlook_.focus, state.children, outlook_.heads, [&](Hash hash) {
        lines_.push_back(at.line(hash));
        prefetch(weights.data() + lines_.back());
    });
}

// After `look`: the weights of a transition.
template <class Take>
void TransitionParser::each_place(const State& state, int transition, const Addressing& at, const Take& take) const {
    using enum View;
    for (const std::size_t line : lines_) take(line + slot(transition));
    if (transition < own_slots) return;
    const Arc arc = system_->arc(*state.configuration, transition);
    if (arc == no_arc) return;
    Hash seed = 3000;
    const Hash side = arc.head < arc.dependent;
    for (const View view : {P, LP, M, X})
        take(at.line(combined(combined(views_(arc.head, view), views_(arc.dependent, view)), ++seed + 8 * side)));
    take(at.line(combined(combined(views_(arc.head, LP), views_(arc.dependent, P)), 3010 + side)));
    take(at.line(combined(combined(views_(arc.head, P), views_(arc.dependent, LP)), 3020 + side)));
}

// After `look`: the scores of all transitions, -inf where one is not legal.
void TransitionParser::score(const State& state, const WeightTable& weights) {
    float sums[slots] = {};
    for (const std::size_t line : lines_)
        for (int t = 0; t < slots; ++t) sums[t] += weights[line + t];
    scores_.assign(system_->transitions(views_.size()), minus_infinity<float>);
    for (const int t : outlook_.legal) {
        scores_[t] = 0;
        if (t < own_slots)
            scores_[t] = sums[t];
        else
            each_place(state, t, weights.addressing(), [&](std::size_t place) { scores_[t] += weights[place]; });
    }
}

// The first of the best legal transitions: no weights, whatever they are, lead to one that is not legal.
int TransitionParser::best() const {
    int best = outlook_.legal.front();
    for (const int t : outlook_.legal)
        if (scores_[t] > scores_[best]) best = t;
    return best;
}

// A system may get stuck. The words that are then without a head go below the root; if there may be just one such word,
// below the first of them.
void TransitionParser::complete(std::span<std::int32_t> heads) const {
    const bool single_root = system_->single_root();
    int root = 0;
    for (std::size_t m = 1; m <= heads.size() && single_root; ++m)
        if (heads[m - 1] == 0) root = static_cast<int>(m);
    for (std::size_t m = 1; m <= heads.size(); ++m) {
        if (heads[m - 1] != no_head) continue;
        heads[m - 1] = root;
        if (single_root && root == 0) root = static_cast<int>(m);
    }
}

void TransitionParser::follow_best(const WeightTable& weights) {
    State& state = beam_.front();
    for (look(state, weights); !outlook_.is_final && !outlook_.legal.empty(); look(state, weights)) {
        score(state, weights);
        advance(state, best());
    }
}

// The best sequences side by side; the best comes first. Calls see(steps, best) after each step.
template <class See>
void TransitionParser::search(const WeightTable& weights, const See& see) {
    std::size_t live = 1;
    for (std::size_t steps = 1;; ++steps) {
        moves_.clear();
        bool is_over = true;
        for (std::size_t i = 0; i < live; ++i) {
            const State& state = beam_[i];
            look(state, weights);
            if (outlook_.is_final) {
                moves_.push_back({static_cast<int>(i), -1, state.score});
                continue;
            }
            is_over = false;
            score(state, weights);
            for (const int t : outlook_.legal) moves_.push_back({static_cast<int>(i), t, state.score + scores_[t]});
        }
        if (is_over || moves_.empty()) break;
        live = keep_best();
        see(steps, beam_.front());
    }
}

std::size_t TransitionParser::keep_best() {
    const std::size_t kept = std::min<std::size_t>(moves_.size(), options_.beam);
    // Ties go by place, so that the same weights give the same trees.
    std::partial_sort(moves_.begin(), moves_.begin() + kept, moves_.end(), [](const Move& a, const Move& b) {
        return a.score != b.score   ? a.score > b.score
               : a.state != b.state ? a.state < b.state
                                    : a.transition < b.transition;
    });
    if (next_.size() < kept) next_.resize(kept);
    uses_.assign(beam_.size(), 0);
    for (std::size_t i = 0; i < kept; ++i) ++uses_[moves_[i].state];
    for (std::size_t i = 0; i < kept; ++i) {
        const Move& move = moves_[i];
        // The last move from a state can have the state itself.
        if (--uses_[move.state] > 0)
            copy(beam_[move.state], next_[i]);
        else
            std::swap(beam_[move.state], next_[i]);
        next_[i].score = move.score;
        if (move.transition < 0) continue;
        next_[i].sequence.push_back(move.transition);
        advance(next_[i], move.transition);
    }
    beam_.swap(next_);
    return kept;
}

// With MIRA a wrong transition that comes within 1 of the right one is a mistake too.
int TransitionParser::rival(int gold, const LearningRule& rule) {
    if (rule.algorithm == Algorithm::mira) {
        for (float& score : scores_) score += 1;
        scores_[gold] -= 1;
    }
    return best();
}

void TransitionParser::correct(const State& state, int gold, int found, const LearningRule& rule, Update& update,
                               AveragedWeights& tree) const {
    const Addressing at = tree.now().addressing();
    each_place(state, gold, at, [&](std::size_t place) { update.gold(place); });
    each_place(state, found, at, [&](std::size_t place) { update.found(place); });
    update.apply(rule, scores_[found] - scores_[gold], tree);
}

int TransitionParser::learn_by_oracle(const LearningRule& rule, Update& update, AveragedWeights& tree) {
    State& state = beam_.front();
    int wrong = 0;
    for (const int gold : gold_) {
        look(state, tree.now());
        score(state, tree.now());
        wrong += best() != gold;
        const int found = rival(gold, rule);
        if (found != gold) correct(state, gold, found, rule, update, tree);
        advance(state, gold);
    }
    return wrong;
}

int TransitionParser::learn_by_cost(const LearningRule& rule, Draws& draws, Update& update, AveragedWeights& tree) {
    State& state = beam_.front();
    int wrong = 0;
    for (look(state, tree.now()); !outlook_.is_final && !outlook_.legal.empty(); look(state, tree.now())) {
        score(state, tree.now());
        const int chosen = best(), gold = best_of_least_cost(state);
        const bool is_wrong = cost_[chosen] > cost_[gold];
        wrong += is_wrong;
        // Other transitions of the same cost are no rivals.
        for (const int t : outlook_.legal)
            if (t != gold && cost_[t] <= cost_[gold]) scores_[t] = minus_infinity<float>;
        const int found = rival(gold, rule);
        if (found != gold) correct(state, gold, found, rule, update, tree);
        const bool explores = static_cast<double>(draws.next() >> 11) * 0x1p-53 < options_.exploration;
        advance(state, is_wrong && !explores ? gold : chosen);
    }
    return wrong;
}

int TransitionParser::best_of_least_cost(const State& state) {
    cost_.assign(scores_.size(), 0);
    int gold = -1;
    for (const int t : outlook_.legal) {
        cost_[t] = system_->cost(*state.configuration, t, tree_);
        if (gold < 0 || cost_[t] < cost_[gold] || (cost_[t] == cost_[gold] && scores_[t] > scores_[gold])) gold = t;
    }
    return gold;
}

int TransitionParser::learn_by_beam(const LearningRule& rule, Update& update, AveragedWeights& tree) {
    const WeightTable& weights = tree.now();
    gold_scores_.assign(1, 0);
    start(replay_);
    for (const int transition : gold_) {
        look(replay_, weights);
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
    collect(std::span(gold_).first(steps), weights, [&](std::size_t place) { update.gold(place); });
    collect(worst_, weights, [&](std::size_t place) { update.found(place); });
    update.apply(rule, violation + (rule.algorithm == Algorithm::mira ? 1 : 0), tree);
    return 1;
}

template <class Take>
void TransitionParser::collect(std::span<const int> sequence, const WeightTable& weights, const Take& take) {
    start(replay_);
    for (const int transition : sequence) {
        look(replay_, weights);
        each_place(replay_, transition, weights.addressing(), take);
        advance(replay_, transition);
    }
}

}  // namespace nonproj::learn
