#include "nonproj/decode/search/search.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "nonproj/error.hpp"

namespace nonproj {

namespace {

constexpr int default_work_limit = 10'000;
constexpr int first_steps = 200;  // before the kernel is worth a new start

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

std::string mebibytes(double bytes) { return std::to_string(static_cast<long long>(bytes / 1048576)) + " MiB"; }

}  // namespace

void Search::adopt(const ArcScores<double>& scores, const DecodeOptions& options) {
    options_ = &options;
    scores_ = scores;
    heads_.resize(scores.words());
}

int Search::work_limit() const { return options_->work_limit > 0 ? options_->work_limit : default_work_limit; }

bool Search::may_chart(int words) const {
    const ClassChart* chart = options_->solver.chart();
    const int k = options_->solver.rule().k;
    return options_->strategy != Strategy::relax && chart != nullptr &&
           chart->bytes(words, k) <= options_->memory_limit &&
           chart->nanoseconds(words, k) <= options_->max_nanoseconds;
}

void Search::must_fit(int words) const {
    const ClassSolver& solver = options_->solver;
    if (solver.chart() == nullptr) throw Error(solver.name() + " has no chart: use strategy 'auto' or 'relax'");
    const double bytes = solver.chart()->bytes(words, solver.rule().k);
    if (bytes <= options_->memory_limit) return;
    throw Error("the chart of " + solver.name() + " for " + std::to_string(words) + " words needs about " +
                mebibytes(bytes) + ", more than memory_limit (" + mebibytes(options_->memory_limit) +
                "): raise it, or use strategy 'auto' or 'relax'");
}

// How many steps of relax and check take as long as the chart.
double Search::steps_of_chart(int words) const {
    const ClassSolver& solver = options_->solver;
    const double step = 5000 + 20.0 * words * words + solver.row().step_nanoseconds(words);
    return solver.chart()->nanoseconds(words, solver.rule().k) / step;
}
// How many to take before the chart: those of half its time.
int Search::patience(int words) const {
    if (!may_chart(words)) return work_limit();
    return static_cast<int>(std::clamp(steps_of_chart(words) / 2, 1.0, 1.0 * work_limit()));
}
// A kernel costs about as many steps as there are words, for a good tree of the class and the bounds of all arcs.
bool Search::is_worth_a_kernel(int words) const { return !may_chart(words) || steps_of_chart(words) > 8.0 * words; }

Outcome Search::by_chart(const ArcScores<double>& scores, const DecodeOptions& options) {
    adopt(scores, options);
    must_fit(scores.words());
    return chart_outcome(0);
}

Outcome Search::beyond_spanning(const ArcScores<double>& scores, const DecodeOptions& options) {
    adopt(scores, options);
    const int words = scores.words(), limit = patience(words);
    if (limit == 1 && may_chart(words)) return chart_outcome(1);
    relax_.start(scores, options.solver, options.single_root, options.memory_limit);
    const Status status = relax_.next(std::min(limit, first_steps));
    if (status == Status::no_more) return {};
    if (status == Status::found) return found();
    if (is_worth_a_kernel(words)) return search_kernel();
    return chart_outcome(relax_.relaxations());
}

Outcome Search::search_kernel() {
    const ClassSolver& solver = options_->solver;
    const double first_bound = relax_.bound();
    Outcome best = good_tree();
    kernel_.assign(scores_, options_->single_root, best.score, solver.row().ignores_close_leaves);
    const ArcScores<double> rest = kernel_.scores();
    const int work_left = std::max(0, work_limit() - best.relaxations);
    relax_.start(rest, solver, options_->single_root, options_->memory_limit);
    const Status status = relax_.next(std::min(work_left, patience(rest.words())));
    best.relaxations += relax_.relaxations();
    if (status == Status::no_more) {
        best.bound = best.score;
    } else if (status == Status::found) {
        improve(best, relax_.heads());
        best.bound = best.score;
    } else if (may_chart(rest.words())) {
        const DecodedTree tree = solver.chart()->best(rest, solver.rule().k, options_->single_root);
        if (!tree.heads.empty()) improve(best, tree.heads);
        best.bound = best.score;
        best.road = Road::chart;
    } else {
        best.bound = std::max(best.score, std::min(first_bound, relax_.bound()));
        if (work_left > 0 && relax_.plunge(relax_.relaxations() + scores_.words())) improve(best, relax_.heads());
        if (best.heads.empty() && options_->must_find)
            throw Error("no " + solver.name() + " tree was found by solving " + std::to_string(best.relaxations) +
                        " spanning trees, nor is it proven that there is none: raise work_limit");
    }
    return best;
}

// Takes the tree of the kernel if it is better.
void Search::improve(Outcome& best, std::span<const int> kernel_heads) {
    kernel_.expand(kernel_heads, heads_);
    const double score = total(heads_);
    if (score >= best.score) best.score = score, best.heads = heads_;
}

// A tree of the class to measure others by, if one is easily found.
Outcome Search::good_tree() {
    Outcome good;
    const int words = scores_.words();
    if (relax_.plunge(relax_.relaxations() + words + 16)) good = found();
    good.relaxations = relax_.relaxations();
    for (const ClassRule& rule : options_->solver.row().within) {
        const ClassChart& inner = *row_of(rule).chart;
        const bool is_last = &rule == &options_->solver.row().within.back();
        if (inner.bytes(words, rule.k) > options_->memory_limit) continue;
        if (!is_last && inner.nanoseconds(words, rule.k) > options_->max_nanoseconds) continue;
        if (!is_last && options_->strategy == Strategy::relax) continue;
        const DecodedTree tree = inner.best(scores_, rule.k, options_->single_root);
        if (tree.score > good.score) good.score = tree.score, good.heads = tree.heads;
        break;
    }
    return good;
}

Outcome Search::found() const {
    const auto heads = relax_.heads();
    return {relax_.score(), relax_.score(), Road::relax, relax_.relaxations(), {heads.begin(), heads.end()}};
}

Outcome Search::chart_outcome(int relaxations) {
    const ClassSolver& solver = options_->solver;
    DecodedTree tree = solver.chart()->best(scores_, solver.rule().k, options_->single_root);
    if (tree.score == minus_infinity<double>) return {};
    return {tree.score, tree.score, Road::chart, relaxations, std::move(tree.heads)};
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
        if (list(relax_, count, static_cast<int>(all), is_spanning ? Road::spanning : Road::relax, trees)) return trees;
        if (!may_chart(scores.words())) give_up(trees.size(), count);
    }
    must_fit(scores.words());
    const ClassSolver every_tree;
    RelaxAndCheck<ChartTrees> charts{ChartTrees(solver)};
    charts.start(scores, every_tree, options.single_root, options.memory_limit);
    if (!list(charts, count, std::numeric_limits<int>::max(), Road::chart, trees)) give_up(trees.size(), count);
    return trees;
}

// Lists the next best trees until there are `count` or no more. False when the search had to stop before.
template <class Next>
bool Search::list(Next& search, std::size_t count, int limit, Road road, std::vector<Outcome>& trees) {
    trees.clear();
    while (trees.size() < count) {
        const Status status = search.next(limit);
        if (status != Status::found) return status == Status::no_more;
        const auto heads = search.heads();
        trees.push_back({search.score(), search.score(), road, search.relaxations(), {heads.begin(), heads.end()}});
    }
    return true;
}

void Search::give_up(std::size_t proven, std::size_t count) {
    throw Error("only " + std::to_string(proven) + " of the " + std::to_string(count) +
                " best trees could be proven within the limits: raise work_limit or memory_limit");
}

double Search::total(std::span<const int> heads) const {
    double sum = 0;
    for (int d = 1; d <= scores_.words(); ++d) sum += scores_(heads[d - 1], d);
    return sum;
}

}  // namespace nonproj
