#include "nonproj/decode/parts/parts_decoder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nonproj/interrupt.hpp"

namespace nonproj {

namespace {

constexpr double lowest = minus_infinity<double>;
// Found by trial on scores like those of trained models.
constexpr double first_size = 2.0;  // of steps, in proportion to Polyak's
constexpr double smaller = 0.7;     // is the size after so many steps that do not lower the bound:
constexpr int rises_allowed = 4;
constexpr int steps_between_fixing = 6;
constexpr int first_fixing = 1, late_fixing = 5;  // after so many steps
constexpr int steps_between_searches = 16;        // for a first tree of the class
constexpr int patience_at_first = 8;              // steps without a notable gain before a node is branched
constexpr int patience_below = 3;
constexpr double notable = 0.02;        // of the gap to the best known tree
constexpr double quick_chart = 20'000;  // nanoseconds

}  // namespace

double PartsDecoder::nanoseconds_of_step(const PartList& given) {
    const bool sees_head = given.has_grandparents() || !given.grand_siblings.is_empty();
    return nanoseconds_of_step(given.words(), given.possible_arcs(), sees_head, given.sibling_table != nullptr);
}
double PartsDecoder::nanoseconds_of_step(int words, double arcs, bool sees_head, bool has_all) {
    const double width = words + 1.0, children = arcs / width;
    return 3000 + 20 * width * width +
           5 * (sees_head ? arcs : width) * (children + (has_all ? children * children / 4 : 0));
}

Outcome PartsDecoder::decode(const PartList& given, const DecodeOptions& options, int limit) {
    own_parts_.assign(given);
    return decode(own_parts_, options, limit, {});
}

Outcome PartsDecoder::decode(const parts::PartTable& table, const DecodeOptions& options, int limit,
                             std::span<const int> heads) {
    parts_ = &table;
    options_ = &options;
    words_ = table.words();
    end_ = Deadline::after(options.time_limit);
    start(heads);
    const auto bound_left = [&] { return open_.empty() ? unsettled_ : std::max(unsettled_, open_.front().bound); };
    while (!open_.empty() && open_.front().bound > enough()) {
        if (relaxations_ >= limit || bytes() > options.memory_limit || Deadline::is_past(end_)) break;
        limit_ = limit;
        Node node = take();
        const Verdict verdict = run(node);
        if (verdict == Verdict::open) {
            add(node);
            break;
        }
        release(node.state);
    }
    best_.bound = std::max({best_.score, options.must_exceed, bound_left() > enough() ? bound_left() : lowest});
    best_.relaxations = relaxations_;
    best_.road = Road::relax;
    best_.bounds_all = !uses_class_;
    return std::move(best_);
}

void PartsDecoder::start(std::span<const int> heads) {
    const std::size_t width = words_ + 1;
    is_required_.assign(arcs().size(), false);
    automaton_.assign(parts(), is_required_, options_->single_root);
    double scale = 1;
    for (int d = 1; d <= words_; ++d) {
        double largest = 0;
        for (const int arc : arcs().into(d)) largest = std::max(largest, std::abs(parts().arc_score(arc)));
        scale += largest;
    }
    tolerance_ = 1e-9 * scale;
    climb_.assign(parts(), options_->single_root, tolerance_);
    const ClassChart* const chart = options_->solver.chart();
    has_quick_chart_ = chart != nullptr && chart->nanoseconds(words_, options_->solver.rule().k) <= quick_chart &&
                       chart->bytes(words_, options_->solver.rule().k) <= options_->memory_limit;
    best_ = {};
    best_of_trees_ = lowest;
    unsettled_ = lowest;
    relaxations_ = 0;
    uses_class_ = false;
    branches_.clear();
    open_.clear();
    states_.clear();
    free_states_.clear();

    for (auto* field : {&in_tree_, &is_child_, &is_head_}) field->assign(arcs().size(), false);
    for (auto* field : {&with_child_, &with_head_, &loss_, &conflict_}) field->assign(arcs().size(), 0);
    under_.assign(arcs().size(), {});
    family_value_.assign(width, 0);
    under_any_.assign(width, {});
    chosen_.assign(width, none);
    is_stale_.assign(width, true);
    version_.assign(width, 0);
    relief_.assign(width, 0);
    are_heads_stale_.assign(width, true);
    is_weighed_.assign(width, false);
    heads_left_.assign(width, 0);
    table_.assign(width * width, lowest);
    bounds_.resize(width * width);
    heads_.assign(words_, 0);
    judged_.clear();
    considered_.clear();

    // The scores of arcs are shared out between the copies of an arc.
    child_price_.assign(arcs().size(), 0);
    head_price_.assign(arcs().size(), 0);
    for (int arc = 0; arc < arcs().size(); ++arc) {
        const bool as_child = parts().is_scored(arcs().head(arc)), as_head = parts().sees_head(arcs().dependent(arc));
        const double share = parts().arc_score(arc) / (1 + as_child + as_head);
        if (as_child) child_price_[arc] = -share;
        if (as_head) head_price_[arc] = -share;
    }
    is_left_.assign(arcs().size(), true);
    if (!heads.empty()) {
        best_.heads.assign(heads.begin(), heads.end());
        best_.score = best_of_trees_ = parts::PartTable::possible(climb_.score(heads));
    }
    add({infinity, keep_state(), 0, 0, false});
}

void PartsDecoder::add(const Node& node) {
    open_.push_back(node);
    std::push_heap(open_.begin(), open_.end(), [](const Node& a, const Node& b) { return a.bound < b.bound; });
}
PartsDecoder::Node PartsDecoder::take() {
    std::pop_heap(open_.begin(), open_.end(), [](const Node& a, const Node& b) { return a.bound < b.bound; });
    const Node node = open_.back();
    open_.pop_back();
    return node;
}

int PartsDecoder::keep_state() {
    int state = static_cast<int>(states_.size());
    if (free_states_.empty()) {
        states_.emplace_back();
    } else {
        state = free_states_.back();
        free_states_.pop_back();
    }
    states_[state].child_price = child_price_;
    states_[state].head_price = head_price_;
    states_[state].is_left = is_left_;
    states_[state].users = 1;
    return state;
}
void PartsDecoder::release(int state) {
    if (--states_[state].users == 0) free_states_.push_back(state);
}
double PartsDecoder::bytes() const {
    const double state = (2 * sizeof(double) + 1.0) * arcs().size();
    return state * (states_.size() - free_states_.size()) + sizeof(Node) * 1.0 * open_.size() +
           sizeof(Arc) * 1.0 * branches_.size();
}

// Makes the node's arcs and multipliers those at hand.
void PartsDecoder::load(const Node& node) {
    const State& state = states_[node.state];
    child_price_ = state.child_price;
    head_price_ = state.head_price;
    is_left_ = state.is_left;
    const std::size_t width = words_ + 1;
    std::fill(heads_left_.begin(), heads_left_.end(), 0);
    for (int arc = 0; arc < arcs().size(); ++arc) {
        const int h = arcs().head(arc), d = arcs().dependent(arc);
        heads_left_[d] += is_left_[arc];
        table_[h * width + d] = is_left_[arc] ? parts().arc_score(arc) + child_price_[arc] + head_price_[arc] : lowest;
    }
    for (int h = 0; h <= words_; ++h) make_stale(h);
    std::fill(under_.begin(), under_.end(), FamilyValue{});
    std::fill(under_any_.begin(), under_any_.end(), FamilyValue{});
    std::fill(conflict_.begin(), conflict_.end(), 0);
    for (int i = 0; i < node.required; ++i) {
        const Arc& required = branches_[node.first + i];
        for (const int arc : arcs().into(required.dependent))
            if (arcs().head(arc) != required.head) drop(arc);
    }
    if (node.forbids) {
        const Arc& forbidden = branches_[node.first + node.required];
        drop(arcs().number(forbidden.head, forbidden.dependent));
    }
}

void PartsDecoder::drop(int arc) {
    if (!is_left_[arc]) return;
    const int h = arcs().head(arc), d = arcs().dependent(arc);
    is_left_[arc] = false;
    --heads_left_[d];
    child_price_[arc] = head_price_[arc] = infinity;
    table_[static_cast<std::size_t>(h) * (words_ + 1) + d] = lowest;
    make_stale(h);
    make_stale(d);
}

// Finds the words with one head left. False when a word has none.
bool PartsDecoder::settle() {
    const bool no_crossing = options_->solver.row().no_crossing != NoCrossing::is_not_enough;
    for (bool changes = true; changes;) {
        changes = false;
        for (int d = 1; d <= words_; ++d) {
            if (heads_left_[d] == 0) return false;
            for (const int arc : arcs().into(d)) {
                const bool is_required = is_left_[arc] && heads_left_[d] == 1;
                if (is_required != static_cast<bool>(is_required_[arc])) make_stale(arcs().head(arc));
                if (is_required && no_crossing) changes |= drop_across(arc);
                is_required_[arc] = is_required;
            }
        }
    }
    return true;
}
// Where no arcs may cross, a required arc forbids all that cross it.
bool PartsDecoder::drop_across(int required) {
    const bool with_dummy = options_->solver.row().no_crossing == NoCrossing::of_all_arcs;
    const Arc arc{arcs().head(required), arcs().dependent(required)};
    if (!with_dummy && arc.head == 0) return false;
    bool changes = false;
    for (int inside = arc.left() + 1; inside < arc.right(); ++inside)
        for (int outside = with_dummy ? 0 : 1; outside <= words_; ++outside) {
            if (arc.left() <= outside && outside <= arc.right()) continue;
            for (const int across :
                 {arcs().number(outside, inside), outside > 0 ? arcs().number(inside, outside) : none})
                if (across != none && is_left_[across]) drop(across), changes = uses_class_ = true;
        }
    return changes;
}

PartsDecoder::Verdict PartsDecoder::run(Node& node) {
    load(node);
    if (!settle()) return Verdict::closed;
    const int patience = node.bound == infinity ? patience_at_first : patience_below;
    double size = first_size, notable_bound = infinity;
    int still = 0, rises = 0;
    // Where a tree would have to beat others by far, the bound soon says that none does, and no arc has to be dropped.
    const int fixing = options_->must_exceed > lowest ? late_fixing : first_fixing;
    for (int steps = 0;; ++steps) {
        if (relaxations_ >= limit_ || Deadline::is_past(end_)) return Verdict::open;
        Interrupt::check();
        if (!solve()) return Verdict::closed;
        if (value_ > node.bound && ++rises % rises_allowed == 0) size *= smaller;
        node.bound = std::min(node.bound, value_);
        if (node.bound <= enough()) return Verdict::closed;
        consider();
        if (node.bound <= enough()) return Verdict::closed;
        if (node.bound < notable_bound - notable * (node.bound - std::max(best_.score, node.bound - 1)))
            notable_bound = node.bound, still = 0;
        else
            ++still;
        const int norm = disagreement();
        const bool agrees = norm == 0;
        if (agrees && membership_of_tree_ == 1) return Verdict::closed;
        if (agrees && membership_of_tree_ < 0) {
            unsettled_ = std::max(unsettled_, node.bound);
            return Verdict::closed;
        }
        const bool is_last = agrees || still >= patience;
        if (is_last || steps % steps_between_fixing == fixing) {
            const bool drops = fix();
            if (!settle()) return Verdict::closed;
            if (drops && !is_last) still = 0;
        }
        if (is_last) {
            branch(node);
            return Verdict::closed;
        }
        const double gap = known() == lowest ? 1 + 0.05 * std::abs(value_) : value_ - known();
        step(size * gap / norm);
    }
}

// Finds y and z. False when there is none.
bool PartsDecoder::solve() {
    if (!solve_tree() || !solve_families()) return false;
    value_ = tree_value_;
    for (const double value : family_value_) value_ += value;
    return true;
}

bool PartsDecoder::solve_tree() {
    ++relaxations_;
    for (int d = 1; d <= words_; ++d)
        if (const int arc = arcs().number(heads_[d - 1], d); arc != none) in_tree_[arc] = false;
    const ArcScores<double> table(table_.data(), words_);
    tree_value_ = trees_.solve(table, options_->single_root, heads_);
    if (tree_value_ == lowest) return false;
    judge_tree();
    if (membership_of_tree_ == 0 && has_quick_chart_) {
        const ClassSolver& solver = options_->solver;
        const DecodedTree best = solver.chart()->best(table, solver.rule().k, options_->single_root);
        uses_class_ = true;
        if (best.heads.empty()) return false;
        tree_value_ = best.score;
        std::copy(best.heads.begin(), best.heads.end(), heads_.begin());
        membership_of_tree_ = 1;
        judged_.clear();
    }
    for (int d = 1; d <= words_; ++d) in_tree_[arcs().number(heads_[d - 1], d)] = true;
    return true;
}
void PartsDecoder::judge_tree() {
    if (judged_ == heads_) return;
    membership_of_tree_ = membership_.settle(heads_, options_->solver);
    judged_ = heads_;
}

bool PartsDecoder::solve_families() {
    for (int h = 0; h <= words_; ++h) {
        if (!parts().is_scored(h)) continue;
        if (is_stale_[h] || are_heads_stale_[h]) solve_family(h);
        if (family_value_[h] == lowest) return false;
    }
    return true;
}
// Heads that cannot be better than the best one so far are passed over: most families choose the same head again.
void PartsDecoder::solve_family(int h) {
    int chosen = none;
    double best = lowest;
    const auto look_at = [&](int above) {
        FamilyValue& under = value_under(h, above);
        if (at_most(h, under) - head_price_[above] <= best) return;
        const double value = exact(h, above, under) - head_price_[above];
        if (value > best) best = value, chosen = above;
    };
    if (!parts().sees_head(h)) {
        best = exact(h, none, under_any_[h]);
    } else {
        if (chosen_[h] != none && is_left_[chosen_[h]]) look_at(chosen_[h]);
        for (const int above : arcs().into(h))
            if (is_left_[above] && above != chosen) look_at(above);
    }
    family_value_[h] = best;
    if (is_stale_[h] || chosen != chosen_[h]) choose(h, chosen);
    is_stale_[h] = are_heads_stale_[h] = false;
}
// The best value of the family of h under a head; `under` keeps it until a price changes.
double PartsDecoder::exact(int h, int above, FamilyValue& under) {
    if (under.version != version_[h]) {
        under = {automaton_.best(h, own(above), child_price_.data()), relief_[h], version_[h]};
        read_ = {h, own(above), version_[h]};
    }
    return under.value;
}
// Takes the children that are best under a head.
void PartsDecoder::choose(int h, int above) {
    for (const int other : arcs().into(h)) is_head_[other] = other == above;
    std::fill(is_child_.begin() + arcs().begin(h), is_child_.begin() + arcs().end(h), false);
    if (family_value_[h] > lowest) {
        if (read_ != Read{h, own(above), version_[h]}) automaton_.best(h, own(above), child_price_.data());
        automaton_.each_child([&](int arc) { is_child_[arc] = true; });
    }
    read_ = {};
    chosen_[h] = above;
}

// Takes the tree y as the best known one, if it is; climbs from it if it is better than all before.
void PartsDecoder::consider() {
    const bool is_first = best_.heads.empty();
    if (membership_of_tree_ == 1) {
        if (considered_ == heads_) return;
        considered_ = climbed_ = heads_;
    } else {
        if (!is_first || relaxations_ % steps_between_searches != 1) return;
        DecodeOptions options{options_->solver, options_->single_root, Strategy::automatic, 100,
                              options_->memory_limit};
        options.max_nanoseconds = 1e7;
        options.must_find = false;
        const Outcome found = decoder_.decode(ArcScores<double>(table_.data(), words_), options);
        if (found.heads.empty()) return;
        climbed_ = found.heads;
    }
    double score = parts::PartTable::possible(climb_.score(climbed_));
    if (score <= best_of_trees_ && !is_first) return;
    best_of_trees_ = std::max(best_of_trees_, score);
    score = parts::PartTable::possible(climb_.climb(
        climbed_, [&](std::span<const int> heads) { return membership_.settle(heads, options_->solver) == 1; }));
    if (score > best_.score) best_.score = score, best_.heads = climbed_;
}

// How many copies of arcs differ from y.
int PartsDecoder::disagreement() {
    int differ = 0;
    for (int arc = 0; arc < arcs().size(); ++arc) {
        const bool child = parts().is_scored(arcs().head(arc)) && is_child_[arc] != in_tree_[arc];
        const bool head = parts().sees_head(arcs().dependent(arc)) && is_head_[arc] != in_tree_[arc];
        conflict_[arc] = 0.9 * conflict_[arc] + child + head;
        differ += child + head;
    }
    return differ;
}

void PartsDecoder::step(double size) {
    for (int arc = 0; arc < arcs().size(); ++arc) {
        if (!is_left_[arc]) continue;
        const int h = arcs().head(arc), d = arcs().dependent(arc);
        double change = 0;
        if (parts().is_scored(h) && is_child_[arc] != in_tree_[arc]) {
            const double by = is_child_[arc] ? size : -size;
            child_price_[arc] += by;
            relief_[h] += std::max(0.0, -by);
            change += by;
            make_stale(h);
        }
        if (parts().sees_head(d) && is_head_[arc] != in_tree_[arc]) {
            const double by = is_head_[arc] ? size : -size;
            head_price_[arc] += by;
            change += by;
            are_heads_stale_[d] = true;
            is_weighed_[d] = false;
        }
        if (change != 0) table_[static_cast<std::size_t>(h) * (words_ + 1) + d] += change;
    }
}

// Finds what is lost at least by a tree with each arc, and drops those that cannot be in a better tree than the best
// known one. y and z are up to date.
bool PartsDecoder::fix() {
    arc_bounds_.arc_bounds(ArcScores<double>(table_.data(), words_), options_->single_root, bounds_);
    for (int h = 0; h <= words_; ++h)
        if (parts().is_scored(h) && !is_weighed_[h] && is_open(h)) weigh(h);
    bool drops = false;
    for (int arc = 0; arc < arcs().size(); ++arc) {
        if (!is_left_[arc] || is_required_[arc]) continue;
        const int h = arcs().head(arc), d = arcs().dependent(arc);
        double loss = std::max(0.0, tree_value_ - bounds_[static_cast<std::size_t>(h) * (words_ + 1) + d]);
        if (parts().is_scored(h)) loss += std::max(0.0, family_value_[h] - with_child_[arc]);
        if (parts().sees_head(d)) loss += std::max(0.0, family_value_[d] - with_head_[arc]);
        loss_[arc] = loss;
        if (value_ - loss > enough()) continue;
        drop(arc);
        drops = true;
    }
    return drops;
}

// Whether anything about the family of h is left to settle.
bool PartsDecoder::is_open(int h) const {
    if (heads_left_[h] > 1) return true;
    for (int arc = arcs().begin(h); arc < arcs().end(h); ++arc)
        if (is_left_[arc] && !is_required_[arc]) return true;
    return false;
}
// Finds the best value of the family of h with each child, and under each head. Heads under which nothing better than the
// best known tree is possible are left out; they are dropped.
void PartsDecoder::weigh(int h) {
    is_weighed_[h] = true;
    std::fill(with_child_.begin() + arcs().begin(h), with_child_.begin() + arcs().end(h), lowest);
    const auto weigh_children = [&](int above, double price) {
        if (automaton_.best(h, above, child_price_.data()) > lowest)
            automaton_.with_each_child(price, with_child_.data());
    };
    read_ = {};
    if (!parts().sees_head(h)) return weigh_children(none, 0);
    double least = infinity;  // the price of a head that makes no difference
    for (const int above : arcs().into(h)) {
        if (!is_left_[above]) continue;
        FamilyValue& under = value_under(h, above);
        with_head_[above] = at_most(h, under) - head_price_[above];
        if (is_hopeless(above)) continue;
        with_head_[above] = exact(h, above, under) - head_price_[above];
        if (is_hopeless(above)) continue;
        if (parts().is_own(above))
            weigh_children(above, head_price_[above]);
        else
            least = std::min(least, head_price_[above]);
    }
    if (least < infinity) weigh_children(none, least);
    read_ = {};
}
// Whether the spanning trees, and the family of its dependent, alone tell that an arc is in no better tree.
bool PartsDecoder::is_hopeless(int arc) const {
    const int h = arcs().head(arc), d = arcs().dependent(arc);
    const double in_trees = tree_value_ - bounds_[static_cast<std::size_t>(h) * (words_ + 1) + d];
    return value_ - std::max(0.0, in_trees) - std::max(0.0, family_value_[d] - with_head_[arc]) <= enough();
}

void PartsDecoder::branch(const Node& node) {
    branches_at_ = branches_.size();
    if (membership_of_tree_ == 0) return branch_on_violation(node);
    int most = none;
    for (int arc = 0; arc < arcs().size(); ++arc)
        if (is_left_[arc] && !is_required_[arc] && (most == none || conflict_[arc] > conflict_[most])) most = arc;
    if (most == none) return;  // one tree is left, and it was considered
    branches_.push_back({arcs().head(most), arcs().dependent(most)});
    add_children(node, false);
}
// The regret of an arc is what the next best arc into its dependent loses.
void PartsDecoder::branch_on_violation(const Node& node) {
    uses_class_ = true;
    const auto& violation = choice_.choose(heads_, options_->solver, [&](const Arc& sought) {
        double least = infinity;
        for (const int arc : arcs().into(sought.dependent))
            if (arcs().head(arc) != sought.head && is_left_[arc]) least = std::min(least, loss_[arc]);
        return least;
    });
    for (const auto& [regret, arc] : violation) branches_.push_back(arc);
    if (!violation.empty()) add_children(node, true);
}
// Child i requires the arcs before the i-th and forbids that; without a violation, one child requires all.
void PartsDecoder::add_children(const Node& node, bool is_violation) {
    const int state = keep_state();
    const auto count = static_cast<int>(branches_.size() - branches_at_);
    for (int i = 0; i < count; ++i) add({node.bound, state, branches_at_, i, true});
    if (!is_violation) add({node.bound, state, branches_at_, count, false});
    states_[state].users = count + !is_violation;
}

}  // namespace nonproj
