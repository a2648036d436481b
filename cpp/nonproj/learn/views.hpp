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
enum class View : std::uint8_t {
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
    count
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
    Hash operator()(int word, View view) const { return rows_[word][static_cast<std::size_t>(view)]; }
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
        using enum View;
        const auto set = [&](View view, Hash hash) { rows_[i][static_cast<std::size_t>(view)] = hash; };
        const Hash tags_before = combined(b.upos, w.upos), tags_after = combined(w.upos, a.upos + 1);
        set(none, 0);
        set(F, w.form);
        set(L, w.lemma);
        set(P, w.upos);
        set(X, w.xpos);
        set(M, combined(w.upos, w.feats));
        set(S, combined(w.suffix, w.upos));
        set(LP, combined(w.lemma, w.upos));
        set(before_P, b.upos);
        set(after_P, a.upos);
        set(before_P_P, tags_before);
        set(P_after_P, tags_after);
        set(before_P_P_after_P, combined(tags_before, a.upos));
        set(before_before_P, combined(word(i - 2).upos, tags_before));
        set(after_after_P, combined(tags_after, word(i + 2).upos));
        set(before_X_X, combined(b.xpos, w.xpos));
        set(X_after_X, combined(w.xpos, a.xpos + 1));
        set(before_L, b.lemma);
        set(after_L, a.lemma);
        set(before_M, combined(b.upos, b.feats));
        set(after_M, combined(a.upos, a.feats));
    }

    Corpus::Sentence sentence_;
    int size_ = 0;
    std::vector<std::array<Hash, static_cast<std::size_t>(View::count)>> rows_;
};

}  // namespace nonproj::learn
