// Sentences as a learner sees them: every cell of a word as a hash, its gold head, and its relation as a number.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/words.hpp"
#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

// An attribute of FEATS, such as Case=Nom: the hash of the attribute and that of the whole.
struct Trait {
    Hash attribute, value;
};

struct Word {
    Hash form, lemma, upos, xpos, feats, suffix;
    std::uint32_t traits_begin, traits_end;
    std::int32_t relation;  // -1 when there is none, or one that training never saw
};

// Words that stand for the root and for what lies beyond both ends of a sentence.
inline Word outside_word(std::string_view name) {
    const Hash hash = hash_of(name, golden);
    return {hash, hash, hash, hash, hash, hash, 0, 0, -1};
}

class Corpus {
  public:
    // The text must be valid, as an Indexer says. `relations` are the relations a model knows, in order.
    Corpus(std::string_view text, const std::vector<std::string>& relations) {
        for (std::size_t i = 0; i < relations.size(); ++i) relations_.emplace(relations[i], static_cast<int>(i));
        conll::Options options;
        options.allow_open = true;
        conll::Indexer indexer(text, options);
        while (indexer.advance(std::size_t{1} << 30)) continue;
        if (!indexer.index().faults.empty()) throw Error("the text is not valid CoNLL-U: read it as a treebank first");
        heads_ = indexer.index().heads;
        offsets_ = indexer.index().offsets;
        words_.reserve(heads_.size());
        conll::Lines lines(text);
        for (conll::Line line; lines.next(line);)
            if (conll::is_word(text, line)) add(text, line);
        if (words_.size() != heads_.size()) throw Error("the words of the text could not be counted");
    }

    std::size_t sentences() const { return offsets_.size() - 1; }
    std::size_t words() const { return words_.size(); }
    const std::vector<std::int64_t>& offsets() const { return offsets_; }

    struct Sentence {
        std::span<const Word> words;
        std::span<const std::int32_t> heads;  // -1 throughout when they are not known
        std::span<const Trait> traits;        // of the whole corpus

        int size() const { return static_cast<int>(words.size()); }
        bool has_heads() const { return !heads.empty() && heads[0] >= 0; }
    };
    Sentence operator[](std::size_t sentence) const {
        if (sentence >= sentences()) throw Error("there is no sentence " + std::to_string(sentence));
        const std::size_t begin = offsets_[sentence], size = offsets_[sentence + 1] - begin;
        return {{words_.data() + begin, size}, {heads_.data() + begin, size}, traits_};
    }

  private:
    void add(std::string_view text, const conll::Line& line) {
        const auto cell = [&](conll::Column column) {
            const std::size_t begin = line.column_begin(column);
            return text.substr(begin, line.column_end(column) - begin);
        };
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
        word.traits_begin = static_cast<std::uint32_t>(traits_.size());
        if (feats != "_")
            add_traits(feats);
        else if (xpos.size() > 4)
            add_positions(xpos);
        word.traits_end = static_cast<std::uint32_t>(traits_.size());
        const auto relation = relations_.find(cell(conll::deprel));
        word.relation = relation == relations_.end() ? -1 : relation->second;
        words_.push_back(word);
    }

    void add_traits(std::string_view feats) {
        for (std::size_t begin = 0, end; begin < feats.size(); begin = end + 1) {
            end = std::min(feats.find('|', begin), feats.size());
            const std::string_view trait = feats.substr(begin, end - begin);
            traits_.push_back({hash_of(trait.substr(0, trait.find('=')), 8), hash_of(trait, 9)});
        }
    }
    // A tag such as n-s---mn- says one thing with each letter.
    void add_positions(std::string_view tag) {
        for (std::size_t i = 1; i < tag.size(); ++i)
            if (tag[i] != '-') traits_.push_back({mixed(i), combined(i, static_cast<unsigned char>(tag[i]))});
    }

    static bool is_inside_letter(char c) { return (c & 0xc0) == 0x80; }
    static std::string_view last_letters(std::string_view text, int count) {
        std::size_t begin = text.size();
        while (begin > 0 && count > 0) count -= !is_inside_letter(text[--begin]);
        return text.substr(begin);
    }
    static std::string_view first_letters(std::string_view text, int count) {
        std::size_t end = 0;
        while (end < text.size() && (count > 0 || is_inside_letter(text[end]))) count -= !is_inside_letter(text[end++]);
        return text.substr(0, end);
    }

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return hash_of(text); }
    };
    std::unordered_map<std::string, int, TextHash, std::equal_to<>> relations_;
    std::vector<Word> words_;
    std::vector<Trait> traits_;
    std::vector<std::int32_t> heads_;
    std::vector<std::int64_t> offsets_;
};

}  // namespace nonproj::learn
