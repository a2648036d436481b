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

// Plain sums of products, for weights that are known to stay in range.
struct Linear {
    using Real = double;
    using Value = double;
    static Value zero() { return 0; }
    static Value one() { return 1; }
    static Value plus(Value a, Value b) { return a + b; }
    static Value times(Value a, Value b) { return a * b; }
    static Value lift(Real weight) { return weight; }
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
};

inline double ratio(double part, double whole) { return part / whole; }
inline double ratio(Wide part, Wide whole) { return part.is_positive() ? (part / whole).to_double() : 0; }
inline double log_of(double value) { return std::log(value); }
inline double log_of(Wide value) { return value.is_positive() ? value.log() : minus_infinity<double>; }

// Arc scores less the best of each word; exp of them, over 8, are the weights. With fewer than 16^n trees of n words no sum
// overflows.
template <class Real>
class ScaledScores {
  public:
    explicit ScaledScores(const ArcScores<Real>& scores) : scores_(scores), best_(scores.words() + 1, 0.0) {
        for (int dependent = 1; dependent <= scores.words(); ++dependent) {
            double best = minus_infinity<double>;
            for (int head = 0; head <= scores.words(); ++head)
                if (head != dependent) best = std::max(best, double(scores(head, dependent)));
            if (best != minus_infinity<double>) best_[dependent] = best;
            lost_ += best_[dependent] + std::log(8.0);
        }
    }
    double operator()(int head, int dependent) const {
        return double(scores_(head, dependent)) - best_[dependent] - std::log(8.0);
    }
    // The weight of an arc, in either semiring.
    double plain(int head, int dependent) const { return std::exp((*this)(head, dependent)); }
    Wide wide(int head, int dependent) const {
        const double weight = (*this)(head, dependent);
        return weight == minus_infinity<double> ? Wide() : Wide::exp(weight);
    }
    // The logarithm of what all trees have lost by the scaling.
    double lost() const { return lost_; }

  private:
    ArcScores<Real> scores_;
    std::vector<double> best_;
    double lost_ = 0;
};

}  // namespace nonproj
