// What a graph-based parser scores in a sentence.
#pragma once
#include <vector>

#include "nonproj/decode/base/part_scores.hpp"

namespace nonproj::learn {

// Parts are those of decode/base/part_scores.hpp.
struct ModelScores {
    std::vector<double> arcs;  // a table of words + 1 rows; -inf for arcs that are not likely
    std::vector<Triple> siblings, grandparents;
};

}  // namespace nonproj::learn
