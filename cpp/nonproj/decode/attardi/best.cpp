#include "nonproj/decode/attardi/best.hpp"

#include <cmath>

#include "nonproj/decode/attardi/attardi.hpp"

namespace nonproj::attardi {

namespace {

DecodedTree best(const ArcScores<double>& scores, int, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const AttardiChart chart(scores, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    return decoded(scores, chart.heads());
}
double bytes(int words, int) { return AttardiChart::bytes(words); }
double nanoseconds(int words, int) { return 30 * std::pow(words, 3) + 0.0008 * std::pow(words, 7); }

}  // namespace

constinit const ClassChart chart{"push computations", &bytes, &nanoseconds, &best};

}  // namespace nonproj::attardi
