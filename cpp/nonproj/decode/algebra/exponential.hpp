// Exponentials of whole vectors.
#pragma once
#include <algorithm>
#include <cstdint>

#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj {

// exp(x) in every lane for x <= 0, to about one unit in the last place; 0 where the result would be
// subnormal. x = n log 2 + r with |r| <= log(2) / 2; exp(r) is a Taylor polynomial, and n is added to its
// exponent bits.
template <int Bytes>
NONPROJ_INLINE Lanes<double, Bytes> exp_of_negative(const Lanes<double, Bytes>& x) {
    using Pack = Lanes<double, Bytes>;
    typedef std::uint64_t Integers __attribute__((vector_size(Bytes)));  // may wrap around
    constexpr double log2_high = 0x1.62e42fee00000p-1, log2_low = 0x1.a39ef35793c76p-33;
    constexpr double round = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    const auto shifted = x.lane * 0x1.71547652b82fep0 + round;
    const auto n = shifted - round;
    const auto r = (x.lane - n * log2_high) - n * log2_low;
    auto tail = Pack::all(1.0 / 479001600).lane;  // 1/12! + ... + 1/2! in Horner's order
    for (double factorial : {39916800., 3628800., 362880., 40320., 5040., 720., 120., 24., 6., 2.})
        tail = tail * r + 1 / factorial;
    const auto mantissa = (tail * r * r + r) + 1.0;
    const Integers bits = reinterpret_cast<Integers>(mantissa) + (reinterpret_cast<Integers>(shifted) << 52);
    const auto nothing = Pack::all(0).lane;
    return {x.lane < -708.0 ? nothing : reinterpret_cast<typename Pack::Vector>(bits)};
}

// to[k] = exp(log[k] - base[k]) for k < count, where no difference is positive.
template <int Bytes>
NONPROJ_INLINE void exponentials(const double* log, const double* base, int count, double* to) {
    using Pack = Lanes<double, Bytes>;
    const auto few = [](const double* log, const double* base, double* to) NONPROJ_INLINE_LAMBDA {
        exp_of_negative<Bytes>(Pack{Pack::load(log).lane - Pack::load(base).lane}).store(to);
    };
    int k = 0;
    for (; k + Pack::count <= count; k += Pack::count) few(log + k, base + k, to + k);
    if (k == count) return;
    double last_log[Pack::count] = {}, last_base[Pack::count] = {}, last[Pack::count];
    std::copy(log + k, log + count, last_log);
    std::copy(base + k, base + count, last_base);
    few(last_log, last_base, last);
    std::copy(last, last + (count - k), to + k);
}

}  // namespace nonproj
