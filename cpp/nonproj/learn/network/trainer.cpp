#include "nonproj/learn/network/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/learn/network/boundaries.hpp"
#include "nonproj/learn/network/trees.hpp"

namespace nonproj::learn {

namespace {

// A step of Adam (Kingma & Ba 2015): what it multiplies gradients, their means and their squares by.
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
void descend(float* weights, const float* gradient, float* mean, float* square, std::size_t count,
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
void move_average(float* average, const float* weights, std::size_t count, float decay) {
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) average[i] += (1 - decay) * (weights[i] - average[i]);
    });
}

}  // namespace

template <class Network>
Trainer<Network>::Trainer(const Sizes& sizes, Examples examples, std::uint64_t seed)
    : network_(sizes), examples_(std::move(examples)), seed_(seed) {
    examples_.draw_weights(network_, seed);
    gradient_.sums.resize(network_.shared.size());
    gradient_.transposes.resize(network_.shared.size());
    const std::size_t rows = network_.embeddings.size() / width();
    place_.assign(rows, -1);
    if (!training.is_lazy)
        for (std::uint32_t row = 0; row < rows; ++row) embedding_gradient(row);
    const auto start = [](Moments& moments, const float* weights, std::size_t count) {
        moments.mean.resize(count);
        moments.square.resize(count);
        if (training.average_decay > 0) moments.average.assign(weights, weights + count);
    };
    start(shared_, network_.shared.data(), network_.shared.size());
    start(embeddings_, network_.embeddings.data(), network_.embeddings.size());
}

template <class Network>
double Trainer<Network>::learn(std::span<const std::int64_t> chosen, float rate) {
    const Loss loss = pass_over(chosen, &examples_.draws(seed_, steps_));
    if (loss.answers > 0) step(loss.answers, rate);
    return loss.sum;
}

template <class Network>
typename Trainer<Network>::Gradient Trainer<Network>::gradient(std::span<const std::int64_t> chosen) {
    const Loss loss = pass_over(chosen, nullptr);
    Gradient found{loss.sum, gradient_.sums, std::vector<float>(network_.embeddings.size())};
    for (std::size_t k = 0; k < met_.size(); ++k)
        std::copy_n(&embedding_gradient_[k * width()], width(), &found.embeddings[met_[k] * width()]);
    return found;
}

template <class Network>
void Trainer<Network>::clear() {
    std::ranges::fill(gradient_.sums, 0.0f);
    if (training.is_lazy) {
        for (const std::uint32_t row : met_) place_[row] = -1;
        met_.clear();
        embedding_gradient_.clear();
    } else
        std::ranges::fill(embedding_gradient_, 0.0f);
    for (const Block& block : network_.blocks)
        if (block.rows > 1)
            transpose(panels_of(network_[block], block.rows), block.rows, block.columns,
                      &gradient_.transposes[block.begin]);
}

template <class Network>
Loss Trainer<Network>::pass_over(std::span<const std::int64_t> chosen, Draws* draws) {
    clear();
    Loss loss;
    const std::size_t together = training.is_one_by_one ? 1 : chosen.size();
    for (std::size_t i = 0; i < chosen.size(); i += together) {
        Interrupt::check();
        const Loss own = pass_over_some(chosen.subspan(i, together), draws);
        loss = {loss.sum + own.sum, loss.answers + own.answers};
    }
    return loss;
}

template <class Network>
Loss Trainer<Network>::pass_over_some(std::span<const std::int64_t> chosen, Draws* draws) {
    const std::span<const Sequence> sequences = examples_.take(chosen, draws);
    draw_masks(sequences, draws);
    pass_.forward(network_, sequences);
    const Loss loss = pass_.backward_to_output(network_, examples_, gradient_);
    if (loss.answers == 0) return loss;
    pass_.backward(network_, gradient_);
    backward_to_embeddings(sequences);
    return loss;
}

