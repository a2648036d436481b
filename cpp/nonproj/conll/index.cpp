#include "nonproj/conll/index.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "nonproj/conll/number.hpp"
#include "nonproj/conll/utf8.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::conll {

namespace {

std::string quoted(std::string_view text) {
    constexpr std::size_t shown = 40;
    std::string result = "'";
    result += text.substr(0, shown);
    result += text.size() > shown ? "...'" : "'";
    return result;
}

}  // namespace

Indexer::Indexer(std::string_view text, Options options)
    : text_(text), options_(options), lines_(text, std::min(options.start, text.size()), options.is_whole) {
    line_ = begin_line_ = options.first_line;
    number_ = options.first_number;
    // A word seldom takes less than 32 bytes; memory reserved and not used costs nothing.
    index_.heads.reserve(text.size() / 32);
}

bool Indexer::advance(std::size_t bytes) {
    const std::size_t from = lines_.position();
    Line line;
    while (!is_done_ && lines_.position() - from < bytes) {
        if (!lines_.next(line)) {
            end_text();
        } else {
            take(line);
            ++line_;
        }
    }
    return !is_done_;
}

// What runs for every line is inline, to become one loop with advance().
inline void Indexer::take(const Line& line) {
    if (line.is_blank()) {
        end_sentence(line.begin, line.next);
        return;
    }
    if (!is_begun_) begin_sentence(line);
    body_end_ = line.end;
    if (fault_) return;
    if (text_[line.begin] == '#') {
        take_comment();
    } else if (line.tabs != columns - 1) {
        fail(wrong_columns(line));
    } else {
        take_row(line);
    }
}

inline void Indexer::begin_sentence(const Line& line) {
    is_begun_ = true;
    has_rows_ = false;
    body_ = line.begin;
    body_line_ = line_;
    words_ = range_end_ = empty_ = open_ = 0;
    fault_.reset();
}

inline void Indexer::take_comment() {
    if (has_rows_) fail("a comment stands after the first word: move it above, or put an empty line before it");
}

inline void Indexer::take_row(const Line& line) {
    if (!has_rows_) rows_line_ = line_;
    has_rows_ = true;
    const std::size_t end = line.column_end(id);
    const Number number = number_at(text_, line.begin, end);
    if (number.end == end && number.end > line.begin) {
        take_word(line, number.value);
    } else if (number.end > line.begin && number.end < end && text_[number.end] == '-') {
        take_range(line, number);
    } else if (number.end > line.begin && number.end < end && text_[number.end] == '.') {
        take_empty(line, number);
    } else {
        fail_id(line);
    }
}

inline void Indexer::take_word(const Line& line, std::int64_t number) {
    if (number != words_ + 1 || number == std::numeric_limits<std::int32_t>::max()) {
        fail_id(line);
        return;
    }
    ++words_;
    empty_ = 0;
    if (options_.ignore_heads) {
        index_.heads.push_back(-1);
        ++open_;
        return;
    }
    const std::size_t begin = line.column_begin(head), end = line.column_end(head);
    const Number value = number_at(text_, begin, end);
    if (value.end == end && end > begin && value.value <= std::numeric_limits<std::int32_t>::max()) {
        index_.heads.push_back(static_cast<std::int32_t>(value.value));
    } else if (end == begin + 1 && text_[begin] == '_' && options_.allow_open) {
        index_.heads.push_back(-1);
        ++open_;
    } else {
        fail_head(line);
    }
}

[[gnu::cold]] void Indexer::fail_id(const Line& line) {
    fail("ID is " + cell(line, id) + ", expected " + std::to_string(words_ + 1) +
         ": number the words 1, 2, 3, ... and put an empty line after each sentence");
}

[[gnu::cold]] void Indexer::fail_head(const Line& line) {
    fail("HEAD of word " + std::to_string(words_) + " is " + cell(line, head) + ", expected 0 or the ID of a word");
}

// A multiword token stands right before its first word; that its last word comes is checked at the end.
[[gnu::noinline]] void Indexer::take_range(const Line& line, const Number& first) {
    const std::size_t begin = first.end + 1, end = line.column_end(id);
    const Number last = number_at(text_, begin, end);
    if (last.end != end || end == begin || first.value != words_ + 1 || last.value < first.value ||
        first.value <= range_end_) {
        fail("multiword token " + cell(line, id) + " is out of place: expected " + std::to_string(words_ + 1) +
             "-N, right before its first word and outside any other multiword token");
        return;
    }
    range_end_ = last.value;
    range_line_ = line_;
}

// The empty nodes after word d are d.1, d.2, ...
[[gnu::noinline]] void Indexer::take_empty(const Line& line, const Number& after) {
    const std::size_t begin = after.end + 1, end = line.column_end(id);
    const Number nth = number_at(text_, begin, end);
    if (nth.end != end || end == begin || after.value != words_ || nth.value != empty_ + 1) {
        fail("empty node " + cell(line, id) + " is out of place: expected " + std::to_string(words_) + "." +
             std::to_string(empty_ + 1));
        return;
    }
    ++empty_;
}

