// Sums over all 1-endpoint-crossing trees: their number, their total weight, how much of it each arc has, and trees
// drawn in proportion to their weight. Each tree has exactly one derivation in the `unique` rules.
//
// Weights are first scaled; there are fewer than 16^n trees, so no sum overflows. Then plain doubles do, unless scores
// lie so far apart that all trees together weigh next to nothing: the sum is then done once more with exponents of their
// own.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::one_endpoint_crossing {

// Calls use(chart) with a filled chart of the weights, in plain doubles where that is exact.
template <class Real, class Use>
void with_sum_chart(const ScaledScores<Real>& scaled, int words, bool single_root, const Use& use) {
    // What is lost to underflow: fewer than 2^40 terms below 2^-1074, each to be completed in fewer than 16^n ways that
    // weigh at most 1/8^n. So above this total the relative error is below 2^(n - 434).
    const double least = words < 400 ? 0x1p-600 : std::numeric_limits<double>::infinity();
    bool done = false;
    with_filled_chart<unique, Linear>(
        words, single_root, [&](int head, int dependent) { return scaled.plain(head, dependent); },
        [&](const auto& chart) {
            done = chart.goal() >= least;
            if (done) use(chart);
        });
    if (done) return;
    with_filled_chart<unique, WideSum>(
        words, single_root, [&](int head, int dependent) { return scaled.wide(head, dependent); }, use);
}

// The memory that a sum over trees of so many words needs; marginals need twice that.
inline std::size_t sum_bytes(int words) {
    return std::max(Chart<unique, Linear>::bytes(words), Chart<unique, WideSum>::bytes(words));
}

// The logarithm of the sum over trees of exp(score); -inf when there is none.
template <class Real>
double log_partition(const ArcScores<Real>& scores, bool single_root) {
    if (scores.words() == 0) return 0;
    const ScaledScores<Real> scaled(scores);
    double result = 0;
    with_sum_chart(scaled, scores.words(), single_root,
                   [&](const auto& chart) { result = log_of(chart.goal()) + scaled.lost(); });
    return result;
}

// The probability of each arc, row-major (n + 1) x (n + 1); all zero when there is no tree.
template <class Real>
void marginals(const ArcScores<Real>& scores, bool single_root, double* probability) {
    const int words = scores.words();
    std::fill_n(probability, std::size_t(words + 1) * (words + 1), 0.0);
    if (words == 0) return;
    with_sum_chart(ScaledScores<Real>(scores), words, single_root, [&](const auto& chart) {
        using Chart = std::remove_cvref_t<decltype(chart)>;
        using S = typename Chart::Semiring;
        if (is_zero<S>(chart.goal())) return;
        const Chart derivatives(typename Chart::Derivatives{}, chart);
        derive(chart, derivatives);
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent)
                    probability[std::size_t(head) * (words + 1) + dependent] = ratio(
                        S::times(chart.arc(head, dependent), derivatives.arc_total(head, dependent)), chart.goal());
    });
}

// The number of trees, modulo a number that CountModulo takes.
template <class Real>
std::uint64_t count(const ArcScores<Real>& scores, bool single_root, std::uint64_t modulus) {
    const CountModulo while_counting(modulus);
    if (scores.words() == 0) return 1;
    std::uint64_t trees = 0;
    with_filled_chart<unique, Count<Real>>(
        scores.words(), single_root,
        [&](int head, int dependent) { return Count<Real>::lift(scores(head, dependent)); },
        [&](const auto& chart) { trees = chart.goal(); });
    return trees;
}

// Draws one of several terms in proportion to its value.
template <class S>
class Lot {
  public:
    explicit Lot(std::mt19937_64& random) : random_(random) {}
    void start(const typename S::Value& whole) {
        whole_ = whole;
        rest_ = double(random_() >> 11) * 0x1p-53;
    }
    bool take(const typename S::Value& term) {
        rest_ -= ratio(term, whole_);
        return true;
    }
    bool finished() const { return rest_ < 0; }

  private:
    std::mt19937_64& random_;
    typename S::Value whole_ = S::zero();
    double rest_ = 0;
};

// Trees drawn in proportion to exp(score), one after another in heads; false when there is no tree.
template <class Real>
bool sample(const ArcScores<Real>& scores, bool single_root, std::size_t samples, std::uint64_t seed,
            std::int32_t* heads) {
    const int words = scores.words();
    if (words == 0) return true;
    bool exists = false;
    with_sum_chart(ScaledScores<Real>(scores), words, single_root, [&](const auto& chart) {
        using Chart = std::remove_cvref_t<decltype(chart)>;
        using S = typename Chart::Semiring;
        exists = !is_zero<S>(chart.goal());
        if (!exists) return;
        std::mt19937_64 random(seed);
        Descent<Chart> descent(chart);
        for (std::size_t at = 0; at < samples; ++at) {
            Interrupt::check();
            Lot<S> lot(random);
            descent.run(lot, heads + at * words);
        }
    });
    return exists;
}

}  // namespace nonproj::one_endpoint_crossing
