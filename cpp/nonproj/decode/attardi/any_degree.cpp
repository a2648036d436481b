#include "nonproj/decode/attardi/any_degree.hpp"

#include <new>

#include "nonproj/decode/attardi/attardi.hpp"

namespace nonproj::attardi {

namespace {

constexpr double max_bytes = 0x1p50;  // whatever was allowed: places are counted in 64 bits

DecodedTree best_of_any_degree(const ArcScores<double>& scores, int degree, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    if (AnyDegreeChart::bytes(scores.words(), degree) > max_bytes) throw std::bad_alloc();
    const AnyDegreeChart chart(scores, degree, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    return decoded(scores, chart.heads());
}
double bytes_of_any_degree(int words, int degree) { return AnyDegreeChart::bytes(words, degree); }
double nanoseconds_of_any_degree(int words, int degree) {
    double steps = 8.0 / degree;  // for each choice of the 3d + 1 indices
    for (int t = 1; t <= 3 * degree + 1; ++t) steps *= static_cast<double>(words + 3 * degree - t + 1) / t;
    return steps;
}

}  // namespace

constinit const ClassChart chart_of_any_degree{"push computations", &bytes_of_any_degree, &nanoseconds_of_any_degree,
                                               &best_of_any_degree, AnyDegreeChart::max_degree};

}  // namespace nonproj::attardi
