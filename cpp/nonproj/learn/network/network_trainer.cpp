#include "nonproj/learn/network/network_trainer.hpp"

#include <algorithm>
#include <cmath>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/gold_sentence.hpp"
#include "nonproj/learn/network/adam.hpp"
#include "nonproj/learn/network/dropout.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/pass.hpp"

namespace nonproj::learn {

namespace {

constexpr float dropped_input = 0.2f, dropped_output = 0.33f;
// Words are hidden so that the network learns what to make of new ones, the rarer the oftener; and now and then tags.
constexpr float hidden_words = 0.05f, rareness = 0.25f, hidden_tags = 0.1f;
constexpr float mean_decay = 0.9f, square_decay = 0.95f;
constexpr float longest_slope = 5.0f;  // of all slopes of a word together
constexpr float first_vectors = 0.1f;

std::vector<float> kept(std::size_t count, float chance, Draws& draws) {
    std::vector<float> factors;
    draw_kept(factors, count, chance, draws);
    return factors;
}

}  // namespace

NetworkTrainer::NetworkTrainer(const NetworkSizes& sizes, const Corpus& corpus, std::uint64_t seed)
    : network_(sizes), seed_(seed), vector_mean_(sizes.bits), vector_square_(sizes.bits) {
    const std::size_t rows = network_.vectors.size() / sizes.word;
    count_.assign(rows, 0);
    slot_.assign(rows, -1);
    shared_mean_.assign(network_.shared.size(), 0.0f);
    shared_square_.assign(network_.shared.size(), 0.0f);
    slopes_.assign(network_.shared.size(), 0.0f);
    across_.assign(network_.shared.size(), 0.0f);
    Draws draws(mixed(seed + 1));
    // By Glorot & Bengio (2010): sums of as many terms as there are rows keep their size.
    const auto fill = [&](const Block& block) {
        const float most = std::sqrt(6.0f / static_cast<float>(block.rows + block.columns));
        for (std::size_t i = 0; i < block.size(); ++i)
            network_.shared[block.begin + i] = most * (2 * between_0_and_1(draws) - 1);
    };
    fill(network_.layout.root);
    for (const auto& layer : network_.layout.layers)
        for (const NetworkLayout::Lstm& lstm : layer) {
            fill(lstm.from_input);
            fill(lstm.from_before);
            // At first cells are kept.
            std::fill_n(network_.shared.begin() + lstm.bias.begin + sizes.hidden, sizes.hidden, 1.0f);
        }
    fill(network_.layout.roles);
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
        vectors_.assign(corpus[s], sizes);
        for (const std::uint32_t place : vectors_.all()) ++count_[place / sizes.word];
    }
    for (std::size_t row = 0; row < rows; ++row) {
        if (!has_vector(row)) continue;
        Draws of_row(mixed(seed + 2) + row);
        for (int j = 0; j < sizes.word; ++j)
            network_.vectors[row * sizes.word + j] = first_vectors * (2 * between_0_and_1(of_row) - 1);
    }
}

double NetworkTrainer::learn(const Corpus& corpus, std::span<const std::int64_t> sentences, float rate) {
    clear();
    turn_over();
    double loss = 0;
    std::size_t words = 0;
    Draws draws(mixed(seed_ * 1000003 + steps_));
    for (const std::int64_t i : sentences) {
        Interrupt::check();
        const Corpus::Sentence sentence = gold_sentence(corpus, i);
        hide_some(sentence, draws);
        const Dropped dropped = drop(draws);
        read(sentence, dropped);
        loss += go_back(sentence, dropped);
        words += sentence.words.size();
    }
    if (words > 0) step(words, rate);
    return loss;
}

NetworkTrainer::Slope NetworkTrainer::gradient(const Corpus& corpus, std::int64_t i) {
    clear();
    turn_over();
    const Corpus::Sentence sentence = gold_sentence(corpus, i);
    take_places(sentence, [](int) { return [](std::size_t) { return true; }; });
    read(sentence, {});
    Slope slope{go_back(sentence, {}), slopes_, std::vector<float>(network_.vectors.size())};
    const std::size_t word = network_.sizes.word;
    for (std::size_t k = 0; k < met_.size(); ++k)
        std::copy_n(met_slopes_.begin() + k * word, word, slope.vectors.begin() + met_[k] * word);
    return slope;
}

// By the places that were taken. A single sentence has its words one after the other.
void NetworkTrainer::read(const Corpus::Sentence& sentence, const Dropped& dropped) {
    const int words[] = {sentence.size()};
    pass_.read_as(network_, words, [&](std::size_t, int word) { return places_of(word); }, dropped);
}

