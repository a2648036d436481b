#include "nonproj/learn/corpus.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <unordered_map>

namespace nonproj::learn {

namespace {

bool is_inside_letter(char c) { return (c & 0xc0) == 0x80; }
std::string_view last_letters(std::string_view text, int count) {
    std::size_t begin = text.size();
    while (begin > 0 && count > 0) count -= !is_inside_letter(text[--begin]);
    return text.substr(begin);
}
std::string_view first_letters(std::string_view text, int count) {
    std::size_t end = 0;
    while (end < text.size() && (count > 0 || is_inside_letter(text[end]))) count -= !is_inside_letter(text[end++]);
    return text.substr(0, end);
}

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

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return hash_of(text); }
};
using RelationNumbers = std::unordered_map<std::string, int, TextHash, std::equal_to<>>;

Word word_of(std::string_view text, const conll::Line& line, const RelationNumbers& relations,
             std::vector<Trait>& traits) {
    const auto cell = [&](conll::Column column) { return conll::cell_of(text, line, column); };
    const std::string_view form = cell(conll::form), lemma = cell(conll::lemma), xpos = cell(conll::xpos),
                           feats = cell(conll::feats);
    Word word;
    word.form = hash_of(form, 1);
    // Without lemmas the beginning of the form has to do.
    word.lemma = lemma == "_" ? hash_of(first_letters(form, 5), 2) : hash_of(lemma, 2);
    word.upos = hash_of(cell(conll::upos), 3);
    word.xpos = hash_of(xpos, 4);
    word.feats = hash_of(feats == "_" ? xpos : feats, 5);
    word.suffix = hash_of(last_letters(form, 3), 6);
    word.traits_begin = static_cast<std::uint32_t>(traits.size());
    if (feats != "_")
        add_traits(feats, traits);
    else if (xpos.size() > 4)
        add_positions(xpos, traits);
    word.traits_end = static_cast<std::uint32_t>(traits.size());
    const auto relation = relations.find(cell(conll::deprel));
    word.relation = relation == relations.end() ? -1 : relation->second;
    return word;
}

}  // namespace

Corpus::Corpus(std::span<const conll::Run> runs, const std::vector<std::string>& relations) {
    RelationNumbers numbers;
    for (std::size_t i = 0; i < relations.size(); ++i) numbers.emplace(relations[i], static_cast<int>(i));
    const std::size_t words = conll::words_of(runs);
    words_.reserve(words);
    heads_.reserve(words);
    for (const conll::Run& run : runs) {
        heads_.insert(heads_.end(), run.heads().begin(), run.heads().end());
        for (const std::int64_t offset : run.offsets().subspan(1))
            offsets_.push_back(static_cast<std::int64_t>(words_.size()) + offset - run.offsets().front());
        for (const conll::Span& sentence : run.sentences())
            conll::each_word(run.text(), sentence, [&](const conll::Line& line) {
                words_.push_back(word_of(run.text(), line, numbers, traits_));
            });
    }
    assert(words_.size() == words);
}

}  // namespace nonproj::learn
