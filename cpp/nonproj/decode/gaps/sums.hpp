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
#include <string>
#include <type_traits>
#include <vector>

#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/gaps/blocks.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <Semiring S>
class GapSumChart {
  public:
    static constexpr int max_gaps = gaps::max_gaps;
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

    static double bytes(int words, int k) { return sizeof(Value) * (words + 1.0) * Tables::number_of_rows(words, k); }

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
    static constexpr int max_blocks = max_gaps + 1;

    using Blocks = gaps::Blocks;
    struct Item {
        int table, head;
        Blocks blocks;
    };
    // What a point is to both parts of a set: number a of the one, number b of the other, or 0 of neither.
    struct Bound {
        int a = 0, b = 0;
    };
    struct Cut {
        Bound bound;
        int block;      // of the whole, that it cuts
        bool is_first;  // in this block
        int followers;  // cuts behind it in the block
    };
    // A term of the sum for a table. Letters tell how the blocks of the parts, a and b, and the gaps, g, follow each other.
    struct Step {
        int a, b;  // tables; b < 0 where a is the whole
        std::string letters;
        std::vector<Bound> bounds{};  // of the points of the whole
        std::vector<Cut> cuts{};
    };

    // The tables, their steps, and where they begin.
    struct Tables {
        int words, max_blocks;
        std::vector<int> any, linked, closed;          // T, M(O..O) and M(F..F), by blocks - 1
        std::vector<std::vector<int>> order;           // the tables of sets of so many blocks, as they are filled
        std::vector<std::vector<Step>> steps;          // by table
        std::vector<std::size_t> begin;                // rows
        std::vector<std::vector<std::size_t>> choose;  // [i][p] = C(p, i); [0] is all 0

        Tables(int n, int k) : words(n), max_blocks(blocks_for(n, k)) {
            const auto flags = all_flags(n, k);
            const int number = static_cast<int>(flags.size());
            order.resize(max_blocks);
            for (int t = 0; t < number; ++t) order[flags[t].size()].push_back(t);
            for (int blocks = 1; blocks <= max_blocks; ++blocks) {
                linked.push_back(find(flags, std::string(blocks - 1, 'O')));
                closed.push_back(find(flags, std::string(blocks - 1, 'F')));
                any.push_back(number + blocks - 1);
                order[blocks - 1].push_back(any.back());
            }
            steps.resize(number + max_blocks);
            for (int t = 0; t < number; ++t) add_steps_from(flags, t);
            for (int blocks = 1; blocks <= max_blocks; ++blocks) add_steps_to_any(blocks);
            for (auto& each : steps)
                for (Step& step : each) number_points(step);
            make_room(flags);
        }

        std::size_t rows() const { return begin.back(); }
        static double number_of_rows(int n, int k) {
            double rows = 0;
            for (const std::string& each : all_flags(n, k))
                rows += subsets(n + 1, 2 * (static_cast<int>(each.size()) + 1));
            for (int blocks = 1; blocks <= blocks_for(n, k); ++blocks) rows += subsets(n + 1, 2 * blocks);
            return rows;
        }

      private:
        static int blocks_for(int n, int k) { return std::max(1, std::min(k + 1, (n + 1) / 2)); }
        static double subsets(int points, int size) {
            double count = 1;
            for (int p = 0; p < size; ++p) count *= std::max(0.0, 1.0 * points - p) / (p + 1);
            return count;
        }
        static int find(const std::vector<std::string>& flags, const std::string& wanted) {
            return static_cast<int>(std::find(flags.begin(), flags.end(), wanted) - flags.begin());
        }

        // Those that can come to something: every F will be a gap, every S two or more. Of equal length, by what is looked at.
        static std::vector<std::string> all_flags(int n, int k) {
            std::vector<std::string> seen{""}, flags;
            for (int gaps = 0; gaps < blocks_for(n, k); ++gaps) {
                for (std::size_t s = 0; s < seen.size(); ++s)
                    if (static_cast<int>(seen[s].size()) <= gaps)
                        flags.push_back(seen[s] + std::string(gaps - seen[s].size(), 'O'));
                if (gaps + 1 == blocks_for(n, k)) break;
                for (std::size_t s = 0, end = seen.size(); s < end; ++s)
                    for (const char letter : {'F', 'S'})
                        if (static_cast<int>(seen[s].size()) == gaps && gaps_of(seen[s] + letter) <= k)
                            seen.push_back(seen[s] + letter);
            }
            return flags;
        }
        static int gaps_of(const std::string& flags) {
            int gaps = 0;
            for (const char letter : flags) gaps += letter == 'S' ? 2 : 1;
            return gaps;
        }

