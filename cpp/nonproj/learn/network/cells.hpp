// Cells of a recurrent network: what becomes of the input x of a position and the state h' of the position before.
//
// A row of gates has four parts of `hidden` numbers each. At first it holds their sums
//
//   a = x W + h' U + b      x goes into the first `input_gates` parts, h' into the last `state_gates`
//
// which `forward` turns into the gates, the state h, and what the cell remembers beside it. `backward` goes from dh, the
// gradient by the state, to da. Both also get what was remembered before: zeros at the first position.
#pragma once
#include <cmath>
#include <cstddef>

#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/panels.hpp"

namespace nonproj::learn {

// How a cell remembers the position before: its state and the rest of its memory.
struct Before {
    const float *state, *memory;
};
// What a position owes to the one behind it: gradients by its state and by its memory.
struct Carried {
    float *state, *memory;
};

// Hochreiter & Schmidhuber (1997), with the forget gate of Gers, Schmidhuber & Cummins (2000).
//
//   i, f, o = logistic(a)    p = tanh(a)    c = i p + f c'    h = o tanh c
struct Lstm {
    static constexpr std::size_t input_gates = 4, state_gates = 4;
    static constexpr std::size_t memory = 2;  // c and tanh c, so many times `hidden` numbers

    static NONPROJ_INLINE void forward(std::size_t hidden, float* gate, const Before& before, float* state,
                                       float* memory) {
        float *const cell = memory, *const bounded = memory + hidden;
        for (std::size_t j = 0; j < 3 * hidden; ++j) gate[j] = logistic(gate[j]);
        for (std::size_t j = 3 * hidden; j < 4 * hidden; ++j) gate[j] = hyperbolic_tangent(gate[j]);
        for (std::size_t j = 0; j < hidden; ++j)
            cell[j] = gate[j] * gate[3 * hidden + j] + gate[hidden + j] * before.memory[j];
        for (std::size_t j = 0; j < hidden; ++j) bounded[j] = hyperbolic_tangent(cell[j]);
        for (std::size_t j = 0; j < hidden; ++j) state[j] = gate[2 * hidden + j] * bounded[j];
    }

    //   dc = dc' + dh o (1 - tanh^2 c)    da_i = dc p i (1 - i)    da_f = dc c' f (1 - f)
    //   da_o = dh tanh c o (1 - o)        da_p = dc i (1 - p^2)    to c': dc f
    static NONPROJ_INLINE void backward(std::size_t hidden, const float* gate, const Before& before,
                                        const float* memory, const float* above, const Carried& carried, float* sums) {
        const float* const bounded = memory + hidden;
        for (std::size_t j = 0; j < hidden; ++j) {
            const float in = gate[j], forget = gate[hidden + j], out = gate[2 * hidden + j], put = gate[3 * hidden + j];
            const float by_state = above[j] + carried.state[j];
            const float by_cell = carried.memory[j] + by_state * out * (1 - bounded[j] * bounded[j]);
            sums[j] = by_cell * put * in * (1 - in);
            sums[hidden + j] = by_cell * before.memory[j] * forget * (1 - forget);
            sums[2 * hidden + j] = by_state * bounded[j] * out * (1 - out);
            sums[3 * hidden + j] = by_cell * in * (1 - put * put);
            carried.memory[j] = by_cell * forget;
            carried.state[j] = 0;
        }
    }

    // Weights begin uniformly, no larger than this (Glorot & Bengio 2010); and so that cells are kept.
    static float first_weights(const Block& matrix, bool) {
        return std::sqrt(6.0f / static_cast<float>(matrix.rows + matrix.columns));
    }
    static constexpr float first_forget = 1;
};

// Cho et al. (2014), with the reset gate behind the product with U.
//
//   r, z = logistic(a)    n = tanh(x W + b + r m), where m = h' U + b'    h = (1 - z) n + z h'
//
// The parts of a row are n, r, z and m.
struct Gru {
    static constexpr std::size_t input_gates = 3, state_gates = 3, memory = 0;

    static NONPROJ_INLINE void forward(std::size_t hidden, float* gate, const Before& before, float* state, float*) {
        for (std::size_t j = hidden; j < 3 * hidden; ++j) gate[j] = logistic(gate[j]);
        for (std::size_t j = 0; j < hidden; ++j)
            gate[j] = hyperbolic_tangent(gate[j] + gate[hidden + j] * gate[3 * hidden + j]);
        for (std::size_t j = 0; j < hidden; ++j) {
            const float keep = gate[2 * hidden + j];
            state[j] = (1.0f - keep) * gate[j] + keep * before.state[j];
        }
    }

    //   da_n = dh (1 - z) (1 - n^2)    da_r = da_n m r (1 - r)    da_z = dh (h' - n) z (1 - z)
    //   da_m = da_n r                  to h': dh z
    static NONPROJ_INLINE void backward(std::size_t hidden, const float* gate, const Before& before, const float*,
                                        const float* above, const Carried& carried, float* sums) {
        for (std::size_t j = 0; j < hidden; ++j) {
            const float put = gate[j], reset = gate[hidden + j], keep = gate[2 * hidden + j],
                        mixed = gate[3 * hidden + j];
            const float by_state = above[j] + carried.state[j];
            const float by_put = by_state * (1 - keep) * (1 - put * put);
            sums[j] = by_put;
            sums[hidden + j] = by_put * mixed * reset * (1 - reset);
            sums[2 * hidden + j] = by_state * (before.state[j] - put) * keep * (1 - keep);
            sums[3 * hidden + j] = by_put * reset;
            carried.state[j] = by_state * keep;
        }
    }

    static float first_weights(const Block& matrix, bool is_of_input) {
        return std::sqrt((is_of_input ? 3.0f : 1.0f) / static_cast<float>(matrix.rows));
    }
    static constexpr float first_forget = 0;
};

}  // namespace nonproj::learn
