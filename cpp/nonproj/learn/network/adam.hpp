// Steps of Adam (Kingma & Ba 2015).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj::learn {

// What one step multiplies gradients, their means and their squares by.
struct AdamStep {
    float mean_decay, square_decay;
    float scale, rate, of_square;

    // The step with this number, counted from 1.
    static AdamStep at(std::uint64_t step, float mean_decay, float square_decay, double scale, float rate) {
        const double steps = static_cast<double>(step);
        return {mean_decay, square_decay, static_cast<float>(scale),
                static_cast<float>(rate / (1 - std::pow(mean_decay, steps))),
                static_cast<float>(1 / (1 - std::pow(square_decay, steps)))};
    }
};

// Changes weights, with the mean of their gradients and of the squares of these.
inline void descend(float* weights, const float* gradient, float* mean, float* square, std::size_t count,
                    const AdamStep& step) {
    const AdamStep by = step;
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) {
            const float slope = by.scale * gradient[i];
            mean[i] = by.mean_decay * mean[i] + (1 - by.mean_decay) * slope;
            square[i] = by.square_decay * square[i] + (1 - by.square_decay) * slope * slope;
            weights[i] -= by.rate * mean[i] / (std::sqrt(by.of_square * square[i]) + 1e-8f);
        }
    });
}

// Moves an average towards the weights.
inline void move_average(float* average, const float* weights, std::size_t count, float decay) {
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) average[i] += (1 - decay) * (weights[i] - average[i]);
    });
}

}  // namespace nonproj::learn
