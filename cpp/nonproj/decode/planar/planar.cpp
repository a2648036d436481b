#include "nonproj/decode/planar/planar.hpp"

#include "nonproj/decode/planar/chart.hpp"
#include "nonproj/decode/sums/chart_questions.hpp"

namespace nonproj::planar {

namespace {

using Questions = ChartQuestions<PlanarChart>;

double nanoseconds(int words, int) {
    const double n = words;
    return 300 + 8 * n * n + 0.32 * n * n * n;
}

}  // namespace

constinit const ClassChart chart = Questions::class_chart("planar", &nanoseconds);
constinit const ChartSums sums = Questions::sums();

}  // namespace nonproj::planar
