// Training of a recurrent network with any head, by Adam: some examples a step, at a rate that the caller chooses.
//
// A head has, beside its weights,
//   Pass       its forward pass from the output of the recurrent network, and its backward pass from what was asked
//   Examples   what is learnt from: sequences with word dropout, gold answers, the first weights
//   training   how
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/learn/network/adam.hpp"
#include "nonproj/learn/network/recurrent.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

struct TrainingOptions {
    float dropped_input, dropped_output;  // chances
    // Examples are read one after the other, each with columns of its own that are dropped (Gal & Ghahramani 2016); or side
    // by side, as long as each other, and numbers are dropped.
    bool is_one_by_one;
    float mean_decay, square_decay;
    float longest_gradient;  // of all weights together, by the loss of an answer; longer ones are clipped. Or 0
    float average_decay;     // of the moving average of the weights, which is the result. Or 0
    // The gradient by an embedding is known only where its feature occurs, and only there Adam takes a step.
    bool is_lazy;
};

struct Loss {
    double sum = 0;
    std::size_t answers = 0;
};

template <class Network>
class Trainer {
  public:
    using Head = typename Network::Head;
    using Examples = typename Head::Examples;

    // The examples refer to what has to live as long.
    Trainer(const typename Head::Sizes& sizes, Examples examples, std::uint64_t seed);

    // One step by these examples; returns the sum of their losses.
    double learn(std::span<const std::int64_t> chosen, float rate);

    // The sum of the losses of examples with nothing dropped, and its gradient.
    struct Gradient {
        double loss;
        std::vector<float> shared, embeddings;
    };
    Gradient gradient(std::span<const std::int64_t> chosen);

    Examples& examples() { return examples_; }
    Network& network() { return network_; }
    const Network& network() const { return network_; }
    // Its moving average, where there is one.
    Network averaged() const;

    // What Adam remembers, beside the weights: shared.mean, shared.square, vectors.mean, vectors.square.
    std::span<float> memory(const std::string& name);
    std::uint64_t steps() const { return steps_; }
    void resume(std::uint64_t steps) { steps_ = steps; }

  private:
    static constexpr const TrainingOptions& training = Head::training;
    using Table = std::vector<float, PageAllocator<float>>;
    struct Moments {
        Table mean, square, average;
    };

    void clear();
    void transpose_matrices();
    // Forward and backward; nothing is dropped without draws.
    Loss pass_over(std::span<const std::int64_t> chosen, Draws* draws);
    Loss pass_over_some(std::span<const std::int64_t> chosen, Draws* draws);
    void draw_masks(std::span<const Sequence> sequences, Draws* draws);
    void backward_to_embeddings(std::span<const Sequence> sequences);
    float* embedding_gradient(std::uint32_t row);
    void step(std::size_t answers, float rate);
    std::size_t width() const { return network_.recurrent.sizes.embedding; }

    Network network_;
    Examples examples_;
    std::uint64_t seed_, steps_ = 0;
    SharedGradient gradient_;
    // The gradients by the embeddings that occur in a step, one after the other; or by all.
    std::vector<std::int32_t> place_;
    std::vector<std::uint32_t> met_;
    std::vector<float> embedding_gradient_;
    Moments shared_, embeddings_;

    DropoutMasks masks_;
    RecurrentPass<typename Network::Cell> pass_;
    typename Head::Pass head_;
};

}  // namespace nonproj::learn
