// Sums over trees in plain doubles, and, where those would run out of exponents, in wide numbers: the two semirings.
#pragma once
#include <cmath>

#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/algebra/wide.hpp"

namespace nonproj {

// Plain sums of products, for weights that are known to stay in range. For sums over trees a semiring has, besides its
// operations, exp (the value of a weight that is given by its logarithm), log, and the ratio of two values.
struct Linear {
    using Real = double;
    using Value = double;
    static Value zero() { return 0; }
    static Value one() { return 1; }
    static Value plus(Value a, Value b) { return a + b; }
    static Value times(Value a, Value b) { return a * b; }
    static Value lift(Real weight) { return weight; }

    static Value exp(double log_weight) { return std::exp(log_weight); }
    static double log(Value value) { return std::log(value); }
    static double ratio(Value part, Value whole) { return part / whole; }
};

// The same with an exponent that does not run out.
struct WideSum {
    using Real = double;
    using Value = Wide;
    static Value zero() { return {}; }
    static Value one() { return Wide(1.0); }
    static Value plus(Value a, Value b) { return a + b; }
    static Value times(Value a, Value b) { return a * b; }
    static Value lift(Real weight) { return Wide(weight); }

    static Value exp(double log_weight) {
        return log_weight == minus_infinity<double> ? Wide() : Wide::exp(log_weight);
    }
    static double log(Value value) { return value.is_positive() ? value.log() : minus_infinity<double>; }
    static double ratio(Value part, Value whole) { return part.is_positive() ? (part / whole).to_double() : 0; }
};

}  // namespace nonproj
