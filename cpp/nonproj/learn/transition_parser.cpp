#include "nonproj/learn/transition_parser.hpp"

#include <algorithm>
#include <utility>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/learn/row_sums.hpp"

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
    if (is_labelled_) std::copy(beam_.front().relations.begin() + 1, beam_.front().relations.end(), relations.begin());
    complete(heads, relations);
    if (options_.relations > 0 && !is_labelled_) labeller_.predict(views_, heads, weights.label, relations);
}

std::vector<int> TransitionParser::transitions() const {
    std::vector<int> taken;
    for (const int choice : beam_.front().sequence) taken.push_back(transition_of(choice));
    return taken;
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
    if (options_.relations > 0 && !is_labelled_) labeller_.learn(views_, sentence.heads, rule, label);
    tree.end_sentence();
    label.end_sentence();
    return lesson;
}

void TransitionParser::assign(const Corpus::Sentence& sentence) {
    sentence_ = sentence;
    transitions_ = system_->transitions(sentence.size());
    views_.assign(sentence);
    features_.assign(views_);
    if (beam_.empty()) beam_.resize(1);
    start(beam_.front());
}

void TransitionParser::start(State& state) const {
    if (!state.configuration) state.configuration = system_->make_configuration();
    system_->start(*state.configuration, views_.size());
    state.children.start(views_.size());
    if (is_labelled_) state.relations.assign(static_cast<std::size_t>(views_.size()) + 1, -1);
    state.sequence.clear();
    state.score = 0;
}

void TransitionParser::copy(const State& from, State& to) const {
    if (!to.configuration) to.configuration = system_->make_configuration();
    system_->copy(*from.configuration, *to.configuration);
    to.children = from.children;
    to.relations = from.relations;
    to.sequence = from.sequence;
    to.score = from.score;
}

void TransitionParser::advance(State& state, int choice) const {
    const Arc made = system_->apply(*state.configuration, transition_of(choice));
    state.sequence.push_back(choice);
    if (made == no_arc) return;
    state.children.add(made.head, made.dependent);
    if (is_labelled_) state.relations[made.dependent] = relation_of(choice);
}

// A right transition with the right relation; where that is not known, or never was seen, with the best one.
int TransitionParser::gold_choice(const State& state, int transition) const {
    if (!is_labelled_) return transition;
    const Arc arc = arc_of(state, transition);
    if (arc == no_arc) return transition;
    int relation = sentence_.words[arc.dependent - 1].relation;
    if (relation < 0) {
        relation = 0;
        for (int r = 1; r < options_.relations; ++r)
            if (scores_[choice_of(transition, r)] > scores_[choice_of(transition, relation)]) relation = r;
    }
    return choice_of(transition, relation);
}

// What the state offers; unless it is final, its features and the choices there are.
void TransitionParser::look(const State& state, const WeightTable& weights) {
    system_->look(*state.configuration, outlook_);
    if (outlook_.is_final) return;
    const Addressing at = weights.addressing();
    lines_.clear();
    const auto take = [&](Hash hash) {
        lines_.push_back(at.line(hash));
        prefetch(weights.data() + lines_.back());
    };
    features_.each(outlook_.focus, state.children, outlook_.heads, take);
    relation_hashes_.clear();
    if (is_labelled_)
        features_.each_relation(outlook_.focus, state.children, state.relations, [&](Hash hash) {
            relation_hashes_.push_back(hash);
            take(hash);
        });
    choices_.clear();
    for (const int t : outlook_.legal) {
        const bool has_relation = is_labelled_ && arc_of(state, t) != no_arc;
        for (int r = has_relation ? 0 : -1; r < (has_relation ? options_.relations : 0); ++r)
            choices_.push_back(choice_of(t, r));
    }
}

// After `look`: the weights of the arc of a transition, and where those of its relations begin.
template <class TakePlace, class TakeRow>
void TransitionParser::each_of_arc(Arc arc, int transition, const WeightTable& weights, const TakePlace& take_place,
                                   const TakeRow& take_row) const {
    const Addressing at = weights.addressing();
    const std::size_t last = weights.size() - static_cast<std::size_t>(options_.relations);
    const auto row = [&](Hash hash) { take_row(std::min(at.line(hash), last)); };
    LabelFeatures::each_of_pair(views_, arc.dependent, arc.head, [&](Hash hash) {
        take_place(at.place(combined(hash, 3000)));
        if (is_labelled_) row(combined(hash, 3001));
    });
    for (const Hash hash : relation_hashes_) row(combined(hash, 3100 + static_cast<Hash>(slot(transition))));
}

// After `look`: the weights of a choice.
template <class Take>
void TransitionParser::each_place(const State& state, int choice, const WeightTable& weights, const Take& take) const {
    const int t = transition_of(choice), relation = relation_of(choice);
    for (const std::size_t line : lines_) take(line + slot(t));
    if (const Arc arc = arc_of(state, t); arc != no_arc)
        each_of_arc(arc, t, weights, take, [&](std::size_t row) { take(row + relation); });
}

