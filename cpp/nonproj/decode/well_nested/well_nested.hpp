// The well-nested trees of gap degree 1 and classes within them: what the table of solvers knows of each.
#pragma once
#include <cstdint>
#include <span>

#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/base/parts_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj {

// M0I
namespace gap_minding {
extern const ClassChart chart;
extern const PartsChart parts_chart;
extern const ChartSums sums;
}  // namespace gap_minding

// M1I
namespace one_inherits {
extern const ClassChart chart;
extern const ChartSums sums;
}  // namespace one_inherits

// WG_1
namespace any_inherit {
extern const ClassChart chart;
extern const ChartSums sums;
}  // namespace any_inherit

// M1IS
namespace head_split_one {
extern const ClassChart chart;
extern const ChartSums sums;
}  // namespace head_split_one

// WG_1S
namespace head_split_any {
extern const ClassChart chart;
extern const ChartSums sums;
}  // namespace head_split_any

// WG_1, for scores by the categories of words: scores(c, d) is that of arcs from category c to category d
namespace unlexicalised {
DecodedTree best(std::span<const std::int32_t> categories, const ArcScores<double>& scores, bool single_root);
double bytes(int words, int categories);  // with so many different ones
}  // namespace unlexicalised

}  // namespace nonproj
