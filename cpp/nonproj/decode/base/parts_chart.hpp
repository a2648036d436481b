// The chart of a class for scores of larger parts, as its folder offers it to the table of solvers.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_scores.hpp"

namespace nonproj {

namespace parts {
class Families;
}

struct PartsChart {
    bool takes_siblings;  // besides grandparents
    double (*bytes)(int words, double heads_of_a_word, bool grandparents);
    double (*nanoseconds)(int words, double heads_of_a_word, bool grandparents);  // as in ClassChart
    DecodedTree (*best)(const SecondOrderScores& scores, bool single_root);
    // The heads of the best tree, or none, where words have few possible heads, so quickly that nothing else is worth a
    // try; null where there is no such chart. `families` have siblings, if this takes them, and grandparents.
    std::vector<std::int32_t> (*best_by_families)(const ArcScores<double>& scores, const parts::Families& families,
                                                  bool single_root) = nullptr;
};

}  // namespace nonproj
