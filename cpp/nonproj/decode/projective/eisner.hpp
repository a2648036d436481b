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
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/inner_product.hpp"
#include "nonproj/decode/algebra/pack_algebra.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <Semiring S>
class EisnerChart {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    EisnerChart(int words, bool single_root, const Weight& weight)
        : words_(words), stride_(row_length(words_)), cells_(3 * area(), S::zero()) {
        vectorised_in<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill<Bytes>(weight, single_root); });
    }

    static double bytes(int words) { return 3.0 * sizeof(Value) * row_length(words) * (words + 1); }

    // The sum over all trees.
    Value total() const { return cells_[right(0, words_)]; }

    // The tree of one derivation, from the top down; a choice (sums/lot.hpp) picks one term of each sum. Writes
    // heads[d - 1] for every word d. There must be a tree.
    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        std::vector<Half> open;
        open.reserve(2 * static_cast<std::size_t>(words_) + 2);
        open.push_back({0, words_});
        while (!open.empty()) {
            const auto [head, far] = open.back();
            open.pop_back();
            if (head == far) continue;
            const bool is_right = head < far;
            const Terms terms = is_right ? C_right(head, far) : C_left(far, head);
            const int t = pick(choice, terms);
            const int dependent = is_right ? head + 1 + t : far + t;
            heads[dependent - 1] = head;
            open.push_back({dependent, far});
            const int i = std::min(head, dependent), j = std::max(head, dependent);
            const int k = i + pick(choice, J(i, j));
            open.push_back({i, k});
            open.push_back({j, k + 1});
        }
    }

    // The chance of every arc, chance[head * (words + 1) + dependent], when a tree has one in proportion to its weight.
    // The chance that an item takes part flows down from the whole sentence: of the chance of a sum, the share of each
    // term goes to both its factors. All are numbers in [0, 1], whatever the scores.
    using Chance = typename ChanceIn<S>::Type;
    void chances(std::span<Chance> chance) const {
        std::vector<Chance> part(cells_.size(), 0.0), share(stride_);
        part[right(0, words_)] = 1;
        vectorised_in<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { spread_all<Bytes>(part.data(), share.data()); });
        for (int head = 0; head <= words_; ++head)
            for (int dependent = 0; dependent <= words_; ++dependent)
                chance[static_cast<std::size_t>(head) * (words_ + 1) + dependent] = part[arc(head, dependent)];
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

    template <class Choice>
    int pick(Choice& choice, const Terms& terms) const {
        const Value *const a = &cells_[terms.first], *const b = &cells_[terms.second];
        Sum<S> whole;
        for (int t = 0; t < terms.count; ++t) whole.add_product(a[t], b[t]);
        choice.start(whole.value());
        int chosen = 0;
        for (int t = 0; t < terms.count && !choice.finished(); ++t)
            if (choice.take(S::times(a[t], b[t]))) chosen = t;
        return chosen;
    }

    template <int Bytes, class Weight>
    NONPROJ_INLINE void fill(const Weight& weight, bool single_root) {
        for (int i = 0; i <= words_; ++i) cells_[right(i, i)] = cells_[left(i, i)] = S::one();
        for (int width = 1; width <= words_; ++width) {
            Interrupt::check();
            for (int i = 0, j = width; j <= words_; ++i, ++j) {
                const Value join = sum<Bytes>(J(i, j));
                cells_[arc(i, j)] = S::times(join, weight(i, j));
                if (i > 0) cells_[arc(j, i)] = S::times(join, weight(j, i));
            }
            for (int i = single_root && width < words_, j = i + width; j <= words_; ++i, ++j) {
                cells_[right(i, j)] = cells_[right(j, i)] = sum<Bytes>(C_right(i, j));
                if (i > 0) cells_[left(i, j)] = cells_[left(j, i)] = sum<Bytes>(C_left(i, j));
            }
        }
    }

    // `fill` backwards. An item kept in two places has gathered its chance in both.
    template <int Bytes>
    NONPROJ_INLINE void spread_all(Chance* chance, Chance* share) const {
        const auto spread = [&](const Terms& terms, std::size_t place, std::size_t other) NONPROJ_INLINE_LAMBDA {
            const Chance amount = chance[place] + chance[other];
            if (amount == 0) return;
            const Chance whole =
                Shares<S>::template of<Bytes>(&cells_[terms.first], &cells_[terms.second], terms.count, share);
            if (whole == 0) return;
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

}  // namespace nonproj
