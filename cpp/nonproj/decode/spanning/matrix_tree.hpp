// Sums over all spanning trees, weighted by exp(score): log-partition, marginals and entropy, with several
// roots or one (Kirchhoff, Tutte; Koo, Globerson, Carreras & Collins 2007), from the walk of head_walk.hpp:
// O(n^3), accurate for any scores because nothing is subtracted.
//
// Log-partition: eliminate the words n..1; the product of the escapes is Z.
//
// Marginals: by halving.hpp.
//
// Entropy: log Z - sum over arcs of (chance of the arc) x log P(arc).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/wide.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/decode/spanning/halving.hpp"
#include "nonproj/decode/spanning/head_walk.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

// The table of the walk with all words eliminated: for r, d < v, to(r, v) is P(r, v) / escape(v) and to(v, d)
// is P(v, d), both as they were when v was eliminated.
template <class Number>
class Elimination {
  public:
    // Returns Z; not to be used unless it is positive and reliable.
    [[gnu::noinline]] Number eliminate(const HeadWalk<Number>& walk) {
        width_ = walk.words() + 1;
        table_.assign(walk.row(0), walk.row(0) + static_cast<std::size_t>(width_) * width_);
        Number z(1.0);
        for (int v = walk.words(); v > 0; --v) {
            Interrupt::check();
            Number escape{};
            for (int r = v > 1 ? walk.first_exit() : 0; r < v; ++r) escape += row(r)[v];
            z = z * escape;
            if (!is_positive(z) || !is_reliable(z)) break;
            vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
                for (int r = 0; r < v; ++r) move_share(row(r), v, escape, row(v));
            });
        }
        return z;
    }
    const Number& to(int head, int dependent) const {
        return table_[static_cast<std::size_t>(head) * width_ + dependent];
    }

  private:
    NONPROJ_INLINE static void move_share(Number* __restrict target, int v, Number escape,
                                          const Number* __restrict source) {
        const Number share = target[v] / escape;
        for (int d = 1; d < v; ++d) target[d] += share * source[d];
        target[v] = share;
    }
    NONPROJ_INLINE Number* row(int head) { return table_.data() + static_cast<std::size_t>(head) * width_; }

    int width_ = 0;
    std::vector<Number> table_;
};

extern template class Elimination<double>;
extern template class Elimination<Wide>;

// A workspace for the three questions. Each is answered with doubles where reliable, else with Wide numbers.
class MatrixTree {
  public:
    // -inf when there is no tree.
    double log_partition(const ArcScores<double>& scores, bool single_root);

    // Writes the chance of h -> d to chance[h * (n + 1) + d], 0 elsewhere, and returns the log-partition.
    // When there is no tree, returns -inf and writes 0 everywhere.
    template <class Real>
    double marginals(const ArcScores<Real>& scores, bool single_root, std::span<double> chance);

    // In nats; -inf when there is no tree.
    double entropy(const ArcScores<double>& scores, bool single_root);

  private:
    template <class Number>
    struct Sums {
        HeadWalk<Number> walk;
        Elimination<Number> elimination;
        Halving<Number> halving;
    };

    template <class Question>
    double first_reliable(Question question);

    Sums<double> doubles_;
    Sums<Wide> wides_;
    std::vector<double> chance_;
};

}  // namespace nonproj
