// Semirings whose values are added and multiplied a vector at a time: plus, times and the sum of a pack's lanes.
#pragma once
#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj {

template <Semiring S>
struct PackAlgebra {
    static constexpr bool exists = false;
};

template <class Real>
struct PackAlgebra<Best<Real>> {
    static constexpr bool exists = true;
    template <class Pack>
    static NONPROJ_INLINE Pack plus(const Pack& a, const Pack& b) {
        return higher(a, b);
    }
    template <class Pack>
    static NONPROJ_INLINE Pack times(const Pack& a, const Pack& b) {
        return a + b;
    }
    template <class Pack>
    static NONPROJ_INLINE Real sum(const Pack& a) {
        return highest(a);
    }
};

template <>
struct PackAlgebra<Linear> {
    static constexpr bool exists = true;
    template <class Pack>
    static NONPROJ_INLINE Pack plus(const Pack& a, const Pack& b) {
        return a + b;
    }
    template <class Pack>
    static NONPROJ_INLINE Pack times(const Pack& a, const Pack& b) {
        return a * b;
    }
    template <class Pack>
    static NONPROJ_INLINE double sum(const Pack& a) {
        return total(a);
    }
};

// Runs a loop as `vectorised` does, where the semiring has vectors; else it is compiled once.
template <Semiring S, class Loop, class... Arguments>
auto vectorised_in(const Loop& loop, Arguments... arguments) {
    if constexpr (PackAlgebra<S>::exists)
        return vectorised(loop, arguments...);
    else
        return loop.template operator()<16>(arguments...);
}

}  // namespace nonproj
