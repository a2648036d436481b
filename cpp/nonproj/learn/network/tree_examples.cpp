#include "nonproj/learn/network/tree_examples.hpp"

#include "nonproj/learn/gold_sentence.hpp"

namespace nonproj::learn {

namespace {

// Word dropout, by which the network learns what to make of new words, the rarer the oftener; and now and then of tags.
constexpr float dropped_words = 0.05f, rareness = 0.25f, dropped_tags = 0.1f;
constexpr float first_embeddings = 0.1f;

}  // namespace

TreeExamples::TreeExamples(const Corpus& corpus, const TreeSizes& sizes)
    : corpus_(corpus), sizes_(sizes.checked()), count_((std::size_t{1} << sizes.bits) / sizes.word) {
    for (std::size_t s = 0; s < corpus.sentences(); ++s) {
        features_.assign(corpus[s], sizes);
        for (const std::uint32_t row : features_.all()) ++count_[row];
    }
}

void TreeExamples::draw_weights(TreeNetwork& network, std::uint64_t seed) const {
    Draws draws(mixed(seed + 1));
    network.recurrent.draw(network.shared, draws);
    const Block& roles = network.head.roles;
    draw_uniform(roles.of(network.shared), Lstm::first_weights(roles, true), draws);
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
