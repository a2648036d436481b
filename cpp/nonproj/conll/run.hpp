// Sentences that follow each other in an indexed text: what is made of the text is made of runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/words.hpp"

namespace nonproj::conll {

// A view: the indexer, and the text it indexed, must live as long.
class Run {
  public:
    // Sentences `first` up to `last`, without `last`; an error where the index has no such sentences.
    Run(const Indexer& indexer, std::size_t first, std::size_t last);

    std::string_view text() const { return indexer_->text(); }
    std::span<const Span> sentences() const { return std::span(indexer_->index().spans).subspan(first_, size_); }
    // Sentence i of the run has the heads from offsets()[i] - offsets()[0].
    std::span<const std::int64_t> offsets() const {
        return std::span(indexer_->index().offsets).subspan(first_, size_ + 1);
    }
    std::span<const std::int32_t> heads() const {
        return std::span(indexer_->index().heads).subspan(offsets().front(), words());
    }
    std::size_t words() const { return static_cast<std::size_t>(offsets().back() - offsets().front()); }

  private:
    const Indexer* indexer_;
    std::size_t first_, size_;
};

std::size_t words_of(std::span<const Run> runs);

// Calls take(cell) with this column of every word.
template <class Take>
void each_cell(const Run& run, Column column, Take take) {
    for (const Span& sentence : run.sentences())
        each_word(run.text(), sentence, [&](const Line& line) { take(cell_of(run.text(), line, column)); });
}

// One column of all words, end to end: cell i is bytes[offsets[i]] .. bytes[offsets[i + 1] - 1].
struct Cells {
    std::vector<std::int64_t> offsets{0};
    std::string bytes;
};

Cells cut_column(const Run& run, Column column);

// One column of all words, each value once: word i has values[codes[i]]. The values are views of the text.
struct CodedColumn {
    std::vector<std::int32_t> codes;
    std::vector<std::string_view> values;
};

CodedColumn code_column(const Run& run, Column column);

}  // namespace nonproj::conll
