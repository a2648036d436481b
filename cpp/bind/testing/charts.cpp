// What only the tests ask: charts without the search around them, bounds, and the algebra.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/decode/algebra/inner_product.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/gaps/gaps.hpp"
#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/decode/search/chart_plan.hpp"
#include "nonproj/decode/spanning/arc_bounds.hpp"
#include "nonproj/decode/spanning/side_by_side.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/error.hpp"
#include "nonproj/learn/network/panels.hpp"
#include "nonproj/learn/network/trees.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "support/casters.hpp"
#include "support/score_array.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

void fuzz_one(const std::string& name, const nb::bytes& given) {
    for (const fuzz::Target& target : fuzz::targets)
        if (name == target.name) {
            const auto* const first = static_cast<const std::uint8_t*>(given.data());
            return without_gil([&] { target.run({first, given.size()}); });
        }
    throw Error("no fuzzer is called " + name);
}

ScoreAndHeads chart_best(const ClassSolver& solver, const ScoreArray<double>& array, bool single_root) {
    const auto scores = arc_scores(array);
    if (solver.chart() == nullptr) throw Error(solver.name() + " has no chart");
    return score_and_heads(without_gil([&] { return solver.chart()->best(scores, solver.rule().k, single_root); }));
}

ScoreAndHeads gaps_best(const ScoreArray<double>& array, int k, bool well_nested, bool single_root, bool packed) {
    const auto scores = arc_scores(array);
    return score_and_heads(
        without_gil([&] { return gaps::best_by_one_chart(scores, k, well_nested, single_root, packed); }));
}

// (which are sound, log-partitions) of as many sentences as fit into a vector of so many bytes; marginals go into an array.
template <int Bytes, class Real>
auto side_by_side(const nb::ndarray<const Real, nb::ndim<3>, nb::c_contig, nb::device::cpu>& scores,
                  const std::vector<int>& lengths, bool single_root,
                  const nb::ndarray<Real, nb::ndim<3>, nb::c_contig, nb::device::cpu>& chance) {
    if (Bytes == 64 ? !has_widest_vectors : Bytes == 32 && !has_wide_vectors) throw Error("no vectors of that size");
    const std::size_t batch = scores.shape(0), width = scores.shape(1);
    if (batch > SideBySide<Bytes>::lanes || lengths.size() != batch) throw Error("too many sentences");
    std::vector<double> log_partition(batch);
    std::vector<Padded<Real>> sentences;
    for (std::size_t b = 0; b < batch; ++b)
        sentences.push_back({scores.data() + b * width * width, lengths[b], chance.data() + b * width * width,
                             log_partition.data() + b});
    const auto workspace = std::make_unique<SideBySide<Bytes>>();
    const unsigned sound = workspace->marginals(sentences.data(), static_cast<int>(batch), width, single_root);
    return std::pair(sound, to_numpy<1>(std::move(log_partition), {batch}));
}
template <class Real>
void bind_side_by_side(nb::module_& m) {
    const auto scores = "scores"_a.noconvert(), chance = "marginals"_a.noconvert();
    m.def("side_by_side_16", &side_by_side<16, Real>, scores, "lengths"_a, "single_root"_a, chance);
    m.def("side_by_side_32", &side_by_side<32, Real>, scores, "lengths"_a, "single_root"_a, chance);
    m.def("side_by_side_64", &side_by_side<64, Real>, scores, "lengths"_a, "single_root"_a, chance);
}

// The best 1-endpoint-crossing tree one value at a time, with the rules that derive each tree once or with those that may
// derive it several times.
template <const one_endpoint_crossing::Grammar& G>
DecodedTree best_without_packs(const ArcScores<double>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const one_endpoint_crossing::Chart<G, Best<double>, 1> chart(scores.words(), single_root, scores);
    fill(chart);
    return best_tree(chart, scores);
}
ScoreAndHeads best_plainly(const ScoreArray<double>& array, bool single_root, bool is_unique) {
    const auto scores = arc_scores(array);
    const auto best = is_unique ? &best_without_packs<one_endpoint_crossing::unique>
                                : &best_without_packs<one_endpoint_crossing::overlapping>;
    return score_and_heads(without_gil([&] { return best(scores, single_root); }));
}

template <class Real>
ScoreAndHeads spanning_best(const ScoreArray<Real>& table, bool single_root, const ScoreArray<int>& arcs) {
    const auto scores = arc_scores(table);
    if (arcs.shape(1) != 2) throw Error("forbidden arcs must be rows of a head and a dependent");
    std::vector<Arc> forbidden;
    for (std::size_t i = 0; i < arcs.shape(0); ++i) {
        const Arc arc{arcs.data()[2 * i], arcs.data()[2 * i + 1]};
        if (arc.left() < 0 || arc.right() > scores.words() || arc.dependent == 0)
            throw Error("there is no arc from " + std::to_string(arc.head) + " to " + std::to_string(arc.dependent) +
                        " in a sentence of " + std::to_string(scores.words()) + " words");
        forbidden.push_back(arc);
    }
    DecodedTree tree;
    tree.heads.resize(scores.words());
    tree.score = without_gil([&] { return SpanningTrees<Real>().solve(scores, single_root, tree.heads, forbidden); });
    if (tree.score == minus_infinity<double>) tree.heads.clear();
    return score_and_heads(std::move(tree));
}

