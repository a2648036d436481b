// Packs of values that stand side by side in memory and are added and multiplied together: 32 bytes of them where the
// compiler knows vectors, single values for any other semiring.
#pragma once
#include "nonproj/decode/semiring.hpp"

namespace nonproj::one_endpoint_crossing {

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

template <Semiring S>
struct Lanes {
    static constexpr int count = 1;
    using Pack = typename S::Value;
};

#if defined(__GNUC__)
template <class Value>
struct VectorLanes {
    static constexpr int count = 32 / sizeof(Value);
    typedef Value Pack __attribute__((vector_size(32), may_alias));
};
template <class R>
struct Lanes<Best<R>> : VectorLanes<R> {};
template <>
struct Lanes<Linear> : VectorLanes<double> {};
#endif

}  // namespace nonproj::one_endpoint_crossing