std::string Indexer::cell(const Line& line, Column column) const {
    const std::size_t begin = line.column_begin(column);
    return quoted(text_.substr(begin, line.column_end(column) - begin));
}

[[gnu::cold]] std::string Indexer::wrong_columns(const Line& line) const {
    const std::string_view row = text_.substr(line.begin, line.end - line.begin);
    if (row.find_first_not_of(" \t") == row.npos)
        return "the line has nothing but white space: make it empty to end the sentence";
    std::string message = "found " + std::to_string(line.tabs + 1) + (line.tabs == 0 ? " column" : " columns") +
                          ", expected 10 separated by tabs";
    if (line.tabs == 0 && row.find(' ') != row.npos) message += ": put tabs where the columns have spaces";
    return message;
}

[[gnu::cold]] void Indexer::fail(std::string message) { fail(std::move(message), line_); }
[[gnu::cold]] void Indexer::fail(std::string message, std::int64_t line) {
    fault_ = Fault{Span{}, line, index_.spans.size(), std::move(message)};
}

[[gnu::noinline]] void Indexer::check_whole_sentence(std::size_t end) {
    if (!fault_) check_bytes(end);
    if (!fault_ && words_ == 0) fail("the sentence has no words", rows_line_);
    if (!fault_ && range_end_ > words_)
        fail("a multiword token ends at word " + std::to_string(range_end_) + ", but the sentence has " +
                 std::to_string(words_) + (words_ == 1 ? " word" : " words"),
             range_line_);
    if (!fault_) check_heads();
}

void Indexer::check_bytes(std::size_t end) {
    const std::string_view bytes = text_.substr(begin_, end - begin_);
    if (is_utf8(bytes)) return;
    const std::size_t at = first_invalid_utf8(bytes);
    std::int64_t line = begin_line_;
    for (std::size_t i = 0; i < at; ++i) line += bytes[i] == '\n';
    if (bytes[at] == '\0')
        fail("the line holds a NUL byte: the file is damaged or not text in UTF-8", line);
    else
        fail("the line is not UTF-8: convert the file, for instance with iconv -f latin1 -t utf-8", line);
}

void Indexer::check_heads() {
    if (open_ == words_) return;
    const auto heads = std::span(index_.heads).subspan(index_.offsets.back());
    if (open_ > 0) {
        std::int32_t word = 1;
        while (heads[word - 1] != -1) ++word;
        fail("HEAD of word " + std::to_string(word) + " is '_', but other words have heads", line_of(word));
    } else if (const auto fault = find_fault(heads)) {
        fail(describe(*fault, heads), fault->word == 0 ? rows_line_ : line_of(fault->word));
    }
}

// The number of the line that holds this word of the sentence just read.
std::int64_t Indexer::line_of(std::int64_t word) const {
    Lines lines(text_, body_);
    Line line;
    for (std::int64_t number = body_line_; lines.next(line); ++number) {
        if (line.tabs != columns - 1 || text_[line.begin] == '#') continue;
        const Number value = number_at(text_, line.begin, line.column_end(id));
        if (value.end == line.column_end(id) && value.value == word) return number;
    }
    return body_line_;
}

// At the empty line `blank`, or at the end of a whole text.
inline void Indexer::end_sentence(std::size_t blank, std::size_t next) {
    if (!is_begun_) return;
    is_begun_ = false;
    if (!has_rows_ && !fault_) return;
    check_whole_sentence(blank);
    const Span span{begin_, body_, body_end_, next, body_line_, number_++};
    begin_ = next;
    begin_line_ = line_ + 1;
    if (fault_) {
        index_.heads.resize(index_.offsets.back());
        keep_fault(span);
    } else {
        index_.spans.push_back(span);
        index_.offsets.push_back(static_cast<std::int64_t>(index_.heads.size()));
    }
}

void Indexer::keep_fault(const Span& span) {
    fault_->span = span;
    index_.faults.push_back(*std::move(fault_));
    fault_.reset();
    is_done_ |= options_.stop_at_fault;
}

void Indexer::end_text() {
    is_done_ = true;
    if (!options_.is_whole) {
        index_.heads.resize(index_.offsets.back());
        return;
    }
    end_sentence(text_.size(), text_.size());
    check_bytes(text_.size());
    if (fault_) {
        keep_fault(Span{begin_, begin_, text_.size(), text_.size(), fault_->line, number_});
        begin_ = text_.size();
    } else if (Span* last = last_span()) {
        last->end = begin_ = text_.size();
    }
}

Span* Indexer::last_span() {
    Span* sound = index_.spans.empty() ? nullptr : &index_.spans.back();
    Span* faulty = index_.faults.empty() ? nullptr : &index_.faults.back().span;
    if (!sound || !faulty) return sound ? sound : faulty;
    return sound->end > faulty->end ? sound : faulty;
}

}  // namespace nonproj::conll
