#include "nonproj/learn/graph_parser.hpp"

#include <algorithm>
#include <string>

namespace nonproj::learn {

namespace {

// Pruning takes time cubic in the length of a sentence.
constexpr int max_words = 4096;
static_assert(max_words <= Memo::max_words);

}  // namespace

void GraphParser::parse(const Corpus::Sentence& sentence, const GraphWeights& weights, std::span<std::int32_t> heads,
                        std::span<std::int32_t> relations) {
    assign(sentence);
    prune(weights.pruner, options_.parsing, {});
    score_arcs(weights.tree, {}, 0);
    if (options_.parts.any())
        climb_within_class(weights.tree);
    else
        decoder_.decode({arcs_.data(), views_.size()}, heads_);
    std::copy(heads_.begin(), heads_.end(), heads.begin());
    if (options_.relations > 0) relations_.predict(views_, heads, weights.label, relations);
}

Candidates GraphParser::candidates(const Corpus::Sentence& sentence, const WeightTable& pruner) {
    assign(sentence);
    prune(pruner, options_.learning, sentence.heads);
    return std::move(candidates_);
}

double GraphParser::learn_pruner(const Corpus::Sentence& sentence, float rate, WeightTable& weights,
                                 WeightTable& squares) {
    assign(sentence);
    pruner_.assign(views_);
    return pruner_.learn(sentence.heads, options_.single_root, rate, weights, squares);
}

double GraphParser::pruner_gradient(const Corpus::Sentence& sentence, const WeightTable& weights,
                                    std::span<float> gradient) {
    assign(sentence);
    pruner_.assign(views_);
    pruner_.score(weights);
    return pruner_.gradient(sentence.heads, options_.single_root, weights.addressing(),
                            [&](std::size_t place, float slope) { gradient[place] -= slope; });
}

int GraphParser::learn(const Corpus::Sentence& sentence, Candidates candidates, const LearningRule& rule,
                       Update& update, AveragedWeights& tree, AveragedWeights& label) {
    assign(sentence);
    candidates_ = std::move(candidates);
    heads_.assign(sentence.heads.begin(), sentence.heads.end());
    const float cost = rule.algorithm == Algorithm::mira ? 1 : 0;
    score_arcs(tree.now(), sentence.heads, cost);
    const double found = find_tree(tree.now());
    int wrong = 0;
    for (int m = 1; m <= views_.size(); ++m) wrong += heads_[m - 1] != sentence.heads[m - 1];
    if (wrong > 0) {
        gold_.assign(sentence.heads.begin(), sentence.heads.end());
        const double violation = found - total(gold_, tree.now());
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
    return wrong;
}

void GraphParser::assign(const Corpus::Sentence& sentence) {
    if (sentence.size() > max_words)
        throw Error("a sentence of " + std::to_string(sentence.size()) +
                    " words is too long for a graph-based parser, which takes " + std::to_string(max_words) +
                    " at most: cut it, or use a transition-based parser");
    views_.assign(sentence);
}

void GraphParser::prune(const WeightTable& weights, const PruningLimits& limits, std::span<const std::int32_t> kept) {
    pruner_.assign(views_);
    const auto arcs = pruner_.score(weights);
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

// Scores the likely arcs; those that are not gold score `cost` more.
void GraphParser::score_arcs(const WeightTable& weights, std::span<const std::int32_t> gold, float cost) {
    arc_features_.assign(views_);
    families_.assign(views_, options_.parts);
    const Addressing at = weights.addressing();
    arcs_.assign(width() * width(), minus_infinity<float>);
    for (int d = 1; d <= views_.size(); ++d) {
        const auto heads = candidates_.of(d);
        gathering_.clear();
        for (const int h : heads) {
            arc_features_.each(h, d, at, gathering_.features(weights));
            gathering_.end_sum();
        }
        gathering_.each_sum(weights, [&](std::size_t i, float sum) {
            arcs_[heads[i] * width() + d] = sum + (!gold.empty() && gold[d - 1] != heads[i] ? cost : 0);
        });
    }
}

// The tree to learn from, in heads_, and its score. By arcs alone it is the best of the class; when the search finds
// none, heads_ stay: the gold tree, from which nothing is learned. With larger parts it is looked for among all
// trees: a climb within the class ends earlier, at trees that teach less.
double GraphParser::find_tree(const WeightTable& weights) {
    if (options_.parts.any()) return climb_freely(weights);
    decoder_.decode({arcs_.data(), views_.size()}, heads_);
    return total(heads_, weights);
}

double GraphParser::climb_freely(const WeightTable& weights) {
    every_tree_.decode({arcs_.data(), views_.size()}, heads_);
    return climb(weights, [](std::span<const int>) { return true; });
}

// Climbs through all trees first. Where that ends outside the class, climbs once more within it from two starts, and
// takes what scores more: the best tree of the class by what each arc would gain in the tree outside, and by arcs.
void GraphParser::climb_within_class(const WeightTable& weights) {
    known_ = heads_;
    climb_freely(weights);
    if (decoder_.is_member(heads_)) return;
    climb_.weigh(gains_);
    const double by_gains = climb_from_best(gains_, weights);
    first_ = heads_;
    if (by_gains >= climb_from_best(arcs_, weights)) heads_ = first_;
}

// When the search finds no tree of the class, it climbs from the one that pruning found.
double GraphParser::climb_from_best(const std::vector<float>& scores, const WeightTable& weights) {
    if (!decoder_.decode({scores.data(), views_.size()}, heads_)) heads_ = known_;
    return climb(weights, [&](std::span<const int> heads) { return decoder_.is_member(heads); });
}

template <class IsMember>
double GraphParser::climb(const WeightTable& weights, const IsMember& is_member) {
    return climb_.climb(heads_, candidates_, arcs_.data(), families_, weights, options_.single_root, is_member);
}

double GraphParser::total(std::span<const int> heads, const WeightTable& weights) {
    if (options_.parts.any()) return climb_.score(heads, arcs_.data(), families_, weights);
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
    children_.assign(heads);
    for (int h = 0; h <= views_.size(); ++h)
        families_.each_feature(h, h == 0 ? -1 : heads[h - 1], children_[h], at, take);
}

}  // namespace nonproj::learn
