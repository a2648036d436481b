// The index of a CoNLL-U or CoNLL-X text: where its sentences are and the heads of their words.
//
// The text stays as it came and is never copied; strings are cut from it when asked for. Every byte belongs
// to exactly one span, so that the spans written one after the other are the text again:
//
//   [begin .......... body ............. body_end .......... end)
//    byte order mark,  comments, words,           one empty line; the last span goes on
//    empty lines       multiword tokens,          to the end of the text
//                      empty nodes
//
// A sentence with a fault is left out of the index and its span goes to the faults. Comments with no word
// after them are no sentence: they lead the next span, or end the last one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/conll/lines.hpp"
#include "nonproj/conll/number.hpp"

namespace nonproj::conll {

enum Column { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };

struct Span {
    std::size_t begin, body, body_end, end;
    std::int64_t line;    // number of the line where the body begins
    std::int64_t number;  // which sentence of the file this is; faulty ones count
};

struct Fault {
    Span span;
    std::int64_t line;    // where the fault is
    std::size_t before;   // how many sound sentences precede it
    std::string message;  // may quote bytes that are not UTF-8
};

struct Index {
    std::vector<std::int32_t> heads;       // of the words of all sentences; -1 where HEAD is left open
    std::vector<std::int64_t> offsets{0};  // sentence i has heads[offsets[i]] .. heads[offsets[i + 1] - 1]
    std::vector<Span> spans;
    std::vector<Fault> faults;
};

struct Options {
    std::size_t start = 0;      // where the first line begins: after a byte order mark
    bool is_whole = true;       // false: more text may follow; what is not ended by an empty line is left
    bool stop_at_fault = true;  // false: go on after a sentence with a fault
    bool allow_open = false;    // accept sentences whose HEAD is "_" throughout
    bool ignore_heads = false;  // take every HEAD for "_", whatever it is
    std::int64_t first_line = 1;
    std::int64_t first_number = 1;
};

class Indexer {
  public:
    explicit Indexer(std::string_view text, Options options = {});

    // Reads on for about this many bytes; false when there is nothing left to do.
    bool advance(std::size_t bytes);

    bool is_done() const { return is_done_; }
    std::string_view text() const { return text_; }
    const Index& index() const { return index_; }
    // What follows the last span: nothing, unless the text is not whole, has no sentence, or a fault stopped it.
    std::size_t rest() const { return begin_; }
    std::int64_t rest_line() const { return begin_line_; }
    std::int64_t rest_number() const { return number_; }

  private:
    void take(const Line& line);
    void begin_sentence(const Line& line);
    void take_comment();
    void take_row(const Line& line);
    void take_word(const Line& line, std::int64_t number);
    void take_range(const Line& line, const Number& first);
    void take_empty(const Line& line, const Number& after);
    void end_sentence(std::size_t blank, std::size_t next);
    void end_text();
    void check_whole_sentence(std::size_t end);
    void check_bytes(std::size_t end);
    void check_heads();
    std::int64_t line_of(std::int64_t word) const;
    std::string cell(const Line& line, Column column) const;
    std::string wrong_columns(const Line& line) const;
    void fail_id(const Line& line);
    void fail_head(const Line& line);
    void fail(std::string message);
    void fail(std::string message, std::int64_t line);
    void keep_fault(const Span& span);
    Span* last_span();

    std::string_view text_;
    Options options_;
    Lines lines_;
    Index index_;
    bool is_done_ = false;
    std::int64_t line_;    // number of the line at hand
    std::int64_t number_;  // number of the sentence at hand

    // The sentence at hand
    std::size_t begin_ = 0;
    std::int64_t begin_line_;
    bool is_begun_ = false;
    bool has_rows_ = false;
    std::size_t body_ = 0, body_end_ = 0;
    std::int64_t body_line_ = 0, rows_line_ = 0;
    std::int64_t words_ = 0;
    std::int64_t range_end_ = 0, range_line_ = 0;  // last word of the latest multiword token, and its line
    std::int64_t empty_ = 0;                       // empty nodes since the last word
    std::int64_t open_ = 0;                        // words whose HEAD is "_"
    std::optional<Fault> fault_;
};

}  // namespace nonproj::conll
