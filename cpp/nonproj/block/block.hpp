// The sentences that are worked on together: one table that every step reads and writes.
//
// A cell is a number: the string that it names is kept once a column. What the cells come from is CoNLL, which is written
// again to the byte but for the columns that were filled in, or a text with its tokens, or ready-made words; the rows of
// these are written for the first time, and so only once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nonproj/block/forms.hpp"
#include "nonproj/block/strings.hpp"
#include "nonproj/conll/run.hpp"

namespace nonproj::block {

// A column of all words. `is_filled`: other than the source has it.
struct Column {
    Strings values;
    std::vector<Id> cells;
    bool is_filled = false;

    std::string_view operator[](std::size_t word) const { return values[cells[word]]; }
    void add(std::string_view cell) { cells.push_back(values.add(cell)); }
};

// A stretch of a text that is a word, or several: then they are those of a multiword token.
struct Token {
    std::size_t begin, end;                  // bytes of the text
    std::int64_t first_letter, letters_end;  // characters of the whole source
    std::uint32_t words;
};

// A text with the tokens of its sentences. Of ready-made words it is only known that spaces are between them.
struct TokenText {
    struct Sentence {
        std::size_t first_token;
        std::size_t begin, end;     // bytes: where the spaces before it begin, and those after it end
        std::int64_t number, line;  // in the source
        bool begins_paragraph;
    };
    std::string text;
    std::vector<Token> tokens;
    std::vector<Sentence> sentences;
    bool has_spaces = true;  // as the text has them

    std::span<const Token> tokens_of(std::size_t sentence) const {
        const std::size_t first = sentences[sentence].first_token;
        const std::size_t last = sentence + 1 < sentences.size() ? sentences[sentence + 1].first_token : tokens.size();
        return std::span(tokens).subspan(first, last - first);
    }
};

using Rows = std::vector<conll::Run>;

struct Table {
    Column form, lemma, upos, xpos, feats, deprel;
    std::vector<std::int32_t> heads;  // -1 where they are not known
    bool has_new_heads = false;
    std::vector<std::int64_t> offsets{0};  // sentence i has the words from offsets[i] up to offsets[i + 1]
    std::variant<Rows, TokenText> source;

    // A word of which nothing else is known, by the number of its form.
    void add_word(Id form);
    void end_sentence() { offsets.push_back(static_cast<std::int64_t>(form.cells.size())); }

    // What the steps want to know of a form, by the number of the form.
    struct Form {
        FormView view;
        PlainLetters plain;
    };
    std::span<const Form> forms();
    std::span<const FormHashes> hashes();

  private:
    std::vector<Form> forms_;
    std::vector<FormHashes> hashes_;
};

// Some sentences of a table that follow each other. A copy, or a part, is of the same table.
class Block {
  public:
    // The texts of the runs must live as long.
    static Block of_rows(Rows runs);
    // Words must not be empty, nor hold what breaks a row.
    static Block of_words(std::span<const std::vector<std::string>> sentences);
    explicit Block(std::shared_ptr<Table> table)
        : table_(std::move(table)), first_(0), last_(table_->offsets.size() - 1) {}

    Table& table() const { return *table_; }
    std::size_t first() const { return first_; }
    std::size_t size() const { return last_ - first_; }
    Block part(std::size_t first, std::size_t last) const;

    // The columns of the words of these sentences; the words of sentence i begin at offsets()[i].
    std::span<const std::int64_t> offsets() const { return std::span(table_->offsets).subspan(first_, size() + 1); }
    std::size_t first_word() const { return static_cast<std::size_t>(offsets().front()); }
    std::size_t words() const { return static_cast<std::size_t>(offsets().back() - offsets().front()); }
    std::span<const std::int32_t> heads() const { return std::span(table_->heads).subspan(first_word(), words()); }
    std::span<const Id> cells(const Column& column) const {
        return std::span(column.cells).subspan(first_word(), words());
    }

    // form, lemma, upos, xpos, feats, deprel
    Column& column(std::string_view name) const;
    // A cell for each word.
    void fill(Column& column, std::span<const std::string> cells) const;
    void fill_heads(std::span<const std::int32_t> heads) const;
    // The relation of each word by its place among them.
    void fill_relations(std::span<const std::int32_t> relations, std::span<const std::string> names) const;

    // The text of the sentences, a part for each run of rows. An error where heads were filled in that are no trees.
    std::vector<std::string> written() const;

  private:
    Block(std::shared_ptr<Table> table, std::size_t first, std::size_t last)
        : table_(std::move(table)), first_(first), last_(last) {}
    void must_be_for_each_word(std::size_t given, const char* what) const;

    std::shared_ptr<Table> table_;
    std::size_t first_, last_;
};

}  // namespace nonproj::block
