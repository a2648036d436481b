// A sentence to learn from.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "nonproj/error.hpp"
#include "nonproj/learn/corpus.hpp"

namespace nonproj::learn {

inline Corpus::Sentence gold_sentence(const Corpus& corpus, std::int64_t i) {
    if (i < 0) throw Error("there is no sentence " + std::to_string(i));
    const auto sentence = corpus[static_cast<std::size_t>(i)];
    if (!sentence.has_heads()) throw Error("sentence " + std::to_string(i) + " has no heads to learn from");
    return sentence;
}

}  // namespace nonproj::learn
