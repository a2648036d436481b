// Sums over all 1-endpoint-crossing trees: their number, their total weight, how much of it each arc has, and trees
// drawn in proportion to their weight. Each tree has exactly one derivation in the `unique` rules.
//
// Weights are first scaled so that the best head of each word weighs 1/8; there are fewer than 16^n trees, so no sum
// overflows. Then plain doubles do, unless scores lie so far apart that all trees together weigh next to nothing: the
// sum is then done once more with exponents of their own.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing_descent.hpp"
#include "nonproj/decode/one_endpoint_crossing_fill.hpp"
#include "nonproj/decode/scores.hpp"

namespace nonproj::one_endpoint_crossing {

// Non-negative numbers fraction * 2^exponent of any size; the fraction of a number but zero is in [1, 2).
struct Wide {
    double fraction = 0;
    std::int64_t exponent = 0;
    bool operator==(const Wide&) const = default;

    static Wide normal(double fraction, std::int64_t exponent) {
        if (fraction == 0) return {};
        const int shift = std::ilogb(fraction);
        return {std::ldexp(fraction, -shift), exponent + shift};
    }
};
inline double ratio(double part, double whole) { return part / whole; }
inline double ratio(const Wide& part, const Wide& whole) {
    const std::int64_t shift = part.exponent - whole.exponent;
    return shift < -1100 ? 0 : std::ldexp(part.fraction / whole.fraction, int(shift));
}
inline double log_of(double value) { return std::log(value); }
inline double log_of(const Wide& value) {
    return std::log(value.fraction) + double(value.exponent) * std::log(2.0);
}

struct WideSum {
    using Real = double;
    using Value = Wide;
    static Value zero() { return {}; }
    static Value one() { return {1, 0}; }
    static Value plus(const Value& a, const Value& b) {
        if (a.fraction == 0) return b;
        if (b.fraction == 0) return a;
        const Value &high = a.exponent < b.exponent ? b : a, &low = a.exponent < b.exponent ? a : b;
        const std::int64_t apart = high.exponent - low.exponent;
        if (apart > 64) return high;
        const double sum = high.fraction + std::ldexp(low.fraction, -int(apart));
        return sum < 2 ? Value{sum, high.exponent} : Value{sum / 2, high.exponent + 1};
    }
    static Value times(const Value& a, const Value& b) {
        if (a.fraction == 0 || b.fraction == 0) return {};
        const double product = a.fraction * b.fraction;
        const std::int64_t exponent = a.exponent + b.exponent;
        return product < 2 ? Value{product, exponent} : Value{product / 2, exponent + 1};
    }
    static Value lift(Real logarithm) {  // exp(logarithm)
        if (logarithm == minus_infinity<Real>) return {};
        const double binary = logarithm / std::log(2.0), whole = std::floor(binary);
        return Wide::normal(std::exp((binary - whole) * std::log(2.0)), std::int64_t(whole));
    }
};

// Numbers modulo a prime, which each thread sets for itself.
struct Modular {
    using Real = double;
    using Value = std::uint64_t;
    static inline thread_local std::uint64_t prime = 0;
    static Value zero() { return 0; }
    static Value one() { return 1; }
    static Value plus(Value a, Value b) {
        const Value sum = a + b;
        return sum < prime ? sum : sum - prime;
    }
    static Value times(Value a, Value b) { return Value(static_cast<unsigned __int128>(a) * b % prime); }
    static Value lift(Real score) { return score != minus_infinity<Real>; }
};

// Arc scores less the best of each word; exp of them, over 8, are the weights.
template <class Real>
class ScaledScores {
  public:
    explicit ScaledScores(const ArcScores<Real>& scores) : scores_(scores), best_(scores.words() + 1) {
        for (int dependent = 1; dependent <= scores.words(); ++dependent) {
            double best = minus_infinity<double>;
            for (int head = 0; head <= scores.words(); ++head)
                if (head != dependent) best = std::max(best, double(scores(head, dependent)));
            best_[dependent] = best == minus_infinity<double> ? 0 : best;
        }
    }
    double operator()(int head, int dependent) const {
        return double(scores_(head, dependent)) - best_[dependent] - std::log(8.0);
    }
    // The logarithm of what all trees have lost by the scaling.
    double lost() const {
        double sum = 0;
        for (int dependent = 1; dependent <= scores_.words(); ++dependent) sum += best_[dependent] + std::log(8.0);
        return sum;
    }

  private:
    ArcScores<Real> scores_;
    std::vector<double> best_;
};

// Calls use(chart) with a filled chart of the weights, in plain doubles where that is exact.
template <class Real, class Use>
void with_sum_chart(const ScaledScores<Real>& scaled, int words, bool single_root, const Use& use) {
    // Below this total, terms lost to underflow might be felt: fewer than 2^40 of them, each below 2^-1074, each times
    // fewer than 16^n / 8^n ways to complete it.
    const double least = words < 400 ? std::ldexp(1.0, -600) : std::numeric_limits<double>::infinity();
    bool done = false;
    with_filled_chart<unique, Linear>(
        words, single_root, [&](int head, int dependent) { return std::exp(scaled(head, dependent)); },
        [&](const auto& chart) {
            done = chart.goal() >= least;
            if (done) use(chart);
        });
    if (done) return;
    with_filled_chart<unique, WideSum>(
        words, single_root, [&](int head, int dependent) { return WideSum::lift(scaled(head, dependent)); }, use);
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
        if (chart.goal() == S::zero()) return;
        const Chart derivatives(typename Chart::Derivatives{}, chart);
        derive(chart, derivatives);
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent)
                    probability[std::size_t(head) * (words + 1) + dependent] =
                        ratio(S::times(chart.arc(head, dependent), derivatives.arc_total(head, dependent)), chart.goal());
    });
}

// The number of trees modulo a prime below 2^62.
template <class Real>
std::uint64_t count(const ArcScores<Real>& scores, bool single_root, std::uint64_t prime) {
    if (scores.words() == 0) return 1 % prime;
    Modular::prime = prime;
    std::uint64_t trees = 0;
    with_filled_chart<unique, Modular>(
        scores.words(), single_root,
        [&](int head, int dependent) { return Modular::lift(double(scores(head, dependent))); },
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
        exists = chart.goal() != S::zero();
        if (!exists) return;
        std::mt19937_64 random(seed);
        Descent<Chart> descent(chart);
        for (std::size_t at = 0; at < samples; ++at) {
            Lot<S> lot(random);
            descent.run(lot, heads + at * words);
        }
    });
    return exists;
}

}  // namespace nonproj::one_endpoint_crossing
