// The smallest class known to lie within another: the projective trees, where the class holds them.
#pragma once
#include <vector>

#include "nonproj/solver/class_solver.hpp"

namespace nonproj {

inline ClassRule innermost_within(ClassRule rule) {
    for (std::vector<ClassRule> within; !(within = row_of(rule).within(rule)).empty();) rule = within.back();
    return rule;
}

}  // namespace nonproj
