// Attardi's trees: what the table of solvers knows of those of degree 2, and of any degree.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::attardi {

extern const ClassChart chart, chart_of_any_degree;
extern const ChartSums sums;

}  // namespace nonproj::attardi
