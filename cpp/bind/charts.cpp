// Charts: decoders, sums and samples over arc scores. Private functions; the package nonproj.decode checks
// and explains.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>

#include "bind.hpp"
#include "nonproj/decode/eisner.hpp"
#include "nonproj/decode/inner_product.hpp"
#include "nonproj/decode/multi_headed.hpp"
#include "nonproj/decode/semiring.hpp"
#include "signal_watch.hpp"

namespace {

using namespace nonproj;

template <class Real>
using ScoreArray = nb::ndarray<const Real, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Heads = nb::ndarray<nb::numpy, std::int32_t>;
using Table = nb::ndarray<nb::numpy, double>;

template <class Real>
ArcScores<Real> arc_scores(const ScoreArray<Real>& array) {
    const std::size_t rows = array.shape(0), columns = array.shape(1);
    if (rows != columns || rows == 0 || rows > std::numeric_limits<int>::max() / 2)
        throw Error("scores must have shape (n + 1, n + 1) for n words, not (" + std::to_string(rows) + ", " +
                    std::to_string(columns) + ")");
    return {array.data(), static_cast<int>(rows) - 1};
}

template <class T>
nb::ndarray<nb::numpy, T> as_array(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    nb::capsule owner(owned.get(),
                      [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    owned.release();
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

template <class Compute>
auto without_gil(Compute compute) {
    nb::gil_scoped_release released;
    SignalWatch watch;
    return compute();
}

template <class Compute>
std::pair<double, Heads> best_tree(Compute compute) {
    DecodedTree tree = without_gil(compute);
    const std::size_t words = tree.heads.size();
    return {tree.score, as_array(std::move(tree.heads), {words})};
}

template <class Real>
void bind_decoders(nb::module_& m) {
    using Array = ScoreArray<Real>;
    const auto scores = nb::arg("scores").noconvert();
    const nb::arg single_root("single_root");

    m.def(
        "eisner_best",
        [](const Array& array, bool single_root) {
            const auto scores = arc_scores(array);
            return best_tree([&] { return eisner_best(scores, single_root); });
        },
        scores, single_root,
        "The best projective tree: (score, heads); (-inf, no heads) when there is none.");
    m.def(
        "eisner_log_partition",
        [](const Array& array, bool single_root) {
            const auto scores = arc_scores(array);
            return without_gil([&] { return eisner_log_partition(scores, single_root); });
        },
        scores, single_root, "The log of the sum of exp(score) over all projective trees.");
    m.def(
        "eisner_marginals",
        [](const Array& array, bool single_root) {
            const auto scores = arc_scores(array);
            const std::size_t side = static_cast<std::size_t>(scores.words()) + 1;
            std::vector<double> marginals(side * side);
            without_gil([&] { eisner_marginals(scores, single_root, marginals.data()); });
            return as_array(std::move(marginals), {side, side});
        },
        scores, single_root,
        "The probability of each arc under exp(score) over projective trees, as [head, dependent].");
    m.def(
        "eisner_count_mod",
        [](const Array& array, bool single_root, std::uint64_t modulus) {
            const auto scores = arc_scores(array);
            return without_gil([&] { return eisner_count_mod(scores, single_root, modulus); });
        },
        scores, single_root, nb::arg("modulus"),
        "The number of projective trees without a forbidden arc, modulo a number from 2 to 2^62.");
    m.def(
        "eisner_sample",
        [](const Array& array, bool single_root, std::size_t samples, std::uint64_t seed) {
            const auto scores = arc_scores(array);
            const std::size_t words = scores.words();
            if (words > 0 &&
                samples > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::int32_t) / words)
                throw Error("cannot hold " + std::to_string(samples) + " samples: ask for fewer at a time");
            std::vector<std::int32_t> heads(samples * words);
            without_gil([&] { eisner_sample(scores, single_root, samples, seed, heads.data()); });
            return as_array(std::move(heads), {samples, words});
        },
        scores, single_root, nb::arg("samples"), nb::arg("seed"),
        "Independent projective trees, drawn with probability proportional to exp(score): heads, one tree a "
        "row.");
    m.def(
        "mh_best",
        [](const Array& array, int k, bool single_root) {
            const auto scores = arc_scores(array);
            return best_tree([&] { return multi_headed_best(scores, k, single_root); });
        },
        scores, nb::arg("k"), single_root,
        "The best tree in MH_k: (score, heads); (-inf, no heads) when there is none.");
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
