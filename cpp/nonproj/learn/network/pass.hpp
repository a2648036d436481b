// Pieces of a pass over a sentence that reading and learning share.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/network.hpp"
#include "nonproj/learn/network/rows.hpp"

namespace nonproj::learn {

// The logarithm of the sum of exponentials, but for one of them.
inline float log_of_sum(const float* scores, std::size_t count, std::size_t left_out) {
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < count; ++i)
        if (i != left_out) most = std::max(most, scores[i]);
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (i != left_out) sum += exponential(scores[i] - most);
    return most + std::log(sum);
}

// places_of(sentence, word) are the places of a word's vectors.
template <class PlacesOf>
void NetworkPass::read_as(const Network& network, std::span<const int> words, const PlacesOf& places_of,
                          const Dropped& dropped) {
    const std::size_t size = network.sizes.word;
    lay_out(words);
    const float* const root = network[network.layout.root];
    input_.assign(rows() * size, 0.0f);
    for (std::size_t position = 0; position < positions(); ++position) {
        // The vectors of the next words come from memory meanwhile.
        for (std::size_t k = 0; position + 1 < positions() && k < rows_at(position + 1); ++k)
            for (const std::uint32_t place : places_of(order_[k], static_cast<int>(position) + 1))
                for (std::size_t j = 0; j < size; j += slots) prefetch(network.vectors.data() + place + j);
        for (std::size_t k = 0; k < rows_at(position); ++k) {
            float* const sum = &input_[(row_[position] + k) * size];
            if (position == 0) {
                std::copy(root, root + size, sum);
                continue;
            }
            for (const std::uint32_t place : places_of(order_[k], static_cast<int>(position))) {
                const float* const vector = network.vectors.data() + place;
                vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                    for (std::size_t j = 0; j < size; ++j) sum[j] += vector[j];
                });
            }
        }
    }
    multiply_rows(input_, dropped.input);
    layers_.resize(network.sizes.layers);
    for (int layer = 0; layer < network.sizes.layers; ++layer)
        run_layer(network, layer, layer == 0 ? std::span<const float>(input_) : layers_[layer - 1].output,
                  dropped.layers.empty() ? std::span<const float>() : dropped.layers[layer]);
    take_roles(network, dropped.roles);
}

}  // namespace nonproj::learn
