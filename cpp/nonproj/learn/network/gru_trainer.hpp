// Training a `Gru` to answer yes or no at each token of a text, by the log-likelihood of the answers; Adam, some windows at a
// step, and in the end the moving average of the weights.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/network/adam.hpp"
#include "nonproj/learn/network/gru.hpp"

namespace nonproj::learn {

// A text with its answers. The first vectors, one for each feature, stand for what is not known.
struct GruExamples {
    std::vector<std::uint32_t> rows;     // of each token, one for each feature
    std::vector<std::uint8_t> is_yes;    // of each token
    std::vector<std::uint8_t> is_asked;  // others are only read
};

class GruTrainer {
  public:
    // An error where the examples do not fit the sizes. They have to live as long as the trainer.
    GruTrainer(const GruSizes& sizes, const GruExamples& examples, std::uint64_t seed);

    // The whole training, and what comes of it.
    Gru trained();

    // The loss of a token, over windows of this length that begin at these tokens, and its gradient; nothing is dropped.
    struct Slope {
        double loss;
        std::vector<float> shared, vectors;
    };
    Slope gradient(std::span<const std::size_t> begins, std::size_t length);
    Gru& network() { return gru_; }

  private:
    // Weights of one kind, and what a step changes of them.
    struct Learnt {
        std::vector<float> slopes, mean, square, average;
    };

    void draw_weights(Draws& draws);
    void draw_begins(Draws& draws);
    void learn(std::span<const std::size_t> begins, float rate, Draws& draws);
    void take_windows(std::span<const std::size_t> begins, std::size_t length);
    void hide_some(Draws& draws);
    void turn_over();
    std::size_t go_back(std::span<const std::size_t> begins, std::size_t unsure);
    std::size_t go_back_from_scores(std::span<const std::size_t> begins, std::size_t unsure);
    void go_back_through(int direction);
    void go_back_through_position(int direction, std::size_t position, bool is_first);
    void go_back_to_vectors();
    void step(Learnt& learnt, std::vector<float>& weights, const Pace& pace, float average_decay);
    float* slope(const Block& block) { return shared_.slopes.data() + block.begin; }
    float* across(const Block& block) { return across_.data() + block.begin; }

    const GruExamples& examples_;
    Gru gru_;
    std::size_t tokens_, window_;
    std::uint64_t seed_, steps_ = 0;
    double loss_ = 0;            // of the tokens that were asked last
    std::vector<float> hidden_;  // of each vector, the chance that it is taken for one of what is not known
    std::vector<std::uint32_t> unknown_;
    Learnt shared_, vectors_;

    std::vector<float> across_;  // the transposed matrices of the network
    std::vector<std::size_t> begins_;
    std::vector<std::uint32_t> taken_;  // the rows of the windows of a step
    std::vector<VectorRows> windows_;
    GruPass pass_;
    GruPass::Dropped dropped_;
    std::vector<float> states_, gates_, input_, carried_;  // slopes
};

}  // namespace nonproj::learn