        void add(const std::vector<std::string>& flags, const std::string& target, Step step) {
            if (const int t = find(flags, target); t < static_cast<int>(flags.size()))
                steps[t].push_back(std::move(step));
        }
        // The steps that look at the first O, or else split the first S.
        void add_steps_from(const std::vector<std::string>& flags, int source) {
            const std::string& from = flags[source];
            const bool may_split = from.find('O') == std::string::npos;
            const std::size_t gap = from.find(may_split ? 'S' : 'O');
            if (gap == std::string::npos) return;
            const std::string u = from.substr(0, gap), w = from.substr(gap + 1);
            const auto fill = [&](const std::string& middle, int left) {
                std::string letters = "a";
                for (std::size_t g = 0; g < from.size(); ++g) letters += (g == gap ? middle : "g") + "a";
                const std::string target = u + std::string(left, 'F') + w;
                const int parts = static_cast<int>(std::count(middle.begin(), middle.end(), 'b'));
                if (parts <= max_blocks && static_cast<int>(target.size()) < max_blocks)
                    add(flags, target, {source, any_of(flags, parts), letters});
            };
            if (may_split) {
                for (int left = 2; u.size() + left + w.size() < static_cast<std::size_t>(max_blocks); ++left) {
                    std::string middle = "g";
                    for (int g = 1; g < left; ++g) middle += "bg";
                    for (const char* before : {"", "b"})
                        for (const char* after : {"", "b"}) fill(before + middle + after, left);
                }
                return;
            }
            const std::string as_it_is = blocks_of('a', from.size() + 1);
            add(flags, u + 'F' + w, {source, -1, as_it_is});
            add(flags, u + 'S' + w, {source, -1, as_it_is});
            fill("b", 0);
            for (const char* middle : {"bg", "gb", "bgb"}) fill(middle, 1);
        }
        int any_of(const std::vector<std::string>& flags, int blocks) const {
            return static_cast<int>(flags.size()) + blocks - 1;
        }
        // So many blocks of one item with gaps between them, such as "agaga".
        static std::string blocks_of(char letter, std::size_t count) {
            std::string letters(2 * count - 1, 'g');
            for (std::size_t b = 0; b < count; ++b) letters[2 * b] = letter;
            return letters;
        }
        void add_steps_to_any(int blocks) {
            auto& to = steps[any[blocks - 1]];
            to.push_back({closed[blocks - 1], -1, blocks_of('a', blocks)});
            for (int b = 0; b < blocks; ++b) {
                const std::string until = blocks_of('a', b + 1), after = blocks_of('b', blocks - b);
                to.push_back({closed[b], any[blocks - 1 - b], until + after});
                if (b + 1 < blocks) to.push_back({closed[b], any[blocks - 2 - b], until + "g" + after.substr(2)});
            }
        }

        // What every point is, from the letters.
        static void number_points(Step& step) {
            const auto& letters = step.letters;
            Bound parts;  // points so far
            int block = 0;
            const auto open = [&](char letter, Bound& bound) {
                (letter == 'a' ? bound.a = ++parts.a : bound.b = ++parts.b);
            };
            step.bounds.push_back({});
            for (std::size_t t = 0; t < letters.size(); ++t) {
                if (letters[t] == 'g') {
                    ++block;
                    step.bounds.push_back({});
                    continue;
                }
                if (t == 0 || letters[t - 1] == 'g') open(letters[t], step.bounds.back());
                Bound bound;
                open(letters[t], bound);
                if (t + 1 == letters.size() || letters[t + 1] == 'g') {
                    step.bounds.push_back(bound);
                    continue;
                }
                open(letters[t + 1], bound);
                step.cuts.push_back({bound, block, t == 0 || letters[t - 1] == 'g', 0});
            }
            for (std::size_t c = step.cuts.size(); c-- > 0;)
                if (c + 1 < step.cuts.size() && step.cuts[c + 1].block == step.cuts[c].block)
                    step.cuts[c].followers = step.cuts[c + 1].followers + 1;
        }

        void make_room(const std::vector<std::string>& flags) {
            choose.assign(2 * max_blocks + 1, std::vector<std::size_t>(words + 2, 0));
            for (int i = 1; i <= 2 * max_blocks; ++i)
                for (int p = 1; p <= words + 1; ++p)
                    choose[i][p] = choose[i][p - 1] + (i == 1 ? 1 : choose[i - 1][p - 1]);
            begin.push_back(0);
            for (std::size_t t = 0; t < steps.size(); ++t) {
                const std::size_t blocks = t < flags.size() ? flags[t].size() + 1 : t - flags.size() + 1;
                begin.push_back(begin.back() + choose[2 * blocks][words + 1]);
            }
        }
    };

    int words_, width_;
    bool single_root_;
    Tables tables_;
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
