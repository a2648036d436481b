// Sums by a chart in which each tree has exactly one derivation: to be included where ChartSums<Charts> is instantiated.
//
//   Charts::with<S>(words, single_root, weight, use)   calls use(chart) with a filled chart, in which the arc h -> d is
//                                                      worth weight(h, d)
//   Charts::bytes<S>(words)                            the memory of such a chart
//   Charts::Fallback                                   the semiring for weights that a double cannot hold
//
//   chart.total()                   the sum over all trees
//   chart.derive(choice, heads)     one derivation, from the goal down (lot.hpp)
//   chart.chances(chance)           of every arc, into chance[h * (n + 1) + d]; S is Linear, the fallback or Dual of one
//
// Weights are scaled. The classes have fewer than 16^n trees of n words as far as they have been counted, and a sum that
// overflows all the same is noticed. Then plain doubles do, unless all trees together weigh next to nothing: the sum is
// then done once more in the fallback.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/dual.hpp"
#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/sums/lot.hpp"
#include "nonproj/decode/sums/sums.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <class Charts>
class ChartSums {
  public:
    static constexpr Sums sums() {
        return {&bytes, &log_partition, &marginals, &marginal_changes, &entropy, &count, &sample};
    }

  private:
    using Fallback = typename Charts::Fallback;
    using Scores = ArcScores<double>;

    // Marginals take a second chart, of derivatives.
    static double bytes(int words) {
        return 2 * std::max(Charts::template bytes<Linear>(words), Charts::template bytes<Fallback>(words));
    }

    // Below 2^-500, terms lost to underflow might be felt: fewer than 2^60 of them, each below 2^-1022, each times fewer
    // than 2^n ways to complete it.
    static bool is_reliable(double total, int words) {
        return words < 300 && total >= 0x1p-500 && std::isfinite(total);
    }

    // Calls use(chart) with a chart of the weights, in plain doubles where that is exact.
    template <class Use>
    static void with_chart(const ScaledScores& scaled, bool single_root, const Use& use) {
        bool is_done = false;
        Charts::template with<Linear>(
            scaled.words(), single_root, [&](int h, int d) { return Linear::exp(scaled(h, d)); },
            [&](const auto& chart) {
                is_done = is_reliable(chart.total(), scaled.words());
                if (is_done) use(chart, Linear());
            });
        if (is_done) return;
        Charts::template with<Fallback>(
            scaled.words(), single_root, [&](int h, int d) { return Fallback::exp(scaled(h, d)); },
            [&](const auto& chart) { use(chart, Fallback()); });
    }

    static double log_partition(const Scores& scores, bool single_root) {
        if (scores.words() == 0) return 0;
        const ScaledScores scaled(scores);
        double found = 0;
        with_chart(scaled, single_root, [&](const auto& chart, auto semiring) {
            found = decltype(semiring)::log(chart.total()) + scaled.lost();
        });
        return found;
    }

    static double marginals(const Scores& scores, bool single_root, std::span<double> chance) {
        const ScaledScores scaled(scores);
        return normalised_marginals(scaled, single_root, chance) + scaled.lost();
    }

    // The same for the scaled scores.
    static double normalised_marginals(const ScaledScores& scaled, bool single_root, std::span<double> chance) {
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
    static void marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                                 std::span<double> change) {
        std::fill(change.begin(), change.end(), 0.0);
        const int words = scores.words();
        if (words == 0) return;
        const ScaledScores scaled(scores);
        std::vector<DualNumber> chance(change.size());
        const auto ask = [&]<class Base>(Base, const auto& is_enough) {
            bool is_done = false;
            Charts::template with<Dual<Base>>(
                words, single_root,
                [&](int h, int d) {
                    return Dual<Base>::exp(scaled(h, d), direction[static_cast<std::size_t>(h) * (words + 1) + d]);
                },
                [&](const auto& chart) {
                    const auto total = chart.total();
                    is_done = is_enough(total.value);
                    if (is_done && total.is_positive()) chart.chances(std::span(chance));
                });
            return is_done;
        };
        if (!ask(Linear(), [&](double total) { return is_reliable(total, words); }))
            ask(Fallback(), [](const auto&) { return true; });
        for (std::size_t at = 0; at < change.size(); ++at) change[at] = chance[at].change;
    }

    // log Z - sum of (chance of the arc) x (its score), with scaled scores throughout, since that keeps the digits.
    static double entropy(const Scores& scores, bool single_root) {
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

    static std::uint64_t count(const Scores& scores, bool single_root, std::uint64_t prime) {
        using S = Count<double>;
        const CountModulo while_counting(prime);
        if (scores.words() == 0) return 1;
        std::uint64_t trees = 0;
        Charts::template with<S>(
            scores.words(), single_root, [&](int h, int d) { return S::lift(scores(h, d)); },
            [&](const auto& chart) { trees = chart.total(); });
        return trees;
    }

    static bool sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                       std::int32_t* heads) {
        const std::size_t words = scores.words();
        if (words == 0) return true;
        bool exists = false;
        with_chart(ScaledScores(scores), single_root, [&](const auto& chart, auto semiring) {
            using S = decltype(semiring);
            exists = S::log(chart.total()) > minus_infinity<double>;
            Lot<S> lot(seed);
            for (std::size_t drawn = 0; drawn < samples && exists; ++drawn) {
                Interrupt::check();
                chart.derive(lot, heads + drawn * words);
            }
        });
        return exists;
    }
};

}  // namespace nonproj
