// Sums over all trees: what the table of solvers knows of them. The best one is spanning_trees.hpp's.
#pragma once
#include "nonproj/decode/sums/sums.hpp"

namespace nonproj::spanning {

extern const Sums sums;

}  // namespace nonproj::spanning
