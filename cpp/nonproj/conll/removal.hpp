// The text of sentences without some of their words.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/conll/run.hpp"

namespace nonproj::conll {

// What becomes of the words of all runs in order. Of words that are removed only that is looked at.
struct Removal {
    std::span<const bool> removed;
    std::span<const std::int32_t> number;         // the new number of a word
    std::span<const std::int32_t> heads;          // and of its head
    std::span<const std::int32_t> relation_from;  // the word of the sentence, from 0, whose relation it takes
};

// The text of each sentence that does not lose all its words. Where it loses some, comments stay, and multiword tokens if
// all their words do; empty nodes and the column DEPS, which may name what is gone, do not.
std::vector<std::string> without_words(std::span<const Run> runs, const Removal& removal);

}  // namespace nonproj::conll
