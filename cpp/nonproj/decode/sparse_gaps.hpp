// The best tree of WG_k and MG_k for any k: Gomez-Rodriguez, Weir & Carroll (2009), "Parsing mildly non-projective
// dependency structures", sections 4 and 5; O(n^(5+2k)) and O(n^(4+3k)) steps. A tree may have many derivations: the
// chart gives the best tree, and never a sum.
//
// Only items that can matter are ever made: each word is charged what it loses against its best head, so that no item
// costs less than its parts, and items are taken by rising cost (Knuth 1977, "A generalization of Dijkstra's algorithm").
// The first whole tree is the best one. With scores that fit the class, or few possible heads, that is a small part.
//
//   item   (h, blocks)   children of h fill the blocks, at most k + 1 of them, with their whole subtrees. The place of h is
//                        taken out of the sentence: it counts neither as filled nor as a gap.
//   Link   (c, blocks)  |-  (h, blocks and c)                     the subtree of c has at most k gaps; the arc h -> c
//   Combine  (h, a) (h, b)  |-  (h, a and b)                      for every string of letters a, b and g, which says how
//                        the blocks of the two items and the gaps that are left follow each other: at most k + 1 letters a
//                        and b, at most k letters g. In WG_k no a stands between two b, or no b between two a.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/decode/decoded.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/decode/watch.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

class SparseGapChart {
  public:
    static constexpr int most_gaps = 6, most_words = 250;

    SparseGapChart(const ArcScores<double>& scores, int k, bool well_nested, bool single_root)
        : words_(scores.words()), k_(k), single_root_(single_root) {
        read(scores);
        make_joins(well_nested);
        for (int c = 1; c <= words_; ++c) link(make_item(c, Blocks{}, 0, -1, -1), c, Blocks{}, 0);
        while (goal_ < 0 && !agenda_.empty()) {
            const auto [cost, id] = agenda_.top();
            agenda_.pop();
            if (items_[id].is_final || -cost > items_[id].cost) continue;
            if (++taken_ % 256 == 0) Watch::ask();
            take(id);
        }
    }

    bool exists() const { return goal_ >= 0; }