template <class Network>
void Trainer<Network>::draw_masks(std::span<const Sequence> sequences, Draws* draws) {
    DropoutMasks& masks = pass_.masks;
    if (draws == nullptr) {
        masks = {};
        return;
    }
    const RecurrentSizes& sizes = network_.recurrent;
    const std::size_t rows = training.is_one_by_one ? 1 : sequences.size() * sequences[0].length();
    const auto draw = [&](std::vector<float>& mask, std::size_t count, float chance) {
        mask.resize(count);
        for (float& factor : mask) factor = between_0_and_1(*draws) < chance ? 0.0f : 1.0f / (1.0f - chance);
    };
    draw(masks.input, rows * sizes.embedding, training.dropped_input);
    masks.layers.resize(sizes.layers);
    for (std::vector<float>& mask : masks.layers) draw(mask, rows * sizes.output(), training.dropped_output);
    const auto head_masks = network_.sizes.head_masks();
    masks.head.resize(head_masks.size());
    for (std::size_t i = 0; i < head_masks.size(); ++i) draw(masks.head[i], head_masks[i], training.dropped_output);
}

template <class Network>
void Trainer<Network>::backward_to_embeddings(std::span<const Sequence> sequences) {
    const float* gradient = pass_.gradient.data();
    const SideBySide& batch = pass_.batch;
    for (std::size_t position = 0; position < batch.positions(); ++position)
        for (std::size_t k = 0; k < batch.rows_at(position); ++k, gradient += width())
            for (const std::uint32_t row : sequences[batch.order[k]].at(position)) {
                float* const sums = embedding_gradient(row);
                for (std::size_t j = 0; j < width(); ++j) sums[j] += gradient[j];
            }
}

template <class Network>
float* Trainer<Network>::embedding_gradient(std::uint32_t row) {
    if (place_[row] < 0) {
        place_[row] = static_cast<std::int32_t>(met_.size());
        met_.push_back(row);
        embedding_gradient_.resize(embedding_gradient_.size() + width());
    }
    return &embedding_gradient_[place_[row] * width()];
}

template <class Network>
void Trainer<Network>::step(std::size_t answers, float rate) {
    ++steps_;
    double scale = 1;
    if (training.longest_gradient > 0) {
        double squares = 0;
        for (const float x : gradient_.sums) squares += static_cast<double>(x) * x;
        for (const float x : embedding_gradient_) squares += static_cast<double>(x) * x;
        scale = std::min(1.0, training.longest_gradient / (std::sqrt(squares) / static_cast<double>(answers)));
    }
    scale /= static_cast<double>(answers);
    const AdamStep by = AdamStep::at(steps_, training.mean_decay, training.square_decay, scale, rate);
    const auto descend_on = [&](float* weights, const float* gradient, Moments& moments, std::size_t first,
                                std::size_t count) {
        descend(weights + first, gradient, &moments.mean[first], &moments.square[first], count, by);
    };
    descend_on(network_.shared.data(), gradient_.sums.data(), shared_, 0, network_.shared.size());
    const std::size_t at_once = training.is_lazy ? 1 : met_.size();
    for (std::size_t k = 0; k < met_.size(); k += at_once)
        descend_on(network_.embeddings.data(), &embedding_gradient_[k * width()], embeddings_, met_[k] * width(),
                   at_once * width());
    if (training.average_decay == 0) return;
    const float decay = std::min(training.average_decay, 1 - 1 / static_cast<float>(steps_));
    move_average(shared_.average.data(), network_.shared.data(), network_.shared.size(), decay);
    move_average(embeddings_.average.data(), network_.embeddings.data(), network_.embeddings.size(), decay);
}

template <class Network>
Network Trainer<Network>::averaged() const {
    Network made = network_;
    std::ranges::copy(shared_.average, made.shared.data());
    std::ranges::copy(embeddings_.average, made.embeddings.data());
    return made;
}

template <class Network>
std::span<float> Trainer<Network>::memory(const std::string& name) {
    if (name == "shared.mean") return shared_.mean;
    if (name == "shared.square") return shared_.square;
    if (name == "vectors.mean") return embeddings_.mean;
    if (name == "vectors.square") return embeddings_.square;
    throw Error("a network's training remembers nothing called " + name);
}

template class Trainer<TreeNetwork>;
template class Trainer<BoundaryNetwork>;

}  // namespace nonproj::learn
