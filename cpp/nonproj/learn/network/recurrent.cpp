#include "nonproj/learn/network/recurrent.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "nonproj/error.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

void draw_uniform(std::span<float> weights, float most, Draws& draws) {
    for (float& weight : weights) weight = most * (2 * between_0_and_1(draws) - 1);
}

template <class Cell>
Recurrent<Cell>::Recurrent(const RecurrentSizes& sizes, std::size_t embeddings)
    : recurrent(sizes), embeddings(embeddings) {
    start = take(sizes.has_start, sizes.embedding);
    for (int layer = 0; layer < sizes.layers; ++layer)
        for (Direction& direction : layers.emplace_back()) {
            direction.input.weights = take(sizes.input(layer), Cell::input_gates * sizes.hidden);
            direction.from_state = take(sizes.hidden, Cell::state_gates * sizes.hidden);
            direction.input.bias = take(1, 4 * sizes.hidden);
        }
}

template <class Cell>
void Recurrent<Cell>::draw(const Block& block, float most, Draws& draws) {
    draw_uniform({shared.data() + block.begin, block.size()}, most, draws);
}

template <class Cell>
void Recurrent<Cell>::draw(Draws& draws) {
    draw(start, Cell::first_weights(start, true), draws);
    for (const auto& layer : layers)
        for (const Direction& direction : layer) {
            draw(direction.input.weights, Cell::first_weights(direction.input.weights, true), draws);
            draw(direction.from_state, Cell::first_weights(direction.from_state, false), draws);
            std::fill_n(shared.begin() + direction.input.bias.begin + recurrent.hidden, recurrent.hidden,
                        Cell::first_forget);
        }
}

void set_weights(std::span<const float> from, std::span<float> to) {
    if (from.size() != to.size()) throw Error("a network of these sizes has another number of weights");
    check_weights(from);
    std::ranges::copy(from, to.begin());
}

void SideBySide::lay_out(std::span<const Sequence> sequences) {
    order.resize(sequences.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t s) { return sequences[s].length(); });
    first.assign(1, 0);
    std::size_t active = sequences.size();
    for (std::size_t position = 0;; ++position) {
        while (active > 0 && sequences[order[active - 1]].length() <= position) --active;
        if (active == 0) return;
        first.push_back(first.back() + active);
    }
}

void SharedGradient::backward(const Affine& affine, const float* x, std::size_t width, std::span<const float> dy,
                              float* dx, std::size_t dx_width) {
    const std::size_t in = affine.weights.rows, out = affine.weights.columns, columns = affine.bias.columns,
                      rows = dy.size() / columns;
    add_columns(dy, columns, (*this)[affine.bias]);
    add_product(transposed(x, width), in, rows, rows_of(dy.data(), columns), out,
                panels_of((*this)[affine.weights], in));
    add_product(by_rows(dy.data(), columns), rows, out, panels_of(transpose_of(affine.weights), out), in,
                rows_of(dx, dx_width));
}

template <class Cell>
void RecurrentPass<Cell>::forward(const Recurrent<Cell>& network, std::span<const Sequence> sequences) {
    batch.lay_out(sequences);
    sum_embeddings(network, sequences);
    multiply_rows(input_, masks.input);
    nothing_.assign(network.recurrent.hidden, 0.0f);
    layers_.resize(network.layers.size());
    for (int layer = 0; layer < network.recurrent.layers; ++layer) {
        Layer& own = layers_[layer];
        own.states.resize(batch.rows() * network.recurrent.output());
        for (int direction = 0; direction < 2; ++direction) forward_direction(network, layer, direction);
        own.kept.clear();
        if (masks.layers.empty()) continue;
        own.kept = own.states;
        multiply_rows(own.kept, masks.layers[layer]);
    }
}

template <class Cell>
void RecurrentPass<Cell>::sum_embeddings(const Recurrent<Cell>& network, std::span<const Sequence> sequences) {
    const std::size_t size = network.recurrent.embedding;
    const float *const embeddings = network.embeddings.data(), *const start = network[network.start];
    input_.assign(batch.rows() * size, 0.0f);
    float* sum = input_.data();
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t position = 0; position < batch.positions(); ++position) {
            // The embeddings of the next position come from memory meanwhile.
            for (std::size_t k = 0; position + 1 < batch.positions() && k < batch.rows_at(position + 1); ++k)
                for (const std::uint32_t row : sequences[batch.order[k]].at(position + 1))
                    for (std::size_t j = 0; j < size; j += slots) prefetch(embeddings + row * size + j);
            for (std::size_t k = 0; k < batch.rows_at(position); ++k, sum += size) {
                if (position == 0 && network.recurrent.has_start) std::copy(start, start + size, sum);
                for (const std::uint32_t row : sequences[batch.order[k]].at(position)) {
                    const float* const embedding = embeddings + row * size;
                    for (std::size_t j = 0; j < size; ++j) sum[j] += embedding[j];
                }
            }
        }
    });
}

