#include "nonproj/decode/spanning/matrix_tree.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace nonproj {

template class HeadWalk<double>;
template class HeadWalk<Wide>;
template class Elimination<double>;
template class Elimination<Wide>;

namespace {

// Sum of chance(h, d) log P(h, d).
template <class Number>
double expected_log_weight(const HeadWalk<Number>& walk, std::span<const double> chances) {
    const int width = walk.words() + 1;
    double sum = 0;
    for (int h = 0; h < width; ++h)
        for (int d = 1; d < width; ++d) {
            const double chance = chances[static_cast<std::size_t>(h) * width + d];
            if (h != d && chance > 0) sum += chance * walk.log(h, d);
        }
    return sum;
}

}  // namespace

template <class Question>
double MatrixTree::first_reliable(Question question) {
    if (const std::optional<double> answer = question(doubles_)) return *answer;
    return question(wides_).value();
}

double MatrixTree::log_partition(const ArcScores<double>& scores, bool single_root) {
    return first_reliable([&](auto& sums) -> std::optional<double> {
        if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
        const auto z = sums.elimination.eliminate(sums.walk);
        if (!is_reliable(z)) return std::nullopt;
        return sums.walk.log_partition(z);
    });
}

template <class Real>
double MatrixTree::marginals(const ArcScores<Real>& scores, bool single_root, std::span<double> chance) {
    assert(chance.size() == static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
    return first_reliable([&](auto& sums) -> std::optional<double> {
        double log_sum = minus_infinity<double>;
        if (sums.walk.read(scores, single_root)) {
            const auto z = sums.halving.marginals(sums.walk, chance);
            if (!is_reliable(z)) return std::nullopt;
            log_sum = sums.walk.log_partition(z);
        }
        if (log_sum == minus_infinity<double>) std::fill(chance.begin(), chance.end(), 0.0);
        return log_sum;
    });
}
template double MatrixTree::marginals(const ArcScores<double>&, bool, std::span<double>);
template double MatrixTree::marginals(const ArcScores<float>&, bool, std::span<double>);

double MatrixTree::entropy(const ArcScores<double>& scores, bool single_root) {
    chance_.resize(static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
    return first_reliable([&](auto& sums) -> std::optional<double> {
        if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
        const auto z = sums.halving.marginals(sums.walk, chance_);
        if (!is_reliable(z)) return std::nullopt;
        if (sums.walk.log_partition(z) == minus_infinity<double>) return minus_infinity<double>;
        return std::max(0.0, sums.walk.log_normalised(z) - expected_log_weight(sums.walk, chance_));
    });
}

}  // namespace nonproj
