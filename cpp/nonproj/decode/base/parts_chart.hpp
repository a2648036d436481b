// The chart of a class for scores of larger parts, as its folder offers it to the table of solvers.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_list.hpp"

namespace nonproj {

namespace parts {
class PartTable;
}

struct PartsChart {
    bool takes_siblings;  // besides grandparents
    double (*bytes)(int words, double heads_of_a_word, bool grandparents);
    double (*nanoseconds)(int words, double heads_of_a_word, bool grandparents);  // as in ClassChart
    DecodedTree (*best)(const PartList& given, bool single_root);
    // The heads of the best tree, or none, where words have few possible heads, so quickly that nothing else is worth a
    // try; null where there is no such chart. The table has siblings, if this takes them, and grandparents.
    std::vector<std::int32_t> (*best_of_table)(const parts::PartTable& table, bool single_root) = nullptr;
};

}  // namespace nonproj
