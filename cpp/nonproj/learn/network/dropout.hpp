// What is dropped at random in training, and other numbers that are drawn.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

inline float between_0_and_1(Draws& draws) { return static_cast<float>(draws.next() >> 40) * 0x1p-24f; }

inline void draw_uniform(std::span<float> weights, float most, Draws& draws) {
    for (float& weight : weights) weight = most * (2 * between_0_and_1(draws) - 1);
}

// Factors: 0 with this chance, and else what keeps the mean.
inline void draw_mask(std::vector<float>& factors, std::size_t count, float chance, Draws& draws) {
    factors.resize(count);
    for (float& factor : factors) factor = between_0_and_1(draws) < chance ? 0.0f : 1.0f / (1.0f - chance);
}

// Factors of the input and of the output of each layer: of each number, or of each column for all rows. Empty: nothing is
// dropped.
struct DropoutMasks {
    std::vector<float> input;
    std::vector<std::vector<float>> layers;
};

}  // namespace nonproj::learn
