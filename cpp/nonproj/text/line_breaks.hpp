// Single line breaks in raw text: where they are spaces, because the lines were wrapped, and where they end sentences.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace nonproj::text {

// How many lines end in a space between two tokens: with LF, with CR LF, or with CR alone, as on old Macs.
std::size_t line_breaks(std::string_view space);

// A line that another one follows in its paragraph.
struct BrokenLine {
    std::size_t letters;    // in it
    std::size_t next_word;  // letters of the word that the next line begins with
    bool ends_sentence;     // by the model, if the break were a space
};

// Whether the lines of a text are whole sentences, as in a file of one sentence or one paragraph a line: then each line
// break ends one. Else the lines were wrapped, and a single break is a space.
//
// They are whole if three quarters of them or more end like a sentence by the model, which wrapped lines hardly ever do.
// They are whole, too, if there is no column at which they were wrapped, as in text without punctuation. In wrapped text
// nearly every line is full: with the next word it would be longer than the column, for which we take the length that
// three quarters of the lines have at most. Of lines as long as their sentences a third or so are. So there is no column
// if less than two fifths of the lines are full, or if it has fewer than 20 letters: then they are entries of a list.
// Nothing is said of fewer than 4 lines.
std::optional<bool> are_sentences(const std::vector<BrokenLine>& lines);

}  // namespace nonproj::text
