// The text of sentences with other cells in some columns, all else to the letter.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/conll/run.hpp"

namespace nonproj::conll {

// Adds a sentence to `result` with other cells in these columns, which are in the order of the row: append(column, word)
// adds each. `word` is the number of the first word. Comments are added after those that are there.
template <class Append>
void rewrite_sentence(std::string_view text, const Span& sentence, std::span<const Column> columns, std::size_t word,
                      std::span<const std::string> comments, std::string& result, const Append& append) {
    std::size_t copied = sentence.begin;  // what lies between the changed cells is copied in one piece
    const auto copy_until = [&](std::size_t end) {
        result += text.substr(copied, end - copied);
        copied = end;
    };
    bool has_rows = false;
    each_line(text, sentence, [&](const Line& line) {
        if (text[line.begin] == '#') return;
        if (!has_rows && !comments.empty()) {
            copy_until(line.begin);
            const std::string_view end = text.substr(line.end, line.next - line.end);
            for (const std::string& comment : comments) (result += comment) += end.ends_with('\n') ? end : "\n";
        }
        has_rows = true;
        if (!is_word(text, line)) return;
        for (const Column column : columns) {
            copy_until(line.column_begin(column));
            append(column, word);
            copied = line.column_end(column);
        }
        ++word;
    });
    copy_until(sentence.end);
}

void append_head(std::string& result, std::int32_t head);
// An error unless they are a tree.
void check_tree(std::span<const std::int32_t> heads, std::size_t sentence);

// What takes the place of what stands in the text, for all words in order.
struct Changes {
    std::span<const std::int32_t> heads;
    std::span<const std::string> deprels;   // none: they stay
    std::span<const std::string> comments;  // added after those of each sentence
};

// The text of each run, written anew. An error unless there is a head for every word and they are trees.
std::vector<std::string> rewrite(std::span<const Run> runs, const Changes& changes);

}  // namespace nonproj::conll
