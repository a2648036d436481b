// 1-endpoint-crossing trees: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::one_endpoint_crossing {

extern const ClassChart chart;
extern const ChartSums sums;

// The best tree one value at a time, with the rules that derive each tree once or with those that may derive it several
// times: for tests.
DecodedTree best_plainly(const ArcScores<double>& scores, bool single_root, bool unique);

}  // namespace nonproj::one_endpoint_crossing
