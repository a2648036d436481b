// Sentences of raw text, or of ready-made words, as rows of CoNLL-U; raw text can be had again from them to the byte.
#pragma once
#include <cstddef>
#include <string>

#include "nonproj/block/block.hpp"

namespace nonproj::block {

void append_rows(const Table& table, const TokenText& text, std::size_t sentence, std::string& result);

}  // namespace nonproj::block
