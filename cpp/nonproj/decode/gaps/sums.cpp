#include "nonproj/decode/gaps/sums.hpp"

#include <memory>

#include "nonproj/decode/gaps/gaps.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::gaps {

namespace {

template <Semiring S>
std::unique_ptr<SumChart<S>> make(const ArcWeights<S>& weights, int k, bool single_root) {
    return std::make_unique<SumChartOf<S, GapSumChart<S>>>(weights.words(), k, single_root, weights);
}
constexpr SumCharts charts{&GapSumChart<WideSum>::bytes, &make<Linear>,        &make<WideSum>,
                           &make<Dual<Linear>>,          &make<Dual<WideSum>>, &make<Count<double>>};
constinit const ChartSums sums_from_two[] = {ChartSums(charts, 2), ChartSums(charts, 3), ChartSums(charts, 4),
                                             ChartSums(charts, 5), ChartSums(charts, 6)};
static_assert(max_gaps == 6);

}  // namespace

const Sums* well_nested_sums(int k) { return 2 <= k && k <= max_gaps ? &sums_from_two[k - 2] : nullptr; }

}  // namespace nonproj::gaps
