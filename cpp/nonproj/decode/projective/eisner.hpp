// Projective trees: the span algorithm of Eisner (1996), "Three new probabilistic models for dependency
// parsing: an exploration". O(n^3) time, O(n^2) space. Each tree has exactly one derivation, so that the
// chart may be run in any semiring.
//
//   item        meaning                                          kept in
//   C> (i, j)   i with its complete right half, up to j          right[i][j] and right[j][i]
//   C< (i, j)   j with its complete left half, down to i         left [i][j] and left [j][i]
//   I> (i, j)   the arc i -> j with all between them             arc  [i][j]
//   I< (i, j)   the arc j -> i with all between them             arc  [j][i]
//
//   J  (i, j) = (+)_{i <= k < j}  C> (i, k)  (x)  C< (k+1, j)
//   I> (i, j) = J (i, j) (x) s(i, j)              I< (i, j) = J (i, j) (x) s(j, i)
//   C> (i, j) = (+)_{i < k <= j}  I> (i, k)  (x)  C> (k, j)
//   C< (i, j) = (+)_{i <= k < j}  C< (i, k)  (x)  I< (k, j)         C> (i, i) = C< (i, i) = one
//
// The whole sentence is C> (0, n). The root has no head, so C< and I< begin at i = 1. For a single root,
// C> (0, j) is left zero for 0 < j < n: then 0 can take no second dependent, and every sum stays as it is.
//
// C> and C< are kept at both [i][j] and [j][i], so that every sum runs along two rows. Spans are filled by
// width: the first row of each sum is still zero behind its last term, as InnerProduct asks, and no sum reads
// a value that was written just before it, which would stall the processor.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "nonproj/decode/algebra/inner_product.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <Semiring S>
class EisnerChart {
  public:
    using Value = typename S::Value;

    template <class Real>
    EisnerChart(const ArcScores<Real>& scores, bool single_root)
        : words_(scores.words()), stride_(row_length(words_)), cells_(3 * area(), S::zero()) {
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill<Bytes>(scores, single_root); });
    }

    // The sum over all trees.
    Value total() const { return cells_[right(0, words_)]; }

    // The tree of one derivation, from the top down; `choose(a, b, count)` picks one of the terms a[t] (x)
    // b[t] of a sum. Writes heads[d - 1] for every word d. There must be a tree.
    template <class Choose>
    void derive(Choose&& choose, std::int32_t* heads) const {
        std::vector<Half> open;
        open.reserve(2 * static_cast<std::size_t>(words_) + 2);
        open.push_back({0, words_});
        while (!open.empty()) {
            const auto [head, far] = open.back();
            open.pop_back();
            if (head == far) continue;
            const bool is_right = head < far;
            const Terms terms = is_right ? C_right(head, far) : C_left(far, head);
            const int t = pick(choose, terms);
            const int dependent = is_right ? head + 1 + t : far + t;
            heads[dependent - 1] = head;
            open.push_back({dependent, far});
            const int i = std::min(head, dependent), j = std::max(head, dependent);
            const int k = i + pick(choose, J(i, j));
            open.push_back({i, k});
            open.push_back({j, k + 1});
        }
    }

    // The probability of every arc, marginals[head * (words + 1) + dependent], when a tree has probability
    // exp(score) / exp(total). The chance that an item takes part flows down from the whole sentence: of the
    // chance of a sum, the share of each term goes to both its factors. All are numbers in [0, 1], whatever
    // the scores.
    void marginals(double* marginals) const
        requires std::same_as<S, LogSum<double>>
    {
        std::vector<double> chance(cells_.size(), 0.0), share(stride_);
        chance[right(0, words_)] = 1;
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { spread_all<Bytes>(chance.data(), share.data()); });
        for (int head = 0; head <= words_; ++head)
            for (int dependent = 0; dependent <= words_; ++dependent)
                marginals[static_cast<std::size_t>(head) * (words_ + 1) + dependent] = chance[arc(head, dependent)];
    }

  private:
    int words_;
    std::size_t stride_;
    std::vector<Value> cells_;  // right, left and arc, one after the other

    // The terms of one sum: cells_[first + t] (x) cells_[second + t] for t < count.
    struct Terms {
        std::size_t first, second;
        int count;
    };
    // A complete half of `head` that reaches to `far`: C> (head, far) or C< (far, head).
    struct Half {
        int head, far;
    };

    static std::size_t row_length(int words) {
        return static_cast<std::size_t>(words) + 1 + inner_product_padding<Value>;
    }
    std::size_t area() const { return stride_ * (static_cast<std::size_t>(words_) + 1); }
    std::size_t right(int i, int j) const { return stride_ * i + j; }
    std::size_t left(int i, int j) const { return area() + stride_ * i + j; }
    std::size_t arc(int head, int dependent) const { return 2 * area() + stride_ * head + dependent; }

    // The recurrences: term t = 0, 1, ... is the one with the smallest k, the next, ...
    Terms J(int i, int j) const { return {right(i, i), left(j, i + 1), j - i}; }
    Terms C_right(int i, int j) const { return {arc(i, i + 1), right(j, i + 1), j - i}; }
    Terms C_left(int i, int j) const { return {left(i, i), arc(j, i), j - i}; }

    template <int Bytes>
    NONPROJ_INLINE Value sum(const Terms& terms) const {
        return InnerProduct<S>::template of<Bytes>(&cells_[terms.first], &cells_[terms.second], terms.count);
    }

    template <class Choose>
    int pick(Choose& choose, const Terms& terms) const {
        return choose(&cells_[terms.first], &cells_[terms.second], terms.count);
    }

    template <int Bytes, class Real>
    NONPROJ_INLINE void fill(const ArcScores<Real>& scores, bool single_root) {
        const auto s = [&](int head, int dependent) NONPROJ_INLINE_LAMBDA {
            return S::lift(static_cast<typename S::Real>(scores(head, dependent)));
        };
        for (int i = 0; i <= words_; ++i) cells_[right(i, i)] = cells_[left(i, i)] = S::one();
        for (int width = 1; width <= words_; ++width) {
            Interrupt::check();
            for (int i = 0, j = width; j <= words_; ++i, ++j) {
                const Value join = sum<Bytes>(J(i, j));
                cells_[arc(i, j)] = S::times(join, s(i, j));
                if (i > 0) cells_[arc(j, i)] = S::times(join, s(j, i));
            }
            for (int i = single_root && width < words_, j = i + width; j <= words_; ++i, ++j) {
                cells_[right(i, j)] = cells_[right(j, i)] = sum<Bytes>(C_right(i, j));
                if (i > 0) cells_[left(i, j)] = cells_[left(j, i)] = sum<Bytes>(C_left(i, j));
            }
        }
    }

    // `fill` backwards. An item kept in two places has gathered its chance in both.
    template <int Bytes>
    NONPROJ_INLINE void spread_all(double* chance, double* share) const {
        const auto spread = [&](const Terms& terms, std::size_t place, std::size_t other) NONPROJ_INLINE_LAMBDA {
            const double amount = chance[place] + chance[other];
            if (amount == 0) return;
            const double whole = shares<Bytes>(&cells_[terms.first], &cells_[terms.second], terms.count, share);
            for (int t = 0; t < terms.count; ++t) {
                chance[terms.first + t] += share[t] * (amount / whole);
                chance[terms.second + t] += share[t] * (amount / whole);
            }
        };
        for (int width = words_; width >= 1; --width) {
            Interrupt::check();
            for (int i = 0, j = width; j <= words_; ++i, ++j) {
                spread(C_right(i, j), right(i, j), right(j, i));
                if (i > 0) spread(C_left(i, j), left(i, j), left(j, i));
            }
            for (int i = 0, j = width; j <= words_; ++i, ++j) spread(J(i, j), arc(i, j), arc(j, i));
        }
    }
};

