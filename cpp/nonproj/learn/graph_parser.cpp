#include "nonproj/learn/graph_parser.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace nonproj::learn {

Proof GraphParser::parse(const Corpus::Sentence& sentence, const GraphWeights& weights, std::size_t place,
                         const Advice& advice, bool compares, std::span<std::int32_t> heads,
                         std::span<std::int32_t> relations) {
    // Advice is about all pairs of words: it has no windows.
    const bool is_long = sentence.size() > max_whole_words && advice.arcs.empty();
    const bool is_read = weights.network != nullptr && !is_long;
    scorer_.look_at(sentence, is_long ? Scorer::max_words_by_windows : Scorer::max_words);
    const Searcher::Found found =
        is_long ? find_in_windows(weights)
                : find(weights, is_read ? scorer_.advice_of_network(weights, place) : advice, compares);
    std::copy(found.heads.begin(), found.heads.end(), heads.begin());
    if (options_.relations == 0) return found.proof;
    std::optional<NetworkOfRelations> network;
    if (is_read) network.emplace(*weights.network, scorer_.network_pass(), place, weights.relation_share);
    labeller_.predict(scorer_.views(), heads, weights.label, relations, network ? &*network : nullptr);
    return found.proof;
}

std::vector<int> GraphParser::score_arcs(const GraphWeights& weights, const Advice& advice) {
    Scorer::Pruned pruned = scorer_.prune(weights.pruner, options_.parsing, {}, advice, searcher_.class_decoder());
    arcs_.candidates = std::move(pruned.candidates);
    scorer_.score(weights.tree, arcs_);
    if (!advice.arcs.empty()) {
        const std::size_t width = static_cast<std::size_t>(arcs_.words()) + 1;
        arcs_.each([&](int h, int d, float& score) { score += advice.weight * advice.arcs[h * width + d]; });
    }
    arcs_.lay_out();
    return std::move(pruned.tree);
}

Searcher::Found GraphParser::find(const GraphWeights& weights, const Advice& advice, bool compares) {
    const std::vector<int> known = score_arcs(weights, advice);
    if (!options_.parts.any()) return searcher_.best(arcs_, known);
    if (options_.search == Search::climb) {
        scorer_.offer_parts(weights.tree, arcs_, asked_);
        return searcher_.climb(arcs_, asked_, known);
    }
    scorer_.score_parts(weights.tree, arcs_, table_);
    return searcher_.best(arcs_, table_, known, compares);
}

Searcher::Found GraphParser::find_in_windows(const GraphWeights& weights) {
    arcs_.candidates = scorer_.prune_by_windows(weights.pruner, options_.parsing);
    scorer_.score(weights.tree, arcs_);
    std::vector<std::vector<int>> trees = searcher_.first_trees(arcs_);
    for (const auto& tree : trees) arcs_.candidates = arcs_.candidates.with(tree);
    scorer_.score(weights.tree, arcs_);
    scorer_.offer_parts(weights.tree, arcs_, asked_);
    return searcher_.climb_from(std::move(trees), asked_);
}

parts::PartTable GraphParser::scores(const Corpus::Sentence& sentence, const GraphWeights& weights,
                                     const Advice& advice) {
    scorer_.look_at(sentence);
    scorer_.read({&sentence, 1}, weights);
    score_arcs(weights, weights.network != nullptr ? scorer_.advice_of_network(weights, 0) : advice);
    scorer_.score_parts(weights.tree, arcs_, table_);
    return std::move(table_);
}

Candidates GraphParser::candidates(const Corpus::Sentence& sentence, const WeightTable& pruner) {
    scorer_.look_at(sentence);
    return scorer_.prune(pruner, options_.learning, sentence.heads, {}, searcher_.class_decoder()).candidates;
}

GraphParser::Lesson GraphParser::learn(const Corpus::Sentence& sentence, Candidates candidates,
                                       const LearningRule& rule, Update& update, AveragedWeights& tree,
                                       AveragedWeights& label) {
    scorer_.look_at(sentence);
    arcs_.candidates = std::move(candidates);
    scorer_.score(tree.now(), arcs_);
    if (rule.algorithm == Algorithm::mira)
        arcs_.each([&](int h, int d, float& score) { score += sentence.heads[d - 1] != h; });
    arcs_.lay_out();
    const auto [heads, violation, gap] = find_to_learn(tree.now(), sentence.heads);
    int wrong = 0;
    for (int m = 0; m < sentence.size(); ++m) wrong += heads[m] != sentence.heads[m];
    // The perceptron learns from ties too: all weights are equal at first.
    if (wrong > 0 && (violation > 0 || (rule.algorithm == Algorithm::perceptron && violation == 0))) {
        const Addressing at = tree.now().addressing();
        const auto gold = sentence.heads;
        scorer_.each_feature(gold, heads, at, PlaceByPlace([&](std::size_t place) { update.gold(place); }));
        scorer_.each_feature(heads, gold, at, PlaceByPlace([&](std::size_t place) { update.found(place); }));
        update.apply(rule, violation, tree);
    }
    if (options_.relations > 0) labeller_.learn(scorer_.views(), sentence.heads, rule, label);
    tree.end_sentence();
    label.end_sentence();
    return {wrong, gap};
}

GraphParser::FoundToLearn GraphParser::find_to_learn(const WeightTable& weights, std::span<const std::int32_t> gold) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<int> heads(gold.begin(), gold.end());
    const auto with_violation = [&](auto& parts, double gap) -> FoundToLearn {
        return {heads, searcher_.score(parts, heads) - searcher_.score(parts, gold), gap};
    };
    if (options_.parts.any() && options_.search == Search::climb) {
        scorer_.offer_parts(weights, arcs_, asked_);
        heads = searcher_.climb_to_learn(arcs_, asked_, heads);
        return with_violation(asked_, infinity);
    }
    const TreeDecoder::Found by_arcs = searcher_.class_decoder().decode(arcs_.table(), heads);
    if (!by_arcs.any) return {heads, 0, infinity};
    if (!options_.parts.any()) return {heads, arcs_.of_tree(heads) - arcs_.of_tree(gold), by_arcs.gap};
    scorer_.score_parts(weights, arcs_, table_);
    Searcher::Found found = searcher_.find_to_learn(arcs_, table_, heads);
    heads = std::move(found.heads);
    return with_violation(table_, found.proof.gap);
}

}  // namespace nonproj::learn
