// The sentences of a block as a learner sees them: every cell of a word as a hash, its gold head, and its relation as a
// number.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/block/block.hpp"
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
    // `relations` are the relations a model knows, in order.
    Corpus(const block::Block& block, const std::vector<std::string>& relations);

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
    std::vector<Word> words_;
    std::vector<Trait> traits_;
    std::vector<std::int32_t> heads_;
    std::vector<std::int64_t> offsets_{0};
};

}  // namespace nonproj::learn
