// The text of sentences with other heads and relations, all else to the letter.
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

}  // namespace nonproj::conll
