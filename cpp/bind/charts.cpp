// Charts: decoders, sums and samples over arc scores. Private functions; the package nonproj.decode checks
// and explains.
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/algebra/inner_product.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/multi_headed/chart.hpp"
#include "nonproj/decode/projective/eisner.hpp"
#include "nonproj/interrupt.hpp"
#include "support/bind.hpp"
#include "support/score_array.hpp"

namespace {

using namespace nonproj;

template <class Real>
ScoreAndHeads projective_best(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    return score_and_heads(without_gil([&] { return eisner_best(scores, single_root); }));
}

template <class Real>
double projective_log_partition(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    return without_gil([&] { return eisner_log_partition(scores, single_root); });
}

template <class Real>
NumpyArray<double, 2> projective_marginals(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    const std::size_t side = static_cast<std::size_t>(scores.words()) + 1;
    std::vector<double> marginals(side * side);
    without_gil([&] { eisner_marginals(scores, single_root, marginals.data()); });
    return to_numpy<2>(std::move(marginals), {side, side});
}

template <class Real>
std::uint64_t projective_count_mod(const ScoreArray<Real>& array, bool single_root, std::uint64_t modulus) {
    const auto scores = arc_scores(array);
    return without_gil([&] { return eisner_count_mod(scores, single_root, modulus); });
}

template <class Real>
NumpyArray<std::int32_t, 2> projective_sample(const ScoreArray<Real>& array, bool single_root, std::size_t samples,
                                              std::uint64_t seed) {
    const auto scores = arc_scores(array);
    const std::size_t words = scores.words();
    std::vector<std::int32_t> heads(heads_of(samples, words));
    without_gil([&] {
        EisnerSampler sampler(scores, single_root, seed);
        for (std::size_t drawn = 0; drawn < samples; ++drawn) {
            Interrupt::check();
            sampler.draw(heads.data() + drawn * words);
        }
    });
    return to_numpy<2>(std::move(heads), {samples, words});
}

template <class Real>
ScoreAndHeads multi_headed(const ScoreArray<Real>& array, int k, bool single_root) {
    const auto scores = arc_scores(array);
    return score_and_heads(without_gil([&] { return multi_headed_best(scores, k, single_root); }));
}

template <class Real>
void bind_decoders(nb::module_& m) {
    const auto scores = nb::arg("scores").noconvert();
    const auto single_root = nb::arg("single_root");
    m.def("eisner_best", &projective_best<Real>, scores, single_root,
          "The score and the heads of the best projective tree; (-inf, no heads) when there is none.");
    m.def("eisner_log_partition", &projective_log_partition<Real>, scores, single_root,
          "The log of the sum over projective trees of exp(score); -inf when there is none.");
    m.def("eisner_marginals", &projective_marginals<Real>, scores, single_root,
          "The chance of every arc when a projective tree has a chance proportional to exp(score).");
    m.def("eisner_count_mod", &projective_count_mod<Real>, scores, single_root, nb::arg("prime"),
          "The number of projective trees without arcs of score -inf, modulo a prime, or any number from 2 to 2**62.");
    m.def("eisner_sample", &projective_sample<Real>, scores, single_root, nb::arg("samples"), nb::arg("seed"),
          "The heads of independent random trees, one a row, with a chance proportional to exp(score).");
    m.def("mh_best", &multi_headed<Real>, scores, nb::arg("k"), single_root,
          "The score and the heads of the best tree in MH_k; (-inf, no heads) when there is none.");
}

// The algebra itself, for the test of its laws.
template <Semiring S>
void bind_semiring(nb::module_& m, const char* name) {
    using Values = std::vector<typename S::Value>;
    nb::class_<S>(m, name)
        .def_static("zero", &S::zero)
        .def_static("one", &S::one)
        .def_static("plus", &S::plus)
        .def_static("times", &S::times)
        .def_static("lift", &S::lift)
        .def_static("sum",
                    [](const Values& terms) {
                        Sum<S> sum;
                        for (const auto term : terms) sum.add(term);
                        return sum.value();
                    })
        .def_static("inner_product", [](Values a, Values b) {
            if (a.size() != b.size()) throw Error("an inner product needs as many values on both sides");
            const int count = static_cast<int>(a.size());
            for (auto* values : {&a, &b})
                values->resize(values->size() + inner_product_padding<typename S::Value>, S::zero());
            typename S::Value result{};
            vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                result = InnerProduct<S>::template of<Bytes>(a.data(), b.data(), count);
            });
            return result;
        });
}

}  // namespace

void bind_charts(nb::module_& m) {
    bind_decoders<double>(m);
    bind_decoders<float>(m);
    m.def(
        "mh_bytes",
        [](int words, int k) {
            if (words < 0 || words > 100000) throw Error("no chart for " + std::to_string(words) + " words");
            return multi_headed_bytes(words, k);
        },
        nb::arg("words"), nb::arg("k"), "The memory that mh_best takes, in bytes.");
    bind_semiring<Best<double>>(m, "BestDouble");
    bind_semiring<Best<float>>(m, "BestFloat");
    bind_semiring<LogSum<double>>(m, "LogSumDouble");
    bind_semiring<Count<double>>(m, "CountDouble");
}
