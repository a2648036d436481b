#include "nonproj/learn/corpus.hpp"

#include <algorithm>
#include <unordered_map>

namespace nonproj::learn {

namespace {

void add_traits(std::string_view feats, std::vector<Trait>& traits) {
    for (std::size_t begin = 0, end; begin < feats.size(); begin = end + 1) {
        end = std::min(feats.find('|', begin), feats.size());
        const std::string_view trait = feats.substr(begin, end - begin);
        traits.push_back({hash_of(trait.substr(0, trait.find('=')), 8), hash_of(trait, 9)});
    }
}

// A tag such as n-s---mn- says one thing with each letter.
void add_positions(std::string_view tag, std::vector<Trait>& traits) {
    for (std::size_t i = 1; i < tag.size(); ++i)
        if (tag[i] != '-') traits.push_back({mixed(i), combined(i, static_cast<unsigned char>(tag[i]))});
}

// Of each string of a column.
std::vector<Hash> hashes_of(const block::Strings& values, Hash seed) {
    std::vector<Hash> hashes(values.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = hash_of(values[static_cast<block::Id>(i)], seed);
    return hashes;
}

// Of each string of a column its traits: where they begin, and in the end where they all end.
template <class Add>
std::vector<std::uint32_t> traits_of(const block::Strings& values, std::vector<Trait>& traits, const Add& add) {
    std::vector<std::uint32_t> begins;
    for (std::size_t i = 0; i <= values.size(); ++i) {
        begins.push_back(static_cast<std::uint32_t>(traits.size()));
        if (i < values.size()) add(values[static_cast<block::Id>(i)], traits);
    }
    return begins;
}

// The number of each relation of a column; -1 for one that is not known.
std::vector<std::int32_t> numbers_of(const block::Strings& values, const std::vector<std::string>& relations) {
    std::unordered_map<std::string_view, std::int32_t> known;
    for (std::size_t i = 0; i < relations.size(); ++i) known.emplace(relations[i], static_cast<std::int32_t>(i));
    std::vector<std::int32_t> numbers(values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto found = known.find(values[static_cast<block::Id>(i)]);
        numbers[i] = found == known.end() ? -1 : found->second;
    }
    return numbers;
}

}  // namespace

Corpus::Corpus(const block::Block& block, const std::vector<std::string>& relations)
    : heads_(block.heads().begin(), block.heads().end()) {
    for (const std::int64_t offset : block.offsets().subspan(1)) offsets_.push_back(offset - block.offsets()[0]);
    block::Table& table = block.table();
    const auto forms = table.hashes();
    const std::vector<Hash> lemmas = hashes_of(table.lemma.values, 2), upos = hashes_of(table.upos.values, 3),
                            xpos = hashes_of(table.xpos.values, 4), xpos_as_feats = hashes_of(table.xpos.values, 5),
                            feats = hashes_of(table.feats.values, 5);
    const auto by_feats = traits_of(table.feats.values, traits_, add_traits);
    const auto by_xpos = traits_of(table.xpos.values, traits_, [](std::string_view tag, std::vector<Trait>& traits) {
        if (tag.size() > 4) add_positions(tag, traits);
    });
    const std::vector<std::int32_t> numbers = numbers_of(table.deprel.values, relations);
    constexpr block::Id nothing = block::Strings::nothing;
    words_.reserve(block.words());
    for (std::size_t i = block.first_word(); i < block.first_word() + block.words(); ++i) {
        const block::FormHashes& form = forms[table.form.cells[i]];
        const block::Id lemma = table.lemma.cells[i], tag = table.xpos.cells[i], features = table.feats.cells[i];
        Word& word = words_.emplace_back();
        word.form = form.whole;
        // Without lemmas the beginning of the form has to do.
        word.lemma = lemma == nothing ? form.stem : lemmas[lemma];
        word.upos = upos[table.upos.cells[i]];
        word.xpos = xpos[tag];
        word.feats = features == nothing ? xpos_as_feats[tag] : feats[features];
        word.suffix = form.suffix;
        word.traits_begin = features == nothing ? by_xpos[tag] : by_feats[features];
        word.traits_end = features == nothing ? by_xpos[tag + 1] : by_feats[features + 1];
        word.relation = numbers[table.deprel.cells[i]];
    }
}

}  // namespace nonproj::learn
