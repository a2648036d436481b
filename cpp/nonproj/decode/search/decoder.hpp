// The best tree of a class by whichever road is shorter: relax and check, or the class's chart.
//
//   1. The best spanning tree. With a trained model's scores it is nearly always in the class, and then the answer.
//   2. Relax and check, for about half as long as the chart would take.
//   3. The kernel of the sentence, from a good tree of the class; there again relax and check.
//   4. The chart, on the kernel.
// Without a chart, or when it needs too much memory, step 3 goes on to the work limit; what is best then is returned
// with the bound that was reached.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/search/class_chart.hpp"
#include "nonproj/decode/search/kernel.hpp"
#include "nonproj/decode/search/membership.hpp"
#include "nonproj/decode/search/relax_and_check.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

enum class Strategy { automatic, relax, chart };
enum class Road { spanning, relax, chart };  // the one that led to the answer

struct DecodeOptions {
    std::string class_name;
    ClassRule rule;
    bool single_root = false;
    Strategy strategy = Strategy::automatic;
    int work_limit = 0;  // spanning trees to solve at most; 0 leaves it to the decoder
    double memory_limit = 2147483648.0;
    double max_nanoseconds = std::numeric_limits<double>::infinity();  // of a chart by `auto`
    bool must_find = true;  // to reach the work limit without any tree is an error; else the outcome has none
};

struct Outcome {
    double score = minus_infinity<double>;  // -inf, and no heads, when the class holds no tree
    double bound = minus_infinity<double>;  // no tree of the class scores more
    Road road = Road::relax;
    int relaxations = 0;
    std::vector<int> heads;

    bool is_optimal() const { return bound <= score; }
};

// A workspace: nothing is allocated, besides the answer, while the best spanning tree is in the class.
template <class Real>
class Decoder {
  public:
    Outcome decode(const ArcScores<Real>& scores, const DecodeOptions& options) {
        adopt(options);
        if (options.strategy == Strategy::chart && !is_spanning()) {
            const ClassChart chart(rule_);
            must_fit(chart, scores.words());
            return by_chart(chart, widened(scores), 0);
        }
        heads_.resize(scores.words());
        const double score = spanning_trees_.solve(scores, options.single_root, heads_);
        if (score == minus_infinity<double>) return {};
        if (membership_.settle(heads_, rule_) == 1)
            return {score, score, is_spanning() ? Road::spanning : Road::relax, 1, heads_};
        return search(widened(scores));
    }

    // The best trees, best first: `count` of them, or fewer when the class holds no more.
    std::vector<Outcome> k_best(const ArcScores<Real>& scores, std::size_t count, const DecodeOptions& options) {
        adopt(options);
        const ClassChart chart(rule_);
        const ArcScores<double> wide = widened(scores);
        const bool may_fall_back = may_chart(chart, wide.words());
        std::vector<Outcome> trees;
        if (options.strategy != Strategy::chart || is_spanning()) {
            relax_.start(wide, rule_, options.single_root, options.memory_limit);
            const double each = patience(chart, wide.words());
            const double all = options.work_limit > 0 ? options.work_limit : std::min(1e9, each * count);
            if (list(relax_, count, static_cast<int>(all), is_spanning() ? Road::spanning : Road::relax, trees))
                return trees;
            if (!may_fall_back) give_up(trees.size(), count);
        }
        must_fit(chart, wide.words());
        RelaxAndCheck<ClassChart> charts(chart);
        charts.start(wide, ClassRule{Family::spanning}, options.single_root, options.memory_limit);
        if (!list(charts, count, std::numeric_limits<int>::max(), Road::chart, trees)) give_up(trees.size(), count);
        return trees;
    }

  private:
    using Status = RelaxStatus;
    static constexpr int default_work_limit = 10'000;
    static constexpr int first_steps = 200;  // before the kernel is worth a new start

    void adopt(const DecodeOptions& options) {
        options_ = &options;
        rule_ = simplest(options.rule);
    }
    bool is_spanning() const { return rule_.family == Family::spanning; }
    int work_limit() const { return options_->work_limit > 0 ? options_->work_limit : default_work_limit; }

    ArcScores<double> widened(const ArcScores<Real>& scores) {
        const std::size_t width = static_cast<std::size_t>(scores.words()) + 1;
        wide_.assign(scores.data(), scores.data() + width * width);
        return {wide_.data(), scores.words()};
    }

    bool may_chart(const ClassChart& chart, int words) const {
        return options_->strategy != Strategy::relax && chart.exists() &&
               chart.bytes(words) <= options_->memory_limit && chart.nanoseconds(words) <= options_->max_nanoseconds;
    }
    void must_fit(const ClassChart& chart, int words) const {
        if (!chart.exists()) throw Error(options_->class_name + " has no chart: use strategy 'auto' or 'relax'");
        if (chart.bytes(words) <= options_->memory_limit) return;
        const auto mebibytes = [](double bytes) { return std::to_string(static_cast<long long>(bytes / 1048576)); };
        throw Error("the chart of " + options_->class_name + " for " + std::to_string(words) + " words needs about " +
                    mebibytes(chart.bytes(words)) + " MiB, more than memory_limit (" +
                    mebibytes(options_->memory_limit) + " MiB): raise it, or use strategy 'auto' or 'relax'");
    }