std::span<float> NetworkTrainer::memory(const std::string& name) {
    if (name == "shared.mean") return shared_mean_;
    if (name == "shared.square") return shared_square_;
    if (name == "vectors.mean") return {vector_mean_.data(), vector_mean_.size()};
    if (name == "vectors.square") return {vector_square_.data(), vector_square_.size()};
    throw Error("a network's training remembers nothing called " + name);
}

void NetworkTrainer::clear() {
    std::fill(slopes_.begin(), slopes_.end(), 0.0f);
    for (const std::uint32_t row : met_) slot_[row] = -1;
    met_.clear();
    met_slopes_.clear();
}

// The transposed matrices, as going back needs them.
void NetworkTrainer::turn_over() {
    const auto turn = [&](const Block& block) {
        transpose(panels_of(network_[block], block.rows), block.rows, block.columns, across(block));
    };
    for (const auto& layer : network_.layout.layers)
        for (const NetworkLayout::Lstm& lstm : layer) {
            turn(lstm.from_input);
            turn(lstm.from_before);
        }
    turn(network_.layout.roles);
    turn(network_.layout.arcs);
    turn(network_.layout.relations);
}

// The vectors of each word that are looked at: of(word) says which.
template <class Of>
void NetworkTrainer::take_places(const Corpus::Sentence& sentence, const Of& of) {
    vectors_.assign(sentence, network_.sizes);
    places_.clear();
    begins_.assign(1, 0);
    for (int word = 1; word <= sentence.size(); ++word) {
        const auto places = vectors_.of(word);
        const auto is_seen = of(word);
        for (std::size_t k = 0; k < places.size(); ++k)
            if (is_seen(k) && has_vector(places[k] / network_.sizes.word)) places_.push_back(places[k]);
        begins_.push_back(places_.size());
    }
}

void NetworkTrainer::hide_some(const Corpus::Sentence& sentence, Draws& draws) {
    take_places(sentence, [&](int word) {
        const float count = static_cast<float>(count_[vectors_.of(word)[0] / network_.sizes.word]);
        const bool hides_word = between_0_and_1(draws) < hidden_words + rareness / (rareness + count);
        const bool hides_tags = between_0_and_1(draws) < hidden_tags;
        return [=](std::size_t feature) {
            return !(hides_word && feature < WordVectors::of_word) &&
                   !(hides_tags && feature >= WordVectors::before_tags);
        };
    });
}

Dropped NetworkTrainer::drop(Draws& draws) const {
    const NetworkSizes& sizes = network_.sizes;
    Dropped dropped;
    dropped.input = kept(sizes.word, dropped_input, draws);
    for (int layer = 0; layer < sizes.layers; ++layer)
        dropped.layers.push_back(kept(2 * static_cast<std::size_t>(sizes.hidden), dropped_output, draws));
    dropped.roles = kept(2 * static_cast<std::size_t>(sizes.arc), dropped_output, draws);
    dropped.roles.resize(sizes.roles(), 1.0f);  // those of relations come later
    dropped.relation = kept(sizes.relation, dropped_output, draws);
    return dropped;
}

// Adds the slopes of the loss of the sentence that was read; returns the loss.
double NetworkTrainer::go_back(const Corpus::Sentence& sentence, const Dropped& dropped) {
    const NetworkSizes& sizes = network_.sizes;
    const std::size_t m = pass_.rows();
    roles_.assign(m * sizes.roles(), 0.0f);
    const double of_arcs = go_back_from_arcs(sentence);
    const double of_relations = sizes.relations > 0 ? go_back_from_relations(sentence, dropped) : 0;
    go_back_from_roles(dropped);
    for (int layer = sizes.layers - 1; layer >= 0; --layer) {
        const std::span<const float> input =
            layer == 0 ? std::span<const float>(pass_.input_) : pass_.layers_[layer - 1].output;
        if (!dropped.layers.empty()) multiply_rows(output_, dropped.layers[layer]);
        input_.assign(m * sizes.input(layer), 0.0f);
        for (int direction = 0; direction < 2; ++direction) go_back_through(layer, direction, input);
        std::swap(input_, output_);
    }
    go_back_to_vectors(dropped);
    return of_arcs + of_relations;
}

