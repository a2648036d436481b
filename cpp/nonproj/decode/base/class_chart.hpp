// The chart of a class, as its folder offers it to the table of solvers (solver/table.cpp): k is that of the class.
#pragma once
#include <limits>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"

namespace nonproj {

struct ClassChart {
    const char* name;
    double (*bytes)(int words, int k);
    double (*nanoseconds)(int words, int k);  // as measured on one machine; only the proportion between charts matters
    DecodedTree (*best)(const ArcScores<double>& scores, int k, bool single_root);
    int max_k = std::numeric_limits<int>::max();
    // The cost of the chart that is used where few arcs are possible: infinite where so many are not few.
    double (*nanoseconds_of_few)(int words, double arcs) = nullptr;
    double (*bytes_of_few)(int words, double arcs) = nullptr;
};

}  // namespace nonproj
