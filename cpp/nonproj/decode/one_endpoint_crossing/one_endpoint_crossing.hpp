// 1-endpoint-crossing trees: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::one_endpoint_crossing {

extern const ClassChart chart;
extern const ChartSums sums;

}  // namespace nonproj::one_endpoint_crossing