    // How many steps of relax and check take as long as the chart; for MH_k a step costs as many membership tests as
    // there are words.
    double steps_of(const ClassChart& chart, int words) const {
        const double n = words, obstruction = rule_.family == Family::multi_headed ? 4 * n * n * n : 0;
        return chart.nanoseconds(words) / (5000 + 20 * n * n + obstruction);
    }
    // How many to take before the chart: those of half its time.
    int patience(const ClassChart& chart, int words) const {
        if (!may_chart(chart, words)) return work_limit();
        return static_cast<int>(std::clamp(steps_of(chart, words) / 2, 1.0, 1.0 * work_limit()));
    }
    // A kernel costs about as many steps as there are words, for a good tree of the class and the bounds of all arcs.
    bool is_worth_a_kernel(const ClassChart& chart, int words) const {
        return !may_chart(chart, words) || steps_of(chart, words) > 8.0 * words;
    }

    // The best spanning tree is known to be outside.
    Outcome search(const ArcScores<double>& scores) {
        const ClassChart chart(rule_);
        const int limit = patience(chart, scores.words());
        if (limit == 1 && may_chart(chart, scores.words())) return by_chart(chart, scores, 1);
        relax_.start(scores, rule_, options_->single_root, options_->memory_limit);
        const Status status = relax_.next(std::min(limit, first_steps));
        if (status == Status::no_more) return {};
        if (status == Status::found) return found();
        if (is_worth_a_kernel(chart, scores.words())) return search_kernel(chart, scores);
        return by_chart(chart, scores, relax_.relaxations());
    }

    Outcome search_kernel(const ClassChart& chart, const ArcScores<double>& scores) {
        const double first_bound = relax_.bound();
        Outcome best = good_tree(scores);
        kernel_.assign(scores, options_->single_root, best.score);
        const ArcScores<double> rest = kernel_.scores();
        const int work_left = std::max(0, work_limit() - best.relaxations);
        relax_.start(rest, rule_, options_->single_root, options_->memory_limit);
        const Status status = relax_.next(std::min(work_left, patience(chart, rest.words())));
        best.relaxations += relax_.relaxations();
        if (status == Status::no_more) {
            best.bound = best.score;
        } else if (status == Status::found) {
            improve(best, relax_.heads());
            best.bound = best.score;
        } else if (may_chart(chart, rest.words())) {
            kernel_heads_.resize(rest.words());
            if (chart.solve(rest, options_->single_root, kernel_heads_) > minus_infinity<double>)
                improve(best, kernel_heads_);
            best.bound = best.score;
            best.road = Road::chart;
        } else {
            best.bound = std::max(best.score, std::min(first_bound, relax_.bound()));
            if (work_left > 0 && relax_.plunge(relax_.relaxations() + scores.words())) improve(best, relax_.heads());
            if (best.heads.empty() && options_->must_find)
                throw Error("no " + options_->class_name + " tree was found by solving " +
                            std::to_string(best.relaxations) +
                            " spanning trees, nor is it proven that there is none: raise work_limit");
        }
        return best;
    }

    // Takes the tree of the kernel if it is better.
    void improve(Outcome& best, std::span<const int> kernel_heads) {
        kernel_.expand(kernel_heads, heads_);
        const double score = total(heads_);
        if (score >= best.score) best.score = score, best.heads = heads_;
    }

    // A tree of the class to measure others by, if one is easily found.
    Outcome good_tree(const ArcScores<double>& scores) {
        Outcome good;
        if (relax_.plunge(relax_.relaxations() + scores.words() + 16)) good = found();
        good.relaxations = relax_.relaxations();
        const int words = scores.words();
        const ClassChart wide(ClassRule{Family::one_endpoint_crossing}), narrow(ClassRule{Family::projective});
        const bool holds_wide = rule_.family == Family::planar && rule_.k >= 2;
        const ClassChart& inner = holds_wide && may_chart(wide, words) ? wide : narrow;
        if (inner.bytes(words) <= options_->memory_limit) {
            const double score = inner.solve(scores, options_->single_root, heads_);
            if (score > good.score) good.score = score, good.heads = heads_;
        }
        return good;
    }

    Outcome found() const {
        const auto heads = relax_.heads();
        return {relax_.score(), relax_.score(), Road::relax, relax_.relaxations(), {heads.begin(), heads.end()}};
    }
    Outcome by_chart(const ClassChart& chart, const ArcScores<double>& scores, int relaxations) {
        heads_.resize(scores.words());
        const double score = chart.solve(scores, options_->single_root, heads_);
        if (score == minus_infinity<double>) return {};
        return {score, score, Road::chart, relaxations, heads_};
    }

    // Lists the next best trees until there are `count` or no more. False when the search had to stop before.
    template <class Search>
    static bool list(Search& search, std::size_t count, int limit, Road road, std::vector<Outcome>& trees) {
        trees.clear();
        while (trees.size() < count) {
            const Status status = search.next(limit);
            if (status != Status::found) return status == Status::no_more;
            const auto heads = search.heads();
            trees.push_back({search.score(), search.score(), road, search.relaxations(), {heads.begin(), heads.end()}});
        }
        return true;
    }
    [[noreturn]] void give_up(std::size_t proven, std::size_t count) const {
        throw Error("only " + std::to_string(proven) + " of the " + std::to_string(count) +
                    " best trees could be proven within the limits: raise work_limit or memory_limit");
    }

    double total(std::span<const int> heads) const {
        const std::size_t width = heads.size() + 1;
        double sum = 0;
        for (std::size_t d = 1; d < width; ++d) sum += wide_[heads[d - 1] * width + d];
        return sum;
    }

    const DecodeOptions* options_ = nullptr;
    ClassRule rule_;
    SpanningTrees<Real> spanning_trees_;
    Membership membership_;
    RelaxAndCheck<> relax_;
    Kernel kernel_;
    std::vector<double> wide_;
    std::vector<int> heads_, kernel_heads_;
};

}  // namespace nonproj
