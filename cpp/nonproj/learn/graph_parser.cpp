#include "nonproj/learn/graph_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "nonproj/decode/search/graded.hpp"

namespace nonproj::learn {

namespace {

// Pruning as a whole takes time cubic in the length of a sentence.
constexpr int max_words = 4096;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_gain = 1e-6;  // of a change when climbing
// Spanning trees to solve at most, to parse and to learn from a sentence.
constexpr int parsing_limit = 2000;
constexpr double parsing_time = 2e9;    // nanoseconds, about, that they may take of a long sentence
constexpr int learning_limit = 20;      // more taught nothing more, and took two to four times as long
constexpr double max_chart_time = 1e9;  // nanoseconds

}  // namespace

void GraphParser::read(std::span<const Corpus::Sentence> sentences, const GraphWeights& weights) {
    if (weights.network != nullptr) network_pass_.read(*weights.network, sentences, max_whole_words);
}

Proof GraphParser::parse(const Corpus::Sentence& sentence, const GraphWeights& weights, std::size_t place,
                         const Advice& advice, bool compares, std::span<std::int32_t> heads,
                         std::span<std::int32_t> relations) {
    compares_ = compares;
    // Advice is about all pairs of words: it has no windows.
    const bool is_long = sentence.size() > max_whole_words && advice.arcs.empty();
    assign(sentence, is_long ? Memo::max_words : max_words);
    const bool is_read = weights.network != nullptr && !is_long;
    const Proof proof = is_long ? find_in_windows(weights)
                                : find_in_whole(weights, is_read ? advice_of_network(weights, place) : advice);
    std::copy(heads_.begin(), heads_.end(), heads.begin());
    if (options_.relations > 0)
        choose_relations(weights, is_read ? std::optional(place) : std::nullopt, heads, relations);
    return proof;
}

void GraphParser::read_alone(const Corpus::Sentence& sentence, const GraphWeights& weights) {
    if (weights.network != nullptr) network_pass_.read(*weights.network, {&sentence, 1}, max_words);
}

Advice GraphParser::advice_of_network(const GraphWeights& weights, std::size_t place) {
    return {network_pass_.log_chances(*weights.network, place), weights.arc_share, true};
}

void GraphParser::choose_relations(const GraphWeights& weights, std::optional<std::size_t> place,
                                   std::span<const std::int32_t> heads, std::span<std::int32_t> relations) {
    if (!place) return relations_.predict(views_, heads, weights.label, relations);
    const std::size_t count = options_.relations;
    relation_scores_.resize(heads.size() * count);
    relations_.scores(views_, heads, weights.label, relation_scores_);
    for (int m = 1; m <= views_.size(); ++m) {
        const auto scores = std::span(relation_scores_).subspan((m - 1) * count, count);
        network_pass_.add_relations(*weights.network, *place, heads[m - 1], m, weights.relation_share, scores);
        relations[m - 1] = static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
    }
}

Proof GraphParser::find_in_whole(const GraphWeights& weights, const Advice& advice) {
    prune_and_score(weights, advice);
    const double step = PartsDecoder::nanoseconds_of_step(views_.size(), static_cast<double>(candidates_.heads.size()),
                                                          options_.parts.grandparents, false);
    const int limit = static_cast<int>(std::min<double>(parsing_limit, parsing_time / step));
    return options_.grades == nullptr ? find_best(weights.tree, limit) : find_best_of_grades(weights.tree, limit);
}

void GraphParser::relation_scores(const Corpus::Sentence& sentence, const GraphWeights& weights,
                                  std::span<const std::int32_t> heads, std::span<float> scores) {
    assign(sentence, max_words);
    relations_.scores(views_, heads, weights.label, scores);
}

ModelScores GraphParser::scores(const Corpus::Sentence& sentence, const GraphWeights& weights, const Advice& advice) {
    assign(sentence, max_words);
    read_alone(sentence, weights);
    prune_and_score(weights, weights.network != nullptr ? advice_of_network(weights, 0) : advice);
    part_features_.assign(views_);
    score_all_parts(weights.tree);
    ModelScores scores{wide_, {}, {}};
    const auto into = [](std::vector<Triple>& list) {
        return [&](int a, int b, int c, double score) { list.push_back({a, b, c, score}); };
    };
    scored_parts_.each_sibling(into(scores.siblings));
    scored_parts_.each_grandparent(into(scores.grandparents));
    return scores;
}

std::vector<double> GraphParser::pruner_scores(const Corpus::Sentence& sentence, const GraphWeights& weights) {
    assign(sentence, max_words);
    pruner_.assign(views_);
    read_alone(sentence, weights);
    const std::span<const float> arcs =
        weights.network != nullptr ? pruner_.take(advice_of_network(weights, 0).arcs) : pruner_.score(weights.pruner);
    if (options_.max_length > 0) pruner_.forbid_long(options_.max_length);
    return {arcs.begin(), arcs.end()};
}

Candidates GraphParser::candidates(const Corpus::Sentence& sentence, const WeightTable& pruner) {
    assign(sentence, max_words);
    prune(pruner, options_.learning, sentence.heads);
    return std::move(candidates_);
}

double GraphParser::learn_pruner(const Corpus::Sentence& sentence, float rate, WeightTable& weights,
                                 WeightTable& squares) {
    assign(sentence, max_words);
    pruner_.assign(views_);
    return pruner_.learn(sentence.heads, options_.single_root, rate, weights, squares);
}

double GraphParser::pruner_gradient(const Corpus::Sentence& sentence, const WeightTable& weights,
                                    std::span<float> gradient) {
    assign(sentence, max_words);
    pruner_.assign(views_);
    pruner_.score(weights);
    return pruner_.gradient(sentence.heads, options_.single_root, weights.addressing(),
                            [&](std::size_t place, float slope) { gradient[place] -= slope; });
}

GraphParser::Lesson GraphParser::learn(const Corpus::Sentence& sentence, Candidates candidates,
                                       const LearningRule& rule, Update& update, AveragedWeights& tree,
                                       AveragedWeights& label) {
    assign(sentence, max_words);
    candidates_ = std::move(candidates);
    heads_.assign(sentence.heads.begin(), sentence.heads.end());
    const float cost = rule.algorithm == Algorithm::mira ? 1 : 0;
    score_arcs(tree.now(), sentence.heads, cost);
    const Proof proof = find_tree(tree.now());
    int wrong = 0;
    for (int m = 1; m <= views_.size(); ++m) wrong += heads_[m - 1] != sentence.heads[m - 1];
    if (wrong > 0) {
        gold_.assign(sentence.heads.begin(), sentence.heads.end());
        const double violation = total(heads_) - total(gold_);
        // The perceptron learns from ties too: all weights are equal at first.
        if (violation > 0 || (rule.algorithm == Algorithm::perceptron && violation == 0)) {
            const Addressing at = tree.now().addressing();
            each_feature(gold_, heads_, at, PlaceByPlace([&](std::size_t place) { update.gold(place); }));
            each_feature(heads_, gold_, at, PlaceByPlace([&](std::size_t place) { update.found(place); }));
            update.apply(rule, violation, tree);
        }
    }
    if (options_.relations > 0) relations_.learn(views_, sentence.heads, rule, label);
    tree.end_sentence();
    label.end_sentence();
    return {wrong, proof.gap};
}

void GraphParser::assign(const Corpus::Sentence& sentence, int most) {
    if (sentence.size() > most)
        throw Error("a sentence of " + std::to_string(sentence.size()) +
                    " words is too long for a graph-based parser, which takes " + std::to_string(most) +
                    " at most: cut it, or use a transition-based parser");
    views_.assign(sentence);
}

void GraphParser::prune(const WeightTable& weights, const PruningLimits& limits, std::span<const std::int32_t> kept,
                        const Advice& advice) {
    pruner_.assign(views_);
    const std::span<float> arcs = advice.prunes ? pruner_.take(advice.arcs) : pruner_.score(weights);
    if (!advice.prunes)
        for (std::size_t i = 0; i < advice.arcs.size(); ++i) arcs[i] += advice.arcs[i];
    if (options_.max_length > 0) pruner_.forbid_long(options_.max_length, kept);
    if (advice.prunes)
        pruner_.chances();
    else
        pruner_.marginals(options_.single_root);
    candidates_ = pruner_.likely(limits, kept);
    // The likely arcs may hold no tree of the class: then one is added to them.
    heads_.resize(views_.size());
    arcs_.assign(width() * width(), minus_infinity<float>);
    for (int d = 1; d <= views_.size(); ++d)
        for (const int h : candidates_.of(d)) arcs_[h * width() + d] = arcs[h * width() + d];
    if (!decoder_.decode({arcs_.data(), views_.size()}, heads_)) {
        if (!decoder_.decode({arcs.data(), views_.size()}, heads_)) throw Error("no tree of the class was found");
        candidates_ = pruner_.likely(limits, heads_);
    }
}

void GraphParser::prune_and_score(const GraphWeights& weights, const Advice& advice) {
    prune(weights.pruner, options_.parsing, {}, advice);
    score_arcs(weights.tree, {}, 0, advice);
}

// Scores the likely arcs, with advice if there is any; those that are not gold score `cost` more.
void GraphParser::score_arcs(const WeightTable& weights, std::span<const std::int32_t> gold, float cost,
                             const Advice& advice) {
    score_candidates(weights);
    arcs_.assign(width() * width(), minus_infinity<float>);
    for (int d = 1; d <= views_.size(); ++d)
        for (std::size_t i = candidates_.begin[d - 1]; i < candidates_.begin[d]; ++i) {
            const std::size_t place = candidates_.heads[i] * width() + d;
            if (!gold.empty() && gold[d - 1] != candidates_.heads[i]) candidate_scores_[i] += cost;
            if (!advice.arcs.empty()) candidate_scores_[i] += advice.weight * advice.arcs[place];
            arcs_[place] = candidate_scores_[i];
        }
}
void GraphParser::score_candidates(const WeightTable& weights) {
    arc_features_.assign(views_);
    const Addressing at = weights.addressing();
    candidate_scores_.clear();
    const auto settle = [&] {
        gathering_.each_sum(weights, [&](std::size_t, float sum) { candidate_scores_.push_back(sum); });
    };
    for (int d = 1; d <= views_.size(); ++d) {
        for (const int h : candidates_.of(d)) {
            arc_features_.each(h, d, at, gathering_.features());
            gathering_.end_sum();
        }
        if (gathering_.is_full()) settle();
    }
    settle();
}

// Makes the scores of larger parts ready; those of arcs are known.
void GraphParser::score_parts(const WeightTable& weights) {
    part_features_.assign(views_);
    if (options_.search == Search::climb) {
        ask_for_parts(weights);
    } else {
        score_all_parts(weights);
    }
}
void GraphParser::ask_for_parts(const WeightTable& weights) {
    families_.assign(part_features_, views_.size(), options_.parts);
    asked_scores_.assign(candidates_, candidate_scores_, families_, weights);
    asked_climb_.assign(asked_scores_, options_.single_root, least_gain);
}
void GraphParser::score_all_parts(const WeightTable& weights) {
    wide_.assign(arcs_.begin(), arcs_.end());
    scored_parts_.assign(wide_, views_.size(), part_features_, options_.parts, weights);
    family_scores_.assign(scored_parts_.families(), ArcScores<double>(wide_.data(), views_.size()));
    climb_.assign(family_scores_, options_.single_root, least_gain);
}

// The best tree of the class, or the best that is found, in the place of heads_, which are one of its trees.
Proof GraphParser::find_best(const WeightTable& weights, int limit) {
    if (!options_.parts.any()) {
        decoder_.decode({arcs_.data(), views_.size()}, heads_);
        return {decoder_.score(), decoder_.gap(), 0};
    }
    score_parts(weights);
    const bool climbs = needs_climb(options_.solver);
    const double climbed = climbs ? climbed_within(decoder_) : 0;
    if (options_.search == Search::climb) return {climbed, infinity, 0};
    Outcome best = best_of_class(exact_options_, limit, heads_);
    heads_ = std::move(best.heads);
    double gap = best.bound - best.score;
    if (options_.rearrange) {  // through all trees, of which nothing is proven
        best.score = climb_.climb(heads_, [](std::span<const int>) { return true; });
        gap = infinity;
    }
    return {best.score, gap, climbs ? best.score - climbed : 0};
}

bool GraphParser::has_family_chart(const ClassSolver& solver) const {
    const PartsChart* const chart = solver.row().parts_chart;
    return chart != nullptr && chart->best_by_families != nullptr &&
           (chart->takes_siblings || !options_.parts.siblings);
}

// Whether a tree of the class has to be climbed to: a chart for the few possible arcs needs none to start from.
bool GraphParser::needs_climb(const ClassSolver& solver) const {
    return compares_ || options_.search == Search::climb || !has_family_chart(solver);
}

// By a chart for the few possible arcs; or else by relaxation, where the class has a chart for the parts, for half as long as
// that would take, and then by the chart.
Outcome GraphParser::best_of_class(const DecodeOptions& of_class, int limit, std::span<const int> start) {
    if (has_family_chart(of_class.solver)) {
        auto heads = of_class.solver.row().parts_chart->best_by_families(
            family_scores_.arcs(), scored_parts_.families(), options_.single_root);
        if (heads.empty()) return {};
        const double score = climb_.score(heads);
        return {score, score, Road::chart, 0, std::move(heads)};
    }
    const PartsChart* const chart = of_class.solver.row().parts_chart;
    const double arcs = static_cast<double>(candidates_.heads.size());
    const int words = views_.size();
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
    Outcome best = parts_decoder_.decode(family_scores_.arcs(), scored_parts_.families(), of_class, limit, start);
    if (!has_chart || best.bound <= std::max(best.score, of_class.must_exceed)) return best;
    DecodedTree tree = chart->best(scored_parts_.for_charts(), options_.single_root);
    if (tree.heads.empty()) return {};
    return {tree.score, tree.score, Road::chart, best.relaxations, std::move(tree.heads)};
}

// The same for a graded class: scores are less its prices.
Proof GraphParser::find_best_of_grades(const WeightTable& weights, int limit) {
    if (!options_.parts.any()) {
        graded_decoder_->decode({arcs_.data(), views_.size()}, heads_);
        return {graded_decoder_->score(), graded_decoder_->gap(), 0};
    }
    score_parts(weights);
    const Grades& grades = *options_.grades;
    starts_.assign(grades.size(), {});
    // The best tree of a class that has a chart is one to start from in wider ones.
    const bool climbs = needs_climb(grades[0].solver);
    Outcome known = climbs ? climb_in_grades() : Outcome();
    const double climbed = known.score;
    if (options_.search == Search::climb) {
        if (known.heads.empty()) throw Error("no tree of the class was found");
        heads_ = std::move(known.heads);
        return {climbed, infinity, 0};
    }
    DecodeOptions options = exact_options_;
    options.grades = options_.grades;
    const auto decode = [&](const DecodeOptions& of_class) {
        std::size_t k = 0;
        while (grades[k].solver.name() != of_class.solver.name()) ++k;
        Outcome found = best_of_class(of_class, limit, starts_[k]);
        for (std::size_t wider = k + 1; wider < grades.size(); ++wider)
            if (starts_[wider].empty()) starts_[wider] = found.heads;
        return found;
    };
    Outcome best = GradedSearch(options, membership_).best_upwards(std::move(known), decode);
    if (!climbs && best.bound > best.score) {  // what is not proven is at least as good as climbing
        const double bound = best.bound;
        if (Outcome other = climb_in_grades(); other.score > best.score) best = std::move(other);
        best.bound = std::max(best.score, bound);
    }
    if (best.heads.empty()) throw Error("no tree of the class was found");
    heads_ = std::move(best.heads);
    return {best.score, best.bound - best.score, compares_ ? best.score - climbed : 0};
}

// Climbs to a tree of every class of a graded class; where that found none, its start is empty. Returns the best of them
// less its price.
Outcome GraphParser::climb_in_grades() {
    const Grades& grades = *options_.grades;
    Outcome best;
    const std::vector<int> pruned = heads_;
    double climbed = minus_infinity<double>;
    is_climbed_freely_ = false;
    for (std::size_t k = 0; k < grades.size(); ++k) {
        starts_[k].clear();
        // Where climbing through all trees ends in a class, it does in all wider ones.
        if (!is_climbed_freely_) {
            if (!needs_climb(grades[k].solver)) continue;
            heads_ = pruned;
            climbed = climbed_within(grade_decoders_[k]);
        }
        if (!grade_decoders_[k].is_member(heads_)) continue;
        starts_[k] = heads_;
        const double score = climbed - grades[grades.smallest(heads_, k, membership_)].price;
        if (score > best.score) best.score = score, best.heads = heads_;
    }
    return best;
}

// Climbs to a tree of a class, in the place of heads_, and returns its score.
double GraphParser::climbed_within(TreeDecoder& decoder) {
    if (options_.search == Search::climb) {
        climb_within_class(asked_climb_, decoder);
        return asked_climb_.score(heads_);
    }
    climb_within_class(climb_, decoder);
    return climb_.score(heads_);
}

// The tree to learn from, in heads_: the best of the class. When none is found they stay: the gold tree, from which
// nothing is learned. A climb goes through all trees: within the class it ends earlier, at trees that teach less.
Proof GraphParser::find_tree(const WeightTable& weights) {
    const Proof unproven{0, infinity, 0};
    if (options_.parts.any() && options_.search == Search::climb) {
        score_parts(weights);
        climb_freely(asked_climb_);
        return unproven;
    }
    const bool is_found = decoder_.decode({arcs_.data(), views_.size()}, heads_);
    if (!options_.parts.any()) return is_found ? Proof{decoder_.score(), decoder_.gap(), 0} : unproven;
    if (is_found) return find_best(weights, learning_limit);
    score_parts(weights);
    return unproven;
}

template <class Climb>
void GraphParser::climb_freely(Climb& climb) {
    every_tree_.decode({arcs_.data(), views_.size()}, heads_);
    climb.climb(heads_, [](std::span<const int>) { return true; });
}

// Climbs through all trees first. Where that ends outside the class, climbs once more within it from two starts, and
// takes what scores more: the best tree of the class by what each arc would gain in the tree outside, and by arcs.
template <class Climb>
void GraphParser::climb_within_class(Climb& climb, TreeDecoder& decoder) {
    known_ = heads_;
    climb_freely(climb);
    is_climbed_freely_ = decoder.is_member(heads_);
    if (is_climbed_freely_) return;
    climb.weigh(gains_);
    const double by_gains = climb_from_best(gains_, climb, decoder);
    first_ = heads_;
    if (by_gains >= climb_from_best(arcs_, climb, decoder)) heads_ = first_;
}

// When the search finds no tree of the class, it climbs from the one that pruning found.
template <class Climb>
double GraphParser::climb_from_best(const std::vector<float>& scores, Climb& climb, TreeDecoder& decoder) {
    if (!decoder.decode({scores.data(), views_.size()}, heads_)) heads_ = known_;
    return climb.climb(heads_, [&](std::span<const int> heads) { return decoder.is_member(heads); });
}

double GraphParser::total(std::span<const int> heads) {
    if (options_.parts.any()) return options_.search == Search::climb ? asked_climb_.score(heads) : climb_.score(heads);
    double sum = 0;
    for (int d = 1; d <= views_.size(); ++d) sum += arcs_[heads[d - 1] * width() + d];
    return sum;
}

// The features of a tree; arcs that the other tree has too are left out.
template <class Take>
void GraphParser::each_feature(std::span<const int> heads, std::span<const int> other, const Addressing& at,
                               const Take& take) {
    for (int d = 1; d <= views_.size(); ++d)
        if (heads[d - 1] != other[d - 1]) arc_features_.each(heads[d - 1], d, at, take);
    if (!options_.parts.any()) return;
    families_.assign(part_features_, views_.size(), options_.parts);
    children_.assign(heads);
    for (int h = 0; h <= views_.size(); ++h)
        families_.each_feature(h, h == 0 ? -1 : heads[h - 1], children_[h], at, take);
}

}  // namespace nonproj::learn
