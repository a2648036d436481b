// Semirings, the algebra a chart is run in. S::Value with S::zero(), S::one(), S::plus, S::times and S::lift,
// which turns an arc score into a value. (plus, zero) and (times, one) are monoids, plus commutes, times
// distributes over plus, and zero annihilates: `semiring laws` in the tests checks them for each S below.
//
//   Best<Real>   max, +            score of the best tree
//   LogSum<Real> log-sum-exp, +    log of the sum over trees of exp(score)
//   Count        +, x modulo a prime      number of trees, put together by the Chinese remainder theorem
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>

#include "nonproj/decode/scores.hpp"

namespace nonproj {

template <class S>
concept Semiring = requires(typename S::Value a, typename S::Real score) {
    { S::zero() } -> std::same_as<typename S::Value>;
    { S::one() } -> std::same_as<typename S::Value>;
    { S::plus(a, a) } -> std::same_as<typename S::Value>;
    { S::times(a, a) } -> std::same_as<typename S::Value>;
    { S::lift(score) } -> std::same_as<typename S::Value>;
};

template <class R>
struct Best {
    using Real = R;
    using Value = R;
    static Value zero() { return minus_infinity<R>; }
    static Value one() { return 0; }
    static Value plus(Value a, Value b) { return a < b ? b : a; }
    static Value times(Value a, Value b) { return a + b; }
    static Value lift(Real score) { return score; }
};

template <class R>
struct LogSum {
    using Real = R;
    using Value = R;
    static Value zero() { return minus_infinity<R>; }
    static Value one() { return 0; }
    static Value plus(Value a, Value b) {
        const R high = std::max(a, b);
        if (high == zero()) return high;
        return high + std::log1p(std::exp(std::min(a, b) - high));
    }
    static Value times(Value a, Value b) { return a + b; }
    static Value lift(Real score) { return score; }
};

}  // namespace nonproj
