#include "nonproj/learn/network/network.hpp"

#include <algorithm>
#include <cmath>

#include "nonproj/error.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/pass.hpp"

namespace nonproj::learn {

namespace {

constexpr float least_chance = -30.0f;  // as a logarithm

}  // namespace

void NetworkSizes::check() const {
    check_sizes({word, hidden, arc, relation});
    if (layers < 1 || layers > 8 || relations < 0 || relations > (1 << 12) || bits < 12 || bits > 28)
        throw Error("a network has 1 to 8 layers, at most 4096 relations, and a table of 2^12 to 2^28 numbers");
}

NetworkLayout::NetworkLayout(const NetworkSizes& sizes) : size(0) {
    sizes.check();
    const auto take = [&](int rows, int columns) { return next_block(size, rows, columns); };
    root = take(1, sizes.word);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const auto lstm = [&] {
            Lstm made;
            made.from_input = take(sizes.input(layer), 4 * sizes.hidden);
            made.from_before = take(sizes.hidden, 4 * sizes.hidden);
            made.bias = take(1, 4 * sizes.hidden);
            return made;
        };
        const Lstm forwards = lstm(), backwards = lstm();
        layers.push_back({forwards, backwards});
    }
    roles = take(2 * sizes.hidden, sizes.roles());
    role_bias = take(1, sizes.roles());
    arcs = take(sizes.arc, sizes.arc);
    arc_bias = take(1, sizes.arc);
    relations = take(sizes.relation, sizes.outputs());
    relation_bias = take(1, sizes.outputs());
    distance = take(1, distances);
}

Network::Network(const NetworkSizes& sizes) : sizes(sizes), layout(sizes), shared(layout.size), vectors(sizes.bits) {}

void WordVectors::assign(const Corpus::Sentence& sentence, const NetworkSizes& sizes) {
    const std::uint64_t rows = (std::uint64_t{1} << sizes.bits) / static_cast<std::uint64_t>(sizes.word);
    places_.clear();
    begins_.assign(1, 0);
    for (const Word& word : sentence.words) {
        Hash kind = 0;
        const auto take = [&](Hash hash) {
            const std::uint64_t row = (mixed(hash + golden * ++kind) >> 32) * rows >> 32;
            places_.push_back(static_cast<std::uint32_t>(row * static_cast<std::uint64_t>(sizes.word)));
        };
        take(word.form);
        take(word.lemma);
        take(combined(word.lemma, word.upos));
        take(combined(word.suffix, word.upos));
        take(word.upos);
        take(word.xpos);
        take(combined(word.upos, word.feats));
        for (std::uint32_t t = word.traits_begin; t < word.traits_end; ++t) {
            kind = before_morphology;
            take(sentence.traits[t].value);
        }
        begins_.push_back(places_.size());
    }
}

void NetworkPass::read(const Network& network, std::span<const Corpus::Sentence> sentences, int max_words) {
    vectors_.resize(std::max(vectors_.size(), sentences.size()));
    words_.clear();
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        const bool is_read = sentences[s].size() <= max_words;
        words_.push_back(is_read ? sentences[s].size() : -1);
        if (is_read) vectors_[s].assign(sentences[s], network.sizes);
    }
    read_as(network, words_, [&](std::size_t s, int word) { return vectors_[s].of(word); }, {});
}

// Where the rows of sentences of so many words lie; one with -1 has none.
void NetworkPass::lay_out(std::span<const int> words) {
    order_.resize(words.size());
    for (std::size_t s = 0; s < words.size(); ++s) order_[s] = s;
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return words[a] > words[b]; });
    first_.assign(1, 0);
    for (const int count : words) first_.push_back(first_.back() + static_cast<std::size_t>(count + 1));
    row_.assign(1, 0);
    std::size_t active = words.size();
    for (int position = 0;; ++position) {
        while (active > 0 && words[order_[active - 1]] < position) --active;
        if (active == 0) return;
        row_.push_back(row_.back() + active);
    }
}

void NetworkPass::run_layer(const Network& network, int layer, std::span<const float> input,
                            std::span<const float> kept) {
    const std::size_t two = 2 * static_cast<std::size_t>(network.sizes.hidden);
    Layer& own = layers_[layer];
    own.states.resize(rows() * two);
    for (int direction = 0; direction < 2; ++direction) run_direction(network, layer, direction, input);
    own.output = own.states;
    multiply_rows(own.output, kept);
}

