// The walk from word to head: from a word d go to the head h with chance P(h, d), and stop at the root. It
// ties spanning trees to Markov chains (Wilson 1996), and everything about their weighted sum can be read off
// it without a single subtraction, hence without cancellation.
//
//   w(h, d) = exp s(h, d)      D(d) = sum_h w(h, d)      P(h, d) = w(h, d) / D(d)
//   sum over trees of prod w = prod_d D(d) x Z,          Z = chance that heads drawn by P form a tree
//
// Eliminating a word v looks at the walk only when it is not at v:
//   escape(v) = sum_{r != v} P(r, v)       P(r, h) += P(r, v) / escape(v) x P(v, h)
// This is Gaussian elimination of the matrix-tree determinant with each pivot summed afresh from what it
// leaves (Grassmann, Taksar & Heyman 1985). Z is the product of the escapes when all words are eliminated.
// All entries have small relative errors, whatever the scores, unless they underflow.
//
// Underflow. Z is a sum of products with one factor from each column, and columns sum to at most 1. So an
// absolute error e in an entry, at any stage, changes Z and the part of Z that holds a given arc by at most e
// (n e for a single root). If the computed Z is far above the smallest double times the number of steps,
// nothing that matters was lost; `is_reliable` asks for 1e-250. Otherwise the same code is run with Wide
// numbers, whose exponents do not run out.
//
// Single root. Give the root arcs an infinitesimal weight: trees with one root arc are then all that counts.
// With doubles the root's row holds the coefficients of the infinitesimal and is left out of escapes, until
// the last word has nowhere else to go; D(d) sums over words. With Wide numbers the infinitesimal is a power
// of two below all else. A word that has no head but the root must carry the root arc, and needs no
// infinitesimal.
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "nonproj/decode/algebra/exponential.hpp"
#include "nonproj/decode/algebra/wide.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

inline bool is_positive(double x) { return x > 0; }
inline bool is_positive(Wide x) { return x.is_positive(); }
inline bool is_reliable(double z) { return z >= 1e-250; }
inline bool is_reliable(Wide) { return true; }
inline double to_double(double x) { return x; }
inline double to_double(Wide x) { return x.to_double(); }

template <class Number>
class HeadWalk {
  public:
    // False when a word has no head, or two have none but the root and must not both have it: no tree.
    template <class Real>
    [[gnu::noinline]] bool read(const ArcScores<Real>& scores, bool single_root) {
        words_ = scores.words();
        is_infinitesimal_ = single_root;
        has_dropped_ = false;
        root_norm_ = 0;
        copy(scores);
        return (!single_root || force_root()) && normalise();
    }

    int words() const { return words_; }
    // P(head, d) for d = 1..n.
    const Number* row(int head) const { return table_.data() + start(head); }
    // log P(head, d), the infinitesimal left out; -inf for an arc that is not allowed.
    double log(int head, int d) const {
        const double root_norm = head == 0 ? root_norm_ : 0;
        return log_[start(head) + d] - norm_[d] - root_norm;
    }
    // The first row that counts towards an escape.
    int first_exit() const { return is_infinitesimal_ && std::same_as<Number, double> ? 1 : 0; }

    // log Z, the infinitesimal left out; -inf when there is no tree.
    double log_normalised(Number z) const {
        if (!is_positive(z)) return minus_infinity<double>;
        if constexpr (std::same_as<Number, double>) {
            return std::log(z);
        } else {
            if (!is_infinitesimal_) return z.log();
            // Of the second order in the infinitesimal: all trees have several roots.
            if (z.exponent() < -infinitesimal - infinitesimal / 2) return minus_infinity<double>;
            return (z * Wide::power_of_two(infinitesimal)).log();
        }
    }

    // The log of the sum over trees, given Z.
    double log_partition(Number z) const {
        double sum = log_normalised(z);
        if (sum == minus_infinity<double> && has_dropped_)
            throw Error(
                "no spanning tree is left without arcs that score too far below the best head of their word "
                "to be summed with it; forbid arcs with -inf, not with a huge negative score");
        for (int d = 1; d <= words_; ++d) sum += norm_[d];
        return sum + root_norm_;
    }

  private:
    // As powers of two: a product of n weights of at least 2^(-2^42 / n) stays well above the infinitesimal,
    // and n infinitesimals fit an exponent.
    static constexpr std::int64_t infinitesimal = std::int64_t{1} << 44;

