// Functions of many numbers at once: loops over arrays that compilers turn into vectors, and the same on every machine.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj::learn {

// exp x to about 2e-7 of it, for x from -87 to 87: 2^n exp r, with r at most half a logarithm of 2.
NONPROJ_INLINE float exponential(float x) {
    constexpr float whole = 12582912.0f;  // 1.5 * 2^23: what is added to it loses its fraction
    x = x < -87.0f ? -87.0f : x > 87.0f ? 87.0f : x;
    const float shifted = x * 1.44269504f + whole;
    const float n = shifted - whole;
    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float sum = 1.9875691500e-4f;
    sum = sum * r + 1.3981999507e-3f;
    sum = sum * r + 8.3334519073e-3f;
    sum = sum * r + 4.1665795894e-2f;
    sum = sum * r + 1.6666665459e-1f;
    sum = sum * r + 5.0000001201e-1f;
    sum = sum * r * r + r + 1.0f;
    const std::int32_t power = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(whole);
    return sum * std::bit_cast<float>((power + 127) << 23);
}
NONPROJ_INLINE float logistic(float x) { return 1.0f / (1.0f + exponential(-x)); }
NONPROJ_INLINE float hyperbolic_tangent(float x) { return 2.0f * logistic(2.0f * x) - 1.0f; }

inline constexpr float leak = 0.1f;
NONPROJ_INLINE float leaky(float x) { return x < 0 ? leak * x : x; }

}  // namespace nonproj::learn
