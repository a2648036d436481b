// The words of a sentence of an indexed text, line by line.
#pragma once
#include <string_view>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/lines.hpp"
#include "nonproj/conll/number.hpp"

namespace nonproj::conll {

// Neither a comment, nor an empty line, nor a multiword token, nor an empty node.
inline bool is_word(std::string_view text, const Line& line) {
    if (line.tabs != columns - 1 || text[line.begin] == '#') return false;
    const std::size_t end = line.column_end(id);
    return end > line.begin && number_at(text, line.begin, end).end == end;
}

inline std::string_view cell_of(std::string_view text, const Line& line, Column column) {
    const std::size_t begin = line.column_begin(column);
    return text.substr(begin, line.column_end(column) - begin);
}

// Calls take(line) with every line of the sentence, comments and all.
template <class Take>
void each_line(std::string_view text, const Span& sentence, Take take) {
    Lines lines(text, sentence.body);
    for (Line line; lines.position() < sentence.body_end && lines.next(line);) take(line);
}

// Calls take(line) with the line of every word of the sentence: as often as the index counts heads.
template <class Take>
void each_word(std::string_view text, const Span& sentence, Take take) {
    each_line(text, sentence, [&](const Line& line) {
        if (is_word(text, line)) take(line);
    });
}

}  // namespace nonproj::conll
