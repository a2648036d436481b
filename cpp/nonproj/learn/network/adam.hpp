// Steps of Adam (Kingma & Ba 2015).
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "nonproj/decode/base/vectorised.hpp"

namespace nonproj::learn {

// What Adam remembers of some weights.
struct Moments {
    float *mean, *square;
};

// What one step multiplies slopes, their means and their squares by.
struct Pace {
    float mean_decay, square_decay;
    float scale, rate, of_square;

    // Of the step with this number, counted from 1.
    static Pace at(std::uint64_t step, float mean_decay, float square_decay, double scale, float rate) {
        const double steps = static_cast<double>(step);
        return {mean_decay, square_decay, static_cast<float>(scale),
                static_cast<float>(rate / (1 - std::pow(mean_decay, steps))),
                static_cast<float>(1 / (1 - std::pow(square_decay, steps)))};
    }
};

inline void descend(float* weights, const float* slopes, const Moments& moments, std::size_t count, const Pace& pace) {
    float *const mean = moments.mean, *const square = moments.square;
    const Pace by = pace;
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) {
            const float slope = by.scale * slopes[i];
            mean[i] = by.mean_decay * mean[i] + (1 - by.mean_decay) * slope;
            square[i] = by.square_decay * square[i] + (1 - by.square_decay) * slope * slope;
            weights[i] -= by.rate * mean[i] / (std::sqrt(by.of_square * square[i]) + 1e-8f);
        }
    });
}

}  // namespace nonproj::learn
