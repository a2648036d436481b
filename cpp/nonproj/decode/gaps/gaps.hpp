// WG_k and MG_k for any k: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/sums.hpp"

namespace nonproj::gaps {

extern const ClassChart well_nested, mildly_ill_nested;

// Of WG_k, for 2 <= k <= 6; else null.
const Sums* well_nested_sums(int k);

// The chart with all items alone, or the one with those that matter alone: for tests.
DecodedTree best_by_one_chart(const ArcScores<double>& scores, int k, bool is_well_nested, bool single_root,
                              bool is_packed);

}  // namespace nonproj::gaps
