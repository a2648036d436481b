#include "nonproj/decode/projective/projective.hpp"

#include "nonproj/decode/projective/eisner.hpp"
#include "nonproj/decode/sums/chart_questions.hpp"

namespace nonproj::projective {

namespace {

using Questions = ChartQuestions<EisnerChart>;

double nanoseconds(int words, int) {
    const double n = words;
    return 500 + 8 * n * n + 0.13 * n * n * n;
}

}  // namespace

constinit const ClassChart chart = Questions::class_chart("Eisner", &nanoseconds);
constinit const ChartSums sums = Questions::sums();

}  // namespace nonproj::projective
