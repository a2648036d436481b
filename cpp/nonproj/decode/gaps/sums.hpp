// Sums over WG_k for any k: each tree has exactly one derivation. O(n^(5+2k)) time, O(n^(3+2k)) space. The steps are those of
// Gomez-Rodriguez, Weir & Carroll (2009), in an order that is imposed by flags on items, as their footnote 5 proposes;
// which flags, and why they are enough, is our own.
//
//   item   a set of words, at most k + 1 blocks, filled by whole subtrees of children of h. The place of h is taken out of the
//          sentence: it counts neither as filled nor as a gap.
//     T(S | h)        any children
//     M(S, f | h)     one of them, c, has the first and the last word of S; f has a letter for each gap of S:
//                     O  a gap of c that has not been looked at        F  final: it stays as it is
//                     S  a gap of c that is to be split later
//
//   M(S, O..O | h)    = (+)_c  s(h, c) (x) T(Y - c | c)           c has the yield Y, at most k + 1 blocks, which is S with h
//                                                                 taken out: where h alone is a gap of Y, S has none
//   M(S, uFw | h)    += M(S, uOw | h)                             u has no O: gaps are looked at from the left
//   M(S, uSw | h)    += M(S, uOw | h)
//   M(S, uw | h)     += M(S - W, uOw | h) (x) T(W | h)            W fills the gap
//   M(S, uFw | h)    += M(S - W, uOw | h) (x) T(W | h)            W leaves one gap of it: it has its first word, its last, or both
//   M(S, uF..Fw | h) += M(S - W, uSw | h) (x) T(W | h)            no O in w, no S in u: W leaves two gaps of it or more
//   T(S | h)          = (+)_e  M(S up to e, F..F | h) (x) T(S after e | h)      e ends the child that has the first word
//
// Children of h do not interleave. So each of the others lies in one gap of c, or behind it, and what these hold is filled
// independently. The gaps of c that become none or one come first, so that no item on the way has more gaps than c; those
// that become several come last, so that none has more than the whole. Both have at most k.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/gaps/blocks.hpp"
#include "nonproj/decode/gaps/sum_tables.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <Semiring S>
class GapSumChart {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    GapSumChart(int words, int k, bool single_root, const Weight& weight)
        : words_(words), width_(words + 1), single_root_(single_root), tables_(words, k) {
        weights_.assign(static_cast<std::size_t>(width_) * width_, S::zero());
        for (int d = 1; d <= words_; ++d)
            for (int h = 0; h <= words_; ++h)
                if (h != d) arc(h, d) = weight(h, d);
        cells_.assign(tables_.rows() * width_, S::zero());
        fill();
    }

    static double bytes(int words, int k) {
        return sizeof(Value) * (words + 1.0) * gaps::SumTables::number_of_rows(words, k);
    }

    Value total() const { return row(tables_.any[0], whole())[0]; }

