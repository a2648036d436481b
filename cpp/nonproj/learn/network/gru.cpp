#include "nonproj/learn/network/gru.hpp"

#include <algorithm>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/rows.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

namespace {

// Of a window all tokens count that have so many others before and behind them in it, or an end of the text.
constexpr std::size_t longest_window = 128, margin = 12, window_step = longest_window - 2 * margin;

}  // namespace

void GruSizes::check() const {
    check_sizes({vector, hidden});
    if (features < 1 || features > 64 || rows >= std::size_t{1} << 31)
        throw Error("a network has 1 to 64 features, and less than 2^31 vectors");
}

GruLayout::GruLayout(const GruSizes& sizes) : size(0) {
    sizes.check();
    const auto take = [&](int rows, int columns) { return next_block(size, rows, columns); };
    for (Direction& direction : directions) {
        direction.from_input = take(sizes.vector, 3 * sizes.hidden);
        direction.from_before = take(sizes.hidden, 3 * sizes.hidden);
        direction.bias = take(1, 4 * sizes.hidden);
    }
    output = take(1, 2 * sizes.hidden);
    output_bias = take(1, 1);
}

Gru::Gru(const GruSizes& sizes)
    : sizes(sizes), layout(sizes), shared(layout.size), vectors(sizes.rows * sizes.vector) {}

void Gru::fill(std::span<const float> shared_weights, std::span<const float> vector_weights) {
    const auto set = [](std::span<const float> from, std::vector<float>& to) {
        if (from.size() != to.size()) throw Error("a network of these sizes has another number of weights");
        check_weights(from);
        std::ranges::copy(from, to.begin());
    };
    set(shared_weights, shared);
    set(vector_weights, vectors);
}

void GruPass::lay_out(std::span<const VectorRows> windows, std::size_t features) {
    row_.assign(1, 0);
    std::size_t active = windows.size();
    for (std::size_t position = 0;; ++position) {
        while (active > 0 && windows[active - 1].size() <= position * features) --active;
        if (active == 0) return;
        row_.push_back(row_.back() + active);
    }
}

void GruPass::read(const Gru& gru, std::span<const VectorRows> windows, const Dropped& dropped) {
    lay_out(windows, gru.sizes.features);
    sum_vectors(gru, windows);
    multiply_rows(input_, dropped.input);
    states_.resize(rows() * 2 * gru.sizes.hidden);
    nothing_.assign(gru.sizes.hidden, 0.0f);
    for (int direction = 0; direction < 2; ++direction) run_direction(gru, direction);
    if (dropped.states.empty()) return score_rows(gru, states_);
    output_ = states_;
    multiply_rows(output_, dropped.states);
    score_rows(gru, output_);
}

void GruPass::sum_vectors(const Gru& gru, std::span<const VectorRows> windows) {
    const std::size_t size = gru.sizes.vector, features = gru.sizes.features;
    input_.resize(rows() * size);
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t position = 0; position < positions(); ++position)
            for (std::size_t k = 0; k < rows_at(position); ++k) {
                const std::uint32_t* const token = &windows[k][position * features];
                float* const sum = &input_[(row_[position] + k) * size];
                const float* const first = &gru.vectors[token[0] * size];
                for (std::size_t j = 0; j < size; ++j) sum[j] = first[j];
                for (std::size_t f = 1; f < features; ++f) {
                    const float* const vector = &gru.vectors[token[f] * size];
                    for (std::size_t j = 0; j < size; ++j) sum[j] += vector[j];
                }
            }
    });
}

void GruPass::run_direction(const Gru& gru, int direction) {
    const std::size_t hidden = gru.sizes.hidden, in = gru.sizes.vector;
    const GruLayout::Direction& own = gru.layout.directions[direction];
    std::vector<float>& gates = gates_[direction];
    fill_rows(gates, rows(), {gru[own.bias], 4 * hidden});
    add_product(by_rows(input_.data(), in), rows(), in, panels_of(gru[own.from_input], in), 3 * hidden,
                rows_of(gates.data(), 4 * hidden));
    for (std::size_t step = 0; step < positions(); ++step) {
        const std::size_t position = direction == 0 ? step : positions() - 1 - step;
        // Forwards all windows have a token before; backwards those that end here have none.
        const std::size_t before = direction == 0 ? position - 1 : position + 1,
                          going_on = step == 0 ? 0 : rows_at(std::max(position, before));
        if (going_on > 0)
            add_product(by_rows(&states_[row_[before] * 2 * hidden + direction * hidden], 2 * hidden), going_on, hidden,
                        panels_of(gru[own.from_before], hidden), 3 * hidden,
                        rows_of(&gates[row_[position] * 4 * hidden + hidden], 4 * hidden));
        run_position(gru, direction, position, before, going_on);
    }
}

// From the sums of the gates of a position to its states.
void GruPass::run_position(const Gru& gru, int direction, std::size_t position, std::size_t before,
                           std::size_t going_on) {
    const std::size_t hidden = gru.sizes.hidden, count = rows_at(position), first = row_[position];
    float* const gates = &gates_[direction][first * 4 * hidden];
    float* const states = &states_[first * 2 * hidden + direction * hidden];
    const float* const states_before =
        going_on > 0 ? &states_[row_[before] * 2 * hidden + direction * hidden] : nothing_.data();
    vectorised_widest([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t k = 0; k < count; ++k) {
            float *const gate = gates + k * 4 * hidden, *const state = states + k * 2 * hidden;
            const float* const old = k < going_on ? states_before + k * 2 * hidden : nothing_.data();
            for (std::size_t j = hidden; j < 3 * hidden; ++j) gate[j] = logistic(gate[j]);
            for (std::size_t j = 0; j < hidden; ++j)
                gate[j] = hyperbolic_tangent(gate[j] + gate[hidden + j] * gate[3 * hidden + j]);
            for (std::size_t j = 0; j < hidden; ++j) {
                const float keep = gate[2 * hidden + j];
                state[j] = (1.0f - keep) * gate[j] + keep * old[j];
            }
        }
    });
}

void GruPass::score_rows(const Gru& gru, std::span<const float> output) {
    const std::size_t two = 2 * gru.sizes.hidden, count = rows();
    const float *const weights = gru[gru.layout.output], bias = *gru[gru.layout.output_bias];
    scores_.resize(count);
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) {
            float sums[panel] = {};
            for (std::size_t j = 0; j < two; j += panel)
                for (std::size_t l = 0; l < panel; ++l) sums[l] += output[i * two + j + l] * weights[j + l];
            float sum = bias;
            for (const float each : sums) sum += each;
            scores_[i] = sum;
        }
    });
}

void GruPass::score_text(const Gru& gru, VectorRows text, std::size_t side_by_side, std::vector<float>& scores) {
    const std::size_t features = gru.sizes.features, count = text.size() / features;
    scores.resize(count);
    std::size_t scored = 0;
    for (std::size_t begin = 0; scored < count;) {
        Interrupt::check();
        windows_.clear();
        const std::size_t first = begin;
        for (std::size_t end = 0; windows_.size() < side_by_side && end < count; begin += window_step) {
            end = std::min(count, begin + longest_window);
            windows_.push_back(text.subspan(begin * features, (end - begin) * features));
        }
        read(gru, windows_, {});
        for (std::size_t w = 0; w < windows_.size(); ++w) {
            const std::size_t from = first + w * window_step, size = windows_[w].size() / features;
            const std::size_t until = from + size == count ? count : from + size - margin;
            for (; scored < until; ++scored) scores[scored] = score(w, scored - from);
        }
    }
}

}  // namespace nonproj::learn