double NetworkTrainer::go_back_from_arcs(const Corpus::Sentence& sentence) {
    const NetworkSizes& sizes = network_.sizes;
    const std::size_t m = pass_.rows(), arc = sizes.arc, roles = sizes.roles(),
                      padded = whole_panels(sentence.size() + 1);
    pass_.score_arcs(network_, 0);
    double loss = 0;
    arcs_.assign(m * padded, 0.0f);
    for (std::size_t d = 1; d < m; ++d) {
        const float* const scores = &pass_.arcs_[d * padded];
        const float whole = log_of_sum(scores, m, d);
        for (std::size_t h = 0; h < m; ++h)
            if (h != d) arcs_[d * padded + h] = exponential(scores[h] - whole);
        const std::size_t gold = sentence.heads[d - 1];
        arcs_[d * padded + gold] -= 1;
        loss += whole - scores[gold];
        for (std::size_t h = 0; h < m; ++h)
            slope(network_.layout.distance)[distance_place(static_cast<int>(h), static_cast<int>(d))] +=
                arcs_[d * padded + h];
    }
    // s = (H U + u) D
    add_product(by_rows(arcs_.data(), padded), m, m, rows_of<const float>(pass_.heads_.data(), arc), arc,
                rows_of(roles_.data() + arc, roles));
    heads_.assign(m * arc, 0.0f);
    add_product(transposed(arcs_.data(), padded), m, m, rows_of<const float>(pass_.roles_.data() + arc, roles), arc,
                rows_of(heads_.data(), arc));
    add_columns(heads_, arc, slope(network_.layout.arc_bias));
    add_product(transposed(pass_.roles_.data(), roles), arc, m, rows_of<const float>(heads_.data(), arc), arc,
                panels_of(slope(network_.layout.arcs), arc));
    add_product(by_rows(heads_.data(), arc), m, arc, panels_of<const float>(across(network_.layout.arcs), arc), arc,
                rows_of(roles_.data(), roles));
    return loss;
}

double NetworkTrainer::go_back_from_relations(const Corpus::Sentence& sentence, const Dropped& dropped) {
    const NetworkSizes& sizes = network_.sizes;
    const std::size_t relation = sizes.relation, roles = sizes.roles(), outputs = sizes.outputs(),
                      n = sentence.words.size();
    const std::size_t above = 2 * sizes.arc, below = above + relation;
    double loss = 0;
    joints_.resize(n * relation);
    output_slopes_.assign(n * outputs, 0.0f);
    for (std::size_t d = 1; d <= n; ++d) {
        const int gold = sentence.words[d - 1].relation;
        const auto scores =
            pass_.relation_scores(network_, 0, sentence.heads[d - 1], static_cast<int>(d), dropped.relation);
        std::copy(pass_.joint_.begin(), pass_.joint_.end(), joints_.begin() + (d - 1) * relation);
        if (gold < 0) continue;
        const float whole = log_of_sum(scores.data(), scores.size(), scores.size());
        float* const slopes = &output_slopes_[(d - 1) * outputs];
        for (std::size_t r = 0; r < scores.size(); ++r) slopes[r] = exponential(scores[r] - whole);
        slopes[gold] -= 1;
        loss += whole - scores[gold];
    }
    add_columns(output_slopes_, outputs, slope(network_.layout.relation_bias));
    add_product(transposed(joints_.data(), relation), relation, n, rows_of<const float>(output_slopes_.data(), outputs),
                outputs, panels_of(slope(network_.layout.relations), relation));
    joint_slopes_.assign(n * relation, 0.0f);
    add_product(by_rows(output_slopes_.data(), outputs), n, outputs,
                panels_of<const float>(across(network_.layout.relations), outputs), relation,
                rows_of(joint_slopes_.data(), relation));
    multiply_rows(joint_slopes_, dropped.relation);
    for (std::size_t d = 1; d <= n; ++d) {
        const std::size_t h = sentence.heads[d - 1];
        for (std::size_t j = 0; j < relation; ++j) {
            const bool is_leak = pass_.roles_[h * roles + above + j] + pass_.roles_[d * roles + below + j] < 0;
            const float slope = joint_slopes_[(d - 1) * relation + j] * (is_leak ? leak : 1.0f);
            roles_[h * roles + above + j] += slope;
            roles_[d * roles + below + j] += slope;
        }
    }
    return loss;
}

void NetworkTrainer::go_back_from_roles(const Dropped& dropped) {
    const NetworkSizes& sizes = network_.sizes;
    const std::size_t m = pass_.rows(), roles = sizes.roles(), both = 2 * sizes.arc, two = 2 * sizes.hidden;
    multiply_rows(roles_, dropped.roles);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < both; ++j) roles_[i * roles + j] *= pass_.roles_[i * roles + j] < 0 ? leak : 1.0f;
    add_columns(roles_, roles, slope(network_.layout.role_bias));
    const std::vector<float>& output = pass_.layers_.back().output;
    add_product(transposed(output.data(), two), two, m, rows_of<const float>(roles_.data(), roles), roles,
                panels_of(slope(network_.layout.roles), two));
    output_.assign(m * two, 0.0f);
    add_product(by_rows(roles_.data(), roles), m, roles, panels_of<const float>(across(network_.layout.roles), roles),
                two, rows_of(output_.data(), two));
}

