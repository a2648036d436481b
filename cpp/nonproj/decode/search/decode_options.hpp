// What is asked of a decoder, and what it answers.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/solver/class_solver.hpp"

namespace nonproj {

enum class Strategy { automatic, relax, chart };
enum class Road { spanning, relax, chart, climb };  // the one that led to the answer

struct DecodeOptions {
    ClassSolver solver;
    bool single_root = false;
    Strategy strategy = Strategy::automatic;
    int work_limit = 0;  // spanning trees to solve at most; 0 leaves it to the decoder
    double memory_limit = 2147483648.0;
    double time_limit = std::numeric_limits<double>::infinity();       // in seconds
    double max_nanoseconds = std::numeric_limits<double>::infinity();  // of a chart by `auto`
    bool must_find = true;  // to reach the work limit without any tree is an error; else the outcome has none
};

struct Outcome {
    double score = minus_infinity<double>;  // -inf, and no heads, when the class holds no tree
    double bound = minus_infinity<double>;  // no tree of the class scores more
    Road road = Road::relax;
    int relaxations = 0;
    std::vector<int> heads;
    // Where the tree is not proven best of the class asked for: a class within, whose best tree it is; or nothing.
    std::string best_of{};

    bool is_optimal() const { return bound <= score; }
};

}  // namespace nonproj
