// Sentences of raw text as rows of CoNLL-U, from which the text can be had again to the byte.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "nonproj/text/expansion.hpp"
#include "nonproj/text/token_features.hpp"

namespace nonproj::text {

// A sentence of a text: the spaces before its first token begin at `from`, those after its last end at `until`.
struct SentencePlace {
    std::span<const Token> tokens;
    std::size_t from, until;
    std::int64_t number;
    bool is_paragraph;
};
void add_sentence(std::span<const Expansion> rules, std::string_view text, const SentencePlace& place,
                  std::string& result);

}  // namespace nonproj::text