    std::size_t start(int head) const { return static_cast<std::size_t>(head) * (words_ + 1); }

    template <class Real>
    void copy(const ArcScores<Real>& scores) {
        const std::size_t size = start(words_ + 1);
        log_.resize(size);
        table_.resize(size);
        vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
            const Real* const score = scores.data();
            double* const log = log_.data();
            for (std::size_t a = 0; a < size; ++a)
                log[a] = score[a] > minus_infinity<Real> ? score[a] : minus_infinity<Real>;
        });
        for (int h = 0; h <= words_; ++h) log_[start(h)] = log_[start(h) + h] = minus_infinity<double>;
    }

    // If a word has no head but the root, all other root arcs go.
    bool force_root() {
        highest_head(1);
        const auto forced = std::find(highest_.begin() + 1, highest_.end(), minus_infinity<double>);
        if (forced == highest_.end()) return true;
        if (std::find(forced + 1, highest_.end(), minus_infinity<double>) != highest_.end()) return false;
        is_infinitesimal_ = false;
        const int d = static_cast<int>(forced - highest_.begin());
        const double score = log_[d];
        std::fill_n(log_.begin(), words_ + 1, minus_infinity<double>);
        log_[d] = score;
        return true;
    }

    void highest_head(int first) {
        highest_.assign(words_ + 1, minus_infinity<double>);
        vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
            double* const highest = highest_.data();
            for (int h = first; h <= words_; ++h) {
                const double* const log = log_.data() + start(h);
                for (int d = 1; d <= words_; ++d) highest[d] = highest[d] < log[d] ? log[d] : highest[d];
            }
        });
    }

    // From scores to P and log P. Infinitesimal root arcs do not enter D(d) and have a norm of their own.
    [[gnu::noinline]] bool normalise() {
        const int first = is_infinitesimal_ ? 1 : 0;
        highest_head(first);
        if (std::find(highest_.begin() + 1, highest_.end(), minus_infinity<double>) != highest_.end()) return false;
        sum_.assign(words_ + 1, 0);
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            double* const sum = sum_.data();
            for (int h = first; h <= words_; ++h) {
                Number* const weight = table_.data() + start(h);
                exponentiate<Bytes>(log_.data() + start(h), weight);
                for (int d = 1; d <= words_; ++d) sum[d] += to_double(weight[d]);
            }
        });
        norm_.resize(words_ + 1);
        for (int d = 1; d <= words_; ++d) {
            norm_[d] = highest_[d] + std::log(sum_[d]);
            sum_[d] = 1 / sum_[d];
        }
        vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
            const double* const inverse = sum_.data();
            for (int h = first; h <= words_; ++h) {
                Number* const weight = table_.data() + start(h);
                for (int d = 1; d <= words_; ++d) weight[d] = weight[d] * Number(inverse[d]);
            }
        });
        return first == 0 || normalise_root();
    }
    bool normalise_root() {
        if (words_ == 0) return true;
        root_norm_ = minus_infinity<double>;
        for (int d = 1; d <= words_; ++d) root_norm_ = std::max(root_norm_, log_[d] - norm_[d]);
        if (root_norm_ == minus_infinity<double>) return false;
        for (int d = 1; d <= words_; ++d) {
            table_[d] = exp(log(0, d));
            if constexpr (std::same_as<Number, Wide>) table_[d] = table_[d] * Wide::power_of_two(-infinitesimal);
        }
        return true;
    }

    // Relative to the highest score of each word.
    template <int Bytes>
    NONPROJ_INLINE void exponentiate(const double* log, Number* weight) {
        if constexpr (std::same_as<Number, double>)
            exponentials<Bytes>(log + 1, highest_.data() + 1, words_, weight + 1);
        else
            for (int d = 1; d <= words_; ++d) weight[d] = exp(log[d] - highest_[d]);
    }

    Number exp(double log) {
        if constexpr (std::same_as<Number, double>) {
            return std::exp(log);
        } else {
            if (log > -0x1p41 / (words_ + 1)) return Wide::exp(log);
            has_dropped_ |= log > minus_infinity<double>;
            return Wide();
        }
    }

    int words_ = 0;
    bool is_infinitesimal_ = false;
    bool has_dropped_ = false;
    double root_norm_ = 0;
    std::vector<Number> table_;
    std::vector<double> log_, norm_, highest_, sum_;
};

extern template class HeadWalk<double>;
extern template class HeadWalk<Wide>;

}  // namespace nonproj
