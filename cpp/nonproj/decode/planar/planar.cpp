#include "nonproj/decode/planar/planar.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/planar/chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"
#include "nonproj/decode/sums/lot.hpp"

namespace nonproj::planar {

namespace {

using BestChart = PlanarChart<Best<double>>;

DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
    const BestChart chart(scores.words(), single_root, scores);
    if (chart.total() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<double> largest;
    chart.derive(largest, heads.data());
    return decoded(scores, std::move(heads));
}
double bytes(int words, int) { return BestChart::bytes(words); }
double nanoseconds(int words, int) {
    const double n = words;
    return 500 + 26 * n * n + 0.42 * n * n * n;
}

struct Charts {
    using Fallback = LogSum<double>;

    template <Semiring S, class Weight, class Use>
    static void with(int words, bool single_root, const Weight& weight, const Use& use) {
        use(PlanarChart<S>(words, single_root, weight));
    }
    template <Semiring S>
    static double bytes(int words) {
        return PlanarChart<S>::bytes(words);
    }
};

}  // namespace

constinit const ClassChart chart{"planar", &bytes, &nanoseconds, &best};
constinit const Sums sums = ChartSums<Charts>::sums();

}  // namespace nonproj::planar
