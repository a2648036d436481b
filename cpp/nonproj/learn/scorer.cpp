#include "nonproj/learn/scorer.hpp"

#include <algorithm>
#include <string>

#include "nonproj/error.hpp"

namespace nonproj::learn {

namespace {

// Fills a table of parts with the scores of a linear model.
//
// The end of a side is scored with the last child on it, e(h, d), or none, e(h). It needs no part of its own: all trees
// have one end a side, so that e(h) can be taken off the others; and d is the last child where h -> d is in the tree and no
// sibling comes after d, so that e(h, d) - e(h) is added to the arc and taken off each sibling (h, d, .).
class PartFiller {
  public:
    PartFiller(parts::PartTable& table, const PartFeatures& features, const WeightTable& weights, Gathering& gathering)
        : table_(table), arcs_(table.arcs()), features_(features), weights_(weights), gathering_(gathering) {}

    void fill(const PartKinds& kinds) {
        empty_.assign(2 * (static_cast<std::size_t>(arcs_.words()) + 1), 0);
        ends_.assign(arcs_.size(), 0);
        for (int h = 0; h <= arcs_.words(); ++h) {
            if (arcs_.begin(h) == arcs_.end(h)) continue;
            if (kinds.siblings) score_sides(h);
            if (h == 0 || !kinds.grandparents) continue;
            for (const int above : arcs_.into(h)) score_under(above);
        }
        settle();
        for (int arc = 0; arc < arcs_.size() && kinds.siblings; ++arc) spread_end(arc);
    }

  private:
    // Adds the sum of the features that name(at, take) names to a score, in time.
    template <class Name>
    void score(double& score, const Name& name) {
        name(weights_.addressing(), gathering_.features());
        gathering_.end_sum();
        targets_.push_back(&score);
        if (gathering_.is_full()) settle();
    }
    void settle() {
        gathering_.each_sum(weights_, [&](std::size_t i, float sum) { *targets_[i] += sum; });
        targets_.clear();
    }

    void score_sides(int h) {
        const auto score_sibling = [&](double& to, int s, int d, bool is_right) {
            score(to, [&](const Addressing& at, const auto& take) { features_.sibling(h, s, d, is_right, at, take); });
        };
        for (const bool is_right : {false, true}) score_sibling(empty_[2 * h + is_right], -1, -1, is_right);
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            const int d = arcs_.dependent(arc);
            score_sibling(ends_[arc], d, -1, d > h);
            for (int before = 0; before < arcs_.position(arc); ++before)
                score_sibling(table_.sibling(arc, before), before == 0 ? -1 : table_.child_before(arc, before), d,
                              d > h);
        }
    }
    // Adds the end of a side after this arc to the arc, and takes it off the siblings that come after.
    void spread_end(int arc) {
        const int h = arcs_.head(arc), d = arcs_.dependent(arc);
        const double end = ends_[arc] - empty_[2 * h + (d > h)];
        table_.arc_score(arc) += end;
        const int last = arcs_.is_left(arc) ? arcs_.middle(h) : arcs_.end(h);
        for (int after = arc + 1; after < last; ++after) table_.sibling(after, arcs_.position(arc)) -= end;
    }
    void score_under(int above) {
        const int g = arcs_.head(above), h = arcs_.dependent(above);
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            const int d = arcs_.dependent(arc);
            if (d == g) continue;  // no tree has both
            score(table_.grandparent(above, arc),
                  [&](const Addressing& at, const auto& take) { features_.grandparent(g, h, d, at, take); });
        }
    }

    parts::PartTable& table_;
    const parts::ArcList& arcs_;
    const PartFeatures& features_;
    const WeightTable& weights_;
    Gathering& gathering_;
    std::vector<double> empty_;     // sides of each head, left and right
    std::vector<double> ends_;      // of sides after each arc
    std::vector<double*> targets_;  // of the sums that are gathered
};

}  // namespace

void Scorer::read(std::span<const Corpus::Sentence> sentences, const GraphWeights& weights, int most) {
    if (weights.network != nullptr) network_pass_.read(*weights.network, sentences, most);
}

void Scorer::look_at(const Corpus::Sentence& sentence, int most) {
    if (sentence.size() > most)
        throw Error("a sentence of " + std::to_string(sentence.size()) +
                    " words is too long for a graph-based parser, which takes " + std::to_string(most) +
                    " at most: cut it, or use a transition-based parser");
    views_.assign(sentence);
}

Scorer::Pruned Scorer::prune(const WeightTable& weights, const PruningLimits& limits,
                             std::span<const std::int32_t> kept, const Advice& advice, TreeDecoder& decoder) {
    pruner_.assign(views_);
    const std::span<float> arcs = advice.prunes ? pruner_.take(advice.arcs) : pruner_.score(weights);
    if (!advice.prunes)
        for (std::size_t i = 0; i < advice.arcs.size(); ++i) arcs[i] += advice.arcs[i];
    if (max_length_ > 0) pruner_.forbid_long(max_length_, kept);
    if (advice.prunes)
        pruner_.chances();
    else
        pruner_.marginals(single_root_);
    // The likely arcs may hold no tree of the class: then one is added to them.
    const std::size_t width = static_cast<std::size_t>(views_.size()) + 1;
    Pruned pruned{pruner_.likely(limits, kept), std::vector<int>(views_.size())};
    likely_.assign(arcs.size(), minus_infinity<float>);
    for (int d = 1; d <= views_.size(); ++d)
        for (const int h : pruned.candidates.of(d)) likely_[h * width + d] = arcs[h * width + d];
    if (!decoder.decode({likely_.data(), views_.size()}, pruned.tree).any) {
        if (!decoder.decode({arcs.data(), views_.size()}, pruned.tree).any)
            throw Error("no tree of the class was found");
        pruned.candidates = pruned.candidates.with(pruned.tree);
    }
    return pruned;
}

void Scorer::score(const WeightTable& weights, ScoredArcs& arcs) {
    arc_features_.assign(views_);
    const Addressing at = weights.addressing();
    arcs.scores.clear();
    const auto settle = [&] {
        gathering_.each_sum(weights, [&](std::size_t, float sum) { arcs.scores.push_back(sum); });
    };
    for (int d = 1; d <= views_.size(); ++d) {
        for (const int h : arcs.candidates.of(d)) {
            arc_features_.each(h, d, at, gathering_.features());
            gathering_.end_sum();
        }
        if (gathering_.is_full()) settle();
    }
    settle();
}

void Scorer::score_parts(const WeightTable& weights, const ScoredArcs& arcs, parts::PartTable& table) {
    part_features_.assign(views_);
    table.lay_out(arcs.table(), kinds_.siblings, kinds_.grandparents);
    PartFiller(table, part_features_, weights, gathering_).fill(kinds_);
}
void Scorer::offer_parts(const WeightTable& weights, const ScoredArcs& arcs, AskedParts& parts) {
    part_features_.assign(views_);
    parts.assign(arcs, part_features_, kinds_, weights);
}

}  // namespace nonproj::learn
