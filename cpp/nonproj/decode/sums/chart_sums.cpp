#include "nonproj/decode/sums/chart_sums.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nonproj/decode/algebra/scaled_scores.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

namespace {

// Whether doubles have lost nothing that is felt. What underflows is wrong by 2^-1075 at most, fewer than 2^60 times, and
// is multiplied by the ways to complete it: 2^-40 of the total is asked for.
bool is_reliable(double total, const ScaledScores& scaled) {
    if (!(total > 0) || !std::isfinite(total)) return false;
    const double slack = std::log2(total) + 1075 - 60 - 40;
    return slack >= scaled.log2_most(false) || slack >= scaled.log2_most(true);
}

template <Semiring S>
ArcWeights<S> weights_of(const ScaledScores& scaled) {
    return {scaled.words(), [&](int head, int dependent) { return S::exp(scaled(head, dependent)); }};
}
template <Semiring S>
ArcWeights<S> weights_of(const ScaledScores& scaled, std::span<const double> direction) {
    return {scaled.words(), [&](int head, int dependent) {
                return S::exp(scaled(head, dependent),
                              direction[static_cast<std::size_t>(head) * (scaled.words() + 1) + dependent]);
            }};
}

}  // namespace

// Marginals take a second chart, of derivatives.
double ChartSums::bytes(int words) const { return 2 * charts_.bytes(words, k_); }

// Calls use(chart, its semiring) with a chart of the weights, in plain doubles where that is exact.
template <class Use>
void ChartSums::with_chart(const ScaledScores& scaled, bool single_root, const Use& use) const {
    if (const auto chart = charts_.linear(weights_of<Linear>(scaled), k_, single_root))
        if (is_reliable(chart->total(), scaled)) return use(*chart, Linear());
    use(*charts_.wide(weights_of<WideSum>(scaled), k_, single_root), WideSum());
}

double ChartSums::log_partition(const Scores& scores, bool single_root) const {
    if (scores.words() == 0) return 0;
    const ScaledScores scaled(scores);
    double found = 0;
    with_chart(scaled, single_root, [&](const auto& chart, auto semiring) {
        found = decltype(semiring)::log(chart.total()) + scaled.lost();
    });
    return found;
}

double ChartSums::marginals(const Scores& scores, bool single_root, std::span<double> chance) const {
    const ScaledScores scaled(scores);
    return normalised_marginals(scaled, single_root, chance) + scaled.lost();
}

// The same for the scaled scores.
double ChartSums::normalised_marginals(const ScaledScores& scaled, bool single_root, std::span<double> chance) const {
    std::fill(chance.begin(), chance.end(), 0.0);
    if (scaled.words() == 0) return 0;
    double found = 0;
    with_chart(scaled, single_root, [&](const auto& chart, auto semiring) {
        found = decltype(semiring)::log(chart.total());
        if (found > minus_infinity<double>) chart.chances(chance);
    });
    return found;
}

// The same chart over dual numbers: the derivative of every chance at the cost of a few chances.
void ChartSums::marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                                 std::span<double> change) const {
    std::fill(change.begin(), change.end(), 0.0);
    if (scores.words() == 0) return;
    const ScaledScores scaled(scores);
    std::vector<DualNumber> chance(change.size());
    auto linear = charts_.linear_changes(weights_of<Dual<Linear>>(scaled, direction), k_, single_root);
    if (linear && is_reliable(linear->total().value, scaled)) {
        linear->chances(chance);
    } else {
        linear.reset();  // no memory for both
        const auto wide = charts_.wide_changes(weights_of<Dual<WideSum>>(scaled, direction), k_, single_root);
        if (wide->total().is_positive()) wide->chances(chance);
    }
    for (std::size_t at = 0; at < change.size(); ++at) change[at] = chance[at].change;
}

// log Z - sum of (chance of the arc) x (its score), with scaled scores throughout, since that keeps the digits.
double ChartSums::entropy(const Scores& scores, bool single_root) const {
    const int width = scores.words() + 1;
    const ScaledScores scaled(scores);
    std::vector<double> chance(static_cast<std::size_t>(width) * width);
    double found = normalised_marginals(scaled, single_root, chance);
    if (found == minus_infinity<double>) return found;
    for (int h = 0; h < width; ++h)
        for (int d = 1; d < width; ++d)
            if (const double share = chance[static_cast<std::size_t>(h) * width + d]; share > 0)
                found -= share * scaled(h, d);
    return std::max(0.0, found);
}

std::uint64_t ChartSums::count(const Scores& scores, bool single_root, std::uint64_t prime) const {
    using S = Count<double>;
    const CountModulo while_counting(prime);
    if (scores.words() == 0) return 1;
    const ArcWeights<S> weights(scores.words(), [&](int h, int d) { return S::lift(scores(h, d)); });
    return charts_.count(weights, k_, single_root)->total();
}

bool ChartSums::sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                       std::int32_t* heads) const {
    const std::size_t words = scores.words();
    if (words == 0) return true;
    bool exists = false;
    with_chart(ScaledScores(scores), single_root, [&](const auto& chart, auto semiring) {
        using S = decltype(semiring);
        exists = S::log(chart.total()) > minus_infinity<double>;
        Lot<S> lot(seed);
        for (std::size_t drawn = 0; drawn < samples && exists; ++drawn) {
            Interrupt::check();
            chart.draw(lot, heads + drawn * words);
        }
    });
    return exists;
}

}  // namespace nonproj
