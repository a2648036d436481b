// The chart of a class for scores of larger parts, as its folder offers it to the table of solvers.
#pragma once
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_scores.hpp"

namespace nonproj {

struct PartsChart {
    bool takes_siblings;  // besides grandparents
    double (*bytes)(int words, double heads_of_a_word, bool grandparents);
    double (*nanoseconds)(int words, double heads_of_a_word, bool grandparents);  // as in ClassChart
    DecodedTree (*best)(const SecondOrderScores& scores, bool single_root);
};

}  // namespace nonproj
