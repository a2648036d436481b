// The best tree and the sums by a chart that is a template of the semiring, and whose trees have one derivation each: to be
// included where they are instantiated. Chart<S> is as sum_chart.hpp asks it, made of (words, single_root, weight), with
// bytes(words).
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"
#include "nonproj/decode/sums/lot.hpp"

namespace nonproj {

template <template <Semiring> class Chart>
class ChartQuestions {
  public:
    static constexpr ClassChart class_chart(const char* name, double (*nanoseconds)(int words, int k)) {
        return {name, &best_bytes, nanoseconds, &best};
    }
    static constexpr ChartSums sums() {
        return ChartSums({&sum_bytes, &make<Linear>, &make<WideSum>, &make<Dual<Linear>>, &make<Dual<WideSum>>,
                          &make<Count<double>>});
    }

  private:
    // Not one template for both: GCC 12 breaks down over its address.
    static double best_bytes(int words, int) { return Chart<Best<double>>::bytes(words); }
    static double sum_bytes(int words, int) { return Chart<WideSum>::bytes(words); }
    static DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
        if (scores.words() == 0) return {0, {}};
        const Chart<Best<double>> chart(scores.words(), single_root, scores);
        return best_derivation(chart, scores);
    }
    template <Semiring S>
    static std::unique_ptr<SumChart<S>> make(const ArcWeights<S>& weights, int, bool single_root) {
        return std::make_unique<SumChartOf<S, Chart<S>>>(weights.words(), single_root, weights);
    }
};

}  // namespace nonproj
