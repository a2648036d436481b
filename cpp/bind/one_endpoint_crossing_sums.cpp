// 1-endpoint-crossing trees: sums, counts and samples. Private functions; the package nonproj.decode checks and
// explains.
#include "nonproj/decode/one_endpoint_crossing/sums.hpp"
#include "support/score_array.hpp"

namespace {

using namespace nonproj;

template <class Real>
double log_partition(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    return without_gil([&] { return one_endpoint_crossing::log_partition(scores, single_root); });
}

template <class Real>
NumpyArray<double, 2> marginals(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    const std::size_t side = static_cast<std::size_t>(scores.words()) + 1;
    std::vector<double> probability(side * side);
    without_gil([&] { one_endpoint_crossing::marginals(scores, single_root, probability.data()); });
    return to_numpy<2>(std::move(probability), {side, side});
}

template <class Real>
std::uint64_t count_mod(const ScoreArray<Real>& array, bool single_root, std::uint64_t modulus) {
    const auto scores = arc_scores(array);
    return without_gil([&] { return one_endpoint_crossing::count(scores, single_root, modulus); });
}

template <class Real>
NumpyArray<std::int32_t, 2> sample(const ScoreArray<Real>& array, bool single_root, std::size_t samples,
                                   std::uint64_t seed) {
    const auto scores = arc_scores(array);
    const std::size_t words = scores.words();
    std::vector<std::int32_t> heads(heads_of(samples, words));
    const bool exists =
        without_gil([&] { return one_endpoint_crossing::sample(scores, single_root, samples, seed, heads.data()); });
    if (!exists) throw Error("no tree without arcs of score -inf is 1-endpoint-crossing: there is none to draw");
    return to_numpy<2>(std::move(heads), {samples, words});
}

template <class Real>
void bind_sums(nb::module_& m) {
    const auto scores = nb::arg("scores").noconvert();
    const auto single_root = nb::arg("single_root");
    m.def("one_endpoint_crossing_log_partition", &log_partition<Real>, scores, single_root,
          "The log of the sum over 1-endpoint-crossing trees of exp(score); -inf when there is none.");
    m.def("one_endpoint_crossing_marginals", &marginals<Real>, scores, single_root,
          "The chance of every arc when a tree has a chance proportional to exp(score); all 0 when there is none.");
    m.def("one_endpoint_crossing_count_mod", &count_mod<Real>, scores, single_root, nb::arg("prime"),
          "The number of 1-endpoint-crossing trees without arcs of score -inf, modulo a prime, or any number from 2 to "
          "2**62.");
    m.def("one_endpoint_crossing_sample", &sample<Real>, scores, single_root, nb::arg("samples"), nb::arg("seed"),
          "The heads of independent random trees, one a row, with a chance proportional to exp(score).");
}

}  // namespace

void bind_one_endpoint_crossing_sums(nb::module_& m) {
    bind_sums<double>(m);
    bind_sums<float>(m);
    m.def(
        "one_endpoint_crossing_sum_bytes",
        [](int words) { return one_endpoint_crossing::sum_bytes(checked_words(words)); }, nb::arg("words"),
        "The memory that the sums, counts and samples take at most, in bytes; marginals take twice that.");
}