// After `look`: the scores of all choices, -inf where one is not legal.
void TransitionParser::score(const State& state, const WeightTable& weights) {
    float sums[slots] = {};
    for (const std::size_t line : lines_)
        for (int t = 0; t < slots; ++t) sums[t] += weights[line + t];
    const std::size_t kinds = is_labelled_ ? static_cast<std::size_t>(options_.relations) + 1 : 1;
    scores_.assign(static_cast<std::size_t>(transitions_) * kinds, minus_infinity<float>);
    for (const int t : outlook_.legal) {
        float& sum = scores_[t] = sums[slot(t)];
        const Arc arc = arc_of(state, t);
        if (arc == no_arc) continue;
        places_.clear();
        rows_.clear();
        each_of_arc(
            arc, t, weights,
            [&](std::size_t place) {
                places_.push_back(place);
                prefetch(weights.data() + place);
            },
            [&](std::size_t row) {
                rows_.push_back(row);
                prefetch_row(weights.data() + row, options_.relations);
            });
        for (const std::size_t place : places_) sum += weights[place];
        if (!is_labelled_) continue;
        arc_scores_.assign(relation_scores_.size(), sum);
        sum_rows(weights, rows_, options_.relations, arc_scores_, relation_scores_);
        for (int r = 0; r < options_.relations; ++r) scores_[choice_of(t, r)] = relation_scores_[r];
        scores_[t] = minus_infinity<float>;
    }
}

// The first of the best choices: no weights, whatever they are, lead to one that is not legal.
int TransitionParser::best() const {
    int best = choices_.front();
    for (const int each : choices_)
        if (scores_[each] > scores_[best]) best = each;
    return best;
}

// A system may get stuck. The words that are then without a head go below the root; if there may be just one such word,
// below the first of them.
void TransitionParser::complete(std::span<std::int32_t> heads, std::span<std::int32_t> relations) const {
    const bool single_root = system_->single_root();
    int root = 0;
    for (std::size_t m = 1; m <= heads.size() && single_root; ++m)
        if (heads[m - 1] == 0) root = static_cast<int>(m);
    for (std::size_t m = 1; m <= heads.size(); ++m) {
        if (heads[m - 1] != no_head) continue;
        heads[m - 1] = root;
        if (is_labelled_) relations[m - 1] = options_.root_relation;
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
            for (const int each : choices_) moves_.push_back({static_cast<int>(i), each, state.score + scores_[each]});
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
        return a.score != b.score ? a.score > b.score : a.state != b.state ? a.state < b.state : a.choice < b.choice;
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
        if (move.choice >= 0) advance(next_[i], move.choice);
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
    each_place(state, gold, tree.now(), [&](std::size_t place) { update.gold(place); });
    each_place(state, found, tree.now(), [&](std::size_t place) { update.found(place); });
    update.apply(rule, scores_[found] - scores_[gold], tree);
}

int TransitionParser::learn_by_oracle(const LearningRule& rule, Update& update, AveragedWeights& tree) {
    State& state = beam_.front();
    int wrong = 0;
    for (const int transition : gold_) {
        look(state, tree.now());
        score(state, tree.now());
        const int gold = gold_choice(state, transition);
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
        for (const int each : choices_)
            if (each != gold && cost_[each] <= cost_[gold]) scores_[each] = minus_infinity<float>;
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
    int last = -1, cost = 0;
    for (const int each : choices_) {
        const int t = transition_of(each), r = relation_of(each);
        if (t != last) cost = system_->cost(*state.configuration, last = t, tree_);
        cost_[each] = cost;
        // A wrong relation costs as much as a wrong head.
        if (r >= 0) {
            const Arc arc = arc_of(state, t);
            const int known = sentence_.words[arc.dependent - 1].relation;
            cost_[each] += tree_.head(arc.dependent) == arc.head && known >= 0 && known != r;
        }
        if (gold < 0 || cost_[each] < cost_[gold] || (cost_[each] == cost_[gold] && scores_[each] > scores_[gold]))
            gold = each;
    }
    return gold;
}

int TransitionParser::learn_by_beam(const LearningRule& rule, Update& update, AveragedWeights& tree) {
    const WeightTable& weights = tree.now();
    gold_scores_.assign(1, 0);
    start(replay_);
    for (int& choice : gold_) {
        look(replay_, weights);
        score(replay_, weights);
        choice = gold_choice(replay_, choice);
        gold_scores_.push_back(gold_scores_.back() + scores_[choice]);
        advance(replay_, choice);
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
    for (const int choice : sequence) {
        look(replay_, weights);
        each_place(replay_, choice, weights, take);
        advance(replay_, choice);
    }
}

}  // namespace nonproj::learn