    // The tree of one derivation, from the top down; a choice (sums/lot.hpp) picks one term of each sum. Writes
    // heads[d - 1] for every word d. There must be a tree.
    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        std::vector<Item> open{{tables_.any[0], 0, whole()}};
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            pick(choice, item, open, heads);
        }
    }

    // The chance of every arc, chance[head * (words + 1) + dependent], when a tree has one in proportion to its weight:
    // the chance that an item takes part flows down from the whole.
    using Chance = typename ChanceIn<S>::Type;
    void chances(std::span<Chance> chance) const {
        std::vector<Chance> part(cells_.size(), 0.0);
        part[place(tables_.any[0], whole())] = 1;
        for (int size = words_; size >= 1; --size) {
            for (int blocks = tables_.max_blocks; blocks >= 1; --blocks)
                for_each_set(blocks, size, [&](const Blocks& set) {
                    const auto& order = tables_.order[blocks - 1];
                    for (auto table = order.rbegin(); table != order.rend(); ++table) spread(*table, set, part);
                });
            for (int blocks = tables_.max_blocks; blocks >= 1; --blocks)
                for_each_set(blocks, size, [&](const Blocks& yield) { spread_link(yield, part, chance); });
        }
    }

  private:
    using Blocks = gaps::Blocks;
    using Step = gaps::SumStep;
    using Cut = gaps::SumCut;
    struct Item {
        int table, head;
        Blocks blocks;
    };
    int words_, width_;
    bool single_root_;
    gaps::SumTables tables_;
    std::vector<Value> weights_;  // [dependent][head]
    std::vector<Value> cells_;    // [table][set][head]

    Value& arc(int h, int d) { return weights_[static_cast<std::size_t>(d) * width_ + h]; }
    const Value& arc(int h, int d) const { return weights_[static_cast<std::size_t>(d) * width_ + h]; }
    Blocks whole() const {
        Blocks blocks;
        blocks.add(0, words_);
        return blocks;
    }
    std::size_t rank(const Blocks& set) const {
        std::size_t rank = 0;
        for (int p = 0; p < 2 * set.count; ++p) rank += tables_.choose[p + 1][set.point[p]];
        return rank;
    }
    std::size_t place(int table, std::size_t rank) const { return (tables_.begin[table] + rank) * width_; }
    std::size_t place(int table, const Blocks& set) const { return place(table, rank(set)); }
    const Value* row(int table, const Blocks& set) const { return cells_.data() + place(table, set); }
    // T of one head, of any set.
    Value any(const Blocks& set, int head) const {
        return set.count == 0 ? S::one() : row(tables_.any[set.count - 1], set)[head];
    }

    // Calls use(set) for every set of so many words in so many blocks.
    template <class Use>
    void for_each_set(int blocks, int size, const Use& use) const {
        if (size < blocks || size + blocks - 1 > words_) return;
        Interrupt::check();
        Blocks set;
        extend(set, blocks, size, use);
    }
    template <class Use>
    void extend(Blocks& set, int blocks, int size, const Use& use) const {
        if (blocks == 0) {
            use(set);
            return;
        }
        const int begin = set.count == 0 ? 0 : set.last(set.count - 1) + 1;
        const int shortest = blocks == 1 ? size : 1, longest = size - (blocks - 1);
        for (int from = begin; from + size + blocks - 1 <= words_; ++from)
            for (int length = shortest; length <= longest; ++length) {
                set.add(from, from + length);
                extend(set, blocks - 1, size - length, use);
                --set.count;
            }
    }

    // Calls use(place in a, place in b, cuts) for every way to cut the set as the step says; no step has more than two.
    using Cuts = std::array<int, 2>;
    template <class Use>
    void for_each_pair(const Step& step, const Blocks& set, const Use& use) const {
        std::size_t a = 0, b = 0;
        for (int p = 0; p < 2 * set.count; ++p) {
            a += tables_.choose[step.bounds[p].a][set.point[p]];
            b += tables_.choose[step.bounds[p].b][set.point[p]];
        }
        Cuts cuts{};
        cut(step, set, 0, a, b, cuts, use);
    }
    template <class Use>
    void cut(const Step& step, const Blocks& set, std::size_t number, std::size_t a, std::size_t b, Cuts& cuts,
             const Use& use) const {
        if (number == step.cuts.size() || number == cuts.size()) {
            use(place(step.a, a), step.b < 0 ? 0 : place(step.b, b), cuts);
            return;
        }
        const Cut& next = step.cuts[number];
        const int begin = (next.is_first ? set.first(next.block) : cuts[number ? number - 1 : 0]) + 1;
        for (int at = begin; at < set.last(next.block) - next.followers; ++at) {
            cuts[number] = at;
            cut(step, set, number + 1, a + tables_.choose[next.bound.a][at], b + tables_.choose[next.bound.b][at], cuts,
                use);
        }
    }

    void fill() {
        std::vector<Sum<S>> sums;
        for (int size = 1; size <= words_; ++size) {
            for (int blocks = 1; blocks <= tables_.max_blocks; ++blocks)
                for_each_set(blocks, size, [&](const Blocks& yield) { link(yield, sums); });
            for (int blocks = 1; blocks <= tables_.max_blocks; ++blocks)
                for_each_set(blocks, size, [&](const Blocks& set) {
                    for (const int table : tables_.order[blocks - 1]) add_up(table, set, sums);
                });
        }
    }
    void add_up(int table, const Blocks& set, std::vector<Sum<S>>& sums) {
        Value* const to = cells_.data() + place(table, set);
        sums.assign(width_, Sum<S>());
        for (int h = 0; h < width_; ++h) sums[h].add(to[h]);  // what was linked
        for (const Step& step : tables_.steps[table])
            for_each_pair(step, set, [&](std::size_t first, std::size_t second, const auto&) {
                const Value *a = cells_.data() + first, *b = cells_.data() + second;
                if (step.b < 0)
                    for (int h = 0; h < width_; ++h) sums[h].add(a[h]);
                else
                    for (int h = 0; h < width_; ++h) sums[h].add_product(a[h], b[h]);
            });
        for (int h = 0; h < width_; ++h) to[h] = sums[h].value();
    }
    bool may_hang_below(int head, const Blocks& yield) const {
        if (head == 0) return !single_root_ || yield.last(0) - yield.first(0) == words_;
        return !yield.holds(head);
    }
    // Calls use(child, what its children fill).
    template <class Use>
    static void for_each_child(const Blocks& yield, const Use& use) {
        for (int b = 0; b < yield.count; ++b)
            for (int c = yield.first(b) + 1; c <= yield.last(b); ++c) use(c, yield.without(c));
    }
    // One child with this yield, under every head.
    void link(const Blocks& yield, std::vector<Sum<S>>& sums) {
        sums.assign(width_, Sum<S>());
        for_each_child(yield, [&](int c, const Blocks& rest) {
            const Value below = any(rest, c);
            for (int h = 0; h < width_; ++h) sums[h].add_product(arc(h, c), below);
        });
        for (int h = 0; h < width_; ++h) {
            if (!may_hang_below(h, yield)) continue;
            const Blocks set = yield.without(h);
            cells_[place(tables_.linked[set.count - 1], set) + h] = sums[h].value();
        }
    }

    template <class Choice>
    void pick(Choice& choice, const Item& item, std::vector<Item>& open, std::int32_t* heads) const {
        const int table = item.table, h = item.head;
        Item first{}, second{};
        int child = 0;
        choice.start(cells_[place(table, item.blocks) + h]);
        if (table == tables_.linked[item.blocks.count - 1]) {
            const Blocks yield = item.blocks.with_gap_at(h);
            if (yield.count <= tables_.max_blocks && may_hang_below(h, yield))
                for_each_child(yield, [&](int c, const Blocks& rest) {
                    if (choice.finished() || !choice.take(S::times(arc(h, c), any(rest, c)))) return;
                    child = c;
                    first = {rest.count == 0 ? -1 : tables_.any[rest.count - 1], c, rest};
                    second.table = -1;
                });
        }
        for (const Step& step : tables_.steps[table])
            for_each_pair(step, item.blocks, [&](std::size_t a, std::size_t b, const auto& cuts) {
                if (choice.finished()) return;
                if (!choice.take(step.b < 0 ? cells_[a + h] : S::times(cells_[a + h], cells_[b + h]))) return;
                child = 0;
                first = {step.a, h, {}};
                second = {step.b, h, {}};
                divide(step, item.blocks, cuts, first.blocks, second.blocks);
            });
        if (child > 0) heads[child - 1] = h;
        if (first.table >= 0) open.push_back(first);
        if (second.table >= 0) open.push_back(second);
    }
    static void divide(const Step& step, const Blocks& set, const Cuts& cuts, Blocks& a, Blocks& b) {
        int block = 0, from = set.first(0);
        std::size_t cut = 0;
        for (std::size_t t = 0; t < step.letters.size(); ++t) {
            if (step.letters[t] == 'g') {
                from = set.first(++block);
                continue;
            }
            const bool ends = t + 1 == step.letters.size() || step.letters[t + 1] == 'g';
            const int to = ends ? set.last(block) : cuts[cut++];
            (step.letters[t] == 'a' ? a : b).add(from, to);
            from = to;
        }
    }

    // The chance of an item, shared out to the terms of its sum.
    void spread(int table, const Blocks& set, std::vector<Chance>& part) const {
        const std::size_t to = place(table, set);
        if (std::all_of(part.data() + to, part.data() + to + width_, [](const Chance& chance) { return chance == 0; }))
            return;
        for (const Step& step : tables_.steps[table])
            for_each_pair(step, set, [&](std::size_t a, std::size_t b, const auto&) {
                for (int h = 0; h < width_; ++h) {
                    if (part[to + h] == 0) continue;
                    const Value term = step.b < 0 ? cells_[a + h] : S::times(cells_[a + h], cells_[b + h]);
                    const Chance share = part[to + h] * S::ratio(term, cells_[to + h]);
                    part[a + h] += share;
                    if (step.b >= 0) part[b + h] += share;
                }
            });
    }
    void spread_link(const Blocks& yield, std::vector<Chance>& part, std::span<Chance> chance) const {
        for (int h = 0; h < width_; ++h) {
            if (!may_hang_below(h, yield)) continue;
            const Blocks set = yield.without(h);
            const std::size_t to = place(tables_.linked[set.count - 1], set) + h;
            if (part[to] == 0) continue;
            for_each_child(yield, [&](int c, const Blocks& rest) {
                const Chance share = part[to] * S::ratio(S::times(arc(h, c), any(rest, c)), cells_[to]);
                chance[static_cast<std::size_t>(h) * width_ + c] += share;
                if (rest.count > 0) part[place(tables_.any[rest.count - 1], rest) + c] += share;
            });
        }
    }
};

}  // namespace nonproj
