#include "nonproj/learn/network/trees.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nonproj/error.hpp"
#include "nonproj/learn/gold_sentence.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/rows.hpp"

namespace nonproj::learn {

namespace {

constexpr float least_chance = -30.0f;  // as a logarithm
// Word dropout, by which the network learns what to make of new words, the rarer the oftener; and now and then of tags.
constexpr float dropped_words = 0.05f, rareness = 0.25f, dropped_tags = 0.1f;
constexpr float first_embeddings = 0.1f;

// Distances from -16 to 15 are told apart.
constexpr int distances = 32;
int distance_place(std::size_t head, std::size_t dependent) {
    return std::clamp(static_cast<int>(dependent) - static_cast<int>(head) + 16, 0, distances - 1);
}

// The logarithm of the sum of exponentials, but for one of them.
float log_of_sum(const float* scores, std::size_t count, std::size_t left_out) {
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < count; ++i)
        if (i != left_out) most = std::max(most, scores[i]);
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        if (i != left_out) sum += exponential(scores[i] - most);
    return most + std::log(sum);
}
float log_of_sum(std::span<const float> scores) { return log_of_sum(scores.data(), scores.size(), scores.size()); }

}  // namespace

const TreeSizes& TreeSizes::checked() const {
    check_sizes({word, hidden, arc, relation});
    if (layers < 1 || layers > 8 || relations < 0 || relations > (1 << 12) || bits < 12 || bits > 28)
        throw Error("a network has 1 to 8 layers, at most 4096 relations, and a table of 2^12 to 2^28 numbers");
    return *this;
}

TreeNetwork::TreeNetwork(const TreeSizes& sizes)
    : Recurrent(sizes.checked().recurrent(), std::size_t{1} << sizes.bits), sizes(sizes) {
    roles = take_affine(2 * sizes.hidden, sizes.roles());
    arcs = take_affine(sizes.arc, sizes.arc);
    relations = take_affine(sizes.relation, sizes.outputs());
    distance = take(1, distances);
}

