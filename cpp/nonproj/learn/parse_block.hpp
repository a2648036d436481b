// The step that parses the sentences of a block.
#pragma once
#include <string>
#include <vector>

#include "nonproj/block/block.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/parses.hpp"

namespace nonproj::learn {

// Fills in the heads, and the relations if the model knows any, which have these names; proofs of the sentences. A model
// that has anything to compare with says what it gains, if it `compares`.
template <class Model>
std::vector<Proof> parse_block(const Model& model, const block::Block& block, const std::vector<std::string>& relations,
                               int threads, bool compares) {
    const Corpus corpus(block, relations);
    Parses parses;
    if constexpr (requires { model.parse(corpus, threads, compares); })
        parses = model.parse(corpus, threads, compares);
    else
        parses = model.parse(corpus, threads);
    if (!relations.empty()) block.fill_relations(parses.relations, relations);
    block.fill_heads(parses.heads);
    return parses.proofs;
}

}  // namespace nonproj::learn
