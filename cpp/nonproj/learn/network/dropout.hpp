// What is dropped at random in training.
#pragma once
#include <cstddef>
#include <vector>

#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

inline float between_0_and_1(Draws& draws) { return static_cast<float>(draws.next() >> 40) * 0x1p-24f; }

// Factors: 0 with this chance, and else what keeps the mean.
inline void draw_kept(std::vector<float>& factors, std::size_t count, float chance, Draws& draws) {
    factors.resize(count);
    for (float& factor : factors) factor = between_0_and_1(draws) < chance ? 0.0f : 1.0f / (1.0f - chance);
}

}  // namespace nonproj::learn
