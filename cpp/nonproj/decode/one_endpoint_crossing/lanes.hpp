// Packs of values that stand side by side in memory and are added and multiplied together: 32 bytes of them, where the
// compiler knows vectors and the semiring is one of those below.
//
// NONPROJ_PACKED marks what is compiled into the functions that use such instructions, NONPROJ_PACKED_LAMBDA the
// lambdas, and NONPROJ_PACKED_ENTRY those functions; they are called only if has_vector_instructions().
#pragma once
#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#define NONPROJ_PACKED_ENTRY __attribute__((target("avx2,fma,bmi")))
#define NONPROJ_PACKED_LAMBDA __attribute__((always_inline, target("avx2,fma,bmi")))
#elif defined(__GNUC__)
#define NONPROJ_PACKED_ENTRY
#define NONPROJ_PACKED_LAMBDA __attribute__((always_inline))
#else
#define NONPROJ_PACKED_ENTRY
#define NONPROJ_PACKED_LAMBDA
#endif
#define NONPROJ_PACKED NONPROJ_PACKED_LAMBDA inline

#if defined(__GNUC__)
#define NONPROJ_ALWAYS_INLINE __attribute__((always_inline)) inline
// Packs are passed by value, but only between functions that are inlined into one another.
#pragma GCC diagnostic ignored "-Wpsabi"
#else
#define NONPROJ_ALWAYS_INLINE inline
#endif

namespace nonproj::one_endpoint_crossing {

inline bool has_vector_instructions() {
#if defined(__GNUC__) && defined(__x86_64__)
    static const bool found =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi");
    return found;
#else
    return true;
#endif
}

template <Semiring S>
struct Lanes {
    static constexpr int count = 1;
};

#if defined(__GNUC__)
template <class S>
struct VectorLanes {
    using Value = typename S::Value;
    static constexpr int count = 32 / sizeof(Value);
    typedef Value Pack __attribute__((vector_size(32), may_alias));

    NONPROJ_PACKED static Pack load(const Value* from) { return *reinterpret_cast<const Pack*>(from); }
    NONPROJ_PACKED static void store(Value* to, Pack a) { *reinterpret_cast<Pack*>(to) = a; }
    NONPROJ_PACKED static Pack all(Value a) { return a - Pack{}; }
    NONPROJ_PACKED static Pack first(Value a) {
        Pack pack = all(S::zero());
        pack[0] = a;
        return pack;
    }
    NONPROJ_PACKED static Value total(Pack a) {
        Value sum = a[0];
        for (int lane = 1; lane < count; ++lane) sum = S::plus(sum, a[lane]);
        return sum;
    }
    // The lanes that are not zero, as bits.
    NONPROJ_PACKED static unsigned live(Pack a) {
#if defined(__x86_64__)
        const Pack different = Pack(a != all(S::zero()));
        if constexpr (sizeof(Value) == 8)
            return __builtin_ia32_movmskpd256(different);
        else
            return __builtin_ia32_movmskps256(different);
#else
        unsigned bits = 0;
        for (int lane = 0; lane < count; ++lane) bits |= unsigned(a[lane] != S::zero()) << lane;
        return bits;
#endif
    }
};

template <class R>
struct Lanes<Best<R>> : VectorLanes<Best<R>> {
    using typename VectorLanes<Best<R>>::Pack;
    NONPROJ_PACKED static Pack plus(Pack a, Pack b) { return a > b ? a : b; }
    NONPROJ_PACKED static Pack times(Pack a, Pack b) { return a + b; }
};
template <>
struct Lanes<Linear> : VectorLanes<Linear> {
    NONPROJ_PACKED static Pack plus(Pack a, Pack b) { return a + b; }
    NONPROJ_PACKED static Pack times(Pack a, Pack b) { return a * b; }
};
#endif

}  // namespace nonproj::one_endpoint_crossing
