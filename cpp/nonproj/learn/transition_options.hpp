// What can be chosen about a transition-based parser, and the weights that it learns.
#pragma once
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

struct TransitionOptions {
    int beam = 1;
    LearningRule rule;
    int relations = 0;
    bool is_labelled =
        false;              // whether transitions are predicted with the relation of their arc, or relations afterwards
    int root_relation = 0;  // of words that are left without a head, where transitions have relations
    double exploration = 0;  // how often learning goes on after its own mistakes, where costs are known
};

struct TransitionWeights {
    WeightTable tree, label;
};

}  // namespace nonproj::learn
