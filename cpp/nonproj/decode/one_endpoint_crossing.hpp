// The best 1-endpoint-crossing tree, exactly, in O(n^4) time and O(n^3) space. See `one_endpoint_crossing_rules.hpp`.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing_descent.hpp"
#include "nonproj/decode/one_endpoint_crossing_fill.hpp"
#include "nonproj/decode/scores.hpp"

namespace nonproj::one_endpoint_crossing {

template <class Real>
struct Tree {
    Real score;
    std::vector<std::int32_t> heads;  // none when no tree exists
};

template <class Real>
class Largest {
  public:
    void start(Real) { best_ = minus_infinity<Real>; }
    bool take(Real term) {
        if (term <= best_) return false;
        best_ = term;
        return true;
    }
    bool finished() const { return false; }

  private:
    Real best_ = minus_infinity<Real>;
};

template <class Chart>
Tree<typename Chart::Value> best_tree_of(const Chart& chart) {
    using Real = typename Chart::Value;
    Tree<Real> tree{chart.goal(), {}};
    if (tree.score == minus_infinity<Real>) return tree;
    tree.heads.resize(chart.words());
    Largest<Real> largest;
    Descent<Chart>(chart).run(largest, tree.heads.data());
    return tree;
}

template <class Real>
Tree<Real> best_tree(const ArcScores<Real>& scores, bool single_root) {
    Tree<Real> tree{0, {}};
    if (scores.words() == 0) return tree;
    with_filled_chart<overlapping, Best<Real>>(scores.words(), single_root, scores,
                                               [&](const auto& chart) { tree = best_tree_of(chart); });
    return tree;
}

// The same without packs, for either set of rules.
template <const Grammar& G, class Real>
Tree<Real> best_tree_plainly(const ArcScores<Real>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const Chart<G, Best<Real>, 1> chart(scores.words(), single_root, scores);
    fill(chart);
    return best_tree_of(chart);
}

// The memory that the best tree of so many words needs, in double precision.
inline std::size_t bytes(int words) { return Chart<overlapping, Best<double>>::bytes(words); }

}  // namespace nonproj::one_endpoint_crossing