template <class Cell>
void RecurrentPass<Cell>::forward_direction(const Recurrent<Cell>& network, int layer, int direction) {
    const std::size_t hidden = network.recurrent.hidden, four = 4 * hidden, two = 2 * hidden,
                      from_state = (4 - Cell::state_gates) * hidden;
    const auto& weights = network.layers[layer][direction];
    Layer& own = layers_[layer];
    std::vector<float>&gates = own.gates[direction], &memory = own.memory[direction];
    network.apply(weights.input, input_of(layer).data(), network.recurrent.input(layer), batch.rows(), gates);
    memory.resize(batch.rows() * Cell::memory * hidden);
    for (std::size_t step = 0; step < batch.positions(); ++step) {
        const std::size_t position = direction == 0 ? step : batch.positions() - 1 - step;
        const std::size_t behind = direction == 0 ? position - 1 : position + 1;
        const std::size_t row = batch.first[position], count = batch.rows_at(position);
        // Forwards all sequences have a position before; backwards those that end here have none.
        const std::size_t going_on = step == 0 ? 0 : batch.rows_at(std::max(position, behind));
        const Before none{nothing_.data(), nothing_.data()};
        const Before old = going_on == 0 ? none : before(own, direction, hidden, batch.first[behind]);
        if (going_on > 0)
            add_product(by_rows(old.state, two), going_on, hidden, panels_of(network[weights.from_state], hidden),
                        Cell::state_gates * hidden, rows_of(&gates[row * four + from_state], four));
        float* const gate = &gates[row * four];
        float* const state = &own.states[row * two + direction * hidden];
        float* const remembered = memory.data() + row * Cell::memory * hidden;
        vectorised_widest([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t m = k * Cell::memory * hidden;
                Cell::forward(hidden, gate + k * four,
                              k < going_on ? Before{old.state + k * two, old.memory + m} : none, state + k * two,
                              remembered + m);
            }
        });
    }
}

template <class Cell>
void RecurrentPass<Cell>::backward(const Recurrent<Cell>& network, SharedGradient& shared) {
    assert(batch.rows() == batch.positions() * batch.rows_at(0));
    for (int layer = network.recurrent.layers - 1; layer >= 0; --layer) {
        if (!masks.layers.empty()) multiply_rows(gradient, masks.layers[layer]);
        input_gradient_.assign(batch.rows() * network.recurrent.input(layer), 0.0f);
        for (int direction = 0; direction < 2; ++direction) backward_direction(network, layer, direction, shared);
        std::swap(input_gradient_, gradient);
    }
    multiply_rows(gradient, masks.input);
    if (network.recurrent.has_start)
        add_columns({gradient.data(), batch.rows_at(0) * network.recurrent.embedding}, network.recurrent.embedding,
                    shared[network.start]);
}

// From the gradient by the states of a direction, in gradient, to that by its input, which is added to input_gradient_.
template <class Cell>
void RecurrentPass<Cell>::backward_direction(const Recurrent<Cell>& network, int layer, int direction,
                                             SharedGradient& shared) {
    const std::size_t hidden = network.recurrent.hidden, four = 4 * hidden, two = 2 * hidden,
                      from_state = (4 - Cell::state_gates) * hidden, all = batch.rows(), count = batch.rows_at(0);
    const auto& weights = network.layers[layer][direction];
    const Layer& own = layers_[layer];
    sums_.resize(all * four);
    carried_.assign(2 * count * hidden, 0.0f);
    const Carried carried{carried_.data(), carried_.data() + count * hidden};
    for (std::size_t step = batch.positions(); step-- > 0;) {
        const std::size_t position = direction == 0 ? step : batch.positions() - 1 - step, row = position * count;
        const std::size_t behind = direction == 0 ? row - count : row + count;
        const bool is_first = step == 0;
        const Before none{nothing_.data(), nothing_.data()};
        const Before old = is_first ? none : before(own, direction, hidden, behind);
        const float* const gate = &own.gates[direction][row * four];
        const float* const remembered = own.memory[direction].data() + row * Cell::memory * hidden;
        const float* const above = &gradient[row * two + direction * hidden];
        float* const sums = &sums_[row * four];
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t m = k * Cell::memory * hidden;
                Cell::backward(hidden, gate + k * four, is_first ? none : Before{old.state + k * two, old.memory + m},
                               remembered + m, above + k * two,
                               Carried{carried.state + k * hidden, carried.memory + k * hidden}, sums + k * four);
            }
        });
        if (!is_first)
            add_product(by_rows(sums + from_state, four), count, Cell::state_gates * hidden,
                        panels_of(shared.transpose_of(weights.from_state), Cell::state_gates * hidden), hidden,
                        rows_of(carried.state, hidden));
    }
    const std::size_t in = network.recurrent.input(layer);
    shared.backward(weights.input, input_of(layer).data(), in, sums_, input_gradient_.data(), in);
    // A state goes into the sums of the next position, or of the one before.
    const std::size_t from = direction == 0 ? 0 : count, to = count - from;
    if (all > count)
        add_product(transposed(&own.states[from * two + direction * hidden], two), hidden, all - count,
                    rows_of<const float>(&sums_[to * four + from_state], four), Cell::state_gates * hidden,
                    panels_of(shared[weights.from_state], hidden));
}

template struct Recurrent<Lstm>;
template struct Recurrent<Gru>;
template class RecurrentPass<Lstm>;
template class RecurrentPass<Gru>;

}  // namespace nonproj::learn
