#include "nonproj/learn/labeller.hpp"

#include <algorithm>

#include "nonproj/learn/row_sums.hpp"

namespace nonproj::learn {

void Labeller::predict(const Views& views, std::span<const std::int32_t> heads, const WeightTable& weights,
                       std::span<std::int32_t> relations, const NetworkOfRelations* network) {
    features_.assign(views, heads);
    for (int m = 1; m <= views.size(); ++m) {
        score(m, weights, -1);
        if (network != nullptr)
            network->pass.add_relations(network->network, network->place, heads[m - 1], m, network->share,
                                        std::span(scores_).first(count_));
        relations[m - 1] = best();
    }
}

void Labeller::scores(const Views& views, std::span<const std::int32_t> heads, const WeightTable& weights,
                      std::span<float> scores) {
    features_.assign(views, heads);
    for (int m = 1; m <= views.size(); ++m) {
        score(m, weights, -1);
        std::copy_n(scores_.begin(), count_, scores.begin() + static_cast<std::ptrdiff_t>(m - 1) * count_);
    }
}

void Labeller::learn(const Views& views, std::span<const std::int32_t> heads, const LearningRule& rule,
                     AveragedWeights& weights) {
    features_.assign(views, heads);
    for (int m = 1; m <= views.size(); ++m) {
        const int gold = views.sentence().words[m - 1].relation;
        if (gold < 0) continue;
        score(m, weights.now(), rule.algorithm == Algorithm::mira ? gold : -1);
        const int found = best();
        if (found == gold) continue;
        const double step = rule.step(scores_[found] - scores_[gold], 2.0 * static_cast<double>(lines_.size()));
        for (const std::size_t line : lines_) {
            weights.add(line + gold, static_cast<float>(step));
            weights.add(line + found, static_cast<float>(-step));
        }
    }
}

// With `gold`, every other relation gets 1 more.
void Labeller::score(int m, const WeightTable& weights, int gold) {
    const Addressing at = weights.addressing();
    const std::size_t last = weights.size() - static_cast<std::size_t>(count_);
    lines_.clear();
    features_.each(m, [&](Hash hash) {
        lines_.push_back(std::min(at.line(hash), last));
        prefetch_row(weights.data() + lines_.back(), count_);
    });
    handicaps_.assign(scores_.size(), gold < 0 ? 0.0f : 1.0f);
    if (gold >= 0) handicaps_[gold] = 0;
    sum_rows(weights, lines_, count_, handicaps_, scores_);
}

int Labeller::best() const {
    return static_cast<int>(std::max_element(scores_.begin(), scores_.begin() + count_) - scores_.begin());
}

}  // namespace nonproj::learn
