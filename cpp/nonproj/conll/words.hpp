// The words of CoNLL text that has been indexed: their cells, and the text with other heads.
#pragma once
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/lines.hpp"
#include "nonproj/error.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::conll {

// Neither a comment, nor an empty line, nor a multiword token, nor an empty node.
inline bool is_word(std::string_view text, const Line& line) {
    if (line.tabs != columns - 1 || text[line.begin] == '#') return false;
    const std::size_t end = line.column_end(id);
    return end > line.begin && detail::number_at(text, line.begin, end).end == end;
}

// Calls take(cell) with this column of every word.
template <class Take>
void each_cell(std::string_view text, Column column, Take take) {
    Lines lines(text);
    for (Line line; lines.next(line);)
        if (is_word(text, line)) {
            const std::size_t begin = line.column_begin(column);
            take(text.substr(begin, line.column_end(column) - begin));
        }
}

// One column of all words, end to end: cell i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1].
struct Cells {
    std::vector<std::int64_t> offsets{0};
    std::string bytes;
};

inline Cells cut_column(std::string_view text, Column column) {
    Cells cells;
    each_cell(text, column, [&](std::string_view cell) {
        cells.bytes += cell;
        cells.offsets.push_back(static_cast<std::int64_t>(cells.bytes.size()));
    });
    return cells;
}

// Writes a text anew with other heads, other relations (unless there are none) and comments added after those
// of each sentence. All else stays to the letter, line ends too.
class Rewriter {
  public:
    Rewriter(std::span<const std::int32_t> heads, std::span<const std::string> deprels,
             std::span<const std::string> comments)
        : heads_(heads), deprels_(deprels), comments_(comments) {}

    std::string operator()(std::string_view text) {
        std::string result;
        result.reserve(text.size() + text.size() / 8);
        Lines lines(text);
        bool in_rows = false;
        for (Line line; lines.next(line);) {
            const bool is_row = !line.is_blank() && text[line.begin] != '#';
            if (is_row && !in_rows) add_comments(result, line_end(text, line));
            if (!is_row && in_rows) end_sentence();
            in_rows = is_row;
            if (is_row && is_word(text, line))
                add_word(result, text, line);
            else
                result += text.substr(line.begin, line.next - line.begin);
        }
        if (in_rows) end_sentence();
        if (word_ != heads_.size()) wrong_count("fewer");
        return result;
    }

  private:
    static std::string_view line_end(std::string_view text, const Line& line) {
        const std::string_view end = text.substr(line.end, line.next - line.end);
        return end.ends_with('\n') ? end : "\n";
    }

    void add_comments(std::string& result, std::string_view line_end) const {
        for (const std::string& comment : comments_) (result += comment) += line_end;
    }

    void add_word(std::string& result, std::string_view text, const Line& line) {
        if (word_ == heads_.size()) wrong_count("more");
        char digits[16];
        const auto written = std::to_chars(digits, digits + sizeof digits, heads_[word_]);
        result += text.substr(line.begin, line.column_begin(head) - line.begin);
        result.append(digits, written.ptr);
        if (deprels_.empty()) {
            result += text.substr(line.column_end(head), line.next - line.column_end(head));
        } else {
            (result += '\t') += deprels_[word_];
            result += text.substr(line.column_end(deprel), line.next - line.column_end(deprel));
        }
        ++word_;
    }

    void end_sentence() {
        const auto heads = heads_.subspan(sentence_begin_, word_ - sentence_begin_);
        ++sentence_;
        if (const auto fault = find_fault(heads))
            throw Error("the heads given for sentence " + std::to_string(sentence_) +
                        " are no tree: " + describe(*fault, heads));
        sentence_begin_ = word_;
    }

    [[noreturn]] void wrong_count(const char* what) const {
        throw Error("got " + std::to_string(heads_.size()) + " heads, but the text has " + what +
                    " words: give one head for every word");
    }

    std::span<const std::int32_t> heads_;
    std::span<const std::string> deprels_;
    std::span<const std::string> comments_;
    std::size_t word_ = 0, sentence_ = 0, sentence_begin_ = 0;
};

inline std::string rewrite(std::string_view text, std::span<const std::int32_t> heads,
                           std::span<const std::string> deprels, std::span<const std::string> comments) {
    if (!deprels.empty() && deprels.size() != heads.size())
        throw Error("got " + std::to_string(deprels.size()) + " relations for " + std::to_string(heads.size()) +
                    " heads: give one for every word");
    return Rewriter(heads, deprels, comments)(text);
}

}  // namespace nonproj::conll
