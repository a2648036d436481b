// Which heads of a word are worth a look: those with a fair chance among all spanning trees under a small log-linear
// model of arcs (Pitler, Kannan & Marcus 2012, section 7; Koo & Collins 2010), or under the weights of a parser that
// was trained with arcs alone, as there.
//
// The log-linear model is trained by AdaGrad on the log-likelihood of the gold trees, whose gradient by the weight of a feature is
//     how often the gold arcs have it  -  how often arcs have it by their marginals.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/matrix_tree.hpp"
#include "nonproj/learn/arc_features.hpp"
#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class Pruner {
  public:
    explicit Pruner(PrunedBy by) : by_(by) {}

    void assign(const Views& views) {
        if (by_ == PrunedBy::mst)
            rich_features_.assign(views);
        else
            features_.assign(views);
        look_at(0, views.size());
    }
    // From here on the sentence is as if it had the words first + 1 .. first + words alone, numbered from 1.
    void look_at(int first, int words) {
        first_ = first;
        width_ = static_cast<std::size_t>(words) + 1;
    }

    std::span<float> score(const WeightTable& weights) {
        return by_ == PrunedBy::mst ? score(rich_features_, weights) : score(features_, weights);
    }

    // After `score` or `take`: forbids arcs that are longer than this, but those of the root and of `kept`.
    void forbid_long(int max_length, std::span<const std::int32_t> kept = {}) {
        for (int h = 1; h < static_cast<int>(width_); ++h)
            for (int d = 1; d < static_cast<int>(width_); ++d)
                if (std::abs(h - d) > max_length && (kept.empty() || kept[d - 1] != h))
                    arcs_[h * width_ + d] = minus_infinity<float>;
    }

    // In place of `score` and `marginals`: the logarithms of the chances that each word has to be the head of another, and
    // these chances.
    std::span<float> take(std::span<const float> log_chances) {
        arcs_.assign(log_chances.begin(), log_chances.end());
        return arcs_;
    }
    void chances() {
        chance_.resize(arcs_.size());
        for (std::size_t i = 0; i < arcs_.size(); ++i) chance_[i] = std::exp(arcs_[i]);
    }

    // After `score`: the chance of every arc. Returns the logarithm of the sum over all trees.
    double marginals(bool single_root) {
        chance_.resize(width_ * width_);
        return sums_.marginals(ArcScores<float>(arcs_.data(), static_cast<int>(width_) - 1), single_root, chance_);
    }
    std::span<const double> chance() const { return chance_; }

    // After `marginals`: the likely heads of each word, likeliest first. Those of `kept` stay whatever their chance.
    Candidates likely(const PruningLimits& limits, std::span<const std::int32_t> kept) {
        Candidates candidates;
        for (std::size_t d = 1; d < width_; ++d) {
            order_.clear();
            for (std::size_t h = 0; h < width_; ++h)
                if (h != d && chance(h, d) > limits.threshold) order_.push_back(static_cast<std::int32_t>(h));
            const auto is_likelier = [&](std::int32_t a, std::int32_t b) {
                return chance(a, d) != chance(b, d) ? chance(a, d) > chance(b, d) : a < b;
            };
            const std::size_t kept_heads = std::min<std::size_t>(limits.max_heads, order_.size());
            std::partial_sort(order_.begin(), order_.begin() + kept_heads, order_.end(), is_likelier);
            order_.resize(kept_heads);
            if (!kept.empty() && std::find(order_.begin(), order_.end(), kept[d - 1]) == order_.end())
                order_.push_back(kept[d - 1]);
            candidates.heads.insert(candidates.heads.end(), order_.begin(), order_.end());
            candidates.end_word();
        }
        return candidates;
    }

    // After `score`: calls take(place, slope) for the features of every arc, the slope of the log-likelihood; returns the
    // loss of the sentence, minus its log-likelihood. Arcs of hardly any slope are left out.
    template <class Take>
    double gradient(std::span<const std::int32_t> heads, bool single_root, const Addressing& at, const Take& take) {
        double loss = marginals(single_root);
        for (std::size_t d = 1; d < width_; ++d)
            for (std::size_t h = 0; h < width_; ++h) {
                const bool is_gold = static_cast<std::int32_t>(h) == heads[d - 1];
                if (is_gold) loss -= arcs_[h * width_ + d];
                const float slope = static_cast<float>(is_gold - chance(h, d));
                if (h == d || std::abs(slope) < 1e-3f) continue;
                features_.each(position(h), position(d), at,
                               PlaceByPlace([&](std::size_t place) { take(place, slope); }));
            }
        return loss;
    }

    // One step up the gradient; returns the loss.
    double learn(std::span<const std::int32_t> heads, bool single_root, float rate, WeightTable& weights,
                 WeightTable& squares) {
        score(weights);
        return gradient(heads, single_root, weights.addressing(), [&](std::size_t place, float slope) {
            squares[place] += slope * slope;
            weights[place] += rate * slope / std::sqrt(squares[place]);
        });
    }

  private:
    template <class Features>
    std::span<float> score(const Features& features, const WeightTable& weights) {
        const Addressing at = weights.addressing();
        arcs_.resize(width_ * width_);
        std::size_t next = 0;
        const auto settle = [&] { gathering_.each_sum(weights, [&](std::size_t, float sum) { arcs_[next++] = sum; }); };
        for (std::size_t h = 0; h < width_; ++h) {
            for (std::size_t d = 0; d < width_; ++d) {
                if (d > 0 && h != d) features.each(position(h), position(d), at, gathering_.features());
                gathering_.end_sum();
            }
            if (gathering_.is_full()) settle();
        }
        settle();
        return arcs_;
    }

    // In the whole sentence.
    int position(std::size_t word) const { return word == 0 ? 0 : first_ + static_cast<int>(word); }
    double chance(std::size_t h, std::size_t d) const { return chance_[h * width_ + d]; }

    PrunedBy by_;
    LeanArcFeatures features_;
    RichArcFeatures rich_features_;
    Gathering gathering_;
    int first_ = 0;
    std::size_t width_ = 0;
    std::vector<float> arcs_;
    std::vector<double> chance_;
    std::vector<std::int32_t> order_;
    MatrixTree sums_;
};

}  // namespace nonproj::learn
