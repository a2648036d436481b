// Dual numbers: a sum over trees together with how it changes when the scores move in a direction. A value v is kept with
// its relative change v'/v: products add changes and sums take their mean weighed by the values, so that a change never
// exceeds that of some tree, however large or small the value.
#pragma once
#include <cstddef>

#include "nonproj/decode/algebra/inner_product.hpp"
#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"

namespace nonproj {

// A chance and its change: plain dual arithmetic, since chances are no products of many factors.
struct DualNumber {
    double value = 0, change = 0;

    DualNumber() = default;
    DualNumber(double constant) : value(constant) {}
    DualNumber(double v, double c) : value(v), change(c) {}

    friend DualNumber operator+(DualNumber a, DualNumber b) { return {a.value + b.value, a.change + b.change}; }
    friend DualNumber operator*(DualNumber a, DualNumber b) {
        return {a.value * b.value, a.change * b.value + a.value * b.change};
    }
    friend DualNumber operator/(DualNumber a, DualNumber b) {
        const double ratio = a.value / b.value;
        return {ratio, (a.change - ratio * b.change) / b.value};
    }
    DualNumber& operator+=(DualNumber other) { return *this = *this + other; }
    friend bool operator==(DualNumber a, double b) { return a.value == b; }
};

// A semiring for sums, Linear or its fallback, with changes.
template <class Base>
struct Dual {
    using Real = double;
    struct Value {
        typename Base::Value value;
        double change;  // relative to the value

        bool is_positive() const { return !is_zero<Base>(value); }
    };
    static Value zero() { return {Base::zero(), 0}; }
    static Value one() { return {Base::one(), 0}; }
    static Value plus(const Value& a, const Value& b) {
        const auto sum = Base::plus(a.value, b.value);
        if (is_zero<Base>(sum)) return {sum, 0};
        return {sum, a.change + (b.change - a.change) * Base::ratio(b.value, sum)};
    }
    static Value times(const Value& a, const Value& b) { return {Base::times(a.value, b.value), a.change + b.change}; }
    static Value lift(Real weight) { return {Base::lift(weight), 0}; }

    // Of a weight given by its logarithm, and how that changes. A forbidden arc stays so in any direction, even NaN.
    static Value exp(double log_weight, double change) {
        const auto value = Base::exp(log_weight);
        return {value, is_zero<Base>(value) ? 0 : change};
    }
    static double log(const Value& value) { return Base::log(value.value); }
    static DualNumber ratio(const Value& part, const Value& whole) {
        const double share = Base::ratio(part.value, whole.value);
        return {share, share * (part.change - whole.change)};
    }
};

template <class Base>
struct ChanceIn<Dual<Base>> {
    using Type = DualNumber;
};

template <class Base>
struct Shares<Dual<Base>> {
    using Value = typename Dual<Base>::Value;
    template <int>
    static NONPROJ_INLINE DualNumber of(const Value* a, const Value* b, int count, DualNumber* share) {
        Sum<Base> sum;
        for (int k = 0; k < count; ++k) sum.add_product(a[k].value, b[k].value);
        const auto whole = sum.value();
        if (is_zero<Base>(whole)) return 0;
        DualNumber total;
        for (int k = 0; k < count; ++k) {
            const double part = Base::ratio(Base::times(a[k].value, b[k].value), whole);
            total += share[k] = {part, part * (a[k].change + b[k].change)};
        }
        return total;
    }
};

}  // namespace nonproj
