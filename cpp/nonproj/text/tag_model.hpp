// Tags and lemmas learnt from the sentences of a block, and filled in in another.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nonproj/block/block.hpp"
#include "nonproj/text/lemmatizer.hpp"
#include "nonproj/text/tagger.hpp"
#include "nonproj/workspaces.hpp"

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

// The step that fills in tags and lemmas; what was found out about a form is kept for the blocks to come. The model must
// live as long.
class Tagging {
  public:
    explicit Tagging(const TagModel& model) : model_(model) {}

    // Fills in these columns, as far as the model has learnt them.
    void run(const block::Block& block, const Filled& filled, int threads);

  private:
    struct Session {  // of one thread
        TagSession tags;
        LemmaSession lemmas;
        explicit Session(const TagModel& model) : tags(model.tags), lemmas(model.lemmas, model.tags.tags) {}
    };
    // Of a sentence that has its words from here on.
    void tag(Session& session, block::Table& table, std::size_t word, const Filled& filled,
             std::span<std::uint32_t> tags, std::span<std::string> lemmas) const;

    const TagModel& model_;
    Workspaces<Session> sessions_;
};

class TagTrainer {
  public:
    TagTrainer(block::Block block, int bits, const Filled& learnt);

    std::size_t sentences() const { return sentences_.size(); }
    std::size_t words() const { return words_; }
    // Goes over these sentences; how many tags were wrong.
    std::int64_t learn(std::span<const std::int64_t> order, std::uint64_t seed);
    // Goes over all forms with their lemmas; how many were wrong, as if they were new.
    std::int64_t learn_lemmas(std::uint64_t seed);
    TagModel model() const;
    learn::AveragedWeights& table(const std::string& name);

  private:
    block::Block block_;
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
