#include "nonproj/decode/attardi/any_degree.hpp"

#include "nonproj/decode/attardi/attardi.hpp"

namespace nonproj::attardi {

namespace {

DecodedTree best(const ArcScores<double>& scores, int degree, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const AnyDegreeChart chart(scores, degree, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    return decoded(scores, chart.heads());
}
double bytes(int words, int degree) { return AnyDegreeChart::bytes(words, degree); }
double nanoseconds(int words, int degree) {
    double steps = 8.0 / degree;  // for each choice of the 3d + 1 indices
    for (int t = 1; t <= 3 * degree + 1; ++t) steps *= static_cast<double>(words + 3 * degree - t + 1) / t;
    return steps;
}

}  // namespace

constinit const ClassChart chart_of_any_degree{"push computations", &bytes, &nanoseconds, &best,
                                               AnyDegreeChart::max_degree};

}  // namespace nonproj::attardi
