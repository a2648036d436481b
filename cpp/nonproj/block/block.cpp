#include "nonproj/block/block.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "nonproj/block/token_rows.hpp"
#include "nonproj/conll/rewrite.hpp"
#include "nonproj/conll/words.hpp"
#include "nonproj/error.hpp"

namespace nonproj::block {

namespace {

constexpr std::array columns{conll::form, conll::lemma, conll::upos, conll::xpos, conll::feats, conll::deprel};

template <class AnyTable>
auto& column_of(AnyTable& table, conll::Column column) {
    switch (column) {
        case conll::form:
            return table.form;
        case conll::lemma:
            return table.lemma;
        case conll::upos:
            return table.upos;
        case conll::xpos:
            return table.xpos;
        case conll::feats:
            return table.feats;
        default:
            return table.deprel;
    }
}

// The columns that differ from the source, of sentences with heads and of others, whose heads and relations stay.
struct FilledColumns {
    std::vector<conll::Column> all, but_trees;

    explicit FilledColumns(const Table& table) {
        for (const conll::Column column : {conll::lemma, conll::upos, conll::xpos, conll::feats})
            if (column_of(table, column).is_filled) but_trees.push_back(column);
        all = but_trees;
        if (table.has_new_heads) all.push_back(conll::head);
        if (table.deprel.is_filled) all.push_back(conll::deprel);
    }
};

// The text of those sentences of a run that are in the block; the first of the run is the sentence `first` of the table.
std::string written_rows(const Table& table, const conll::Run& run, std::size_t first, const Block& block,
                         const FilledColumns& filled) {
    const std::size_t begin = std::max(first, block.first()) - first,
                      end = std::min(first + run.sentences().size(), block.first() + block.size()) - first;
    std::string result;
    const std::size_t size = run.sentences()[end - 1].end - run.sentences()[begin].begin;
    result.reserve(size + size / 2);
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t word = table.offsets[first + i];
        conll::rewrite_sentence(run.text(), run.sentences()[i], table.heads[word] < 0 ? filled.but_trees : filled.all,
                                word, {}, result, [&](conll::Column column, std::size_t word) {
                                    if (column == conll::head)
                                        conll::append_head(result, table.heads[word]);
                                    else
                                        result += column_of(table, column)[word];
                                });
    }
    return result;
}

}  // namespace

void Table::add_word(Id word) {
    form.cells.push_back(word);
    for (Column* column : {&lemma, &upos, &xpos, &feats, &deprel}) column->cells.push_back(Strings::nothing);
    heads.push_back(-1);
}

std::span<const Table::Form> Table::forms() {
    forms_.reserve(form.values.size());
    for (std::size_t i = forms_.size(); i < form.values.size(); ++i) {
        Form& made = forms_.emplace_back();
        made.view = view_of(form.values[static_cast<Id>(i)], made.plain);
    }
    return forms_;
}

std::span<const FormHashes> Table::hashes() {
    hashes_.reserve(form.values.size());
    for (std::size_t i = hashes_.size(); i < form.values.size(); ++i)
        hashes_.emplace_back(form.values[static_cast<Id>(i)]);
    return hashes_;
}

Block Block::of_rows(Rows runs) {
    auto table = std::make_shared<Table>();
    const std::size_t words = conll::words_of(runs);
    for (const conll::Column column : columns) column_of(*table, column).cells.reserve(words);
    table->heads.reserve(words);
    for (const conll::Run& run : runs) {
        table->heads.insert(table->heads.end(), run.heads().begin(), run.heads().end());
        for (const conll::Span& sentence : run.sentences()) {
            conll::each_word(run.text(), sentence, [&](const conll::Line& line) {
                for (const conll::Column column : columns)
                    column_of(*table, column).add(conll::cell_of(run.text(), line, column));
            });
            table->end_sentence();
        }
    }
    table->source = std::move(runs);
    return Block(std::move(table));
}

