#include "nonproj/learn/network/gru_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/learn/network/dropout.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/rows.hpp"

namespace nonproj::learn {

namespace {

constexpr std::size_t learnt_window = 50, windows_a_step = 8;
// Of a window, so many tokens at either end are not asked: too little is known of what is around them.
constexpr std::size_t unsure_tokens = 4;
// Small treebanks need more epochs, large ones fewer.
constexpr std::size_t least_steps = 1000, least_epochs = 8, most_tokens = 3'000'000, fewest_epochs = 2;
constexpr float first_rate = 4e-3f, last_rate_share = 0.05f;
constexpr float gru_mean_decay = 0.9f, gru_square_decay = 0.99f, average_decay = 0.99f;
constexpr float dropped_numbers = 0.2f, dropped_states = 0.4f;
// Features are hidden so that the network learns what to make of new ones, the rarer the oftener.
constexpr float hidden_features = 0.2f, feature_rareness = 0.5f;
constexpr float deviation_of_vectors = 0.1f, first_output_bias = -2.0f;

void draw_uniform(std::span<float> weights, float most, Draws& draws) {
    for (float& weight : weights) weight = most * (2 * between_0_and_1(draws) - 1);
}

std::size_t epochs_of(std::size_t tokens) {
    const std::size_t steps = (tokens + learnt_window * windows_a_step - 1) / (learnt_window * windows_a_step);
    const std::size_t epochs = std::max(least_epochs, (least_steps + steps - 1) / steps);
    return std::min(epochs, std::max(fewest_epochs, most_tokens / tokens));
}

}  // namespace

GruTrainer::GruTrainer(const GruSizes& sizes, const GruExamples& examples, std::uint64_t seed)
    : examples_(examples), gru_(sizes), tokens_(examples.is_yes.size()), seed_(seed) {
    const std::size_t features = sizes.features;
    if (examples.rows.size() != tokens_ * features || examples.is_asked.size() != tokens_ || sizes.rows < features ||
        !std::ranges::all_of(examples.rows, [&](std::uint32_t row) { return row < sizes.rows; }))
        throw Error("the examples do not fit the sizes of the network");
    window_ = std::min(learnt_window, tokens_);
    std::vector<std::uint32_t> count(sizes.rows);
    unknown_.resize(sizes.rows);
    for (std::size_t i = 0; i < examples.rows.size(); ++i) {
        ++count[examples.rows[i]];
        unknown_[examples.rows[i]] = static_cast<std::uint32_t>(i % features);
    }
    hidden_.assign(sizes.rows, 0.0f);
    for (std::size_t row = features; row < sizes.rows; ++row)
        hidden_[row] = feature_rareness / (feature_rareness + static_cast<float>(count[row]));
    Draws draws(mixed(seed + 1));
    draw_weights(draws);
    const auto start = [](Learnt& learnt, const std::vector<float>& weights) {
        learnt.slopes.assign(weights.size(), 0.0f);
        learnt.mean.assign(weights.size(), 0.0f);
        learnt.square.assign(weights.size(), 0.0f);
        learnt.average = weights;
    };
    start(shared_, gru_.shared);
    start(vectors_, gru_.vectors);
    across_.assign(gru_.shared.size(), 0.0f);
}

void GruTrainer::draw_weights(Draws& draws) {
    const auto draw = [&](const Block& block, int terms, float variance) {
        draw_uniform({gru_.shared.data() + block.begin, block.size()}, std::sqrt(variance / static_cast<float>(terms)),
                     draws);
    };
    for (const GruLayout::Direction& direction : gru_.layout.directions) {
        draw(direction.from_input, gru_.sizes.vector, 3.0f);
        draw(direction.from_before, gru_.sizes.hidden, 1.0f);
    }
    draw(gru_.layout.output, gru_.sizes.hidden, 1.0f);
    gru_.shared[gru_.layout.output_bias.begin] = first_output_bias;
    draw_uniform(gru_.vectors, deviation_of_vectors * std::sqrt(3.0f), draws);
}

Gru GruTrainer::trained() {
    if (tokens_ == 0) return gru_;
    const std::size_t epochs = epochs_of(tokens_);
    Draws draws(mixed(seed_ + 2));
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        draw_begins(draws);
        const std::size_t steps = (begins_.size() + windows_a_step - 1) / windows_a_step;
        for (std::size_t i = 0; i < steps; ++i) {
            Interrupt::check();
            const float done = static_cast<float>(epoch * steps + i) / static_cast<float>(epochs * steps);
            learn(std::span(begins_).subspan(i * windows_a_step,
                                             std::min(windows_a_step, begins_.size() - i * windows_a_step)),
                  first_rate * std::max(last_rate_share, 1 - done), draws);
        }
    }
    Gru made = gru_;
    made.shared = shared_.average;
    made.vectors = vectors_.average;
    return made;
}

