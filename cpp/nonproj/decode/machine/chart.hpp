// The machine that runs charts. A chart is a set of tables; each table's rule says of which products its rows are summed
// (visitor.hpp), and the steps say in which order. From that one description come
//
//   filling      every row once, in order: the best tree, counts, sums
//   derivatives  every row once, in reverse order: marginals
//   descent      from the goal down, one term chosen for each item: the best tree, samples
//
// Each tree has exactly one derivation, so the same rules serve every semiring.
//
// The machine is compiled once for each semiring, in chart.cpp, and the rules of a class once for all semirings, where its
// charts are instantiated (solve.hpp); for the best tree, which is asked for most, also into one piece with the arithmetic.
#pragma once
#include <memory>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/machine/visitor.hpp"
#include "nonproj/decode/sums/sum_chart.hpp"

namespace nonproj::nested {

// A class's steps and rules behind pointers.
struct RuleCalls {
    Packings packings;
    void (*steps)(bool single_root, StepList& list, int words, int i);
    void (*rule)(bool single_root, Visitor& visitor, Row out, bool own);
};

// Fills the rows of these steps for the best tree; for machines with wide vectors.
using FillBest = void (*)(bool single_root, const Layout& layout, double* cells, const std::vector<RowStep>& steps);

DecodedTree best_tree(const RuleCalls& calls, FillBest fill_best, const ArcScores<double>& scores, bool single_root);

// For the semirings of SumCharts.
template <Semiring S>
std::unique_ptr<SumChart<S>> make_sum_chart(const RuleCalls& calls, const ArcWeights<S>& weights, bool single_root);

template <Semiring S>
double chart_bytes(const RuleCalls& calls, int words) {
    return Layout::cells(words, calls.packings) * sizeof(typename S::Value);
}

}  // namespace nonproj::nested
