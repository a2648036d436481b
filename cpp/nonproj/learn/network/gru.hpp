// A small network that reads a text of any length: vectors of tokens, a BiGRU (Cho et al. 2014), one number a token.
//
//   x_i  = sum of the vectors of token i, one for each of its features
//   r, z = logistic(x_i W + h U + b)                 gates, from the state h of the token before, or behind
//   n    = tanh(x_i W + b + r * (h U + b'))
//   h_i  = (1 - z) * n + z * h
//   s_i  = (h_i forwards, h_i backwards) v + v_0
//
// A text is read in windows, each token where there is enough of the text on either side.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/network/panels.hpp"

namespace nonproj::learn {

// `vector` and `hidden` are multiples of 16.
struct GruSizes {
    int vector, hidden;
    int features;      // of each token
    std::size_t rows;  // how many vectors there are

    void check() const;
};

// Where everything lies among the weights that all tokens share.
struct GruLayout {
    // A row of gates has four parts: what n has from the input, r, z, and what n has from the state before. The input goes
    // into the first three, the state into the last three.
    struct Direction {
        Block from_input, from_before, bias;
    };
    std::array<Direction, 2> directions;  // forwards, backwards
    Block output, output_bias;
    std::size_t size;

    explicit GruLayout(const GruSizes& sizes);
};

struct Gru {
    GruSizes sizes;
    GruLayout layout;
    std::vector<float> shared, vectors;

    explicit Gru(const GruSizes& sizes);
    const float* operator[](const Block& block) const { return shared.data() + block.begin; }
    // Sets all weights; an error where there are not as many, or where some are no numbers.
    void fill(std::span<const float> shared_weights, std::span<const float> vector_weights);
};

// Tokens one after the other: of each feature which vector.
using VectorRows = std::span<const std::uint32_t>;

// A pass over some windows, with all that learning needs to go back. A workspace of one thread.
//
// Windows are read side by side: the rows of all matrices are the first tokens of all windows, then their second ones, and
// so on. What a window gets does not depend on its company.
class GruPass {
  public:
    // What is dropped in training: a factor for each number of the input, and of the states. Empty: nothing.
    struct Dropped {
        std::vector<float> input, states;
    };

    // No window may be longer than the one before it.
    void read(const Gru& gru, std::span<const VectorRows> windows, const Dropped& dropped);
    float score(std::size_t window, std::size_t position) const { return scores_[row_[position] + window]; }

    // The score of each token of a text, by windows of which so many are read at once.
    void score_text(const Gru& gru, VectorRows text, std::size_t side_by_side, std::vector<float>& scores);
    static constexpr std::size_t usual_side_by_side = 12;

  private:
    friend class GruTrainer;

    void lay_out(std::span<const VectorRows> windows, std::size_t features);
    void sum_vectors(const Gru& gru, std::span<const VectorRows> windows);
    void run_direction(const Gru& gru, int direction);
    void run_position(const Gru& gru, int direction, std::size_t position, std::size_t before, std::size_t going_on);
    void score_rows(const Gru& gru, std::span<const float> output);
    std::size_t positions() const { return row_.size() - 1; }
    std::size_t rows() const { return row_.back(); }
    std::size_t rows_at(std::size_t position) const { return row_[position + 1] - row_[position]; }

    std::vector<std::size_t> row_;  // of each position the first row, and the end
    std::vector<float> input_;
    std::array<std::vector<float>, 2> gates_;  // rows of 4 hidden
    std::vector<float> states_;                // rows of 2 hidden
    std::vector<float> output_;                // the same, less what is dropped
    std::vector<float> nothing_;               // the state before the first token
    std::vector<float> scores_;
    std::vector<VectorRows> windows_;  // of a text, those that are read at once
};

}  // namespace nonproj::learn
