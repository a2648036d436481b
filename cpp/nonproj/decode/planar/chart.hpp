// Planar trees, 1-P: no two arcs between words cross, and arcs from the dummy do not count. O(n^3) time, O(n^2) space.
// Each tree has exactly one derivation, so that the chart may be run in any semiring. That non-crossing graphs can be
// parsed in cubic time is known (Kuhlmann & Jonsson 2015; Yli-Jyrae & Gomez-Rodriguez 2017); the items are our own.
//
// Without the dummy a planar tree is a forest of arcs that do not cross. A part of m connected words has m - 1 arcs, so
// exactly one of its words has no head: a root. An item is a forest over the words i..j. In it a word *has a head*, or
// it has none so far, or it is *settled*: it has a head or is a root, for which s(0, word) was paid. Every word
// strictly between i and j is settled. The digits a and b tell of i and of j: 1 has a head, 0 has none so far.
//
//   item          the forest over i..j
//   A_ab (i, j)   has an arc between i and j
//   C_ab (i, j)   connects i with j                      C_01 (i, i) = C_10 (i, i) = one
//   J_ab (i, j)   does not connect i with j
//   L_1  (i, j)   connects i with j; i has a head, j is settled
//   S_1  (i, j)   connects i with j; i is settled, j has a head
//   F_b  (i, j)   any; i is settled, b tells of j        F_0 (i, i) = one
//
//   J_0b (i, j) = (+)_{i <= k < j}  C_01 (i, k) (x) F_b (k+1, j)      k is the last word that is reached from i along
//   J_1b (i, j) = (+)_{i <  k < j}  L_1  (i, k) (x) F_b (k+1, j)      arcs that no other arc covers
//   A_01 (i, j) = J_00 (i, j) (x) s(i, j)           A_10 (i, j) = J_00 (i, j) (x) s(j, i)
//   A_11 (i, j) = J_10 (i, j) (x) s(i, j)  (+)  J_01 (i, j) (x) s(j, i)
//   C_01 (i, j) = (+)_{i < k <= j}  A_01 (i, k) (x) C_01 (k, j)       k is the first word on that way
//   C_10 (i, j) = (+)_{i < k <= j}  A_10 (i, k) (x) C_10 (k, j)
//   C_11 (i, j) = U (i, j) (+) V (i, j)                               the root is below the first arc, or not
//   U    (i, j) = (+)_{i < k <= j}  A_11 (i, k) (x) C_01 (k, j)
//   V    (i, j) = (+)_{i < k <  j}  A_10 (i, k) (x) S_1  (k, j)
//   L_1  (i, j) = C_11 (i, j) (+) C_10 (i, j) (x) s(0, j)
//   S_1  (i, j) = C_11 (i, j) (+) C_01 (i, j) (x) s(0, i)
//   F_0  (i, j) = C_10 (i, j) (+) J_10 (i, j) (+) J_00 (i, j) (x) s(0, i)
//   F_1  (i, j) = S_1  (i, j) (+) J_11 (i, j) (+) J_01 (i, j) (x) s(0, i)
//   the whole   = F_1 (1, n) (+) F_0 (1, n) (x) s(0, n)
//
// Connected words have one root, so there is no A_00, and no C_00 but for i = j. An arc joins only what J kept apart:
// it closes no circle. For a single root everything must be connected in the end, and what an arc covers can be reached
// by its ends alone: then F_0 is C_10, F_1 is S_1, and J_11 is not needed.
//
// Spans are filled by width, and every sum runs along two rows, of which the first is still zero behind its last term,
// as InnerProduct asks.
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
#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <Semiring S>
class PlanarChart {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    PlanarChart(int words, bool single_root, const Weight& weight)
        : words_(words),
          single_root_(single_root),
          stride_(row_length(words)),
          area_(stride_ * (static_cast<std::size_t>(words) + 1)),
          cells_(tables * area_, S::zero()) {
        for (int head = 0; head <= words_; ++head)
            for (int dependent = 1; dependent <= words_; ++dependent)
                if (head != dependent) cells_[arc(head, dependent)] = weight(head, dependent);
        fill();
    }

    static double bytes(int words) { return 1.0 * tables * sizeof(Value) * row_length(words) * (words + 1); }

    // The sum over all trees.
    Value total() const { return total_; }

