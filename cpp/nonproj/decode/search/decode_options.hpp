// What is asked of a decoder, and what it answers.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/grades.hpp"

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
    // A graded class; `solver` is then its widest class. Null where a single class is meant.
    std::shared_ptr<const Grades> grades = nullptr;
    // Trees that score no more are of no use: the search may end once it knows that there are no others.
    double must_exceed = minus_infinity<double>;
};

struct Outcome {
    double score = minus_infinity<double>;  // -inf, and no heads, when the class holds no tree
    double bound = minus_infinity<double>;  // no tree of the class scores more
    Road road = Road::relax;
    int relaxations = 0;
    std::vector<int> heads;
    // Where the tree is not proven best of the class asked for: a class within, whose best tree it is; or nothing.
    std::string best_of{};
    // Of a graded class: the smallest class of the chain that holds the tree, and its price, which score and bound are less.
    std::string grade{};
    double price = 0;
    bool bounds_all = false;  // whether no tree of any class scores more than the bound

    bool is_optimal() const { return bound <= score; }
};

}  // namespace nonproj
