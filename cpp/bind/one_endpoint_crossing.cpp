// 1-endpoint-crossing trees: the best one. Private functions; the package nonproj.decode checks and explains.
#include "nonproj/decode/one_endpoint_crossing.hpp"

#include <nanobind/stl/pair.h>

#include "one_endpoint_crossing.hpp"

namespace {

using namespace nonproj;
using one_endpoint_crossing_bindings::arc_scores;
using one_endpoint_crossing_bindings::ScoreArray;
using one_endpoint_crossing_bindings::SignalPoll;
using ScoreAndHeads = std::pair<double, NumpyArray<std::int32_t, 1>>;

ScoreAndHeads score_and_heads(one_endpoint_crossing::Tree tree) {
    const std::size_t words = tree.heads.size();
    return {tree.score, to_numpy(std::move(tree.heads), {words})};
}

template <class Real>
ScoreAndHeads best(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    one_endpoint_crossing::Tree tree;
    {
        nb::gil_scoped_release released;
        tree = one_endpoint_crossing::best_tree(scores, single_root, SignalPoll());
    }
    return score_and_heads(std::move(tree));
}

ScoreAndHeads best_plainly(const ScoreArray<double>& array, bool single_root, bool unique) {
    using one_endpoint_crossing::best_tree_plainly;
    const auto scores = arc_scores(array);
    one_endpoint_crossing::Tree tree;
    {
        nb::gil_scoped_release released;
        tree = unique ? best_tree_plainly<one_endpoint_crossing::unique>(scores, single_root, SignalPoll())
                      : best_tree_plainly<one_endpoint_crossing::overlapping>(scores, single_root, SignalPoll());
    }
    return score_and_heads(std::move(tree));
}

template <class Real>
void bind_best(nb::module_& m) {
    m.def("one_endpoint_crossing_best", &best<Real>, nb::arg("scores").noconvert(), nb::arg("single_root"),
          "The score and the heads of the best 1-endpoint-crossing tree; (-inf, no heads) when there is none.");
}

}  // namespace

void bind_one_endpoint_crossing(nb::module_& m) {
    bind_best<double>(m);
    bind_best<float>(m);
    m.def("one_endpoint_crossing_best_plainly", &best_plainly, nb::arg("scores").noconvert(), nb::arg("single_root"),
          nb::arg("unique"),
          "The same one value at a time, with the rules that derive each tree once or with those that may derive it "
          "several times.");
    m.def(
        "one_endpoint_crossing_bytes",
        [](int words) {
            if (words < 0 || words > 100000) throw Error("no chart for " + std::to_string(words) + " words");
            return one_endpoint_crossing::bytes(words);
        },
        nb::arg("words"), "The memory that one_endpoint_crossing_best takes, in bytes.");
    bind_one_endpoint_crossing_sums(m);
}
