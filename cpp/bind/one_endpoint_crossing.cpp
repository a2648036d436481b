// 1-endpoint-crossing trees: the best one. Private functions; the package nonproj.decode checks and explains.
#include "nonproj/decode/one_endpoint_crossing/best.hpp"
#include "support/score_array.hpp"

namespace {

using namespace nonproj;

template <class Real>
ScoreAndHeads best(const ScoreArray<Real>& array, bool single_root) {
    const auto scores = arc_scores(array);
    return score_and_heads(without_gil([&] { return one_endpoint_crossing::best_tree(scores, single_root); }));
}

ScoreAndHeads best_plainly(const ScoreArray<double>& array, bool single_root, bool unique) {
    using namespace one_endpoint_crossing;
    const auto scores = arc_scores(array);
    return score_and_heads(without_gil([&] {
        return unique ? best_tree_plainly<one_endpoint_crossing::unique>(scores, single_root)
                      : best_tree_plainly<overlapping>(scores, single_root);
    }));
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
        "one_endpoint_crossing_bytes", [](int words) { return one_endpoint_crossing::bytes(checked_words(words)); },
        nb::arg("words"), "The memory that one_endpoint_crossing_best takes, in bytes.");
}
