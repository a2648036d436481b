// Attardi's trees of degree 2: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::attardi {

extern const ClassChart chart;
extern const ChartSums sums;

}  // namespace nonproj::attardi
