// Arc scores scaled so that sums over trees of their exponentials, the weights, mostly do with doubles.
//
// The best head of each word weighs 1, and where sums over that many words might overflow, a little less. A class with
// charts has fewer than 16^n trees of n words, and so do the ways to complete a part of a tree: up to 240 words no sum
// comes to 2^961. Beyond, each weight gives up as much as keeps it there.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

class ScaledScores {
  public:
    explicit ScaledScores(const ArcScores<double>& scores) : scores_(scores), shift_(scores.words() + 1, 0.0) {
        const int words = scores.words();
        if (words > 0) discount_ = std::max(0.0, std::numbers::ln2 * (4 - 960.0 / words));
        for (int dependent = 1; dependent <= words; ++dependent) {
            double best = minus_infinity<double>;
            for (int head = 0; head <= words; ++head)
                if (head != dependent) best = std::max(best, scores(head, dependent));
            shift_[dependent] = (best == minus_infinity<double> ? 0 : best) + discount_;
            lost_ += shift_[dependent];
        }
    }
    int words() const { return scores_.words(); }
    double operator()(int head, int dependent) const { return scores_(head, dependent) - shift_[dependent]; }
    // The logarithm of what all trees have lost by the scaling.
    double lost() const { return lost_; }

    // The logarithm to base 2 that no sum over trees, nor over the ways to complete a part of one, exceeds: by the number of
    // trees, and if asked `closely` also by what the heads of each word weigh together.
    double log2_most(bool closely) const {
        double most = words() * (4 - discount_ / std::numbers::ln2);
        if (!closely) return most;
        double heads = 0;
        for (int dependent = 1; dependent <= words(); ++dependent) {
            double weight = 0;
            for (int head = 0; head <= words(); ++head)
                if (head != dependent) weight += std::exp((*this)(head, dependent));
            heads += std::max(0.0, std::log2(weight));
        }
        return std::min(most, heads);
    }

  private:
    ArcScores<double> scores_;
    std::vector<double> shift_;
    double discount_ = 0, lost_ = 0;
};

}  // namespace nonproj