// Windows side by side over all of the text, from another place in each epoch, in another order.
void GruTrainer::draw_begins(Draws& draws) {
    begins_.clear();
    const std::size_t before = draws.below(window_);
    for (std::size_t end = window_ - before; end < tokens_ + window_; end += window_)
        begins_.push_back(std::min(end < window_ ? 0 : end - window_, tokens_ - window_));
    for (std::size_t i = begins_.size(); i > 1; --i) std::swap(begins_[i - 1], begins_[draws.below(i)]);
}

void GruTrainer::learn(std::span<const std::size_t> begins, float rate, Draws& draws) {
    take_windows(begins, window_);
    hide_some(draws);
    draw_kept(dropped_.input, begins.size() * window_ * gru_.sizes.vector, dropped_numbers, draws);
    draw_kept(dropped_.states, begins.size() * window_ * 2 * gru_.sizes.hidden, dropped_states, draws);
    pass_.read(gru_, windows_, dropped_);
    const std::size_t asked = go_back(begins, unsure_tokens);
    if (asked == 0) return;
    const Pace pace = Pace::at(++steps_, gru_mean_decay, gru_square_decay, 1 / static_cast<double>(asked), rate);
    const float decay = std::min(average_decay, 1 - 1 / static_cast<float>(steps_));
    step(shared_, gru_.shared, pace, decay);
    step(vectors_, gru_.vectors, pace, decay);
}

GruTrainer::Slope GruTrainer::gradient(std::span<const std::size_t> begins, std::size_t length) {
    if (std::ranges::any_of(begins, [&](std::size_t begin) { return begin > tokens_ || length > tokens_ - begin; }))
        throw Error("a window goes past the end of the examples");
    take_windows(begins, length);
    dropped_ = {};
    pass_.read(gru_, windows_, dropped_);
    const float asked = static_cast<float>(std::max<std::size_t>(1, go_back(begins, 0)));
    for (Learnt* const learnt : {&shared_, &vectors_})
        for (float& slope : learnt->slopes) slope /= asked;
    return {loss_ / asked, shared_.slopes, vectors_.slopes};
}

void GruTrainer::take_windows(std::span<const std::size_t> begins, std::size_t length) {
    const std::size_t features = gru_.sizes.features, size = length * features;
    taken_.resize(begins.size() * size);
    windows_.clear();
    for (std::size_t w = 0; w < begins.size(); ++w) {
        std::copy_n(examples_.rows.begin() + static_cast<std::ptrdiff_t>(begins[w] * features), size,
                    taken_.begin() + static_cast<std::ptrdiff_t>(w * size));
        windows_.push_back(VectorRows(taken_).subspan(w * size, size));
    }
}

void GruTrainer::hide_some(Draws& draws) {
    for (std::uint32_t& row : taken_)
        if (between_0_and_1(draws) < hidden_features || between_0_and_1(draws) < hidden_[row]) row = unknown_[row];
}

// The transposed matrices, as going back needs them.
void GruTrainer::turn_over() {
    const auto turn = [&](const Block& block) {
        transpose(panels_of(gru_[block], block.rows), block.rows, block.columns, across(block));
    };
    for (const GruLayout::Direction& direction : gru_.layout.directions) {
        turn(direction.from_input);
        turn(direction.from_before);
    }
}

// Sets the slopes of the sum of the losses of the windows that were read; returns how many tokens were asked.
std::size_t GruTrainer::go_back(std::span<const std::size_t> begins, std::size_t unsure) {
    std::ranges::fill(shared_.slopes, 0.0f);
    std::ranges::fill(vectors_.slopes, 0.0f);
    const std::size_t asked = go_back_from_scores(begins, unsure);
    if (asked == 0) return 0;
    turn_over();
    input_.assign(pass_.rows() * gru_.sizes.vector, 0.0f);
    for (int direction = 0; direction < 2; ++direction) go_back_through(direction);
    multiply_rows(input_, dropped_.input);
    go_back_to_vectors();
    return asked;
}

std::size_t GruTrainer::go_back_from_scores(std::span<const std::size_t> begins, std::size_t unsure) {
    const std::size_t two = 2 * gru_.sizes.hidden, length = pass_.positions();
    const std::vector<float>& output = dropped_.states.empty() ? pass_.states_ : pass_.output_;
    const float* const weights = gru_[gru_.layout.output];
    float *const of_weights = slope(gru_.layout.output), *const of_bias = slope(gru_.layout.output_bias);
    std::size_t asked = 0;
    loss_ = 0;
    states_.assign(pass_.rows() * two, 0.0f);
    for (std::size_t position = unsure; position + unsure < length; ++position)
        for (std::size_t w = 0; w < begins.size(); ++w) {
            const std::size_t token = begins[w] + position, row = pass_.row_[position] + w;
            if (!examples_.is_asked[token]) continue;
            ++asked;
            const float score = pass_.score(w, position), is_yes = examples_.is_yes[token] != 0 ? 1.0f : 0.0f;
            const float error = logistic(score) - is_yes;
            loss_ += std::max(score, 0.0f) - score * is_yes + std::log1p(std::exp(-std::abs(double{score})));
            *of_bias += error;
            for (std::size_t j = 0; j < two; ++j) {
                of_weights[j] += error * output[row * two + j];
                states_[row * two + j] = error * weights[j];
            }
        }
    multiply_rows(states_, dropped_.states);
    return asked;
}

