// Rows of values, added and multiplied side by side: what the charts of well-nested trees spend their time in. Every
// function works on the lanes lo <= l < hi and leaves the others as they are, but it may read and rewrite up to
// `row_padding` values behind the last lane.
#pragma once
#include "nonproj/decode/algebra/pack_algebra.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj::nested {

inline constexpr int row_padding = 8;

// One value at a time, for semirings without vectors.
template <Semiring S, int Bytes>
struct RowMath {
    using Value = typename S::Value;

    // to[l] (+)= factor (x) a[l]
    static NONPROJ_INLINE void add_scaled(Value* to, Value factor, const Value* a, int lo, int hi) {
        for (int l = lo; l < hi; ++l) to[l] = S::plus(to[l], S::times(factor, a[l]));
    }
    // to[l] (+)= a[l] (x) b[l]
    static NONPROJ_INLINE void add_product(Value* to, const Value* a, const Value* b, int lo, int hi) {
        for (int l = lo; l < hi; ++l) to[l] = S::plus(to[l], S::times(a[l], b[l]));
    }
    // to[l] = to[l] (x) a[l]
    static NONPROJ_INLINE void multiply(Value* to, const Value* a, int lo, int hi) {
        for (int l = lo; l < hi; ++l) to[l] = S::times(to[l], a[l]);
    }
    static NONPROJ_INLINE Value inner_product(const Value* a, const Value* b, int lo, int hi) {
        Sum<S> sum;
        for (int l = lo; l < hi; ++l) sum.add_product(a[l], b[l]);
        return sum.value();
    }
};

template <Semiring S, int Bytes>
    requires PackAlgebra<S>::exists
struct RowMath<S, Bytes> {
    using Value = typename S::Value;
    using Algebra = PackAlgebra<S>;
    using Pack = Lanes<Value, Bytes>;

    // Of the pack from l on, these values in the lanes before hi, and those behind.
    static NONPROJ_INLINE Pack split(int l, int hi, const Pack& these, const Pack& those) {
        typename Pack::Vector index;
        for (int lane = 0; lane < Pack::count; ++lane) index[lane] = lane;
        return {index < Pack::all(hi - l).lane ? these.lane : those.lane};
    }
    // to[l] (+)= term(l), for packs of lanes from l on. Behind hi nothing is added: the next term waits for the sum alone, not
    // for a choice between the sum and what was there.
    template <class Term>
    static NONPROJ_INLINE void add_packs(Value* to, int lo, int hi, const Term& term) {
        int l = lo;
        for (; l + Pack::count <= hi; l += Pack::count) Algebra::plus(Pack::load(to + l), term(l)).store(to + l);
        if (l >= hi) return;
        Algebra::plus(Pack::load(to + l), split(l, hi, term(l), Pack::all(S::zero()))).store(to + l);
    }

    static NONPROJ_INLINE void add_scaled(Value* to, Value factor, const Value* a, int lo, int hi) {
        const Pack by = Pack::all(factor);
        add_packs(to, lo, hi, [&](int l) NONPROJ_INLINE_LAMBDA { return Algebra::times(by, Pack::load(a + l)); });
    }
    static NONPROJ_INLINE void add_product(Value* to, const Value* a, const Value* b, int lo, int hi) {
        add_packs(to, lo, hi,
                  [&](int l) NONPROJ_INLINE_LAMBDA { return Algebra::times(Pack::load(a + l), Pack::load(b + l)); });
    }
    static NONPROJ_INLINE void multiply(Value* to, const Value* a, int lo, int hi) {
        const auto product = [&](int l) NONPROJ_INLINE_LAMBDA {
            return Algebra::times(Pack::load(to + l), Pack::load(a + l));
        };
        int l = lo;
        for (; l + Pack::count <= hi; l += Pack::count) product(l).store(to + l);
        if (l < hi) split(l, hi, product(l), Pack::load(to + l)).store(to + l);
    }
    static NONPROJ_INLINE Value inner_product(const Value* a, const Value* b, int lo, int hi) {
        Pack sum = Pack::all(S::zero());
        int l = lo;
        for (; l + Pack::count <= hi; l += Pack::count)
            sum = Algebra::plus(sum, Algebra::times(Pack::load(a + l), Pack::load(b + l)));
        Value total = Algebra::sum(sum);
        for (; l < hi; ++l) total = S::plus(total, S::times(a[l], b[l]));
        return total;
    }
};

// The same by way of calls for wide vectors: inlined into each of a hundred terms, they would take a hundred times as long to
// compile.
template <Semiring S>
struct WideRowCalls {
    using Value = typename S::Value;
    using Math = RowMath<S, 32>;

    [[gnu::noinline]] NONPROJ_WIDE static void add_scaled(Value* to, Value factor, const Value* a, int lo, int hi) {
        Math::add_scaled(to, factor, a, lo, hi);
    }
    [[gnu::noinline]] NONPROJ_WIDE static void add_product(Value* to, const Value* a, const Value* b, int lo, int hi) {
        Math::add_product(to, a, b, lo, hi);
    }
    [[gnu::noinline]] NONPROJ_WIDE static void multiply(Value* to, const Value* a, int lo, int hi) {
        Math::multiply(to, a, lo, hi);
    }
    [[gnu::noinline]] NONPROJ_WIDE static Value inner_product(const Value* a, const Value* b, int lo, int hi) {
        return Math::inner_product(a, b, lo, hi);
    }
};

// The same by way of calls, which compile in a fraction of the time and find out what the machine has.
template <Semiring S>
struct RowCalls {
    using Value = typename S::Value;

    static void add_scaled(Value* to, Value factor, const Value* a, int lo, int hi) {
        const auto loop = []<int Bytes>(Value* to, Value factor, const Value* a, int lo, int hi)
                              NONPROJ_INLINE_LAMBDA { RowMath<S, Bytes>::add_scaled(to, factor, a, lo, hi); };
        vectorised_in<S>(loop, to, factor, a, lo, hi);
    }
    static void add_product(Value* to, const Value* a, const Value* b, int lo, int hi) {
        const auto loop = []<int Bytes>(Value* to, const Value* a, const Value* b, int lo, int hi)
                              NONPROJ_INLINE_LAMBDA { RowMath<S, Bytes>::add_product(to, a, b, lo, hi); };
        vectorised_in<S>(loop, to, a, b, lo, hi);
    }
    static void multiply(Value* to, const Value* a, int lo, int hi) {
        const auto loop = []<int Bytes>(Value* to, const Value* a, int lo, int hi)
                              NONPROJ_INLINE_LAMBDA { RowMath<S, Bytes>::multiply(to, a, lo, hi); };
        vectorised_in<S>(loop, to, a, lo, hi);
    }
    static Value inner_product(const Value* a, const Value* b, int lo, int hi) {
        const auto loop = []<int Bytes>(const Value* a, const Value* b, int lo, int hi)
                              NONPROJ_INLINE_LAMBDA { return RowMath<S, Bytes>::inner_product(a, b, lo, hi); };
        return vectorised_in<S>(loop, a, b, lo, hi);
    }
};

}  // namespace nonproj::nested
