// The best tree and the sums by a chart that is a template of the semiring, and whose trees have one derivation each: to be
// included where they are instantiated. Chart<S> is as chart_sums.hpp asks it, made of (words, single_root, weight), with
// bytes(words).
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"
#include "nonproj/decode/sums/lot.hpp"

namespace nonproj {

template <template <Semiring> class Chart, Semiring FallbackSemiring>
class ChartQuestions {
  public:
    // As a ClassChart has them.
    static double bytes(int words, int) { return Chart<Best<double>>::bytes(words); }
    static DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
        if (scores.words() == 0) return {0, {}};
        const Chart<Best<double>> chart(scores.words(), single_root, scores);
        if (chart.total() == minus_infinity<double>) return {};
        std::vector<std::int32_t> heads(scores.words());
        Largest<double> largest;
        chart.derive(largest, heads.data());
        return decoded(scores, std::move(heads));
    }

    static constexpr ClassChart class_chart(const char* name, double (*nanoseconds)(int words, int k)) {
        return {name, &bytes, nanoseconds, &best};
    }
    static constexpr Sums sums() { return ChartSums<Charts>::sums(); }

  private:
    struct Charts {
        using Fallback = FallbackSemiring;

        template <Semiring S, class Weight, class Use>
        static void with(int words, bool single_root, const Weight& weight, const Use& use) {
            use(Chart<S>(words, single_root, weight));
        }
        template <Semiring S>
        static double bytes(int words) {
            return Chart<S>::bytes(words);
        }
    };
};

}  // namespace nonproj
