#include "nonproj/text/end_network.hpp"

#include <unordered_map>
#include <utility>

#include "nonproj/error.hpp"

namespace nonproj::text {

namespace {

// The last two have few values.
constexpr std::size_t end_features = 6, space_feature = 4, capital_feature = 5;
constexpr int vector_size = 32, hidden_size = 32;
constexpr std::uint32_t often_enough_for_vectors = 2;

std::array<Hash, end_features> end_features_of(const TokenView& token) {
    const Hash space = token.has_paragraph_after ? 2 : token.has_space_after ? 1 : 0;
    return {token.word, token.end, token.word_begin, token.shape, space, token.capital};
}

Hash end_feature_key(std::size_t feature, Hash value) { return combined(380 + feature, value); }

learn::BoundarySizes end_network_sizes(std::size_t rows) { return {vector_size, hidden_size, end_features, rows}; }

// The vectors of a text: first those of what is not known, then of what was seen often enough, as it comes.
Lexicon rows_of_views(std::span<const TokenView> views) {
    std::unordered_map<Hash, std::uint32_t> seen;
    const auto each_key = [&](const auto& take) {
        for (const TokenView& view : views) {
            const auto values = end_features_of(view);
            for (std::size_t f = 0; f < end_features; ++f) take(end_feature_key(f, values[f]));
        }
    };
    each_key([&](Hash key) { ++seen[key]; });
    LexiconCounts counts;
    std::uint32_t rows = end_features;
    each_key([&](Hash key) {
        const auto found = seen.find(key);
        if (found->second >= often_enough_for_vectors) counts.add(key, rows++);
        found->second = 0;
    });
    return Lexicon(counts);
}

}  // namespace

EndNetwork::EndNetwork(Lexicon rows, std::span<const float> shared, std::span<const float> vectors)
    : rows_(std::move(rows)), weights_(end_network_sizes(vectors.size() / vector_size)) {
    const std::size_t count = weights_.sizes.rows;
    if (count < end_features) throw Error("the network of a tokenizer has no vectors for what is not known");
    for (const std::uint64_t entry : rows_.entries())
        if (Lexicon::unpacked(entry).number >= count) throw Error("the network of a tokenizer lacks vectors");
    learn::set_weights(shared, weights_.shared);
    learn::set_weights(vectors, weights_.embeddings);
    find_few();
}

EndNetwork::EndNetwork(std::span<const TokenView> views)
    : rows_(rows_of_views(views)), weights_(end_network_sizes(end_features + rows_.keys().size())) {
    find_few();
}

learn::BoundaryTrainer boundary_trainer(const EndNetwork& network, std::span<const Token> gold,
                                        std::span<const TokenView> views, std::uint64_t seed) {
    learn::BoundaryText text;
    for (std::size_t i = 0; i < gold.size(); ++i) {
        network.add_rows_of(views[i], text.rows);
        text.is_yes.push_back(gold[i].ends_sentence);
        text.is_asked.push_back(!views[i].has_paragraph_after);
    }
    const learn::BoundarySizes& sizes = network.weights().sizes;
    return {sizes, {sizes, std::move(text), seed}, seed};
}

std::uint32_t EndNetwork::row_of(std::size_t feature, Hash value) const {
    const auto found = rows_.find(end_feature_key(feature, value));
    return found.empty() ? static_cast<std::uint32_t>(feature) : Lexicon::unpacked(found[0]).number;
}

void EndNetwork::find_few() {
    for (std::size_t value = 0; value < few; ++value) {
        spaces_[value] = row_of(space_feature, value);
        capitals_[value] = row_of(capital_feature, value);
    }
}

void EndNetwork::add_rows_of(const TokenView& token, std::vector<std::uint32_t>& rows) const {
    const auto values = end_features_of(token);
    for (std::size_t f = 0; f < space_feature; ++f) rows.push_back(row_of(f, values[f]));
    rows.push_back(spaces_[values[space_feature]]);
    rows.push_back(capitals_[values[capital_feature]]);
}

std::span<const float> EndReader::read(const EndNetwork& network, std::span<const TokenView> tokens) {
    rows_.clear();
    for (const TokenView& token : tokens) network.add_rows_of(token, rows_);
    return pass_.read(network.weights(), rows_);
}

}  // namespace nonproj::text
