// Projective trees: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/base/parts_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::projective {

extern const ClassChart chart;
extern const PartsChart parts_chart;
extern const ChartSums sums;

}  // namespace nonproj::projective
