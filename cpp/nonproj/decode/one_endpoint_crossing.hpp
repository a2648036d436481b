// The best 1-endpoint-crossing tree, exactly, in O(n^4) time and O(n^3) space. See `one_endpoint_crossing_rules.hpp`.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing_descent.hpp"
#include "nonproj/decode/one_endpoint_crossing_fill.hpp"
#include "nonproj/decode/scores.hpp"

namespace nonproj::one_endpoint_crossing {

struct Tree {
    double score = minus_infinity<double>;
    std::vector<std::int32_t> heads;  // none when no tree exists
};

// Takes the largest term. None is larger than the whole, so that a term as large ends the search.
template <class Real>
class Largest {
  public:
    void start(Real whole) {
        whole_ = whole;
        best_ = minus_infinity<Real>;
    }
    bool take(Real term) {
        if (term <= best_) return false;
        best_ = term;
        return true;
    }
    bool finished() const { return best_ >= whole_; }

  private:
    Real whole_ = 0, best_ = 0;
};

// The score is summed anew: the chart adds up the same arcs in another order.
template <class Real, class Chart>
Tree best_tree_of(const ArcScores<Real>& scores, const Chart& chart) {
    Tree tree;
    if (chart.goal() == minus_infinity<Real>) return tree;
    tree.heads.resize(scores.words());
    Largest<Real> largest;
    Descent<Chart>(chart).run(largest, tree.heads.data());
    tree.score = 0;
    for (int word = 1; word <= scores.words(); ++word) tree.score += scores(tree.heads[word - 1], word);
    return tree;
}

template <class Real>
Tree best_tree(const ArcScores<Real>& scores, bool single_root, const Poll& poll = no_poll) {
    if (scores.words() == 0) return {0, {}};
    Tree tree;
    with_filled_chart<overlapping, Best<Real>>(scores.words(), single_root, poll, scores,
                                               [&](const auto& chart) { tree = best_tree_of(scores, chart); });
    return tree;
}

// The same without packs, for either set of rules.
template <const Grammar& G, class Real>
Tree best_tree_plainly(const ArcScores<Real>& scores, bool single_root, const Poll& poll = no_poll) {
    if (scores.words() == 0) return {0, {}};
    const Chart<G, Best<Real>, 1> chart(scores.words(), single_root, scores);
    fill(chart, poll);
    return best_tree_of(scores, chart);
}

// The memory that the best tree of so many words needs, in double precision.
inline std::size_t bytes(int words) { return Chart<overlapping, Best<double>>::bytes(words); }

}  // namespace nonproj::one_endpoint_crossing
