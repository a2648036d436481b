#include "nonproj/conll/run.hpp"

#include <unordered_map>

#include "nonproj/error.hpp"

namespace nonproj::conll {

Run::Run(const Indexer& indexer, std::size_t first, std::size_t last)
    : indexer_(&indexer), first_(first), size_(last - first) {
    // Reading on would move the arrays.
    if (!indexer.is_done()) throw Error("the text has not been read to its end");
    const std::size_t sentences = indexer.index().spans.size();
    if (first > last || last > sentences)
        throw Error("there are no sentences " + std::to_string(first) + " to " + std::to_string(last) +
                    ": the text has " + std::to_string(sentences));
}

std::size_t words_of(std::span<const Run> runs) {
    std::size_t words = 0;
    for (const Run& run : runs) words += run.words();
    return words;
}

Cells cut_column(const Run& run, Column column) {
    Cells cells;
    cells.offsets.reserve(run.words() + 1);
    each_cell(run, column, [&](std::string_view cell) {
        cells.bytes += cell;
        cells.offsets.push_back(static_cast<std::int64_t>(cells.bytes.size()));
    });
    return cells;
}

CodedColumn code_column(const Run& run, Column column) {
    CodedColumn coded;
    coded.codes.reserve(run.words());
    std::unordered_map<std::string_view, std::int32_t> code_of;
    each_cell(run, column, [&](std::string_view cell) {
        const auto [place, is_new] = code_of.try_emplace(cell, static_cast<std::int32_t>(coded.values.size()));
        if (is_new) coded.values.push_back(cell);
        coded.codes.push_back(place->second);
    });
    return coded;
}

}  // namespace nonproj::conll
