#include "nonproj/text/tag_model.hpp"

#include <algorithm>
#include <numeric>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj::text {

namespace {

std::vector<Row> rows_of(block::Table& table, std::size_t begin, std::size_t end) {
    const auto forms = table.forms();
    std::vector<Row> rows;
    rows.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i)
        rows.push_back(
            {&forms[table.form.cells[i]], table.form[i], table.lemma[i], table.upos[i], table.xpos[i], table.feats[i]});
    return rows;
}

// The strings of each tag, as they come, as numbers of the columns of a table.
class TagCells {
  public:
    TagCells(const TagSet& tags, block::Table& table) : tags_(tags), table_(table), known_(tags.size()) {}

    struct Cells {
        block::Id upos, xpos, feats;
        bool is_known;
    };
    const Cells& operator[](std::uint32_t tag) {
        Cells& cells = known_[tag];
        if (cells.is_known) return cells;
        const Tag& own = tags_[tag];
        return cells = {table_.upos.values.add(own.upos), table_.xpos.values.add(own.xpos),
                        table_.feats.values.add(own.feats), true};
    }

  private:
    const TagSet& tags_;
    block::Table& table_;
    std::vector<Cells> known_;
};

}  // namespace

void Tagging::tag(Session& session, block::Table& table, std::size_t word, const Filled& filled,
                  std::span<std::uint32_t> tags, std::span<std::string> lemmas) const {
    const std::vector<Row> rows = rows_of(table, word, word + tags.size());
    session.tags.tag(rows, {!filled.upos, !filled.xpos, !filled.feats}, model_.tag_weights, tags);
    for (std::size_t i = 0; i < lemmas.size(); ++i)
        lemmas[i] = session.lemmas.lemma(rows[i].form, session.tags.view(i), tags[i], model_.lemma_weights);
}

void Tagging::run(const block::Block& block, const Filled& filled, int threads) {
    block::Table& table = block.table();
    table.forms();  // before there are several threads
    const std::size_t first = block.first_word(), words = block.words();
    const bool has_lemmas = filled.lemma && model_.has_lemmas;
    std::vector<std::uint32_t> tags(words);
    std::vector<std::string> lemmas(has_lemmas ? words : 0);
    parallel_for(block.size(), threads, [&](std::size_t i) {
        Interrupt::check();
        const auto session = sessions_.take([&] { return std::make_unique<Session>(model_); });
        const std::size_t begin = block.offsets()[i] - first, size = block.offsets()[i + 1] - block.offsets()[i];
        tag(*session, table, first + begin, filled, std::span(tags).subspan(begin, size),
            std::span(lemmas).subspan(has_lemmas ? begin : 0, has_lemmas ? size : 0));
    });
    TagCells cells(model_.tags.tags, table);
    for (std::size_t i = 0; i < words; ++i) {
        const TagCells::Cells& own = cells[tags[i]];
        if (filled.upos) table.upos.cells[first + i] = own.upos;
        if (filled.xpos) table.xpos.cells[first + i] = own.xpos;
        if (filled.feats) table.feats.cells[first + i] = own.feats;
        if (has_lemmas) table.lemma.cells[first + i] = table.lemma.values.add(lemmas[i]);
    }
    table.upos.is_filled |= filled.upos;
    table.xpos.is_filled |= filled.xpos;
    table.feats.is_filled |= filled.feats;
    table.lemma.is_filled |= has_lemmas;
}

Lexicon& TagModel::lexicon(const std::string& name) {
    if (name == "forms") return tags.forms;
    if (name == "endings") return tags.endings;
    if (name == "lemma_forms") return lemmas.forms;
    if (name == "lemma_endings") return lemmas.endings;
    if (name == "lemmas") return lemmas.lemmas;
    throw Error("a tagger has no lexicon " + name);
}

std::size_t TagModel::numbers_of(const std::string& lexicon) const {
    if (lexicon == "forms" || lexicon == "endings") return tags.tags.size();
    return lexicon == "lemmas" ? 1 : lemmas.rules.size();
}

TagTrainer::TagTrainer(block::Block block, int bits, const Filled& learnt)
    : block_(std::move(block)),
      has_lemmas_(learnt.lemma),
      tag_weights_(bits),
      lemma_weights_(lemma_bits(bits)),
      tag_session_(tags_),
      lemma_session_(lemmas_, tags_.tags) {
    const auto offsets = block_.offsets();
    for (std::size_t i = 0; i < block_.size(); ++i)
        sentences_.push_back(rows_of(block_.table(), offsets[i], offsets[i + 1]));
    for (auto& sentence : sentences_)
        for (Row& row : sentence) {
            if (!learnt.upos) row.upos = "_";
            if (!learnt.xpos) row.xpos = "_";
            if (!learnt.feats) row.feats = "_";
        }
    tags_.learn(sentences_);
    for (const auto& sentence : sentences_) {
        words_ += sentence.size();
        gold_.emplace_back();
        for (const Row& row : sentence) gold_.back().push_back(tags_.tags.add(row.upos, row.xpos, row.feats));
    }
    if (has_lemmas_) lessons_ = lemmas_.learn(sentences_, tags_.tags);
}

std::int64_t TagTrainer::learn(std::span<const std::int64_t> order, std::uint64_t seed) {
    std::int64_t wrong = 0;
    for (const std::int64_t i : order) {
        Interrupt::check();
        if (i < 0 || static_cast<std::size_t>(i) >= sentences_.size())
            throw Error("there is no sentence " + std::to_string(i));
        const auto at = static_cast<std::size_t>(i);
        wrong += tag_session_.learn(sentences_[at], gold_[at], tag_weights_, combined(seed, at));
    }
    return wrong;
}

std::int64_t TagTrainer::learn_lemmas(std::uint64_t seed) {
    std::vector<std::uint32_t> order(lessons_.size());
    std::iota(order.begin(), order.end(), 0);
    learn::Draws draws(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
    std::int64_t wrong = 0;
    for (const std::uint32_t lesson : order) {
        Interrupt::check();
        wrong += lemma_session_.learn(lessons_[lesson], lemma_weights_);
    }
    return wrong;
}

TagModel TagTrainer::model() const {
    return {tags_, lemmas_, learn::SmallWeightTable(tag_weights_.average()), lemma_weights_.average(), has_lemmas_};
}

learn::AveragedWeights& TagTrainer::table(const std::string& name) {
    if (name == "tag") return tag_weights_;
    if (name == "lemma") return lemma_weights_;
    throw Error("a tagger does not learn a table " + name);
}

}  // namespace nonproj::text
