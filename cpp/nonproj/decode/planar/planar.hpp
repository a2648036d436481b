// Planar trees, 1-P: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::planar {

extern const ClassChart chart;
extern const ChartSums sums;

}  // namespace nonproj::planar
