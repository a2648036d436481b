// What can be chosen about a graph-based parser, and the weights that it learns.
#pragma once
#include <memory>

#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/network/trees.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/grades.hpp"

namespace nonproj::learn {

// Which parts a parser has besides arcs.
struct PartKinds {
    bool siblings = false, grandparents = false;  // the ends of sides come with siblings
    bool any() const { return siblings || grandparents; }
};

// How the best tree by larger parts is looked for.
enum class Search { exact, climb };

// What scores the arcs among which heads are pruned: a log-linear model of its own, or the weights of a parser that is
// trained before with arcs alone, among all trees, as in the paper.
enum class PrunedBy { log_linear, mst };

struct PruningLimits {
    int max_heads;     // of a word
    double threshold;  // the least chance of a head that is kept
};

struct GraphOptions {
    ClassSolver solver;
    bool single_root = false;
    PartKinds parts;
    PruningLimits learning, parsing;  // few heads are enough to parse among, more teach better
    PrunedBy pruned_by = PrunedBy::log_linear;
    int max_length = 0;  // of an arc that is not the root's; 0 for any
    LearningRule rule;
    int relations = 0;
    Search search = Search::exact;
    bool rearrange = false;  // climbs on from the best tree of the class, through all trees
    // A graded class to parse in; `solver` is then its widest class, in which the parser learns.
    std::shared_ptr<const Grades> grades = nullptr;
};

// The weights of a parser that is ready to parse. If there is a network, its logarithms of chances join the scores, so
// many times.
struct GraphWeights {
    WeightTable pruner, tree, label;
    std::shared_ptr<const TreeNetwork> network = nullptr;
    float arc_share = 0, relation_share = 0;
};

}  // namespace nonproj::learn
