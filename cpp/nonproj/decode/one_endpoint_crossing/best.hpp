// The best 1-endpoint-crossing tree, exactly, in O(n^4) time and O(n^3) space. See `one_endpoint_crossing_rules.hpp`.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"

namespace nonproj::one_endpoint_crossing {

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

template <class Real, class Chart>
DecodedTree best_tree_of(const ArcScores<Real>& scores, const Chart& chart) {
    if (chart.goal() == minus_infinity<Real>) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<Real> largest;
    Descent<Chart>(chart).run(largest, heads.data());
    return decoded(scores, std::move(heads));
}

// Scores in single precision are added in single precision.
template <class Real>
DecodedTree best_tree(const ArcScores<Real>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    DecodedTree tree;
    with_filled_chart<overlapping, Best<Real>>(scores.words(), single_root, scores,
                                               [&](const auto& chart) { tree = best_tree_of(scores, chart); });
    return tree;
}

// The same without packs, for either set of rules.
template <const Grammar& G, class Real>
DecodedTree best_tree_plainly(const ArcScores<Real>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const Chart<G, Best<Real>, 1> chart(scores.words(), single_root, scores);
    fill(chart);
    return best_tree_of(scores, chart);
}

// The memory that the best tree of so many words needs, in double precision.
inline std::size_t bytes(int words) { return Chart<overlapping, Best<double>>::bytes(words); }

}  // namespace nonproj::one_endpoint_crossing
