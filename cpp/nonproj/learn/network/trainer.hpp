// Training of a recurrent network with any head, by Adam: some examples a step, at a rate that the caller chooses.
//
// A network with its head has, beside its weights,
//   Sizes      and head_masks(), how many numbers of what its head computes may be dropped
//   Pass       forward from the output of the recurrent network, and backward from the loss of what was asked
//   Examples   what is learnt from: sequences with word dropout, gold answers, the first weights
//   training   how
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/learn/network/recurrent.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

struct TrainingOptions {
    float dropped_input = 0.2f, dropped_output;  // chances
    float mean_decay = 0.9f, square_decay;
    // Examples are read one after the other, each with columns of its own that are dropped (Gal & Ghahramani 2016); or side
    // by side, as long as each other, and numbers are dropped.
    bool is_one_by_one = false;
    // The gradient by an embedding is known only where its feature occurs, and only there Adam takes a step.
    bool is_lazy = false;
    float longest_gradient = 0;  // of all weights together, by the loss of an answer; longer ones are clipped. Or 0
    float average_decay = 0;     // of the moving average of the weights, which is the result. Or 0
};

struct Loss {
    double sum = 0;
    std::size_t answers = 0;
};

template <class Network>
class Trainer {
  public:
    using Sizes = typename Network::Sizes;
    using Examples = typename Network::Examples;

    // The examples refer to what has to live as long.
    Trainer(const Sizes& sizes, Examples examples, std::uint64_t seed);

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
    static constexpr const TrainingOptions& training = Network::training;
    using Table = std::vector<float, PageAllocator<float>>;
    struct Moments {
        Table mean, square, average;
    };

    void clear();
    // Forward and backward; nothing is dropped without draws.
    Loss pass_over(std::span<const std::int64_t> chosen, Draws* draws);
    Loss pass_over_some(std::span<const std::int64_t> chosen, Draws* draws);
    void draw_masks(std::span<const Sequence> sequences, Draws* draws);
    void backward_to_embeddings(std::span<const Sequence> sequences);
    float* embedding_gradient(std::uint32_t row);
    void step(std::size_t answers, float rate);
    std::size_t width() const { return network_.recurrent.embedding; }

    Network network_;
    Examples examples_;
    std::uint64_t seed_, steps_ = 0;
    SharedGradient gradient_;
    // The gradients by the embeddings that were met in a step, one after the other; or by all.
    std::vector<std::int32_t> place_;
    std::vector<std::uint32_t> met_;
    std::vector<float> embedding_gradient_;
    Moments shared_, embeddings_;

    typename Network::Pass pass_;
};

}  // namespace nonproj::learn
