// The text of sentences with other heads and relations, or other tags and lemmas, all else to the letter.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/conll/run.hpp"

namespace nonproj::conll {

// What takes the place of what stands in the text, for all words in order.
struct Changes {
    std::span<const std::int32_t> heads;
    std::span<const std::string> deprels;   // none: they stay
    std::span<const std::string> comments;  // added after those of each sentence
};

// The text of each run, written anew. An error unless there is a head for every word and they are trees.
std::vector<std::string> rewrite(std::span<const Run> runs, const Changes& changes);

// Cells of the columns from LEMMA to FEATS for all words in order; of a column without any, those of the text stay.
struct Filling {
    std::span<const std::string> lemma, upos, xpos, feats;
};
std::vector<std::string> with_cells(std::span<const Run> runs, const Filling& cells);

}  // namespace nonproj::conll
