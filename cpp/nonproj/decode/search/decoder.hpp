// The best tree of a class by its arcs: the best spanning tree, which is nearly always in the class with a trained
// model's scores, and else the search for it (search.hpp).
#pragma once
#include <cstddef>
#include <vector>

#include "nonproj/decode/search/graded.hpp"
#include "nonproj/decode/search/search.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj {

// A workspace: nothing is allocated, besides the answer, while the best spanning tree is in the class.
template <class Real>
class Decoder {
  public:
    Outcome decode(const ArcScores<Real>& scores, const DecodeOptions& options) {
        if (options.grades != nullptr)
            return best_of_grades(options, membership_, [&](const auto& of_class) { return decode(scores, of_class); });
        const ClassSolver& solver = options.solver;
        if (options.strategy == Strategy::chart && !solver.holds_every_tree())
            return search_.by_chart(widened(scores), options);
        heads_.resize(scores.words());
        const double score = spanning_trees_.solve(scores, options.single_root, heads_);
        if (score == minus_infinity<double>) return {};
        if (membership_.settle(heads_, solver) == 1)
            return {score, score, solver.holds_every_tree() ? Road::spanning : Road::relax, 1, heads_, {}};
        return search_.beyond_spanning(widened(scores), options);
    }

    // The best trees, best first: `count` of them, or fewer when the class holds no more.
    std::vector<Outcome> k_best(const ArcScores<Real>& scores, std::size_t count, const DecodeOptions& options) {
        const ArcScores<double> wide = widened(scores);
        if (options.grades == nullptr) return search_.k_best(wide, count, options);
        return GradedSearch(options, membership_).k_best(count, [&](const auto& of_class) {
            return search_.k_best(wide, count, of_class);
        });
    }

    Membership& membership() { return membership_; }

  private:
    ArcScores<double> widened(const ArcScores<Real>& scores) {
        const std::size_t width = static_cast<std::size_t>(scores.words()) + 1;
        wide_.assign(scores.data(), scores.data() + width * width);
        return {wide_.data(), scores.words()};
    }

    SpanningTrees<Real> spanning_trees_;
    Membership membership_;
    Search search_;
    std::vector<double> wide_;
    std::vector<int> heads_;
};

// In decoder.cpp.
extern template class Decoder<float>;
extern template class Decoder<double>;

}  // namespace nonproj
