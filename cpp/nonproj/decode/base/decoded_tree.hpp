// What a decoder returns: the best tree and its score.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

// heads[d - 1] is the head of word d. When no tree exists the score is -inf and there are no heads.
struct DecodedTree {
    double score = minus_infinity<double>;
    std::vector<std::int32_t> heads;
};

// The score is summed anew over the words: charts add up the same arcs in another order and round otherwise.
template <class Real>
DecodedTree decoded(const ArcScores<Real>& scores, std::vector<std::int32_t> heads) {
    double score = 0;
    for (int word = 1; word <= scores.words(); ++word) score += scores(heads[word - 1], word);
    return {score, std::move(heads)};
}

}  // namespace nonproj