// From the slopes of a layer's states, output_, to those of its input, which are added to input_.
void NetworkTrainer::go_back_through(int layer, int direction, std::span<const float> input) {
    const NetworkSizes& sizes = network_.sizes;
    const std::size_t m = pass_.rows(), hidden = sizes.hidden, two = 2 * hidden, four = 4 * hidden,
                      in = sizes.input(layer);
    const NetworkLayout::Lstm& lstm = network_.layout.layers[layer][direction];
    const NetworkPass::Layer& own = pass_.layers_[layer];
    gates_.resize(m * four);
    state_.assign(hidden, 0.0f);
    cell_.assign(hidden, 0.0f);
    for (std::size_t step = m; step-- > 0;) {
        const std::size_t i = direction == 0 ? step : m - 1 - step, before = direction == 0 ? i - 1 : i + 1;
        const float *const gate = &own.gates[direction][i * four], *const end = &own.ends[direction][i * hidden];
        const float* const cell_before = step > 0 ? &own.cells[direction][before * hidden] : nullptr;
        const float* const above = &output_[i * two + direction * hidden];
        float *const slopes = &gates_[i * four], *const state = state_.data(), *const cell = cell_.data();
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            for (std::size_t j = 0; j < hidden; ++j) {
                const float in = gate[j], forget = gate[hidden + j], out = gate[2 * hidden + j],
                            put = gate[3 * hidden + j];
                const float of_state = above[j] + state[j];
                const float of_cell = cell[j] + of_state * out * (1 - end[j] * end[j]);
                slopes[j] = of_cell * put * in * (1 - in);
                slopes[hidden + j] = cell_before == nullptr ? 0.0f : of_cell * cell_before[j] * forget * (1 - forget);
                slopes[2 * hidden + j] = of_state * end[j] * out * (1 - out);
                slopes[3 * hidden + j] = of_cell * in * (1 - put * put);
                cell[j] = of_cell * forget;
            }
        });
        std::fill(state_.begin(), state_.end(), 0.0f);
        if (step > 0)
            add_product(by_rows(slopes, four), 1, four, panels_of<const float>(across(lstm.from_before), four), hidden,
                        rows_of(state, hidden));
    }
    const Right slopes = rows_of<const float>(gates_.data(), four);
    add_columns(gates_, four, slope(lstm.bias));
    add_product(transposed(input.data(), in), in, m, slopes, four, panels_of(slope(lstm.from_input), in));
    if (m > 1) {
        // A state goes into the gates of the next word, or of the one before.
        const std::size_t first = direction == 0 ? 0 : 1;
        add_product(transposed(&own.states[first * two + direction * hidden], two), hidden, m - 1,
                    {gates_.data() + (1 - first) * four, four, panel}, four,
                    panels_of(slope(lstm.from_before), hidden));
    }
    add_product(by_rows(gates_.data(), four), m, four, panels_of<const float>(across(lstm.from_input), four), in,
                rows_of(input_.data(), in));
}

void NetworkTrainer::go_back_to_vectors(const Dropped& dropped) {
    const std::size_t word = network_.sizes.word;
    multiply_rows(output_, dropped.input);
    for (std::size_t j = 0; j < word; ++j) slope(network_.layout.root)[j] += output_[j];
    for (int i = 1; i < static_cast<int>(pass_.rows()); ++i)
        for (const std::uint32_t place : places_of(i)) {
            const std::uint32_t row = place / network_.sizes.word;
            if (slot_[row] < 0) {
                slot_[row] = static_cast<std::int32_t>(met_.size());
                met_.push_back(row);
                met_slopes_.resize(met_slopes_.size() + word);
            }
            float* const slopes = &met_slopes_[slot_[row] * word];
            for (std::size_t j = 0; j < word; ++j) slopes[j] += output_[i * word + j];
        }
}

void NetworkTrainer::step(std::size_t words, float rate) {
    ++steps_;
    double squares = 0;
    for (const float x : slopes_) squares += static_cast<double>(x) * x;
    for (const float x : met_slopes_) squares += static_cast<double>(x) * x;
    const double length = std::sqrt(squares) / static_cast<double>(words);
    const double scale = std::min(1.0, longest_slope / length) / static_cast<double>(words);
    const Pace pace = Pace::at(steps_, mean_decay, square_decay, scale, rate);
    descend(network_.shared.data(), slopes_.data(), {shared_mean_.data(), shared_square_.data()}, slopes_.size(), pace);
    const std::size_t word = network_.sizes.word;
    for (std::size_t k = 0; k < met_.size(); ++k) {
        const std::size_t place = met_[k] * word;
        descend(network_.vectors.data() + place, &met_slopes_[k * word],
                {vector_mean_.data() + place, vector_square_.data() + place}, word, pace);
    }
}

}  // namespace nonproj::learn
