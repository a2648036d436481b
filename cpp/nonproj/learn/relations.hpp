// The second stage: the relation of every word, given the tree, by a linear model of label_features.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/label_features.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class Relations {
  public:
    explicit Relations(int count) : count_(count), scores_(count) {}

    // Writes the best relation of each word; the first of equals.
    void predict(const Views& views, std::span<const std::int32_t> heads, const Table& weights,
                 std::span<std::int32_t> relations) {
        features_.assign(views, heads);
        for (int m = 1; m <= views.size(); ++m) {
            score(m, weights, -1);
            relations[m - 1] = best();
        }
    }

    void learn(const Views& views, std::span<const std::int32_t> heads, Algorithm algorithm, double most,
               AveragedTable& weights) {
        features_.assign(views, heads);
        for (int m = 1; m <= views.size(); ++m) {
            const int gold = views.sentence().words[m - 1].relation;
            if (gold < 0) continue;
            score(m, weights.now(), algorithm == Algorithm::mira ? gold : -1);
            const int found = best();
            if (found == gold) continue;
            const double violation = scores_[found] - scores_[gold];
            const double square = 2.0 * static_cast<double>(lines_.size());
            const double size =
                algorithm == Algorithm::mira ? std::min(most, violation / square) : Step::perceptron_step;
            for (const std::size_t line : lines_) {
                weights.add(line + gold, static_cast<float>(size));
                weights.add(line + found, static_cast<float>(-size));
            }
        }
    }

  private:
    // With `gold`, every other relation gets 1 more.
    void score(int m, const Table& weights, int gold) {
        const Addressing at = weights.addressing();
        const std::size_t last = weights.size() - static_cast<std::size_t>(count_);
        lines_.clear();
        features_.each(m, [&](Hash hash) {
            lines_.push_back(std::min(at.line(hash), last));
            for (int r = 0; r < count_; r += slots) prefetch(weights.data() + lines_.back() + r);
        });
        std::fill(scores_.begin(), scores_.end(), gold < 0 ? 0.0f : 1.0f);
        if (gold >= 0) scores_[gold] = 0;
        for (const std::size_t line : lines_) {
            const float* const row = weights.data() + line;
            for (int r = 0; r < count_; ++r) scores_[r] += row[r];
        }
    }
    int best() const { return static_cast<int>(std::max_element(scores_.begin(), scores_.end()) - scores_.begin()); }

    int count_;
    LabelFeatures features_;
    std::vector<float> scores_;
    std::vector<std::size_t> lines_;
};

}  // namespace nonproj::learn