// Of the terms a[t] + b[t] the largest, and the first of equals.
struct ChooseBest {
    template <class Real>
    int operator()(const Real* a, const Real* b, int count) const {
        int best = 0;
        for (int t = 1; t < count; ++t)
            if (a[best] + b[best] < a[t] + b[t]) best = t;
        return best;
    }
};

// One of the terms, with probability exp(a[t] + b[t]) over the sum of all.
class ChooseByChance {
  public:
    ChooseByChance(std::uint64_t seed, int words)
        : random_(seed), share_(static_cast<std::size_t>(words) + 1 + inner_product_padding<double>) {}

    int operator()(const double* a, const double* b, int count) {
        double whole = 0;
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { whole = shares<Bytes>(a, b, count, share_.data()); });
        // The standard distributions differ between libraries; 53 random bits do not.
        double left = static_cast<double>(random_() >> 11) * 0x1p-53 * whole;
        int chosen = 0;
        for (int t = 0; t < count; ++t) {
            if (share_[t] == 0) continue;
            chosen = t;  // should rounding leave a crumb, the last possible term has it
            left -= share_[t];
            if (left < 0) break;
        }
        return chosen;
    }

  private:
    std::mt19937_64 random_;
    std::vector<double> share_;
};

// The chart, if it holds a tree: there is no distribution over none.
inline EisnerChart<LogSum<double>> possible(EisnerChart<LogSum<double>> chart) {
    if (chart.total() == minus_infinity<double>)
        throw Error("no projective tree avoids the forbidden arcs: allow more arcs (scores above -inf)");
    return chart;
}

template <class Real>
DecodedTree eisner_best(const ArcScores<Real>& scores, bool single_root) {
    const EisnerChart<Best<Real>> chart(scores, single_root);
    if (chart.total() == minus_infinity<Real>) return {};
    std::vector<std::int32_t> heads(scores.words());
    chart.derive(ChooseBest{}, heads.data());
    return decoded(scores, std::move(heads));
}

template <class Real>
double eisner_log_partition(const ArcScores<Real>& scores, bool single_root) {
    return EisnerChart<LogSum<double>>(scores, single_root).total();
}

// The number of trees without a forbidden arc, up to multiples of `modulus`.
template <class Real>
std::uint64_t eisner_count_mod(const ArcScores<Real>& scores, bool single_root, std::uint64_t modulus) {
    const CountModulo scope(modulus);
    return EisnerChart<Count<Real>>(scores, single_root).total();
}

// Fills marginals[head * (words + 1) + dependent]; all are 0 when there is no tree.
template <class Real>
void eisner_marginals(const ArcScores<Real>& scores, bool single_root, double* marginals) {
    const EisnerChart<LogSum<double>> chart(scores, single_root);
    const std::size_t side = static_cast<std::size_t>(scores.words()) + 1;
    if (chart.total() == minus_infinity<double>)
        std::fill_n(marginals, side * side, 0.0);
    else
        chart.marginals(marginals);
}

// Independent trees, each drawn with probability exp(score) / exp(total); O(n^3) once, then O(n^2) a tree at most.
class EisnerSampler {
  public:
    template <class Real>
    EisnerSampler(const ArcScores<Real>& scores, bool single_root, std::uint64_t seed)
        : chart_(possible(EisnerChart<LogSum<double>>(scores, single_root))), choose_(seed, scores.words()) {}

    // Writes heads[d - 1] for every word d.
    void draw(std::int32_t* heads) { chart_.derive(choose_, heads); }

  private:
    EisnerChart<LogSum<double>> chart_;
    ChooseByChance choose_;
};

}  // namespace nonproj
