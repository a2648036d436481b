// What comes of parsing a corpus.
#pragma once
#include <cstdint>
#include <vector>

namespace nonproj::learn {

// The score of the tree of a sentence; how far it may be below the best one of its model, 0 when it is proven to be that;
// and by how much it is better than the tree that climbing found, if that was to be compared.
struct Proof {
    double score = 0, gap = 0, gain = 0;
};

// Heads and relations of all words, and proofs of all sentences, in order.
struct Parses {
    std::vector<std::int32_t> heads, relations;
    std::vector<Proof> proofs;
};

}  // namespace nonproj::learn
