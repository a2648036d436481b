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
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>
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
    Number eliminate(const HeadWalk<Number>& walk) {
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

// A workspace for the three questions. Each is answered with doubles where reliable, else with Wide numbers.
class MatrixTree {
  public:
    // -inf when there is no tree.
    template <class Real>
    double log_partition(const ArcScores<Real>& scores, bool single_root) {
        return first_reliable([&](auto& sums) -> std::optional<double> {
            if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
            const auto z = sums.elimination.eliminate(sums.walk);
            if (!is_reliable(z)) return std::nullopt;
            return sums.walk.log_partition(z);
        });
    }

    // Writes the chance of h -> d to chance[h * (n + 1) + d], 0 elsewhere, and returns the log-partition.
    // When there is no tree, returns -inf and writes 0 everywhere.
    template <class Real>
    double marginals(const ArcScores<Real>& scores, bool single_root, std::span<double> chance) {
        assert(chance.size() == static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
        return first_reliable([&](auto& sums) -> std::optional<double> {
            double log_sum = minus_infinity<double>;
            if (sums.walk.read(scores, single_root)) {
                const auto z = sums.halving.marginals(sums.walk, chance);
                if (!is_reliable(z)) return std::nullopt;
                log_sum = sums.walk.log_partition(z);
            }
            if (log_sum == minus_infinity<double>) std::fill(chance.begin(), chance.end(), 0.0);
            return log_sum;
        });
    }

    // In nats; -inf when there is no tree.
    template <class Real>
    double entropy(const ArcScores<Real>& scores, bool single_root) {
        chance_.resize(static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
        return first_reliable([&](auto& sums) -> std::optional<double> {
            if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
            const auto z = sums.halving.marginals(sums.walk, chance_);
            if (!is_reliable(z)) return std::nullopt;
            if (sums.walk.log_partition(z) == minus_infinity<double>) return minus_infinity<double>;
            return std::max(0.0, sums.walk.log_normalised(z) - expected_log_weight(sums.walk));
        });
    }

  private:
    template <class Number>
    struct Sums {
        HeadWalk<Number> walk;
        Elimination<Number> elimination;
        Halving<Number> halving;
    };

    template <class Question>
    double first_reliable(Question question) {
        if (const std::optional<double> answer = question(doubles_)) return *answer;
        return question(wides_).value();
    }

    // Sum of chance(h, d) log P(h, d).
    template <class Number>
    double expected_log_weight(const HeadWalk<Number>& walk) const {
        const int width = walk.words() + 1;
        double sum = 0;
        for (int h = 0; h < width; ++h)
            for (int d = 1; d < width; ++d) {
                const double chance = chance_[static_cast<std::size_t>(h) * width + d];
                if (h != d && chance > 0) sum += chance * walk.log(h, d);
            }
        return sum;
    }

    Sums<double> doubles_;
    Sums<Wide> wides_;
    std::vector<double> chance_;
};

}  // namespace nonproj
