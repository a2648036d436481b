#include "nonproj/decode/well_nested/gap_minding_with_grandparents.hpp"

#include "nonproj/decode/well_nested/well_nested.hpp"

namespace nonproj::gap_minding {

constinit const PartsChart parts_chart{false, &PrunedGapMinding::bytes, &PrunedGapMinding::nanoseconds,
                                       &pruned_gap_minding_best};

}  // namespace nonproj::gap_minding