void WordFeatures::assign(const Corpus::Sentence& sentence, const TreeSizes& sizes) {
    const std::uint64_t rows = (std::uint64_t{1} << sizes.bits) / static_cast<std::uint64_t>(sizes.word);
    rows_.clear();
    begins_.assign(2, 0);
    for (const Word& word : sentence.words) {
        Hash kind = 0;
        const auto take = [&](Hash hash) {
            rows_.push_back(static_cast<std::uint32_t>((mixed(hash + golden * ++kind) >> 32) * rows >> 32));
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
        begins_.push_back(static_cast<std::uint32_t>(rows_.size()));
    }
}

void TreePass::read(const TreeNetwork& network, std::span<const Corpus::Sentence> sentences, int max_words) {
    features_.resize(std::max(features_.size(), sentences.size()));
    sequences_.assign(sentences.size(), {});
    for (std::size_t s = 0; s < sentences.size(); ++s) {
        if (sentences[s].size() > max_words) continue;
        features_[s].assign(sentences[s], network.sizes);
        sequences_[s] = features_[s].sequence();
    }
    forward(network, sequences_);
}

void TreePass::forward(const TreeNetwork& network, std::span<const Sequence> sentences) {
    RecurrentPass::forward(network, sentences);
    const std::size_t roles = network.sizes.roles(), both = 2 * network.sizes.arc, in = network.recurrent.output();
    network.apply(network.roles, output().data(), in, batch.rows(), mixed_roles_);
    first_.assign(batch.order.size() + 1, 0);
    for (std::size_t position = 0; position < batch.positions(); ++position)
        for (std::size_t k = 0; k < batch.rows_at(position); ++k) ++first_[batch.order[k] + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    roles_.resize(mixed_roles_.size());
    for (std::size_t position = 0; position < batch.positions(); ++position)
        for (std::size_t k = 0; k < batch.rows_at(position); ++k) {
            const float* const from = &mixed_roles_[(batch.first[position] + k) * roles];
            float* const to = &roles_[(first_[batch.order[k]] + position) * roles];
            for (std::size_t j = 0; j < both; ++j) to[j] = leaky(from[j]);
            std::copy(from + both, from + roles, to + both);
        }
    multiply_rows(roles_, head_mask(0), roles);
}

void TreePass::score_arcs(const TreeNetwork& network, std::size_t sentence) {
    const std::size_t arc = network.sizes.arc, roles = network.sizes.roles(), m = width(sentence),
                      padded = whole_panels(static_cast<int>(m));
    const float* const own = &roles_[first_[sentence] * roles];
    network.apply(network.arcs, own, roles, m, heads_);
    heads_across_.resize(padded * arc);
    transpose(rows_of<const float>(heads_.data(), arc), m, arc, heads_across_.data());
    arcs_.assign(m * padded, 0.0f);
    const float* const distance = network[network.distance];
    for (std::size_t d = 0; d < m; ++d)
        for (std::size_t h = 0; h < m; ++h) arcs_[d * padded + h] = distance[distance_place(h, d)];
    add_product(by_rows(own + arc, roles), m, arc, panels_of<const float>(heads_across_.data(), arc), padded,
                rows_of(arcs_.data(), padded));
}

std::span<const float> TreePass::log_chances(const TreeNetwork& network, std::size_t sentence) {
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

std::span<const float> TreePass::relation_scores(const TreeNetwork& network, std::size_t sentence, int head, int word) {
    const std::size_t relation = network.sizes.relation, roles = network.sizes.roles(), both = 2 * network.sizes.arc;
    const float* const own = &roles_[first_[sentence] * roles];
    const float *const above = &own[head * roles + both], *const below = &own[word * roles + both + relation];
    joint_.resize(relation);
    for (std::size_t j = 0; j < relation; ++j) joint_[j] = leaky(above[j] + below[j]);
    multiply_rows(joint_, head_mask(1), relation);
    network.apply(network.relations, joint_.data(), relation, 1, outputs_);
    return std::span(outputs_).first(network.sizes.relations);
}

void TreePass::add_relations(const TreeNetwork& network, std::size_t sentence, int head, int word, float weight,
                             std::span<float> scores) {
    const std::span<const float> found = relation_scores(network, sentence, head, word);
    const float whole = log_of_sum(found);
    for (std::size_t r = 0; r < found.size(); ++r) scores[r] += weight * std::max(found[r] - whole, least_chance);
}

Loss TreePass::backward_to_output(const TreeNetwork& network, const TreeExamples& examples, SharedGradient& shared) {
    const Corpus::Sentence& gold = examples.gold();
    by_.roles.assign(roles_.size(), 0.0f);
    double loss = backward_from_arcs(network, gold, shared);
    if (network.sizes.relations > 0) loss += backward_from_relations(network, gold, shared);
    backward_from_roles(network, shared);
    return {loss, gold.words.size()};
}

double TreePass::backward_from_arcs(const TreeNetwork& network, const Corpus::Sentence& gold, SharedGradient& shared) {
    const std::size_t m = width(0), arc = network.sizes.arc, roles = network.sizes.roles(),
                      padded = whole_panels(gold.size() + 1);
    score_arcs(network, 0);
    double loss = 0;
    by_.arcs.assign(m * padded, 0.0f);
    for (std::size_t d = 1; d < m; ++d) {
        const float* const scores = &arcs_[d * padded];
        float* const by_scores = &by_.arcs[d * padded];
        const float whole = log_of_sum(scores, m, d);
        for (std::size_t h = 0; h < m; ++h)
            if (h != d) by_scores[h] = exponential(scores[h] - whole);
        const std::size_t right = gold.heads[d - 1];
        by_scores[right] -= 1;
        loss += whole - scores[right];
        for (std::size_t h = 0; h < m; ++h) shared[network.distance][distance_place(h, d)] += by_scores[h];
    }
    // s = (H U + u) D
    add_product(by_rows(by_.arcs.data(), padded), m, m, rows_of<const float>(heads_.data(), arc), arc,
                rows_of(by_.roles.data() + arc, roles));
    by_.heads.assign(m * arc, 0.0f);
    add_product(transposed(by_.arcs.data(), padded), m, m, rows_of<const float>(roles_.data() + arc, roles), arc,
                rows_of(by_.heads.data(), arc));
    shared.backward(network.arcs, roles_.data(), roles, by_.heads, by_.roles.data(), roles);
    return loss;
}

double TreePass::backward_from_relations(const TreeNetwork& network, const Corpus::Sentence& gold,
                                         SharedGradient& shared) {
    const std::size_t relation = network.sizes.relation, roles = network.sizes.roles(),
                      outputs = network.sizes.outputs(), n = gold.words.size();
    const std::size_t above = 2 * network.sizes.arc, below = above + relation;
    double loss = 0;
    joints_.resize(n * relation);
    by_.outputs.assign(n * outputs, 0.0f);
    for (std::size_t d = 1; d <= n; ++d) {
        const int right = gold.words[d - 1].relation;
        const auto scores = relation_scores(network, 0, gold.heads[d - 1], static_cast<int>(d));
        std::ranges::copy(joint_, &joints_[(d - 1) * relation]);
        if (right < 0) continue;
        const float whole = log_of_sum(scores);
        float* const by_scores = &by_.outputs[(d - 1) * outputs];
        for (std::size_t r = 0; r < scores.size(); ++r) by_scores[r] = exponential(scores[r] - whole);
        by_scores[right] -= 1;
        loss += whole - scores[right];
    }
    by_.joints.assign(n * relation, 0.0f);
    shared.backward(network.relations, joints_.data(), relation, by_.outputs, by_.joints.data(), relation);
    multiply_rows(by_.joints, head_mask(1), relation);
    for (std::size_t d = 1; d <= n; ++d) {
        const std::size_t h = gold.heads[d - 1];
        for (std::size_t j = 0; j < relation; ++j) {
            const bool is_leak = roles_[h * roles + above + j] + roles_[d * roles + below + j] < 0;
            const float by_sum = by_.joints[(d - 1) * relation + j] * (is_leak ? leak : 1.0f);
            by_.roles[h * roles + above + j] += by_sum;
            by_.roles[d * roles + below + j] += by_sum;
        }
    }
    return loss;
}

void TreePass::backward_from_roles(const TreeNetwork& network, SharedGradient& shared) {
    const std::size_t m = width(0), roles = network.sizes.roles(), both = 2 * network.sizes.arc,
                      in = network.recurrent.output();
    multiply_rows(by_.roles, head_mask(0), roles);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < both; ++j) by_.roles[i * roles + j] *= roles_[i * roles + j] < 0 ? leak : 1.0f;
    gradient.assign(m * in, 0.0f);
    shared.backward(network.roles, output().data(), in, by_.roles, gradient.data(), in);
}

TreeExamples::TreeExamples(const Corpus& corpus, const TreeSizes& sizes)
    : corpus_(corpus), sizes_(sizes.checked()), count_((std::size_t{1} << sizes.bits) / sizes.word) {
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
        features_.assign(corpus[s], sizes);
        for (const std::uint32_t row : features_.all()) ++count_[row];
    }
}

void TreeExamples::draw_weights(TreeNetwork& network, std::uint64_t seed) const {
    Draws draws(mixed(seed + 1));
    network.draw(draws);
    network.draw(network.roles.weights, Lstm::first_weights(network.roles.weights, true), draws);
    for (std::size_t row = 0; row < count_.size(); ++row) {
        if (!has_embedding(row)) continue;
        Draws of_row(mixed(seed + 2) + row);
        draw_uniform({network.embeddings.data() + row * sizes_.word, static_cast<std::size_t>(sizes_.word)},
                     first_embeddings, of_row);
    }
}

std::span<const Sequence> TreeExamples::take(std::span<const std::int64_t> chosen, Draws* draws) {
    gold_ = gold_sentence(corpus_, chosen[0]);
    features_.assign(gold_, sizes_);
    features_.keep([&](std::uint32_t form) {
        const float count = static_cast<float>(count_[form]);
        const bool drops_word =
            draws != nullptr && between_0_and_1(*draws) < dropped_words + rareness / (rareness + count);
        const bool drops_tags = draws != nullptr && between_0_and_1(*draws) < dropped_tags;
        return [=, this](std::size_t feature, std::uint32_t row) {
            return !(drops_word && feature < WordFeatures::of_word) &&
                   !(drops_tags && feature >= WordFeatures::before_tags) && has_embedding(row);
        };
    });
    sequence_ = features_.sequence();
    return {&sequence_, 1};
}

}  // namespace nonproj::learn