Block Block::of_words(std::span<const std::vector<std::string>> sentences) {
    auto table = std::make_shared<Table>();
    TokenText text;
    text.has_spaces = false;
    std::int64_t letters = 0;
    for (const auto& words : sentences) {
        if (words.empty()) throw Error("a sentence without words: leave it out");
        const std::size_t begin = text.text.size();
        text.sentences.push_back({.first_token = text.tokens.size(), .begin = begin});
        for (const std::string& word : words) {
            if (word.empty() || word.find_first_of(std::string_view("\t\n\r\0", 4)) != std::string::npos)
                throw Error("the word '" + word + "' is empty or would break its row: take out tabs and line ends");
            if (text.text.size() > begin) text.text += ' ', ++letters;
            const std::size_t from = text.text.size();
            text.text += word;
            const auto count = std::ranges::count_if(word, [](char c) { return !is_inside_letter(c); });
            text.tokens.push_back({from, text.text.size(), letters, letters + count, 1});
            letters += count;
            table->add_word(table->form.values.add(word));
        }
        text.sentences.back().end = text.text.size();
        text.sentences.back().number = static_cast<std::int64_t>(text.sentences.size());
        text.sentences.back().line = text.sentences.back().number;
        text.text += '\n', ++letters;
        table->end_sentence();
    }
    table->source = std::move(text);
    return Block(std::move(table));
}

Block Block::part(std::size_t first, std::size_t last) const {
    if (first > last || last > size())
        throw Error("there are no sentences " + std::to_string(first) + " to " + std::to_string(last) +
                    ": the block has " + std::to_string(size()));
    return Block(table_, first_ + first, first_ + last);
}

Column& Block::column(std::string_view name) const {
    if (name == "form") return table_->form;
    if (name == "lemma") return table_->lemma;
    if (name == "upos") return table_->upos;
    if (name == "xpos") return table_->xpos;
    if (name == "feats") return table_->feats;
    if (name == "deprel") return table_->deprel;
    throw Error("a block has no column " + std::string(name) + ": it has form, lemma, upos, xpos, feats and deprel");
}

void Block::must_be_for_each_word(std::size_t given, const char* what) const {
    if (given != words())
        throw Error("got " + std::to_string(given) + " " + what + " for " + std::to_string(words()) +
                    " words: give one for every word");
}

void Block::fill(Column& column, std::span<const std::string> cells) const {
    must_be_for_each_word(cells.size(), "cells");
    for (std::size_t i = 0; i < cells.size(); ++i) column.cells[first_word() + i] = column.values.add(cells[i]);
    column.is_filled = true;
}

void Block::fill_heads(std::span<const std::int32_t> heads) const {
    must_be_for_each_word(heads.size(), "heads");
    std::ranges::copy(heads, table_->heads.begin() + static_cast<std::ptrdiff_t>(first_word()));
    table_->has_new_heads = true;
}

void Block::fill_relations(std::span<const std::int32_t> relations, std::span<const std::string> names) const {
    must_be_for_each_word(relations.size(), "relations");
    Column& column = table_->deprel;
    std::vector<Id> ids;
    for (const std::string& name : names) ids.push_back(column.values.add(name));
    for (std::size_t i = 0; i < relations.size(); ++i) {
        if (relations[i] < 0 || static_cast<std::size_t>(relations[i]) >= ids.size())
            throw Error("there is no relation " + std::to_string(relations[i]));
        column.cells[first_word() + i] = ids[static_cast<std::size_t>(relations[i])];
    }
    column.is_filled = true;
}

std::vector<std::string> Block::written() const {
    Table& table = *table_;
    if (table.has_new_heads)
        for (std::size_t i = first_; i < last_; ++i) {
            const auto heads =
                std::span(table.heads).subspan(table.offsets[i], table.offsets[i + 1] - table.offsets[i]);
            if (heads[0] >= 0) conll::check_tree(heads, i + 1);
        }
    if (const auto* text = std::get_if<TokenText>(&table.source)) {
        std::string result;
        result.reserve(words() * 48);
        for (std::size_t i = first_; i < last_; ++i) append_rows(table, *text, i, result);
        return {std::move(result)};
    }
    const FilledColumns filled(table);
    std::vector<std::string> texts;
    std::size_t first = 0;
    for (const conll::Run& run : std::get<Rows>(table.source)) {
        const std::size_t count = run.sentences().size();
        if (std::max(first, first_) < std::min(first + count, last_))
            texts.push_back(written_rows(table, run, first, *this, filled));
        first += count;
    }
    return texts;
}

}  // namespace nonproj::block