    // For all items there can be; most are never made.
    static double bytes(int words, int k) {
        double items = words + 1;
        for (int e = 0; e < 2 * (k + 1); ++e) items *= std::max(1.0, words + 2.0 - e) / (e + 1);
        return words > most_words ? 1e18 : 270 * items;
    }

    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<int> open{goal_};
        while (!open.empty()) {
            const Item& item = items_[open.back()];
            open.pop_back();
            if (item.left < 0) continue;
            open.push_back(item.left);
            if (item.right >= 0)
                open.push_back(item.right);
            else
                heads[items_[item.left].head - 1] = item.head;
        }
        return heads;
    }

  private:
    using Ends = std::array<std::uint8_t, 2 * (most_gaps + 1)>;
    struct Blocks {
        int count = 0;
        Ends end{};  // first and last of each block

        int first(int block) const { return end[2 * block]; }
        int last(int block) const { return end[2 * block + 1]; }
        // False when there is no room left.
        bool add(int from, int to) {
            if (count > 0 && last(count - 1) + 1 >= from) {
                end[2 * count - 1] = static_cast<std::uint8_t>(to);
                return true;
            }
            if (count > most_gaps) return false;
            end[2 * count] = static_cast<std::uint8_t>(from);
            end[2 * count + 1] = static_cast<std::uint8_t>(to);
            ++count;
            return true;
        }
    };
    struct Item {
        int head;
        Blocks blocks;
        double cost;
        int left, right;  // what it was combined of; right = -1 for a link
        bool is_final;
    };
    struct Key {
        std::uint64_t high = 0, low = 0;
        bool operator==(const Key&) const = default;
        void push(int value) {
            high = high << 8 | low >> 56;
            low = low << 8 | static_cast<std::uint64_t>(value);
        }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t mixed = (key.high ^ 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
            mixed = (mixed ^ mixed >> 32 ^ key.low) * 0xc4ceb9fe1a85ec53;
            return mixed ^ mixed >> 29;
        }
    };
    // A string from the view of the item just taken: its own blocks are letters `own`, those of its partner `other`.
    struct Join {
        std::string letters;
        char own, other;
        int own_blocks, other_blocks;
        unsigned known;  // the ends of the partner that follow from the item's own
    };

    int words_, k_;
    bool single_root_;
    std::vector<double> cost_;                // [h][d]
    std::vector<std::vector<int>> possible_;  // heads of a word
    std::vector<Join> joins_;
    std::vector<std::vector<unsigned>> known_;  // [blocks]: the sets of ends by which partners are looked up
    std::vector<Item> items_;
    std::unordered_map<Key, int, Hash> by_blocks_;
    std::unordered_map<Key, std::vector<int>, Hash> partners_;
    std::priority_queue<std::pair<double, int>> agenda_;
    int goal_ = -1;
    std::size_t taken_ = 0;

    double& cost(int h, int d) { return cost_[static_cast<std::size_t>(h) * (words_ + 1) + d]; }

    void read(const ArcScores<double>& scores) {
        cost_.assign(static_cast<std::size_t>(words_ + 1) * (words_ + 1), 0);
        possible_.resize(words_ + 1);
        for (int d = 1; d <= words_; ++d) {
            double best = minus_infinity<double>;
            for (int h = 0; h <= words_; ++h)
                if (h != d) best = std::max(best, scores(h, d));
            for (int h = 0; h <= words_; ++h)
                if (h != d && scores(h, d) > minus_infinity<double>) {
                    cost(h, d) = best - scores(h, d);
                    possible_[d].push_back(h);
                }
        }
    }

    void make_joins(bool well_nested) {
        std::vector<std::string> strings;
        extend("a", strings);
        known_.resize(k_ + 2);
        for (const std::string& letters : strings)
            for (const char own : {'a', 'b'}) {
                if (well_nested && !is_nested(letters)) continue;
                Join join{letters, own, own == 'a' ? 'b' : 'a', 0, 0, 0};
                for (std::size_t t = 0; t < letters.size(); ++t) {
                    if (letters[t] == own) ++join.own_blocks;
                    if (letters[t] != join.other) continue;
                    if (t > 0 && letters[t - 1] == own) join.known |= 1u << (2 * join.other_blocks);
                    if (t + 1 < letters.size() && letters[t + 1] == own) join.known |= 2u << (2 * join.other_blocks);
                    ++join.other_blocks;
                }
                auto& sets = known_[join.other_blocks];
                if (std::find(sets.begin(), sets.end(), join.known) == sets.end()) sets.push_back(join.known);
                joins_.push_back(std::move(join));
            }
    }
    void extend(const std::string& string, std::vector<std::string>& found) const {
        const auto count = [&](char letter) { return std::count(string.begin(), string.end(), letter); };
        if (string.back() != 'g' && count('b') > 0) found.push_back(string);
        for (const auto& [letter, most] : {std::pair{'a', k_ + 1}, {'b', k_ + 1}, {'g', k_}})
            if (letter != string.back() && count(letter) < most) extend(string + letter, found);
    }
    // The strings begin with a, so that a b may stand between two a, but no a between two b.
    static bool is_nested(const std::string& letters) {
        const std::size_t first = letters.find('b'), last = letters.rfind('b');
        return std::find(letters.begin() + first, letters.begin() + last, 'a') == letters.begin() + last;
    }

    static Key key_of(int head, const Blocks& blocks) {
        Key key;
        key.push(head);
        for (int e = 0; e < 2 * blocks.count; ++e) key.push(blocks.end[e]);
        return key;
    }
    static Key key_of(int head, int blocks, unsigned known, const Ends& ends) {
        Key key;
        key.push(head);
        for (int e = 0; e < 2 * blocks; ++e) key.push((known >> e & 1) != 0 ? ends[e] : 255);
        return key;
    }

    int make_item(int head, const Blocks& blocks, double cost, int left, int right) {
        items_.push_back({head, blocks, cost, left, right, left < 0});
        return static_cast<int>(items_.size()) - 1;
    }
    void offer(int head, const Blocks& blocks, double cost, int left, int right) {
        const auto [at, is_new] = by_blocks_.try_emplace(key_of(head, blocks), static_cast<int>(items_.size()));
        if (is_new) {
            constexpr std::size_t most_items = 8'000'000;
            if (items_.size() >= most_items)
                throw Error(
                    "the chart has grown past 8 million items: prune the heads (candidate_heads), or use "
                    "strategy 'relax'");
            make_item(head, blocks, cost, left, right);
        } else {
            Item& item = items_[at->second];
            if (item.is_final || item.cost <= cost) return;
            item.cost = cost, item.left = left, item.right = right;
        }
        agenda_.emplace(-cost, at->second);
    }

    void take(int id) {
        items_[id].is_final = true;
        const Item item = items_[id];
        if (is_goal(item)) {
            goal_ = id;
            return;
        }
        if (item.head > 0) link(id, item.head, item.blocks, item.cost);
        for (const unsigned known : known_[item.blocks.count])
            partners_[key_of(item.head, item.blocks.count, known, item.blocks.end)].push_back(id);
        for (const Join& join : joins_)
            if (join.own_blocks == item.blocks.count) combine(id, item, join);
    }
    bool is_goal(const Item& item) const {
        return item.head == 0 && item.blocks.count == 1 && item.blocks.first(0) == 1 && item.blocks.last(0) == words_;
    }

    // c with what its children fill, under every possible head.
    void link(int id, int c, const Blocks& filled, double cost_so_far) {
        Blocks whole;
        bool has_c = false, fits = true;
        const auto add_c = [&] { fits = fits && whole.add(c, c), has_c = true; };
        for (int b = 0; b < filled.count && fits; ++b) {
            const int from = filled.first(b) + (filled.first(b) >= c), to = filled.last(b) + (filled.last(b) >= c);
            if (!has_c && c < from) add_c();
            has_c = has_c || to > c;
            fits = fits && whole.add(from, to);
        }
        if (!has_c) add_c();
        if (!fits || whole.count > k_ + 1) return;
        for (const int h : possible_[c]) {
            const bool is_whole = whole.count == 1 && whole.first(0) == 1 && whole.last(0) == words_;
            if (h == 0 && single_root_ && !is_whole) continue;
            Blocks blocks;
            bool is_inside = false;
            for (int b = 0; b < whole.count; ++b) {
                is_inside = is_inside || (whole.first(b) <= h && h <= whole.last(b));
                const auto place = [&](int word) { return h > 0 && word > h ? word - 1 : word; };
                blocks.add(place(whole.first(b)), place(whole.last(b)));
            }
            if (!is_inside) offer(h, blocks, cost_so_far + cost(h, c), id, -1);
        }
    }

    void combine(int id, const Item& item, const Join& join) {
        if (item.head == 0 && single_root_) return;
        Ends wanted{};
        int own = 0, other = 0;
        for (std::size_t t = 0; t < join.letters.size(); ++t) {
            if (join.letters[t] == join.own) {
                if (t > 0 && join.letters[t - 1] == join.other)
                    wanted[2 * other - 1] = static_cast<std::uint8_t>(item.blocks.first(own) - 1);
                if (t + 1 < join.letters.size() && join.letters[t + 1] == join.other)
                    wanted[2 * other] = static_cast<std::uint8_t>(item.blocks.last(own) + 1);
                ++own;
            } else if (join.letters[t] == join.other) {
                ++other;
            }
        }
        const auto found = partners_.find(key_of(item.head, join.other_blocks, join.known, wanted));
        if (found == partners_.end()) return;
        for (std::size_t p = 0; p < found->second.size(); ++p) {
            const int partner = found->second[p];
            Blocks both;
            if (!follows(item.blocks, items_[partner].blocks, join, both)) continue;
            offer(item.head, both, item.cost + items_[partner].cost, id, partner);
        }
    }
    // Whether the blocks lie as the string says; then `both` has them all.
    static bool follows(const Blocks& own, const Blocks& other, const Join& join, Blocks& both) {
        int own_block = 0, other_block = 0, last = -1;
        bool after_gap = false;
        for (const char letter : join.letters) {
            if (letter == 'g') {
                after_gap = true;
                continue;
            }
            const bool is_own = letter == join.own;
            const Blocks& blocks = is_own ? own : other;
            const int block = is_own ? own_block++ : other_block++;
            const int from = blocks.first(block);
            if (last >= 0 && (after_gap ? from <= last + 1 : from != last + 1)) return false;
            last = blocks.last(block);
            both.add(from, last);
            after_gap = false;
        }
        return true;
    }
};

inline DecodedTree sparse_gaps_best(const ArcScores<double>& scores, int k, bool well_nested, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    if (scores.words() > SparseGapChart::most_words || k > SparseGapChart::most_gaps)
        throw Error("the chart is for at most " + std::to_string(SparseGapChart::most_words) + " words and " +
                    std::to_string(SparseGapChart::most_gaps) + " gaps");
    const SparseGapChart chart(scores, k, well_nested, single_root);
    if (!chart.exists()) return {};
    return decoded(scores, chart.heads());
}

}  // namespace nonproj
