#include "nonproj/decode/search/search.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "nonproj/decode/search/innermost.hpp"
#include "nonproj/decode/search/limits.hpp"
#include "nonproj/error.hpp"
#include "nonproj/memory.hpp"

namespace nonproj {

namespace {

constexpr int first_steps = 200;  // before the kernel is worth a new start
constexpr double margin = 1.5;    // what a chart may take more than foreseen

// The trees of a chart, as RelaxAndCheck asks for them.
class ChartTrees {
  public:
    explicit ChartTrees(const ClassSolver& solver) : solver_(&solver) {}

    double solve(const ArcScores<double>& scores, bool single_root, std::span<int> heads) const {
        const DecodedTree best = solver_->chart()->best(scores, solver_->rule().k, single_root);
        std::copy(best.heads.begin(), best.heads.end(), heads.begin());
        return best.score;
    }
    // A chart tells nothing about what the best tree loses without one of its arcs.
    double regret(int, int) const { return 0; }

  private:
    const ClassSolver* solver_;
};

std::string in_seconds(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", seconds);
    return text;
}

}  // namespace

void Search::adopt(const ArcScores<double>& scores, const DecodeOptions& options) {
    options_ = &options;
    scores_ = scores;
    heads_.resize(scores.words());
    end_ = Deadline::after(options.time_limit);
    reserved_ = 0;
}

int Search::work_limit() const { return work_limit_of(*options_); }

double Search::nanoseconds_left() const {
    if (end_ == Deadline::never) return options_->max_nanoseconds;
    const double left = std::chrono::duration<double, std::nano>(end_ - Clock::now()).count();
    return std::min(left, options_->max_nanoseconds);
}

ChartPlan Search::plan(int words) const {
    return {options_->solver.rule(), words, {options_->memory_limit, nanoseconds_left(), end_ != Deadline::never}};
}
bool Search::may_chart(int words) const {
    const ClassChart* const chart = options_->solver.chart();
    const ClassRule& rule = options_->solver.rule();
    return options_->strategy != Strategy::relax && chart != nullptr && rule.k <= chart->max_k &&
           chart->bytes(words, rule.k) <= options_->memory_limit &&
           chart->nanoseconds(words, rule.k) <= nanoseconds_left();
}

void Search::must_fit(int words) const {
    const ClassSolver& solver = options_->solver;
    if (solver.chart() == nullptr) throw Error(solver.name() + " has no chart: use strategy 'auto' or 'relax'");
    const std::string chart = "the chart of " + solver.name() + " for " + std::to_string(words) + " words ";
    const double bytes = solver.chart()->bytes(words, solver.rule().k);
    if (bytes > options_->memory_limit)
        throw Error(chart + "needs about " + mebibytes(bytes) + ", more than memory_limit (" +
                    mebibytes(options_->memory_limit) + "): raise it, or use strategy 'auto' or 'relax'");
    const double seconds = solver.chart()->nanoseconds(words, solver.rule().k) / 1e9;
    if (seconds > options_->time_limit)
        throw Error(chart + "takes about " + in_seconds(seconds) + ", more than time_limit (" +
                    in_seconds(options_->time_limit) + "): raise it, or use strategy 'auto' or 'relax'");
}

double Search::nanoseconds_of_a_step(int words) const {
    return 400 + 2.5 * words * words + options_->solver.row().step_nanoseconds(words);
}
// How many steps of relax and check take as long as the chart.
double Search::steps_of_chart(int words) const {
    const ClassSolver& solver = options_->solver;
    return solver.chart()->nanoseconds(words, solver.rule().k) / nanoseconds_of_a_step(words);
}
// How many to take before the chart: those of half its time.
int Search::patience(int words) const {
    if (!may_chart(words)) return work_limit();
    return static_cast<int>(std::clamp(steps_of_chart(words) / 2, 1.0, 1.0 * work_limit()));
}
// A kernel costs about as many steps as there are words, for a good tree of the class and the bounds of all arcs.
bool Search::is_worth_a_kernel(int words) const { return !may_chart(words) || steps_of_chart(words) > 8.0 * words; }

// Half the time of the charts of other classes.
int Search::patience_before(const std::vector<PlannedChart>& charts, int words) const {
    double nanoseconds = 0;
    for (const PlannedChart& chart : charts) nanoseconds += chart.nanoseconds;
    return static_cast<int>(std::min(1e9, 1 + nanoseconds / 2 / nanoseconds_of_a_step(words)));
}
// A quarter of the time that is left, for what others are to follow; less where charts need more than the rest.
Search::Clock::time_point Search::end_of_share() const {
    if (end_ == Deadline::never) return end_;
    const auto now = Clock::now();
    const double left = std::chrono::duration<double, std::nano>(end_ - now).count();
    const std::chrono::duration<double, std::nano> share(std::max(0.0, std::min(left / 4, left - reserved_)));
    return now + std::chrono::duration_cast<Clock::duration>(share);
}
void Search::reserve(const std::vector<PlannedChart>& charts) {
    reserved_ = 0;
    for (const PlannedChart& chart : charts) reserved_ += chart.nanoseconds;
}
// The same, and early enough for the chart to follow.
Search::Clock::time_point Search::end_before_chart(int words) const {
    if (end_ == Deadline::never) return end_;
    const ClassSolver& solver = options_->solver;
    const std::chrono::duration<double, std::nano> chart(margin * solver.chart()->nanoseconds(words, solver.rule().k));
    return std::min(end_of_share(), end_ - std::chrono::duration_cast<Clock::duration>(chart));
}
// Whether the chart will leave most of the time over, even if it takes longer than foreseen.
bool Search::is_safe(int words) const {
    const ClassSolver& solver = options_->solver;
    return end_ == Deadline::never || 4 * solver.chart()->nanoseconds(words, solver.rule().k) <= nanoseconds_left();
}

std::optional<DecodedTree> Search::solve(const ClassRule& rule, const ArcScores<double>& scores) const {
    const ClassChart& chart = *row_of(rule).chart;
    try {
        if (end_ == Deadline::never) return chart.best(scores, rule.k, options_->single_root);
        const Deadline deadline(end_);
        return chart.best(scores, rule.k, options_->single_root);
    } catch (const Deadline::Passed&) {
        return std::nullopt;
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("there is not enough memory for the chart of " + class_name(rule) + " for " +
                          std::to_string(scores.words()) + " words, about " +
                          mebibytes(chart.bytes(scores.words(), rule.k)) + ": set memory_limit below that");
    }
}

Outcome Search::by_chart(const ArcScores<double>& scores, const DecodeOptions& options) {
    adopt(scores, options);
    must_fit(scores.words());
    std::optional<DecodedTree> tree = solve(options.solver.rule(), scores);
    if (!tree)
        throw Error("the chart of " + options.solver.name() + " for " + std::to_string(scores.words()) +
                    " words was not done within time_limit (" + in_seconds(options.time_limit) +
                    "): raise it, or use strategy 'auto' or 'relax'");
    return chart_outcome(std::move(*tree), 0);
}

Outcome Search::beyond_spanning(const ArcScores<double>& scores, const DecodeOptions& options) {
    adopt(scores, options);
    const int words = scores.words(), limit = patience(words);
    if (limit == 1 && may_chart(words))
        if (std::optional<DecodedTree> tree = solve(options.solver.rule(), scores))
            return chart_outcome(std::move(*tree), 1);
    relax_.start(scores, options.solver, options.single_root, options.memory_limit, options.must_exceed);
    const Status status = relax_.next(std::min(limit, first_steps), end_of_share());
    if (status == Status::no_more) return {.bound = options.must_exceed, .relaxations = relax_.relaxations()};
    if (status == Status::found) return found();
    if (!is_worth_a_kernel(words))
        if (std::optional<DecodedTree> tree = solve(options.solver.rule(), scores))
            return chart_outcome(std::move(*tree), relax_.relaxations());
    return search_kernel();
}

Outcome Search::search_kernel() {
    const ClassSolver& solver = options_->solver;
    double bound = relax_.bound();
    reserve(plan(scores_.words()).charts());
    Outcome best = good_tree();
    if (!may_chart(scores_.words()) || !is_safe(scores_.words())) climb(best);
    // A second round begins when classes within have given a better tree.
    for (bool is_last_round = false;; is_last_round = true) {
        if (!assign_kernel(std::max(best.score, options_->must_exceed))) break;
        const ArcScores<double> rest = kernel_.scores();
        const int words = rest.words(), work_left = std::max(0, work_limit() - best.relaxations);
        const bool has_chart = may_chart(words);
        // Those classes come first where the chart may take most of the time that is left, and fail.
        std::vector<PlannedChart> within;
        reserved_ = 0;
        if (!is_last_round && !(has_chart && is_safe(words)) && options_->strategy != Strategy::relax) {
            within = plan(words).charts();
            reserve(within);
            std::erase_if(within, [&](const PlannedChart& chart) { return chart.rule == solver.rule(); });
        }

        relax_.start(rest, solver, options_->single_root, options_->memory_limit,
                     options_->must_exceed - kernel_.left_out());
        const int limit = within.empty() ? patience(words) : patience_before(within, words);
        const Status status = relax_.next(std::min(work_left, limit), !within.empty() ? end_of_share()
                                                                      : has_chart     ? end_before_chart(words)
                                                                                      : end_);
        best.relaxations += relax_.relaxations();
        if (status == Status::no_more || status == Status::found) {
            if (status == Status::found) improve(best, relax_.heads());
            return proven(std::move(best));
        }
        bound = std::min(bound, std::max(best.score, relax_.bound() + kernel_.left_out()));
        if (within.empty() && has_chart) {
            if (const auto tree = solve(solver.rule(), rest)) {
                if (!tree->heads.empty()) improve(best, tree->heads);
                best.road = Road::chart;
                return proven(std::move(best));
            }
        }
        if (work_left > 0 && relax_.plunge(relax_.relaxations() + scores_.words(), end_of_share()))
            if (improve(best, relax_.heads())) best.best_of.clear();
        if (within.empty()) break;
        Outcome inner = solve_within(within, rest);
        climb_through_classes(inner);
        if (inner.score > best.score) {
            inner.relaxations = best.relaxations;
            best = std::move(inner);
        }
    }
    best.bound = std::max(best.score, bound);
    if (best.is_optimal()) best.best_of.clear();
    if (best.heads.empty() && options_->must_find)
        throw Error("no " + solver.name() + " tree was found by solving " + std::to_string(best.relaxations) +
                    " spanning trees, nor is it proven that there is none: raise work_limit or time_limit");
    return best;
}

// False when time is over before.
bool Search::assign_kernel(double known_score) {
    if (Deadline::is_past(end_)) return false;
    try {
        const Deadline deadline(end_);
        kernel_.assign(scores_, options_->single_root, known_score, options_->solver.row().ignores_close_leaves);
        return true;
    } catch (const Deadline::Passed&) {
        return false;
    }
}

// The best trees of classes within, from the cheapest chart on. One that can no longer be done in time is left out.
Outcome Search::solve_within(const std::vector<PlannedChart>& charts, const ArcScores<double>& rest) {
    Outcome best;
    for (const PlannedChart& chart : charts) {
        reserved_ -= chart.nanoseconds;
        if (end_ != Deadline::never && chart.nanoseconds > margin * nanoseconds_left()) continue;
        const auto tree = solve(chart.rule, rest);
        if (tree && !tree->heads.empty() && improve(best, tree->heads))
            best.best_of = class_name(chart.rule), best.road = Road::chart;
    }
    return best;
}

Outcome Search::proven(Outcome best) const {
    best.bound = std::max(best.score, options_->must_exceed);
    best.best_of.clear();
    if (best.road == Road::climb) best.road = Road::relax;
    return best;
}

// Takes the tree of the kernel if it is better, or the first; says whether it did.
bool Search::improve(Outcome& best, std::span<const int> kernel_heads) {
    kernel_.expand(kernel_heads, heads_);
    const double score = total(heads_);
    if (!best.heads.empty() && score <= best.score) return false;
    best.score = score;
    best.heads = heads_;
    return true;
}

// Within the class; where that gains, the tree is no longer the best of a class within.
void Search::climb(Outcome& best) {
    if (!best.heads.empty()) climb_within(options_->solver, best);
}
void Search::climb_within(const ClassSolver& solver, Outcome& best) {
    const double gained =
        climb_.climb(scores_, solver, options_->single_root, best.heads, end_of_share(), work_limit());
    if (gained == 0) return;
    best.score = total(best.heads);
    best.best_of.clear();
    best.road = Road::climb;
}
// From the best tree of a class within: first in each class between that one and the one asked for, from the smallest on.
// So the tree is hardly ever worse than what is climbed to when one of those is asked for.
void Search::climb_through_classes(Outcome& best) {
    if (best.heads.empty()) return;
    std::vector<ClassRule> classes{options_->solver.rule()};
    for (std::size_t i = 0; i < classes.size(); ++i)
        for (const ClassRule& inner : row_of(classes[i]).within(classes[i]))
            if (std::find(classes.begin(), classes.end(), inner) == classes.end()) classes.push_back(inner);
    for (std::size_t i = classes.size(); --i > 0;) {
        const ClassSolver solver(class_name(classes[i]), classes[i]);
        if (solver.name() != best.best_of && climb_.holds(solver, best.heads)) climb_within(solver, best);
    }
    climb(best);
}

// A tree of the class to measure others by, if one is easily found: by diving, and the best projective one, or another
// where that takes too long.
Outcome Search::good_tree() {
    Outcome good;
    const int words = scores_.words();
    if (relax_.plunge(relax_.relaxations() + words + 16, end_of_share())) good = found();
    good.relaxations = relax_.relaxations();
    const ClassRule rule = innermost_within(options_->solver.rule());
    if (rule == options_->solver.rule()) {
        if (!may_chart(words) || !is_safe(words)) offer_lift(good);
        return good;
    }
    const ClassChart& chart = *row_of(rule).chart;
    std::optional<DecodedTree> tree;
    if (chart.bytes(words, rule.k) <= options_->memory_limit && chart.nanoseconds(words, rule.k) <= nanoseconds_left())
        tree = solve(rule, scores_);
    if (!tree)
        offer_lift(good);
    else if (tree->score > good.score)
        good.score = tree->score, good.heads = tree->heads, good.best_of = class_name(rule);
    return good;
}

// Takes the best spanning tree, lifted until it is projective, if that is in the class and better.
void Search::offer_lift(Outcome& good) {
    spanning_trees_.solve(scores_, options_->single_root, heads_);
    lift_.lift(heads_);
    const double score = total(heads_);
    if (score <= good.score || !climb_.holds(options_->solver, heads_)) return;
    good.score = score;
    good.heads = heads_;
    good.road = Road::climb;
}

Outcome Search::found() const {
    const auto heads = relax_.heads();
    return {relax_.score(), relax_.score(), Road::relax, relax_.relaxations(), {heads.begin(), heads.end()}, {}};
}

Outcome Search::chart_outcome(DecodedTree tree, int relaxations) const {
    if (tree.score == minus_infinity<double>) return {};
    return {tree.score, tree.score, Road::chart, relaxations, std::move(tree.heads), {}};
}

std::vector<Outcome> Search::k_best(const ArcScores<double>& scores, std::size_t count, const DecodeOptions& options) {
    adopt(scores, options);
    const ClassSolver& solver = options.solver;
    const bool is_spanning = solver.holds_every_tree();
    std::vector<Outcome> trees;
    if (options.strategy != Strategy::chart || is_spanning) {
        relax_.start(scores, solver, options.single_root, options.memory_limit);
        const double each = patience(scores.words());
        const double all = options.work_limit > 0 ? options.work_limit : std::min(1e9, each * count);
        if (list(relax_, count, static_cast<int>(all), end_, is_spanning ? Road::spanning : Road::relax, trees))
            return trees;
        if (!may_chart(scores.words())) give_up(trees.size(), count);
    }
    must_fit(scores.words());
    const ClassSolver every_tree;
    RelaxAndCheck<ChartTrees> charts{ChartTrees(solver)};
    charts.start(scores, every_tree, options.single_root, options.memory_limit);
    try {
        const Deadline deadline(end_);
        if (list(charts, count, std::numeric_limits<int>::max(), end_, Road::chart, trees)) return trees;
    } catch (const Deadline::Passed&) {
    }
    give_up(trees.size(), count);
}

// Lists the next best trees until there are `count` or no more. False when the search had to stop before.
template <class Next>
bool Search::list(Next& search, std::size_t count, int limit, Clock::time_point end, Road road,
                  std::vector<Outcome>& trees) {
    trees.clear();
    while (trees.size() < count) {
        const Status status = search.next(limit, end);
        if (status != Status::found) return status == Status::no_more;
        const auto heads = search.heads();
        trees.push_back({search.score(), search.score(), road, search.relaxations(), {heads.begin(), heads.end()}, {}});
    }
    return true;
}

void Search::give_up(std::size_t proven, std::size_t count) {
    throw Error("only " + std::to_string(proven) + " of the " + std::to_string(count) +
                " best trees could be proven within the limits: raise work_limit, time_limit or memory_limit");
}

double Search::total(std::span<const int> heads) const {
    double sum = 0;
    for (int d = 1; d <= scores_.words(); ++d) sum += scores_(heads[d - 1], d);
    return sum;
}

}  // namespace nonproj
