// A recurrent network that reads sequences both ways, with a cell of `cells.hpp`:
//
//   x_i = the sum of an embedding for each feature of position i; that of the start, if there is one, at the first
//   y_i = (h_i forwards, h_i backwards), of one layer or more
//
// Its output y goes to a head, which makes of it what is asked: `trees.hpp` scores of trees, `boundaries.hpp` one number for
// each position. `trainer.hpp` trains it with either.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/network/cells.hpp"
#include "nonproj/learn/network/panels.hpp"
#include "nonproj/learn/network/rows.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

inline float between_0_and_1(Draws& draws) { return static_cast<float>(draws.next() >> 40) * 0x1p-24f; }

// `embedding` and `hidden` are multiples of 16.
struct RecurrentSizes {
    int embedding, hidden, layers;
    bool has_start;

    int input(int layer) const { return layer == 0 ? embedding : output(); }
    int output() const { return 2 * hidden; }
};

// y = x W + b, or with fewer columns in W the first of y.
struct Affine {
    Block weights, bias;
};

// The weights. A head adds blocks of its own.
template <class Cell>
struct Recurrent {
    struct Direction {
        Affine input;
        Block from_state;
    };
    RecurrentSizes recurrent;
    std::vector<float> shared;  // by all positions, block after block
    std::vector<Block> blocks;
    std::vector<float, PageAllocator<float>> embeddings;
    Block start;
    std::vector<std::array<Direction, 2>> layers;  // forwards, backwards

    // With room for so many numbers of embeddings.
    Recurrent(const RecurrentSizes& sizes, std::size_t embeddings);
    const float* operator[](const Block& block) const { return shared.data() + block.begin; }

    // First weights: of the start and of the cells, and of a block of a head, none larger than `most`.
    void draw(Draws& draws);
    void draw(const Block& block, float most, Draws& draws);

    // New blocks.
    Block take(int rows, int columns) {
        blocks.push_back({shared.size(), rows, columns});
        shared.resize(shared.size() + blocks.back().size());
        return blocks.back();
    }
    Affine take_affine(int rows, int columns) {
        const Block weights = take(rows, columns);
        return {weights, take(1, columns)};
    }
    // Rows of y from rows of x that are so wide.
    void apply(const Affine& affine, const float* x, std::size_t width, std::size_t rows, std::vector<float>& y) const {
        fill_rows(y, rows, {(*this)[affine.bias], static_cast<std::size_t>(affine.bias.columns)});
        add_product(by_rows(x, width), rows, affine.weights.rows,
                    panels_of((*this)[affine.weights], affine.weights.rows), affine.weights.columns,
                    rows_of(y.data(), affine.bias.columns));
    }
};

void draw_uniform(std::span<float> weights, float most, Draws& draws);
// Sets weights; an error where there are not as many, or where some are no numbers.
void set_weights(std::span<const float> from, std::span<float> to);

// The rows of the table of embeddings that are summed at each position.
struct Sequence {
    const std::uint32_t* rows;
    std::span<const std::uint32_t> begins;  // of each position, and the end

    std::size_t length() const { return begins.empty() ? 0 : begins.size() - 1; }
    std::span<const std::uint32_t> at(std::size_t i) const { return {rows + begins[i], rows + begins[i + 1]}; }
};

// Where the rows of sequences lie that are read side by side, longest first: the first positions of all of them, then the
// second ones, and so on. What a sequence gets does not depend on its company.
struct SideBySide {
    std::vector<std::size_t> order;  // the sequences, longest first
    std::vector<std::size_t> first;  // row of each position, and the end

    void lay_out(std::span<const Sequence> sequences);
    std::size_t positions() const { return first.size() - 1; }
    std::size_t rows() const { return first.back(); }
    std::size_t rows_at(std::size_t position) const { return first[position + 1] - first[position]; }
};

// Factors of the input, of the output of each layer, and of what a head makes of it: 0, or what keeps the mean; one for each
// number, or for each column of all rows. Without any nothing is dropped.
struct DropoutMasks {
    std::vector<float> input;
    std::vector<std::vector<float>> layers, head;
};

// The gradient by the shared weights, and their matrices transposed, as the way back needs them.
struct SharedGradient {
    std::vector<float> sums, transposes;

    float* operator[](const Block& block) { return sums.data() + block.begin; }
    const float* transpose_of(const Block& block) const { return transposes.data() + block.begin; }
    // From dy to dW = x^T dy and db, which are added to the sums, and to dx = dy W^T, which is added to rows that are so wide.
    void backward(const Affine& affine, const float* x, std::size_t width, std::span<const float> dy, float* dx,
                  std::size_t dx_width);
};

// A pass over some sequences, forward and backward. A workspace of one thread.
template <class Cell>
class RecurrentPass {
  public:
    void forward(const Recurrent<Cell>& network, std::span<const Sequence> sequences);
    // From the gradient by the output, which the head sets, to that by the input. All sequences are as long as each other.
    void backward(const Recurrent<Cell>& network, SharedGradient& shared);

    DropoutMasks masks;
    SideBySide batch;
    std::vector<float> gradient;
    std::span<const float> input() const { return input_; }
    std::span<const float> output() const { return layers_.back().output(); }
    std::span<const float> head_mask(int which) const {
        return masks.head.empty() ? std::span<const float>() : masks.head[which];
    }

  private:
    struct Layer {
        std::vector<float> gates[2], memory[2];  // a row for each position: four parts of `hidden`, and Cell::memory
        std::vector<float> states;               // of both directions
        std::vector<float> kept;                 // the same after dropout, if there is any
        std::span<const float> output() const { return kept.empty() ? states : kept; }
    };

    void sum_embeddings(const Recurrent<Cell>& network, std::span<const Sequence> sequences);
    std::span<const float> input_of(int layer) const { return layer == 0 ? input() : layers_[layer - 1].output(); }
    void forward_direction(const Recurrent<Cell>& network, int layer, int direction);
    void backward_direction(const Recurrent<Cell>& network, int layer, int direction, SharedGradient& shared);
    Before before(const Layer& layer, int direction, std::size_t hidden, std::size_t row) const {
        return {&layer.states[row * 2 * hidden + direction * hidden],
                layer.memory[direction].data() + row * Cell::memory * hidden};
    }

    std::vector<float> input_;
    std::vector<Layer> layers_;
    std::vector<float> nothing_;  // what is remembered before the first position
    std::vector<float> input_gradient_, sums_, carried_;
};

extern template struct Recurrent<Lstm>;
extern template struct Recurrent<Gru>;
extern template class RecurrentPass<Lstm>;
extern template class RecurrentPass<Gru>;

}  // namespace nonproj::learn