void NetworkPass::run_direction(const Network& network, int layer, int direction, std::span<const float> input) {
    const std::size_t hidden = network.sizes.hidden, in = network.sizes.input(layer);
    const NetworkLayout::Lstm& lstm = network.layout.layers[layer][direction];
    Layer& own = layers_[layer];
    std::vector<float>&gates = own.gates[direction], &cells = own.cells[direction], &ends = own.ends[direction];
    fill_rows(gates, rows(), {network[lstm.bias], 4 * hidden});
    cells.resize(rows() * hidden);
    ends.resize(rows() * hidden);
    add_product(by_rows(input.data(), in), rows(), in, panels_of(network[lstm.from_input], in), 4 * hidden,
                rows_of(gates.data(), 4 * hidden));
    for (std::size_t step = 0; step < positions(); ++step) {
        const std::size_t position = direction == 0 ? step : positions() - 1 - step;
        // Forwards all sentences have a word before; backwards those that end here have none.
        const std::size_t before = direction == 0 ? position - 1 : position + 1,
                          going_on = step == 0 ? 0 : rows_at(std::max(position, before));
        if (going_on > 0)
            add_product(by_rows(&own.states[row_[before] * 2 * hidden + direction * hidden], 2 * hidden), going_on,
                        hidden, panels_of(network[lstm.from_before], hidden), 4 * hidden,
                        rows_of(&gates[row_[position] * 4 * hidden], 4 * hidden));
        for (std::size_t k = 0; k < rows_at(position); ++k) {
            const std::size_t row = row_[position] + k;
            float* const gate = &gates[row * 4 * hidden];
            const float* const cell_before = k < going_on ? &cells[(row_[before] + k) * hidden] : nullptr;
            float *const cell = &cells[row * hidden], *const end = &ends[row * hidden],
                         *const state = &own.states[row * 2 * hidden + direction * hidden];
            vectorised_widest([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                for (std::size_t j = 0; j < 3 * hidden; ++j) gate[j] = logistic(gate[j]);
                for (std::size_t j = 3 * hidden; j < 4 * hidden; ++j) gate[j] = hyperbolic_tangent(gate[j]);
                for (std::size_t j = 0; j < hidden; ++j) cell[j] = gate[j] * gate[3 * hidden + j];
                if (cell_before != nullptr)
                    for (std::size_t j = 0; j < hidden; ++j) cell[j] += gate[hidden + j] * cell_before[j];
                for (std::size_t j = 0; j < hidden; ++j) end[j] = hyperbolic_tangent(cell[j]);
                for (std::size_t j = 0; j < hidden; ++j) state[j] = gate[2 * hidden + j] * end[j];
            });
        }
    }
}

void NetworkPass::take_roles(const Network& network, std::span<const float> kept) {
    const std::size_t roles = network.sizes.roles(), both = 2 * network.sizes.arc;
    const std::vector<float>& output = layers_.back().output;
    const std::size_t in = 2 * static_cast<std::size_t>(network.sizes.hidden);
    fill_rows(mixed_roles_, rows(), {network[network.layout.role_bias], roles});
    add_product(by_rows(output.data(), in), rows(), in, panels_of(network[network.layout.roles], in), roles,
                rows_of(mixed_roles_.data(), roles));
    roles_.resize(mixed_roles_.size());
    for (std::size_t position = 0; position < positions(); ++position)
        for (std::size_t k = 0; k < rows_at(position); ++k) {
            const float* const from = &mixed_roles_[(row_[position] + k) * roles];
            float* const to = &roles_[(first_[order_[k]] + position) * roles];
            for (std::size_t j = 0; j < both; ++j) to[j] = leaky(from[j]);
            std::copy(from + both, from + roles, to + both);
        }
    multiply_rows(roles_, kept);
}

void NetworkPass::score_arcs(const Network& network, std::size_t sentence) {
    const std::size_t arc = network.sizes.arc, roles = network.sizes.roles(), m = width(sentence),
                      padded = whole_panels(static_cast<int>(m));
    const float* const own = roles_of(sentence, roles);
    fill_rows(heads_, m, {network[network.layout.arc_bias], arc});
    add_product(by_rows(own, roles), m, arc, panels_of(network[network.layout.arcs], arc), arc,
                rows_of(heads_.data(), arc));
    heads_across_.resize(padded * arc);
    transpose(rows_of<const float>(heads_.data(), arc), m, arc, heads_across_.data());
    arcs_.assign(m * padded, 0.0f);
    const float* const distance = network[network.layout.distance];
    for (std::size_t d = 0; d < m; ++d)
        for (std::size_t h = 0; h < m; ++h)
            arcs_[d * padded + h] = distance[distance_place(static_cast<int>(h), static_cast<int>(d))];
    add_product(by_rows(own + arc, roles), m, arc, panels_of<const float>(heads_across_.data(), arc), padded,
                rows_of(arcs_.data(), padded));
}

std::span<const float> NetworkPass::log_chances(const Network& network, std::size_t sentence) {
    score_arcs(network, sentence);
    const std::size_t m = width(sentence), padded = whole_panels(static_cast<int>(m));
    table_.assign(m * m, 0.0f);
    for (std::size_t d = 1; d < m; ++d) {
        float* const row = &arcs_[d * padded];
        const float whole = log_of_sum(row, m, d);
        for (std::size_t h = 0; h < m; ++h)
            if (h != d) table_[h * m + d] = std::clamp(row[h] - whole, least_chance, 0.0f);
    }
    return table_;
}

std::span<const float> NetworkPass::relation_scores(const Network& network, std::size_t sentence, int head, int word,
                                                    std::span<const float> kept) {
    const std::size_t relation = network.sizes.relation, roles = network.sizes.roles(),
                      outputs = network.sizes.outputs(), both = 2 * network.sizes.arc;
    const float* const own = roles_of(sentence, roles);
    const float *const above = &own[head * roles + both], *const below = &own[word * roles + both + relation];
    joint_.resize(relation);
    for (std::size_t j = 0; j < relation; ++j) joint_[j] = leaky(above[j] + below[j]);
    multiply_rows(joint_, kept);
    outputs_.assign(network[network.layout.relation_bias], network[network.layout.relation_bias] + outputs);
    add_product(by_rows(joint_.data(), relation), 1, relation, panels_of(network[network.layout.relations], relation),
                outputs, rows_of(outputs_.data(), outputs));
    return std::span(outputs_).first(network.sizes.relations);
}

void NetworkPass::add_relations(const Network& network, std::size_t sentence, int head, int word, float weight,
                                std::span<float> scores) {
    const std::span<const float> found = relation_scores(network, sentence, head, word, {});
    const float whole = log_of_sum(found.data(), found.size(), found.size());
    for (std::size_t r = 0; r < found.size(); ++r) scores[r] += weight * std::max(found[r] - whole, least_chance);
}

}  // namespace nonproj::learn
