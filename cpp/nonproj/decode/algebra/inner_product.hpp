// (+)_k a[k] (x) b[k], the step every chart spends its time in, with vectors where the semiring allows.
//
// The vectors read whole blocks: what lies behind the last term, up to `inner_product_padding` values, must
// be readable and multiply to zero. A table that starts out as zero and is filled in order of growing spans
// has this for free.
#pragma once
#include <cstdint>

#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj {

template <class Value>
inline constexpr int inner_product_padding = 64 / sizeof(Value);

template <Semiring S>
struct InnerProduct {
    using Value = typename S::Value;
    template <int>
    static NONPROJ_INLINE Value of(const Value* a, const Value* b, int count) {
        Sum<S> total;
        for (int k = 0; k < count; ++k) total.add_product(a[k], b[k]);
        return total.value();
    }
};

template <class Real>
struct InnerProduct<Best<Real>> {
    template <int Bytes>
    static NONPROJ_INLINE Real of(const Real* a, const Real* b, int count) {
        using Pack = Lanes<Real, Bytes>;
        Pack even = Pack::all(minus_infinity<Real>), odd = even;  // two chains hide the latency of max
        for (int k = 0; k < count; k += 2 * Pack::count) {
            even = higher(even, Pack::load(a + k) + Pack::load(b + k));
            odd = higher(odd, Pack::load(a + k + Pack::count) + Pack::load(b + k + Pack::count));
        }
        return highest(higher(even, odd));
    }
};

template <>
struct InnerProduct<WideSum> {
    template <int>
    static NONPROJ_INLINE Wide of(const Wide* a, const Wide* b, int count) {
        return Wide::inner_product(a, b, count);
    }
};

template <>
struct InnerProduct<Linear> {
    template <int Bytes>
    static NONPROJ_INLINE double of(const double* a, const double* b, int count) {
        using Pack = Lanes<double, Bytes>;
        Pack even = Pack::all(0), odd = even;
        for (int k = 0; k < count; k += 2 * Pack::count) {
            even = even + Pack::load(a + k) * Pack::load(b + k);
            odd = odd + Pack::load(a + k + Pack::count) * Pack::load(b + k + Pack::count);
        }
        return total(even + odd);
    }
};

// The terms of a sum laid open: share[k] in proportion to a[k] (x) b[k] for k < count. Returns their total, 0 if every
// term is zero.
template <Semiring S>
struct Shares;

template <>
struct Shares<Linear> {
    template <int>
    static NONPROJ_INLINE double of(const double* a, const double* b, int count, double* share) {
        double whole = 0;
        for (int k = 0; k < count; ++k) whole += share[k] = a[k] * b[k];
        return whole;
    }
};

// Relative to the largest.
template <>
struct Shares<WideSum> {
    template <int>
    static NONPROJ_INLINE double of(const Wide* a, const Wide* b, int count, double* share) {
        const std::int64_t lead = Wide::leading_exponent(a, b, count);
        double whole = 0;
        for (int k = 0; k < count; ++k) whole += share[k] = Wide::scaled_product(a[k], b[k], lead);
        return Wide::power_of_two(lead).is_positive() ? whole : 0;
    }
};

}  // namespace nonproj
