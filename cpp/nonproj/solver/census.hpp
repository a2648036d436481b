// Counts, class by class, the trees of n words. Trees over 0..n rooted at 0 are numbered by their Pruefer
// codes, read as numbers of n - 1 digits in base n + 1, so any range of numbers can be counted by itself. A
// tree has a single root when 0 does not occur in its code.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/solver/class_solver.hpp"

namespace nonproj {

inline constexpr int max_census_words = 11;  // 12^10 trees take a day

inline std::int64_t number_of_trees(int words) {
    std::int64_t number = 1;
    for (int i = 1; i < words; ++i) number *= words + 1;
    return number;
}

// Counts for each class, and after them, if they were asked for, three ways of nesting: well, mildly ill (in MG_k for k
// their own gap degree), and strongly ill.
struct CensusCounts {
    std::vector<std::int64_t> all, single_root;
};

// Trees numbered begin .. end - 1; with only_single_root the others are passed over.
CensusCounts census(int words, const std::vector<ClassSolver>& classes, std::int64_t begin, std::int64_t end,
                    bool only_single_root, bool by_nesting);

// For every ordered pair of classes (a, b), at a * classes + b: how many trees are in a and not in b, and the heads of
// the first of them, if any.
struct PairCounts {
    std::vector<std::int64_t> trees;
    std::vector<std::vector<int>> examples;
};

PairCounts census_of_pairs(int words, const std::vector<ClassSolver>& classes, std::int64_t begin, std::int64_t end,
                           bool only_single_root);

}  // namespace nonproj
