// Sums over trees in plain doubles, and, where those would run out of exponents, in wide numbers: the two semirings, and
// scores scaled so that a double mostly does.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/algebra/wide.hpp"
#include "nonproj/decode/base/arc_scores.hpp"

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

// Arc scores less the best of each word, and less log 8: their exponentials are the weights. With fewer than 16^n trees
// of n words no sum overflows.
class ScaledScores {
  public:
    explicit ScaledScores(const ArcScores<double>& scores) : scores_(scores), shift_(scores.words() + 1, 0.0) {
        for (int dependent = 1; dependent <= scores.words(); ++dependent) {
            double best = minus_infinity<double>;
            for (int head = 0; head <= scores.words(); ++head)
                if (head != dependent) best = std::max(best, scores(head, dependent));
            shift_[dependent] = (best == minus_infinity<double> ? 0 : best) + std::log(8.0);
            lost_ += shift_[dependent];
        }
    }
    int words() const { return scores_.words(); }
    double operator()(int head, int dependent) const { return scores_(head, dependent) - shift_[dependent]; }
    // The logarithm of what all trees have lost by the scaling.
    double lost() const { return lost_; }

  private:
    ArcScores<double> scores_;
    std::vector<double> shift_;
    double lost_ = 0;
};

}  // namespace nonproj
