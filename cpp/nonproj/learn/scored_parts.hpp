// All larger parts that a tree of the likely arcs may have, scored by a model, for the exact search
// (decode/parts/parts_decoder.hpp).
//
// The end of a side is scored with the last child on it, e(h, d), or none, e(h). It needs no part of its own: all trees
// have one end a side, so that e(h) can be taken off the others; and d is the last child where h -> d is in the tree and no
// sibling comes after d, so that e(h, d) - e(h) is added to the arc and taken off each sibling (h, d, .).
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/base/part_scores.hpp"
#include "nonproj/decode/parts/arc_list.hpp"
#include "nonproj/decode/parts/families.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/part_features.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class ScoredParts {
  public:
    // Parts of arcs with a score above -inf, in a table that gets the ends of sides as well.
    void assign(std::span<double> scores, int words, const PartFeatures& features, const Parts& parts,
                const WeightTable& weights) {
        features_ = &features;
        parts_ = parts;
        weights_ = &weights;
        table_ = scores;
        arcs_.assign(ArcScores<double>(scores.data(), words));
        families_.lay_out(arcs_, parts.siblings, parts.grandparents);
        empty_.assign(2 * (static_cast<std::size_t>(arcs_.words()) + 1), 0);
        ends_.assign(arcs_.size(), 0);
        for (int h = 0; h <= arcs_.words(); ++h) {
            if (arcs_.begin(h) == arcs_.end(h)) continue;
            if (parts.siblings) score_sides(h);
            if (h == 0 || !parts.grandparents) continue;
            for (const int above : arcs_.into(h)) score_under(above);
        }
        settle();
        for (int arc = 0; arc < arcs_.size() && parts.siblings; ++arc) spread_end(arc);
    }

    const parts::Families& families() const { return families_; }

    // The same for charts, with arcs from the table; valid as long as this is.
    SecondOrderScores for_charts() {
        triples_.clear();
        each_sibling([&](int h, int s, int d, double score) { triples_.push_back({h, s, d, score}); });
        siblings_.emplace(triples_, arcs_.words(), TripleScores::Rows::first_and_third);
        triples_.clear();
        each_grandparent([&](int g, int h, int d, double score) { triples_.push_back({g, h, d, score}); });
        grandparents_.emplace(triples_, arcs_.words(), TripleScores::Rows::first_and_second);
        return {ArcScores<double>(table_.data(), arcs_.words()), parts_.siblings ? &*siblings_ : nullptr,
                parts_.grandparents ? &*grandparents_ : nullptr};
    }

    // visit(h, s, d, score) of siblings, visit(g, h, d, score) of grandparents, as in decode/base/part_scores.hpp.
    template <class Visit>
    void each_sibling(const Visit& visit) {
        for (int arc = 0; arc < arcs_.size() && parts_.siblings; ++arc)
            for (int before = 0; before < arcs_.position(arc); ++before) {
                const int h = arcs_.head(arc), s = before == 0 ? h : child(arc, before);
                visit(h, s, arcs_.dependent(arc), families_.sibling(arc, before));
            }
    }
    template <class Visit>
    void each_grandparent(const Visit& visit) {
        for (int above = 0; above < arcs_.size() && parts_.grandparents; ++above) {
            const int g = arcs_.head(above), h = arcs_.dependent(above);
            for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc)
                if (arcs_.dependent(arc) != g) visit(g, h, arcs_.dependent(arc), families_.grandparent(above, arc));
        }
    }

  private:
    // Adds the sum of the features that name(at, take) names to a score, in time.
    template <class Name>
    void score(double& score, const Name& name) {
        name(weights_->addressing(), gathering_.features());
        gathering_.end_sum();
        targets_.push_back(&score);
        if (gathering_.is_full()) settle();
    }
    void settle() {
        gathering_.each_sum(*weights_, [&](std::size_t i, float sum) { *targets_[i] += sum; });
        targets_.clear();
    }

    // The child at a position on the side of an arc, -1 for none.
    int child(int arc, int position) const {
        return position == 0 ? -1 : arcs_.dependent(arc - arcs_.position(arc) + position);
    }

    void score_sides(int h) {
        for (const bool is_right : {false, true})
            score(empty_[2 * h + is_right],
                  [&](const Addressing& at, const auto& take) { features_->sibling(h, -1, -1, is_right, at, take); });
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            const int d = arcs_.dependent(arc);
            const bool is_right = d > h;
            score(ends_[arc],
                  [&](const Addressing& at, const auto& take) { features_->sibling(h, d, -1, is_right, at, take); });
            for (int before = 0; before < arcs_.position(arc); ++before)
                score(families_.sibling(arc, before), [&](const Addressing& at, const auto& take) {
                    features_->sibling(h, child(arc, before), d, is_right, at, take);
                });
        }
    }
    // Adds the end of a side after this arc to the arc, and takes it off the siblings that come after.
    void spread_end(int arc) {
        const int h = arcs_.head(arc), d = arcs_.dependent(arc);
        const double end = ends_[arc] - empty_[2 * h + (d > h)];
        table_[static_cast<std::size_t>(h) * (arcs_.words() + 1) + d] += end;
        const int last = arcs_.is_left(arc) ? arcs_.middle(h) : arcs_.end(h);
        for (int after = arc + 1; after < last; ++after) families_.sibling(after, arcs_.position(arc)) -= end;
    }

    void score_under(int above) {
        const int g = arcs_.head(above), h = arcs_.dependent(above);
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            const int d = arcs_.dependent(arc);
            if (d == g) continue;  // no tree has both
            score(families_.grandparent(above, arc),
                  [&](const Addressing& at, const auto& take) { features_->grandparent(g, h, d, at, take); });
        }
    }

    const PartFeatures* features_ = nullptr;
    const WeightTable* weights_ = nullptr;
    Parts parts_;
    parts::ArcList arcs_;
    parts::Families families_;
    Gathering gathering_;
    std::span<double> table_;
    std::optional<TripleScores> siblings_, grandparents_;
    std::vector<Triple> triples_;
    std::vector<double> empty_;     // sides of each head, left and right
    std::vector<double> ends_;      // of sides after each arc
    std::vector<double*> targets_;  // of the sums that are gathered
};

}  // namespace nonproj::learn
