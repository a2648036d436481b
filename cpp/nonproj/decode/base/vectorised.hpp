// Vectors without a machine-specific build. `vectorised` runs a loop that was compiled twice, for the
// baseline (16-byte vectors) and for AVX2 (32 bytes), and picks once per call:
//
//   vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { total = sum<Bytes>(...); });
//
// Whatever the loop calls must be NONPROJ_INLINE: what is not inlined stays compiled for the baseline. A function that is
// NONPROJ_WIDE is compiled for AVX2, and called only if has_wide_vectors; NONPROJ_WIDEST and has_widest_vectors are for
// AVX-512 (64 bytes), which only `vectorised_widest` uses.
//
// Lanes<Real, Bytes> is one vector of that width. Maxima of sums are the same on every machine to the bit;
// products and sums over lanes only up to rounding.
#pragma once
#include <cstring>

#define NONPROJ_INLINE inline __attribute__((always_inline))
#define NONPROJ_INLINE_LAMBDA __attribute__((always_inline))
#define NONPROJ_SELDOM __attribute__((cold, noinline))
#if defined(__x86_64__)
#define NONPROJ_WIDE __attribute__((target("avx2,fma,bmi")))
#define NONPROJ_WIDEST __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,bmi")))
#else
#define NONPROJ_WIDE
#define NONPROJ_WIDEST
#endif

namespace nonproj {

template <class Real, int Bytes>
struct Lanes {
    static constexpr int count = Bytes / static_cast<int>(sizeof(Real));
    typedef Real Vector __attribute__((vector_size(Bytes)));
    Vector lane;

    static NONPROJ_INLINE Lanes load(const Real* from) {
        Lanes loaded;
        std::memcpy(&loaded.lane, from, sizeof loaded.lane);
        return loaded;
    }
    static NONPROJ_INLINE Lanes all(Real value) {
        Real copies[count];  // by way of memory: the one form that GCC turns into a single broadcast
        for (int l = 0; l < count; ++l) copies[l] = value;
        return load(copies);
    }
    NONPROJ_INLINE void store(Real* to) const { std::memcpy(to, &lane, sizeof lane); }

    friend NONPROJ_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.lane + b.lane}; }
    friend NONPROJ_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.lane * b.lane}; }
    friend NONPROJ_INLINE Lanes higher(const Lanes& a, const Lanes& b) { return {a.lane < b.lane ? b.lane : a.lane}; }
    friend NONPROJ_INLINE Real highest(const Lanes& a) {
        Real found = a.lane[0];
        for (int l = 1; l < count; ++l) found = found < a.lane[l] ? a.lane[l] : found;
        return found;
    }
    friend NONPROJ_INLINE Real total(const Lanes& a) {
        Real sum = a.lane[0];
        for (int l = 1; l < count; ++l) sum += a.lane[l];
        return sum;
    }
};

// Whether vectors of 32 bytes may be used. Other machines than x86 need no leave: their compilers make two of each.
inline const bool has_wide_vectors = [] {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi");
#else
    return true;
#endif
}();

// Whether vectors of 64 bytes may be used, for what is all products and sums: elsewhere they gain little.
inline const bool has_widest_vectors = [] {
#if defined(__x86_64__)
    return has_wide_vectors && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}();

// Whether they do not slow down what comes after them, as they do on processors before those that have numbers of 16 bits.
inline const bool has_fast_widest_vectors = [] {
#if defined(__x86_64__)
    return has_widest_vectors && __builtin_cpu_supports("avx512bf16");
#else
    return false;
#endif
}();

template <class Loop, class... Arguments>
NONPROJ_WIDEST auto with_widest_vectors(const Loop& loop, Arguments... arguments) {
    return loop.template operator()<64>(arguments...);
}
template <class Loop, class... Arguments>
NONPROJ_WIDE auto with_wide_vectors(const Loop& loop, Arguments... arguments) {
    return loop.template operator()<32>(arguments...);
}
// Few machines come here: compiled for little code, which takes the compiler less time.
template <class Loop, class... Arguments>
NONPROJ_SELDOM auto with_narrow_vectors(const Loop& loop, Arguments... arguments) {
    return loop.template operator()<16>(arguments...);
}
// Arguments, which are copied, are for loops too short to look up what they capture.
template <class Loop, class... Arguments>
auto vectorised(const Loop& loop, Arguments... arguments) {
    return has_wide_vectors ? with_wide_vectors(loop, arguments...) : with_narrow_vectors(loop, arguments...);
}
// The same by vectors of 64 bytes where those slow nothing else down.
template <class Loop>
void vectorised_widest(const Loop& loop) {
    if (has_fast_widest_vectors)
        with_widest_vectors(loop);
    else
        vectorised(loop);
}

}  // namespace nonproj
