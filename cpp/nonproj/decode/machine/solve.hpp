// The questions to a chart of the machine, for any recurrences: to be included where they are instantiated, in one file for
// each class. Recurrences has `packings` of its tables, the first of which (`first_own_table`) is that of the goal;
// steps(list, words, i) and rule(visitor, row, own).
#pragma once
#include <memory>
#include <type_traits>
#include <vector>

#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/machine/chart.hpp"
#include "nonproj/decode/machine/filling.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::nested {

template <class Recurrences>
class Questions {
  public:
    static constexpr ClassChart class_chart(const char* name, double (*nanoseconds)(int words, int k)) {
        return {name, &bytes<Best<double>>, nanoseconds, &best};
    }
    static constexpr ChartSums sums() {
        return ChartSums({&bytes<WideSum>, &make<Linear>, &make<WideSum>, &make<Dual<Linear>>, &make<Dual<WideSum>>,
                          &make<Count<double>>});
    }

    static DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
        return best_tree(calls, &fill_best, scores, single_root);
    }
    template <Semiring S>
    static double bytes(int words, int) {
        return chart_bytes<S>(calls, words);
    }

  private:
    static void steps(bool single_root, StepList& list, int words, int i) {
        Recurrences{single_root}.steps(list, words, i);
    }
    static void rule(bool single_root, Visitor& visitor, Row out, bool own) {
        Recurrences{single_root}.rule(visitor, out, own);
    }
    NONPROJ_WIDE static void fill_best(bool single_root, const Layout& layout, double* cells,
                                       const std::vector<RowStep>& steps) {
        const Recurrences recurrences{single_root};
        using S = Best<double>;
        // A chart of few tables has few terms: a tenth faster when what adds them is inlined.
        constexpr bool has_few_terms = Recurrences::tables <= 12;
        using Math = std::conditional_t<has_few_terms, RowMath<S, 32>, WideRowCalls<S>>;
        Filling<S, Math, InlinedVisitor<Recurrences>> filling(layout, cells);
        for_each_step(steps, false, layout, [&](const RowStep& step, Row out) NONPROJ_INLINE_LAMBDA {
            filling.begin(out, step);
            recurrences.rule(filling, out, step.own);
            filling.finish();
        });
    }
    template <Semiring S>
    static std::unique_ptr<SumChart<S>> make(const ArcWeights<S>& weights, int, bool single_root) {
        return make_sum_chart<S>(calls, weights, single_root);
    }

    static constexpr RuleCalls calls{Packings(Recurrences::packings).first(Recurrences::tables), &steps, &rule};
};

}  // namespace nonproj::nested
