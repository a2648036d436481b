#include "nonproj/text/tag_model.hpp"

#include <algorithm>
#include <numeric>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj::text {

namespace {

Row row_of(std::string_view text, const conll::Line& line) {
    const auto cell = [&](conll::Column column) { return conll::cell_of(text, line, column); };
    return {cell(conll::form), cell(conll::lemma), cell(conll::upos), cell(conll::xpos), cell(conll::feats)};
}

std::vector<Row> rows_of(std::string_view text, const conll::Span& sentence) {
    std::vector<Row> rows;
    conll::each_word(text, sentence, [&](const conll::Line& line) { rows.push_back(row_of(text, line)); });
    return rows;
}

}  // namespace

// The sentence with the columns filled in.
std::string TagSessions::filled_in(Session& session, std::string_view text, const conll::Span& sentence,
                                   const Filled& filled) const {
    const std::vector<Row> rows = rows_of(text, sentence);
    std::vector<std::uint32_t> tags(rows.size());
    session.tags.tag(rows, {!filled.upos, !filled.xpos, !filled.feats}, model_.tag_weights, tags);
    std::string result;
    result.reserve((sentence.end - sentence.begin) * 3);
    std::size_t copied = sentence.begin, word = 0;
    conll::each_word(text, sentence, [&](const conll::Line& line) {
        const Tag& tag = model_.tags.tags[tags[word]];
        const auto cell = [&](bool is_filled, std::string_view value, conll::Column column) {
            result += '\t';
            result += is_filled ? value : conll::cell_of(text, line, column);
        };
        result += text.substr(copied, line.column_end(conll::form) - copied);
        const bool has_lemma = filled.lemma && model_.has_lemmas;
        cell(has_lemma,
             has_lemma
                 ? session.lemmas.lemma(rows[word].form, session.tags.view(word), tags[word], model_.lemma_weights)
                 : std::string_view(),
             conll::lemma);
        cell(filled.upos, tag.upos, conll::upos);
        cell(filled.xpos, tag.xpos, conll::xpos);
        cell(filled.feats, tag.feats, conll::feats);
        copied = line.column_end(conll::feats);
        ++word;
    });
    result += text.substr(copied, sentence.end - copied);
    return result;
}

std::vector<std::string> TagSessions::fill(std::span<const conll::Run> runs, const Filled& filled, int threads) {
    std::vector<std::string> texts;
    for (const conll::Run& run : runs) {
        std::vector<std::string> parts(run.sentences().size());
        parallel_for(parts.size(), threads, [&](std::size_t i) {
            Interrupt::check();
            std::unique_ptr<Session> session;
            {
                const std::lock_guard lock(mutex_);
                if (!idle_.empty()) {
                    session = std::move(idle_.back());
                    idle_.pop_back();
                }
            }
            if (!session) session = std::make_unique<Session>(model_);
            parts[i] = filled_in(*session, run.text(), run.sentences()[i], filled);
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(session));
        });
        std::size_t size = 0;
        for (const std::string& part : parts) size += part.size();
        std::string whole;
        whole.reserve(size);
        for (const std::string& part : parts) whole += part;
        texts.push_back(std::move(whole));
    }
    return texts;
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

TagTrainer::TagTrainer(std::span<const conll::Run> runs, int bits, const Filled& learnt)
    : has_lemmas_(learnt.lemma),
      tag_weights_(bits),
      lemma_weights_(lemma_bits(bits)),
      tag_session_(tags_),
      lemma_session_(lemmas_, tags_.tags) {
    for (const conll::Run& run : runs)
        for (const conll::Span& sentence : run.sentences()) sentences_.push_back(rows_of(run.text(), sentence));
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
