// Tags of the words of a sentence, from left to right: the best of the tags that a word may have, by a linear model.
//
// A known word may have the tags it was seen with; a rare or new one also those of words with the same end. A tag is
// scored as the sum of its parts (the whole, UPOS, XPOS, each attribute of FEATS), and a part by what is around it: the
// form, its beginnings and ends, the known words that it begins and ends with, and, but for the whole, the words beside
// it and the tags they may have, the tags given so far, the likely one of the next word.
// Learnt by averaged passive-aggressive steps (Crammer et al. 2006): just as far as the right tag needs to win by a margin.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nonproj/block/block.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/text/contexts.hpp"
#include "nonproj/text/lexicon.hpp"
#include "nonproj/text/tag_set.hpp"

namespace nonproj::text {

using Form = block::Table::Form;

// A word as it is read; what it may already have is "_" where it is to be found.
struct Row {
    const Form* seen;
    std::string_view form, lemma, upos, xpos, feats;
};

// Which columns are kept as they are: the tag must agree with them.
struct Kept {
    bool upos = false, xpos = false, feats = false;
    bool any() const { return upos || xpos || feats; }
};

struct TagKnowledge {
    TagSet tags;
    Lexicon forms;    // tags by form, and by form in small letters
    Lexicon endings;  // tags of rare forms, by their ends

    void learn(std::span<const std::vector<Row>> sentences);

  private:
    void count(std::span<const std::vector<Row>> sentences);
};

// A word that occurs this often has been seen with all its tags.
inline constexpr std::uint32_t often = 12;

// What is known of a form.
struct FormFacts {
    FormView view;
    std::vector<std::uint32_t> candidates;
    Hash ambiguity = 0;           // which UPOS it may have
    const Tag* likely = nullptr;  // the tag it was seen with most, or else words that end alike
    const Tag* stem = nullptr;    // the same of the longest known word that it begins with, if any
    Hash rest = 0;                // what follows there
    const Tag* tail = nullptr;    // the same of the longest known word that it ends with
    std::uint32_t count = 0;      // in training
    std::vector<float> scores;    // of the candidates by the form alone, if weights are settled
};

class TagSession {
  public:
    explicit TagSession(const TagKnowledge& knowledge) : knowledge_(knowledge) {}

    // Tags of a sentence by settled weights.
    void tag(std::span<const Row> sentence, const Kept& kept, const learn::SmallWeightTable& weights,
             std::span<std::uint32_t> tags);
    // How a word of the sentence that was tagged last is seen.
    const FormView& view(std::size_t word) const { return words_[word]->view; }
    // One sentence; how many tags were wrong. `draw` says which rare words are taken for new ones.
    int learn(std::span<const Row> sentence, std::span<const std::uint32_t> gold, learn::AveragedWeights& weights,
              Hash draw);

    const FormFacts& facts(const Form& form, bool is_hidden, const learn::SmallWeightTable* settled);

  private:
    struct Place {  // of a word in its sentence
        const FormFacts* before2;
        const FormFacts* before;
        const FormFacts* here;
        const FormFacts* after;
        const FormFacts* after2;
        bool is_first;
    };
    struct TagsBeside {  // those given so far, and the one that the next word is likely to have
        const Tag* before;
        const Tag* before2;
        const Tag* after;
    };

    void prepare(std::span<const Row> sentence, Hash draw, bool is_learning, const learn::SmallWeightTable* settled);
    Place place(std::size_t word) const;
    const Tag* most_often(Hash small) const;
    void find_words_within(std::span<const Letter> letters, FormFacts& facts) const;
    static void own_contexts(const FormFacts& facts, Contexts& contexts);
    static void neighbour_contexts(const Place& place, Contexts& contexts);
    static void tag_contexts(const Place& place, const TagsBeside& tags, Contexts& contexts);
    static Hash agreement(const PartGroup& group, const Tag* other, Hash kind);
    // Scores all parts of the candidates by the contexts, the first `own_` of which are the form's own.
    template <class Table>
    void score_parts(const Table& weights, std::span<const std::uint32_t> candidates, const TagsBeside* beside);
    float score(std::uint32_t tag) const;
    template <class Table>
    std::size_t best(const Table& weights, std::span<const std::uint32_t> candidates, std::span<const float> scores,
                     const TagsBeside& beside);
    // Takes the weights, as named last, of the parts that only one of the tags has: take(place, is gold's).
    template <class Take>
    void each_difference(std::uint32_t gold, std::uint32_t found, Take take) const;
    void step(learn::AveragedWeights& weights, std::uint32_t gold, std::uint32_t found);
    void keep_likely(const learn::SmallWeightTable& weights, FormFacts& facts);
    std::vector<std::uint32_t> allowed(const FormFacts& facts, const Row& row, const Kept& kept) const;

    const TagKnowledge& knowledge_;
    std::unordered_map<Hash, FormFacts> known_, hidden_;
    std::vector<const FormFacts*> words_;
    Contexts contexts_;
    std::size_t own_ = 0;
    // Of the candidates at hand, as far as the stamp is theirs: where in `names_` the lines of weights begin.
    struct Names {
        std::uint32_t stamp = 0, begin = 0;
    };
    std::span<const std::uint32_t> names_of(const Names& names, std::size_t count) const {
        return std::span(names_).subspan(names.begin, count);
    }
    std::size_t contexts_of(std::uint32_t line) const {
        return knowledge_.tags.is_whole(line) ? own_ : contexts_.size();
    }
    std::span<const std::uint32_t> names_of_line(std::uint32_t line) const {
        return names_of(line_names_[line], contexts_of(line));
    }
    std::vector<std::uint32_t> names_, lines_, groups_;
    std::vector<Names> line_names_, group_names_;
    std::vector<float> scores_;  // of parts, by their places
    struct Scored {
        float score;
        std::uint32_t place, tag;
    };
    std::vector<Scored> scored_;
    std::vector<float> handicaps_;
    std::uint32_t stamp_ = 0;
};

}  // namespace nonproj::text
