// Which classes lie within others by their definitions alone. What takes a proof stands in the table of solvers.
#pragma once
#include "nonproj/classes/rule.hpp"

namespace nonproj {

inline bool is_within_by_definition(const ClassRule& inner, const ClassRule& outer) {
    if (inner == outer || outer.family == Family::spanning) return true;
    if (inner.family == Family::custom || outer.family == Family::custom) return false;
    if (inner.family == Family::projective) return true;
    return inner.family == outer.family && inner.k <= outer.k && inner.inheritance <= outer.inheritance &&
           (inner.head_split || !outer.head_split);
}

}  // namespace nonproj
