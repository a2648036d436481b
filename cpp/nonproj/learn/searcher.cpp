#include "nonproj/learn/searcher.hpp"

#include <algorithm>
#include <limits>

#include "nonproj/decode/search/graded.hpp"
#include "nonproj/error.hpp"

namespace nonproj::learn {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Spanning trees to solve at most, to parse and to learn from a sentence.
constexpr int parsing_limit = 2000;
constexpr double parsing_time = 2e9;    // nanoseconds, about, that they may take of a long sentence
constexpr int learning_limit = 20;      // more taught nothing more, and took two to four times as long
constexpr double max_chart_time = 1e9;  // nanoseconds

constexpr auto every_tree = [](std::span<const int>) { return true; };

}  // namespace

Searcher::Searcher(const GraphOptions& options)
    : options_(options),
      by_arcs_(options.solver, options.single_root, options.grades),
      every_tree_(ClassSolver(), options.single_root) {
    exact_options_.solver = options.solver;
    exact_options_.single_root = options.single_root;
    exact_options_.must_find = false;
    const auto add = [&](const ClassSolver& solver) {
        classes_.push_back({solver, TreeDecoder(solver, options.single_root)});
    };
    for (std::size_t k = 0; options.grades != nullptr && k < options.grades->size(); ++k)
        add((*options.grades)[k].solver);
    if (options.grades == nullptr) add(options.solver);
}

Searcher::Found Searcher::best(const ScoredArcs& arcs, std::span<const int> known) {
    std::vector<int> heads(known.begin(), known.end());
    const TreeDecoder::Found found = by_arcs_.decode(arcs.table(), heads);
    return {std::move(heads), {found.score, found.gap, 0}};
}

Searcher::Found Searcher::best(const ScoredArcs& arcs, const parts::PartTable& parts, std::span<const int> known,
                               bool compares) {
    const double step =
        PartsDecoder::nanoseconds_of_step(parts.words(), parts.arcs().size(), options_.parts.grandparents, false);
    const int limit = static_cast<int>(std::min<double>(parsing_limit, parsing_time / step));
    return find(arcs, parts, known, options_.grades.get(), limit, compares);
}

Searcher::Found Searcher::find_to_learn(const ScoredArcs& arcs, const parts::PartTable& parts,
                                        std::span<const int> known) {
    return find(arcs, parts, known, nullptr, learning_limit, false);
}

Searcher::Found Searcher::find(const ScoredArcs& arcs, const parts::PartTable& parts, std::span<const int> known,
                               const Grades* grades, int limit, bool compares) {
    auto& climb = climb_of(parts);
    const auto classes = classes_of(grades);
    // The best tree of a class that has a chart is one to start from in wider ones.
    const bool climbs = needs_climb(classes[0].solver, compares);
    Starts starts{{}, std::vector<std::vector<int>>(classes.size())};
    if (climbs) starts = climb_in(grades, climb, arcs, known, compares);
    const double climbed = starts.best.score;
    Outcome best;
    if (grades == nullptr) {
        best = best_of_class(exact_options_, parts, limit, starts.trees[0]);
    } else {
        DecodeOptions options = exact_options_;
        options.grades = options_.grades;
        const auto decode = [&](const DecodeOptions& of_class) {
            std::size_t k = 0;
            while (classes[k].solver.name() != of_class.solver.name()) ++k;
            Outcome found = best_of_class(of_class, parts, limit, starts.trees[k]);
            for (std::size_t wider = k + 1; wider < classes.size(); ++wider)
                if (starts.trees[wider].empty()) starts.trees[wider] = found.heads;
            return found;
        };
        best = GradedSearch(options, membership_).best_upwards(std::move(starts.best), decode);
    }
    if (!climbs && best.bound > best.score) {  // what is not proven is at least as good as climbing
        const double bound = best.bound;
        if (Starts other = climb_in(grades, climb, arcs, known, compares); other.best.score > best.score)
            best = std::move(other.best);
        best.bound = std::max(best.score, bound);
    }
    if (best.heads.empty()) throw Error("no tree of the class was found");
    double gap = best.bound - best.score;
    if (options_.rearrange) {  // through all trees, of which nothing is proven
        best.score = climb.climb(best.heads, every_tree);
        gap = infinity;
    }
    return {std::move(best.heads), {best.score, gap, compares ? best.score - climbed : 0}};
}

bool Searcher::has_table_chart(const ClassSolver& solver) const {
    const PartsChart* const chart = solver.row().parts_chart;
    return chart != nullptr && chart->best_of_table != nullptr && (chart->takes_siblings || !options_.parts.siblings);
}

// Whether a tree of the class has to be climbed to: a chart for the few possible arcs needs none to start from.
bool Searcher::needs_climb(const ClassSolver& solver, bool compares) const {
    return compares || options_.search == Search::climb || !has_table_chart(solver);
}

