// What features look at: each word of a sentence by its form, lemma, tags, and the tags around it, each as one hash.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

// In the names of views, P is UPOS, X is XPOS, M is UPOS with FEATS, L the lemma, F the form, S the suffix; `before` and
// `after` are the neighbours.
enum View : std::uint8_t {
    none,
    F,
    L,
    P,
    X,
    M,
    S,
    LP,
    before_P,
    after_P,
    before_P_P,
    P_after_P,
    before_P_P_after_P,
    before_before_P,
    after_after_P,
    before_X_X,
    X_after_X,
    before_L,
    after_L,
    before_M,
    after_M,
    views
};

class Views {
  public:
    void assign(const Corpus::Sentence& sentence) {
        sentence_ = sentence;
        size_ = sentence.size();
        rows_.resize(static_cast<std::size_t>(size_) + 1);
        for (int i = 0; i <= size_; ++i) fill(i);
    }

    int size() const { return size_; }
    Hash operator()(int word, View view) const { return rows_[word][view]; }
    std::span<const Trait> traits(int word) const {
        if (word == 0) return {};
        const Word& w = sentence_.words[word - 1];
        return sentence_.traits.subspan(w.traits_begin, w.traits_end - w.traits_begin);
    }
    const Corpus::Sentence& sentence() const { return sentence_; }

  private:
    const Word& word(int i) const {
        static const Word root = outside_word("root"), begin = outside_word("begin"), end = outside_word("end");
        return i == 0 ? root : i < 0 ? begin : i > size_ ? end : sentence_.words[i - 1];
    }
    void fill(int i) {
        const Word &w = word(i), &b = word(i - 1), &a = word(i + 1);
        auto& row = rows_[i];
        row[none] = 0;
        row[F] = w.form;
        row[L] = w.lemma;
        row[P] = w.upos;
        row[X] = w.xpos;
        row[M] = combined(w.upos, w.feats);
        row[S] = combined(w.suffix, w.upos);
        row[LP] = combined(w.lemma, w.upos);
        row[before_P] = b.upos;
        row[after_P] = a.upos;
        row[before_P_P] = combined(b.upos, w.upos);
        row[P_after_P] = combined(w.upos, a.upos + 1);
        row[before_P_P_after_P] = combined(row[before_P_P], a.upos);
        row[before_before_P] = combined(word(i - 2).upos, row[before_P_P]);
        row[after_after_P] = combined(row[P_after_P], word(i + 2).upos);
        row[before_X_X] = combined(b.xpos, w.xpos);
        row[X_after_X] = combined(w.xpos, a.xpos + 1);
        row[before_L] = b.lemma;
        row[after_L] = a.lemma;
        row[before_M] = combined(b.upos, b.feats);
        row[after_M] = combined(a.upos, a.feats);
    }

    Corpus::Sentence sentence_;
    int size_ = 0;
    std::vector<std::array<Hash, views>> rows_;
};

}  // namespace nonproj::learn
