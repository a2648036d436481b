// (+)_k a[k] (x) b[k], the step every chart spends its time in, with vectors where the semiring allows.
//
// The vectors read whole blocks: what lies behind the last term, up to `inner_product_padding` values, must
// be readable and multiply to zero. A table that starts out as zero and is filled in order of growing spans
// has this for free.
#pragma once
#include <cmath>

#include "nonproj/decode/algebra/exponential.hpp"
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

// Two passes, so that a term costs one exponential and no branch: the largest term; the sum relative to it.
template <>
struct InnerProduct<LogSum<double>> {
    template <int Bytes>
    static NONPROJ_INLINE double of(const double* a, const double* b, int count) {
        using Pack = Lanes<double, Bytes>;
        const double high = InnerProduct<Best<double>>::of<Bytes>(a, b, count);
        if (high == minus_infinity<double>) return high;
        const Pack base = Pack::all(-high);
        Pack scaled = Pack::all(0);
        for (int k = 0; k < count; k += Pack::count)
            scaled = scaled + exp_of_negative<Bytes>(Pack::load(a + k) + Pack::load(b + k) + base);
        return high + std::log(total(scaled));
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
// term is zero. Reads no term behind the last, but `share` needs room for inner_product_padding more.
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
struct Shares<LogSum<double>> {
    template <int Bytes>
    static NONPROJ_INLINE double of(const double* a, const double* b, int count, double* share) {
        using Pack = Lanes<double, Bytes>;
        for (int k = 0; k < count; ++k) share[k] = a[k] + b[k];
        for (int k = count; k < count + Pack::count; ++k) share[k] = minus_infinity<double>;
        Pack high = Pack::all(minus_infinity<double>);
        for (int k = 0; k < count; k += Pack::count) high = higher(high, Pack::load(share + k));
        const double largest = highest(high);
        if (largest == minus_infinity<double>) return 0;
        const Pack base = Pack::all(-largest);
        Pack scaled = Pack::all(0);
        for (int k = 0; k < count; k += Pack::count) {
            const Pack each = exp_of_negative<Bytes>(Pack::load(share + k) + base);
            each.store(share + k);
            scaled = scaled + each;
        }
        return total(scaled);
    }
};

}  // namespace nonproj