// By a chart for the few possible arcs; or else by relaxation, where the class has a chart for the parts, for half as long as
// that would take, and then by the chart.
Outcome Searcher::best_of_class(const DecodeOptions& of_class, const parts::PartTable& parts, int limit,
                                std::span<const int> start) {
    const PartsChart* const chart = of_class.solver.row().parts_chart;
    if (has_table_chart(of_class.solver)) {
        std::vector<int> heads = chart->best_of_table(parts, options_.single_root);
        if (heads.empty()) return {};
        const double sum = score(parts, heads);
        return {sum, sum, Road::chart, 0, std::move(heads)};
    }
    const double arcs = parts.arcs().size();
    const int words = parts.words();
    const bool grandparents = options_.parts.grandparents;
    const double chart_time = chart == nullptr || (options_.parts.siblings && !chart->takes_siblings)
                                  ? infinity
                                  : chart->nanoseconds(words, arcs / words, grandparents);
    const bool has_chart =
        chart_time <= max_chart_time && chart->bytes(words, arcs / words, grandparents) <= of_class.memory_limit;
    if (has_chart) {
        const double step = PartsDecoder::nanoseconds_of_step(words, arcs, grandparents, options_.parts.siblings);
        limit = static_cast<int>(std::min<double>(limit, chart_time / 2 / step));
    }
    Outcome best = parts_decoder_.decode(parts, of_class, limit, start);
    if (!has_chart || best.bound <= std::max(best.score, of_class.must_exceed)) return best;
    const std::vector<double> arc_scores = parts.arc_table();
    DecodedTree tree = chart->best(parts.listed({arc_scores.data(), words}), options_.single_root);
    if (tree.heads.empty()) return {};
    return {tree.score, tree.score, Road::chart, best.relaxations, std::move(tree.heads)};
}

Searcher::Found Searcher::climb(const ScoredArcs& arcs, AskedParts& parts, std::span<const int> known) {
    Outcome best = climb_in(options_.grades.get(), climb_of(parts), arcs, known, false).best;
    if (best.heads.empty()) throw Error("no tree of the class was found");
    return {std::move(best.heads), {best.score, infinity, 0}};
}

std::vector<int> Searcher::climb_to_learn(const ScoredArcs& arcs, AskedParts& parts, std::span<const int> known) {
    return climb_freely(climb_of(parts), arcs, known).heads;
}

// Climbs to a tree of every class. There is none of a class that has a chart, or in which none was found.
template <class Climb>
Searcher::Starts Searcher::climb_in(const Grades* grades, Climb& climb, const ScoredArcs& arcs,
                                    std::span<const int> known, bool compares) {
    const auto classes = classes_of(grades);
    Starts starts{{}, std::vector<std::vector<int>>(classes.size())};
    Climbed climbed;
    for (std::size_t k = 0; k < classes.size(); ++k) {
        // Where climbing through all trees ends in a class, it does in all wider ones.
        if (!climbed.is_free) {
            if (!needs_climb(classes[k].solver, compares)) continue;
            climbed = climb_within(climb, arcs, classes[k].decoder, known);
            const bool is_widest = k + 1 == classes.size();  // the known tree is in this one
            if (!climbed.is_free && !is_widest && !classes[k].decoder.is_member(climbed.heads)) continue;
        }
        starts.trees[k] = climbed.heads;
        const double score = climbed.score - price(climbed.heads, k, grades);
        if (score > starts.best.score) starts.best.score = score, starts.best.heads = climbed.heads;
    }
    return starts;
}

template <class Climb>
Searcher::Climbed Searcher::climb_freely(Climb& climb, const ScoredArcs& arcs, std::span<const int> known) {
    Climbed climbed{{known.begin(), known.end()}, 0, true};
    every_tree_.decode(arcs.table(), climbed.heads);
    climbed.score = climb.climb(climbed.heads, every_tree);
    return climbed;
}

// Climbs through all trees first. Where that ends outside the class, climbs once more within it from two starts, and
// takes what scores more: the best tree of the class by what each arc would gain in the tree outside, and by arcs. When the
// decoder finds no tree of the class, it climbs from the known one.
template <class Climb>
Searcher::Climbed Searcher::climb_within(Climb& climb, const ScoredArcs& arcs, TreeDecoder& decoder,
                                         std::span<const int> known) {
    Climbed free = climb_freely(climb, arcs, known);
    if (decoder.is_member(free.heads)) return free;
    climb.weigh(room_);
    const auto from_best = [&](const ArcScores<float>& scores) {
        Climbed climbed{{known.begin(), known.end()}};
        decoder.decode(scores, climbed.heads);
        climbed.score = climb.climb(climbed.heads, [&](std::span<const int> tree) { return decoder.is_member(tree); });
        return climbed;
    };
    Climbed by_gains = from_best({room_.data(), arcs.words()}), by_arcs = from_best(arcs.table());
    return by_gains.score >= by_arcs.score ? by_gains : by_arcs;
}

}  // namespace nonproj::learn
