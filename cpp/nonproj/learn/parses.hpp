// What comes of parsing a corpus.
#pragma once
#include <cstdint>
#include <vector>

namespace nonproj::learn {

// Heads and relations of all words, in order.
struct Parses {
    std::vector<std::int32_t> heads, relations;
};

}  // namespace nonproj::learn