std::vector<std::pair<std::string, double>> planned_charts(const ClassSolver& solver, int words, double bytes,
                                                           double seconds, bool shares_time) {
    std::vector<std::pair<std::string, double>> named;
    for (const PlannedChart& chart : ChartPlan(solver.rule(), words, {bytes, 1e9 * seconds, shares_time}).charts())
        named.emplace_back(class_name(chart.rule), chart.nanoseconds / 1e9);
    return named;
}

template <class Real>
NumpyArray<double, 2> arc_bounds(const ScoreArray<Real>& table, bool single_root) {
    const auto scores = arc_scores(table);
    const std::size_t width = static_cast<std::size_t>(scores.words()) + 1;
    std::vector<double> bounds(width * width);
    without_gil([&] { ArcBounds<Real>().arc_bounds(scores, single_root, bounds); });
    return to_numpy<2>(std::move(bounds), {width, width});
}

template <class Real>
void bind_spanning(nb::module_& m) {
    const auto scores = "scores"_a.noconvert();
    m.def("spanning_best", &spanning_best<Real>, scores, "single_root"_a, "forbidden"_a.noconvert(),
          "The score and the heads of the best spanning tree without some arcs, given as int32 rows of a head and a "
          "dependent; (-inf, no heads) when there is none.");
    m.def("spanning_arc_bounds", &arc_bounds<Real>, scores, "single_root"_a,
          "For every arc an upper bound on the score of the best spanning tree that holds it.");
}

// Wide numbers, told by their logarithms.
struct LogWide {
    using Real = double;
    using Value = double;
    static Value zero() { return minus_infinity<double>; }
    static Value one() { return 0; }
    static Value plus(Value a, Value b) { return WideSum::log(WideSum::exp(a) + WideSum::exp(b)); }
    static Value times(Value a, Value b) { return WideSum::log(WideSum::exp(a) * WideSum::exp(b)); }
    static Value lift(Real score) { return score; }
};

}  // namespace

template <>
struct nonproj::InnerProduct<LogWide> {
    template <int Bytes>
    static double of(const double* a, const double* b, int count) {
        std::vector<Wide> left, right;
        for (int k = 0; k < count; ++k) {
            left.push_back(WideSum::exp(a[k]));
            right.push_back(WideSum::exp(b[k]));
        }
        return WideSum::log(InnerProduct<WideSum>::of<Bytes>(left.data(), right.data(), count));
    }
};

namespace {

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

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

auto network_product(const Matrix& left, const Matrix& right, const Matrix& product, bool narrow) {
    const std::size_t rows = left.shape(0), depth = left.shape(1), columns = right.shape(1);
    if (right.shape(0) != depth || product.shape(0) != rows || product.shape(1) != columns ||
        columns % learn::panel != 0)
        throw Error("matrices whose sizes do not agree, or columns that are no multiple of 16");
    std::vector<float> sums(product.data(), product.data() + rows * columns);
    const learn::Left a = learn::by_rows(left.data(), depth);
    const learn::Right b = learn::rows_of(right.data(), columns);
    const learn::Product c = learn::rows_of(sums.data(), columns);
    if (narrow)
        learn::add_product_by<16>(a, rows, depth, b, columns, c);
    else
        learn::add_product(a, rows, depth, b, columns, c);
    return to_numpy<2>(std::move(sums), {rows, columns});
}

}  // namespace

void bind_testing(nb::module_& m) {
    m.def(
        "network_input",
        [](const learn::TreeNetwork& network, const learn::Corpus& corpus, std::size_t sentence) {
            const learn::Corpus::Sentence read = corpus[sentence];
            learn::TreePass pass;
            pass.read(network, {&read, 1}, read.size());
            const std::size_t rows = read.words.size() + 1, columns = network.sizes.word;
            return to_numpy<2>(std::vector<float>(pass.input().begin(), pass.input().end()), {rows, columns});
        },
        "network"_a, "corpus"_a, "sentence"_a, "The vectors of the root and of the words of a sentence.");
    m.def("network_product", &network_product, "left"_a, "right"_a, "product"_a, "narrow"_a,
          "Adds a product of matrices as networks do, with the vectors of this machine or with the narrowest.");
    bind_side_by_side<double>(m);
    bind_side_by_side<float>(m);
    m.def("fuzz", &fuzz_one, "target"_a, "case"_a, "Run a case of a fuzzer; raises what it finds broken.");
    m.def("planned_charts", &planned_charts, "solver"_a, "words"_a, "bytes"_a, "seconds"_a, "shares_time"_a,
          "The charts that a search under limits plans to fill, in order, and the seconds they are foreseen to take.");
    m.def("chart_best", &chart_best, "solver"_a, "scores"_a.noconvert(), "single_root"_a,
          "The score and the heads of the best tree by the chart of the class; (-inf, no heads) when there is none.");
    m.def("gaps_best", &gaps_best, "scores"_a.noconvert(), "k"_a, "well_nested"_a, "single_root"_a, "packed"_a,
          "The same for WG_k or MG_k: by the chart with all items, or by that with those which matter alone.");
    m.def("one_endpoint_crossing_best_plainly", &best_plainly, "scores"_a.noconvert(), "single_root"_a, "unique"_a,
          "The same for 1EC one value at a time, with the rules that derive each tree once or with those that may "
          "derive it several times.");
    bind_spanning<double>(m);
    bind_spanning<float>(m);
    bind_semiring<Best<double>>(m, "BestDouble");
    bind_semiring<Best<float>>(m, "BestFloat");
    bind_semiring<LogWide>(m, "LogWide");
    bind_semiring<Count<double>>(m, "CountDouble");
}