    // The tree of one derivation, from the top down; a choice (sums/lot.hpp) picks one term of each sum. Writes
    // heads[d - 1] for every word d. There must be a tree.
    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        if (words_ == 0) return;
        std::vector<std::size_t> open;  // cells
        open.reserve(2 * static_cast<std::size_t>(words_) + 2);
        pick(choice, total_, whole(), open);
        while (!open.empty()) {
            const std::size_t cell = open.back();
            open.pop_back();
            const auto [item, i, j] = place(cell);
            if (cell >= arc(0, 0)) {
                if (cell != one()) heads[j - 1] = i;
            } else if (i != j) {
                pick(choice, cells_[cell], rule_of(item, i, j), open);
            }
        }
    }

    // The chance of every arc, chance[head * (words + 1) + dependent], when a tree has one in proportion to its weight:
    // the chance that an item takes part flows down from the whole, as in EisnerChart.
    using Chance = typename ChanceIn<S>::Type;
    void chances(std::span<Chance> chance) const {
        std::vector<Chance> part(cells_.size(), 0.0), share(stride_);
        vectorised_in<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { spread_all<Bytes>(part.data(), share.data()); });
        for (int head = 0; head <= words_; ++head)
            for (int dependent = 1; dependent <= words_; ++dependent)
                chance[static_cast<std::size_t>(head) * (words_ + 1) + dependent] = part[arc(head, dependent)];
    }

  private:
    // Two items share a table: that of an even number is kept at [i][j], that of an odd one at [j][i]. A sum reads
    // A_ab, C_01 and L_1 along j, and C_ab, S_1 and F_b along i; so C_01 is kept twice.
    enum Item { C_01, C_01_again, L_1, S_1, A_01, C_10, A_10, F_0, A_11, F_1, J_00, J_10, J_01, J_11, U, V };
    static constexpr int tables = 9;  // the last has the arcs

    // The terms of a sum: cells_[first + t] (x) cells_[second + t] for t < count.
    struct Terms {
        std::size_t first, second;
        int count;
    };
    // Several such sums.
    struct Rule {
        Terms terms[3];
        int count;
    };
    struct Place {
        Item item;
        int i, j;
    };

    int words_;
    bool single_root_;
    std::size_t stride_, area_;
    ChartCells<Value> cells_;
    Value total_;

    static std::size_t row_length(int words) {
        return static_cast<std::size_t>(words) + 1 + inner_product_padding<Value>;
    }
    NONPROJ_INLINE std::size_t at(Item item, int i, int j) const {
        return area_ * (item / 2) + (item % 2 == 0 ? stride_ * i + j : stride_ * j + i);
    }
    std::size_t arc(int head, int dependent) const { return (tables - 1) * area_ + stride_ * head + dependent; }
    std::size_t one() const { return arc(0, 0); }
    // An arc has its head as i and its dependent as j.
    Place place(std::size_t cell) const {
        const int table = static_cast<int>(cell / area_);
        const int row = static_cast<int>(cell % area_ / stride_), column = static_cast<int>(cell % stride_);
        if (table == tables - 1 || row <= column) return {static_cast<Item>(2 * table), row, column};
        return {static_cast<Item>(2 * table + 1), column, row};
    }

    NONPROJ_INLINE Item F(int b) const {
        if (single_root_) return b == 0 ? C_10 : S_1;
        return b == 0 ? F_0 : F_1;
    }
    static constexpr bool is_sum(Item item) { return item <= C_01_again || item == C_10 || item >= J_00; }

    // The recurrences that sum over k: term t = 0, 1, ... is the one with the smallest k, the next, ...
    NONPROJ_INLINE Terms sum(Item item, int i, int j) const {
        switch (item) {
            case J_00:
                return {at(C_01, i, i), at(F(0), i + 1, j), j - i};
            case J_01:
                return {at(C_01, i, i), at(F(1), i + 1, j), j - i};
            case J_10:
                return {at(L_1, i, i), at(F(0), i + 1, j), j - i};
            case J_11:
                return {at(L_1, i, i), at(F(1), i + 1, j), j - i};
            case C_10:
                return {at(A_10, i, i + 1), at(C_10, i + 1, j), j - i};
            case U:
                return {at(A_11, i, i + 1), at(C_01_again, i + 1, j), j - i};
            case V:
                return {at(A_10, i, i + 1), at(S_1, i + 1, j), j - i};
            default:
                return {at(A_01, i, i + 1), at(C_01_again, i + 1, j), j - i};  // C_01
        }
    }
    // The others.
    NONPROJ_INLINE Rule parts(Item item, int i, int j) const {
        const auto as_is = [&](Item part) NONPROJ_INLINE_LAMBDA { return Terms{at(part, i, j), one(), 1}; };
        const auto with = [&](Item part, int head, int dependent)
                              NONPROJ_INLINE_LAMBDA { return Terms{at(part, i, j), arc(head, dependent), 1}; };
        switch (item) {
            case A_01:
                return {{with(J_00, i, j)}, 1};
            case A_10:
                return {{with(J_00, j, i)}, 1};
            case A_11:
                return {{with(J_10, i, j), with(J_01, j, i)}, 2};
            case L_1:
                return {{as_is(U), as_is(V), with(C_10, 0, j)}, 3};
            case S_1:
                return {{as_is(U), as_is(V), with(C_01, 0, i)}, 3};
            case F_0:
                return {{as_is(C_10), as_is(J_10), with(J_00, 0, i)}, 3};
            default:
                return {{as_is(S_1), as_is(J_11), with(J_01, 0, i)}, 3};  // F_1
        }
    }
    Rule rule_of(Item item, int i, int j) const {
        return is_sum(item) ? Rule{{sum(item, i, j)}, 1} : parts(item, i, j);
    }
    Rule whole() const { return {{{at(F(1), 1, words_), one(), 1}, {at(F(0), 1, words_), arc(0, words_), 1}}, 2}; }

    NONPROJ_INLINE Value value(const Rule& rule) const {
        if (rule.count == 1) return S::times(cells_[rule.terms[0].first], cells_[rule.terms[0].second]);
        Sum<S> found;
        for (int r = 0; r < rule.count; ++r)
            found.add_product(cells_[rule.terms[r].first], cells_[rule.terms[r].second]);
        return found.value();
    }

    template <class Choice>
    void pick(Choice& choice, const Value& whole, const Rule& rule, std::vector<std::size_t>& open) const {
        choice.start(whole);
        std::size_t first = 0, second = 0;
        for (int r = 0; r < rule.count; ++r)
            for (int t = 0; t < rule.terms[r].count && !choice.finished(); ++t) {
                const std::size_t a = rule.terms[r].first + t, b = rule.terms[r].second + t;
                if (choice.take(S::times(cells_[a], cells_[b]))) {
                    first = a;
                    second = b;
                }
            }
        open.push_back(first);
        open.push_back(second);
    }

    // Not a part of the constructor, so that it is compiled once for all kinds of weights.
    void fill() {
        cells_[one()] = S::one();
        vectorised_in<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { fill_spans<Bytes>(); });
        total_ = words_ > 0 ? value(whole()) : S::one();
    }
    template <int Bytes>
    NONPROJ_INLINE void fill_spans() {
        for (int i = 1; i <= words_; ++i)
            cells_[at(C_01, i, i)] = cells_[at(C_10, i, i)] = cells_[at(F_0, i, i)] = S::one();
        for (int width = 1; width < words_; ++width) {
            Interrupt::check();
            for (int i = 1, j = i + width; j <= words_; ++i, ++j) {
                add_up<Bytes, J_00, J_10, J_01>(i, j);
                if (!single_root_) add_up<Bytes, J_11>(i, j);
                put_together<A_01, A_10, A_11>(i, j);
            }
            for (int i = 1, j = i + width; j <= words_; ++i, ++j) {
                add_up<Bytes, C_01, C_10, U, V>(i, j);
                cells_[at(C_01_again, i, j)] = cells_[at(C_01, i, j)];
                put_together<L_1, S_1>(i, j);
                if (!single_root_) put_together<F_0, F_1>(i, j);
            }
        }
    }
    // Items as template arguments: which cells a rule reads is then settled before it runs.
    template <int Bytes, Item... items>
    NONPROJ_INLINE void add_up(int i, int j) {
        const auto set = [&](Item item) NONPROJ_INLINE_LAMBDA {
            const Terms terms = sum(item, i, j);
            cells_[at(item, i, j)] =
                InnerProduct<S>::template of<Bytes>(&cells_[terms.first], &cells_[terms.second], terms.count);
        };
        (set(items), ...);
    }
    template <Item... items>
    NONPROJ_INLINE void put_together(int i, int j) {
        ((cells_[at(items, i, j)] = value(parts(items, i, j))), ...);
    }

    // `fill_spans` backwards.
    template <int Bytes>
    NONPROJ_INLINE void spread_all(Chance* chance, Chance* share) const {
        const auto spread = [&](const Rule& rule, Chance amount, const Value& whole) NONPROJ_INLINE_LAMBDA {
            for (int r = 0; r < rule.count; ++r) {
                const std::size_t a = rule.terms[r].first, b = rule.terms[r].second;
                const Chance part = amount * S::ratio(S::times(cells_[a], cells_[b]), whole);
                chance[a] += part;
                chance[b] += part;
            }
        };
        spread(whole(), 1, total_);
        for (int width = words_ - 1; width >= 1; --width) {
            Interrupt::check();
            for (int i = 1, j = i + width; j <= words_; ++i, ++j)
                for (const Item item :
                     {F_1, F_0, S_1, L_1, V, U, C_10, C_01, A_11, A_10, A_01, J_11, J_01, J_10, J_00}) {
                    const std::size_t cell = at(item, i, j);
                    const Chance amount = chance[cell] + (item == C_01 ? chance[at(C_01_again, i, j)] : Chance(0));
                    if (amount == 0) continue;
                    const Rule rule = rule_of(item, i, j);
                    if (!is_sum(item)) {
                        spread(rule, amount, cells_[cell]);
                        continue;
                    }
                    const Terms& terms = rule.terms[0];
                    const Chance whole =
                        Shares<S>::template of<Bytes>(&cells_[terms.first], &cells_[terms.second], terms.count, share);
                    if (whole == 0) continue;
                    for (int t = 0; t < terms.count; ++t) {
                        chance[terms.first + t] += share[t] * (amount / whole);
                        chance[terms.second + t] += share[t] * (amount / whole);
                    }
                }
        }
    }
};

}  // namespace nonproj