// From the slopes of the states of a direction to those of the input, which are added to input_.
void GruTrainer::go_back_through(int direction) {
    const std::size_t hidden = gru_.sizes.hidden, in = gru_.sizes.vector, two = 2 * hidden, four = 4 * hidden,
                      rows = pass_.rows(), length = pass_.positions(), count = pass_.rows_at(0);
    const GruLayout::Direction& own = gru_.layout.directions[direction];
    gates_.resize(rows * four);
    carried_.assign(count * hidden, 0.0f);
    for (std::size_t step = length; step-- > 0;)
        go_back_through_position(direction, direction == 0 ? step : length - 1 - step, step == 0);
    const Right of_input = rows_of<const float>(gates_.data(), four);
    add_columns(gates_, four, slope(own.bias));
    add_product(transposed(pass_.input_.data(), in), in, rows, of_input, 3 * hidden,
                panels_of(slope(own.from_input), in));
    // A state goes into the gates of the next token, or of the one before.
    const std::size_t from = direction == 0 ? 0 : count, to = count - from;
    add_product(transposed(&pass_.states_[direction * hidden] + from * two, two), hidden, rows - count,
                rows_of<const float>(gates_.data() + to * four + hidden, four), 3 * hidden,
                panels_of(slope(own.from_before), hidden));
    add_product(by_rows(gates_.data(), four), rows, 3 * hidden,
                panels_of<const float>(across(own.from_input), 3 * hidden), in, rows_of(input_.data(), in));
}

void GruTrainer::go_back_through_position(int direction, std::size_t position, bool is_first) {
    const std::size_t hidden = gru_.sizes.hidden, two = 2 * hidden, four = 4 * hidden, count = pass_.rows_at(position),
                      row = pass_.row_[position];
    const std::size_t before = is_first ? 0 : pass_.row_[direction == 0 ? position - 1 : position + 1];
    const float* const all_gates = &pass_.gates_[direction][row * four];
    const float* const all_before = is_first ? nullptr : &pass_.states_[before * two + direction * hidden];
    const float* const all_states = &states_[row * two + direction * hidden];
    float* const all_slopes = &gates_[row * four];
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t k = 0; k < count; ++k) {
            const float *const gate = all_gates + k * four, *const above = all_states + k * two;
            const float* const old = is_first ? pass_.nothing_.data() : all_before + k * two;
            float *const slopes = all_slopes + k * four, *const carried = carried_.data() + k * hidden;
            for (std::size_t j = 0; j < hidden; ++j) {
                const float put = gate[j], reset = gate[hidden + j], keep = gate[2 * hidden + j],
                            mixed_in = gate[3 * hidden + j];
                const float of_state = above[j] + carried[j];
                const float of_put = of_state * (1 - keep) * (1 - put * put);
                slopes[j] = of_put;
                slopes[hidden + j] = of_put * mixed_in * reset * (1 - reset);
                slopes[2 * hidden + j] = of_state * (old[j] - put) * keep * (1 - keep);
                slopes[3 * hidden + j] = of_put * reset;
                carried[j] = of_state * keep;
            }
        }
    });
    add_product(by_rows(all_slopes + hidden, four), count, 3 * hidden,
                panels_of<const float>(across(gru_.layout.directions[direction].from_before), 3 * hidden), hidden,
                rows_of(carried_.data(), hidden));
}

void GruTrainer::go_back_to_vectors() {
    const std::size_t size = gru_.sizes.vector, features = gru_.sizes.features;
    for (std::size_t position = 0; position < pass_.positions(); ++position)
        for (std::size_t w = 0; w < pass_.rows_at(position); ++w) {
            const float* const of_sum = &input_[(pass_.row_[position] + w) * size];
            for (const std::uint32_t row : windows_[w].subspan(position * features, features))
                for (std::size_t j = 0; j < size; ++j) vectors_.slopes[row * size + j] += of_sum[j];
        }
}

void GruTrainer::step(Learnt& learnt, std::vector<float>& weights, const Pace& pace, float decay) {
    descend(weights.data(), learnt.slopes.data(), {learnt.mean.data(), learnt.square.data()}, weights.size(), pace);
    const float* const now = weights.data();
    float* const average = learnt.average.data();
    const std::size_t count = weights.size();
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) average[i] += (1 - decay) * (now[i] - average[i]);
    });
}

}  // namespace nonproj::learn
