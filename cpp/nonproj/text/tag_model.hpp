// Tags and lemmas learnt from a treebank, and written into the text of another.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nonproj/conll/run.hpp"
#include "nonproj/text/lemmatizer.hpp"
#include "nonproj/text/tagger.hpp"

namespace nonproj::text {

// Which columns are learnt, or written.
struct Filled {
    bool lemma = true, upos = true, xpos = true, feats = true;
};

// The table of lemmas is smaller than that of tags: few forms have to be learnt from.
constexpr int lemma_bits(int tag_bits) { return std::max(tag_bits - 4, 10); }

struct TagModel {
    TagKnowledge tags;
    LemmaKnowledge lemmas;
    learn::SmallWeightTable tag_weights;
    learn::WeightTable lemma_weights;
    bool has_lemmas = true;

    // Calls take(table): tag, lemma
    template <class Take>
    auto with_table(const std::string& name, Take take) {
        if (name == "tag") return take(tag_weights);
        if (name == "lemma") return take(lemma_weights);
        throw Error("a tagger has no table " + name);
    }
    // forms, endings, lemma_forms, lemma_endings, lemmas
    Lexicon& lexicon(const std::string& name);
    std::size_t numbers_of(const std::string& lexicon) const;
};

// Fills in tags and lemmas; what was found out about a form is kept for the runs to come. The model must live as long.
class TagSessions {
  public:
    explicit TagSessions(const TagModel& model) : model_(model) {}

    // The text of each run with these columns filled in, on several threads.
    std::vector<std::string> fill(std::span<const conll::Run> runs, const Filled& filled, int threads);

  private:
    struct Session {  // of one thread
        TagSession tags;
        LemmaSession lemmas;
        explicit Session(const TagModel& model) : tags(model.tags), lemmas(model.lemmas, model.tags.tags) {}
    };
    std::string filled_in(Session& session, std::string_view text, const conll::Span& sentence,
                          const Filled& filled) const;

    const TagModel& model_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Session>> idle_;
};

// The text of the runs must live as long.
class TagTrainer {
  public:
    TagTrainer(std::span<const conll::Run> runs, int bits, const Filled& learnt);

    std::size_t sentences() const { return sentences_.size(); }
    std::size_t words() const { return words_; }
    // Goes over these sentences; how many tags were wrong.
    std::int64_t learn(std::span<const std::int64_t> order, std::uint64_t seed);
    // Goes over all forms with their lemmas; how many were wrong, as if they were new.
    std::int64_t learn_lemmas(std::uint64_t seed);
    TagModel model() const;
    learn::AveragedWeights& table(const std::string& name);

  private:
    std::vector<std::vector<Row>> sentences_;
    std::vector<std::vector<std::uint32_t>> gold_;
    std::size_t words_ = 0;
    TagKnowledge tags_;
    LemmaKnowledge lemmas_;
    std::vector<LemmaKnowledge::Lesson> lessons_;
    bool has_lemmas_;
    learn::AveragedWeights tag_weights_, lemma_weights_;
    TagSession tag_session_;
    LemmaSession lemma_session_;
};

}  // namespace nonproj::text
