// The best tree of WG_k and MG_k for any k: Gomez-Rodriguez, Weir & Carroll (2009), "Parsing mildly non-projective
// dependency structures", sections 4 and 5; O(n^(5+2k)) and O(n^(4+3k)) steps. A tree may have many derivations: the
// chart gives the best tree, and never a sum.
//
//   item   (h, blocks)   children of h fill the blocks, at most k + 1 of them, with their whole subtrees. The place of h is
//                        taken out of the sentence: it counts neither as filled nor as a gap.
//   Link   (c, blocks)  |-  (h, blocks and c)                     the subtree of c has at most k gaps; the arc h -> c
//   Combine  (h, a) (h, b)  |-  (h, a and b)                      for every string of gap_strings.hpp
//
// Only items that can matter are ever made. A word is charged what it loses against its best head. To the cost of an item
// is added what the words outside its blocks lose at least: words in the blocks have all their children, so that no word
// outside can have its head there. Such a sum never falls from an item to what is made of it, because the words of its
// partner have no heads in its blocks either. So items are taken by rising sums (Knuth 1977, "A generalization of
// Dijkstra's algorithm"; Klein & Manning 2003, "A* parsing"), and the first whole tree is the best one. With scores that
// fit the class, or few possible heads, that is a small part of all items. When it is not, the search gives up after a
// number of steps (gaps.hpp).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/gaps/blocks.hpp"
#include "nonproj/decode/gaps/gap_strings.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class SparseGapChart {
  public:
    static constexpr int max_gaps = gaps::max_gaps, max_words = 250;
    static constexpr double max_items = 8'000'000;
    static constexpr double bytes_of_an_item = 200;  // with its places in the tables

    SparseGapChart(const ArcScores<double>& scores, int k, bool well_nested, bool single_root,
                   double max_steps = std::numeric_limits<double>::infinity())
        : words_(scores.words()), k_(k), single_root_(single_root) {
        read(scores);
        make_joins(well_nested);
        for (int c = 1; c <= words_; ++c) link(make_item(c, Blocks{}, 0, 0, -1, -1), c, Blocks{}, 0);
        while (goal_ < 0 && !agenda_.empty()) {
            const auto [sum, id] = agenda_.top();
            agenda_.pop();
            if (items_[id].is_final || -sum > items_[id].cost + items_[id].outside) continue;
            if (++taken_ % 256 == 0) Interrupt::check();
            if (steps_ > max_steps || static_cast<double>(items_.size()) > max_items) {
                gave_up_ = true;
                return;
            }
            take(id);
        }
    }

    bool exists() const { return goal_ >= 0; }
    bool gave_up() const { return gave_up_; }

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
    using Ends = std::array<std::uint8_t, 2 * (max_gaps + 1)>;
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
            if (count > max_gaps) return false;
            end[2 * count] = static_cast<std::uint8_t>(from);
            end[2 * count + 1] = static_cast<std::uint8_t>(to);
            ++count;
            return true;
        }
    };
    struct Item {
        int head;
        Blocks blocks;
        double cost, outside;  // what its own words lose, and the others at least
        int left, right;       // what it was combined of; right = -1 for a link
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
    std::vector<std::vector<int>> possible_;  // heads of a word, the best first
    std::vector<Join> joins_;
    std::vector<std::vector<unsigned>> known_;  // [blocks]: the sets of ends by which partners are looked up
    std::vector<Item> items_;
    std::unordered_map<Key, int, Hash> by_blocks_;
    std::unordered_map<Key, std::vector<int>, Hash> partners_;
    std::priority_queue<std::pair<double, int>> agenda_;
    int goal_ = -1;
    bool gave_up_ = false;
    std::size_t taken_ = 0;
    double steps_ = 0;

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
            std::sort(possible_[d].begin(), possible_[d].end(), [&](int g, int h) { return cost(g, d) < cost(h, d); });
        }
    }

    void make_joins(bool well_nested) {
        known_.resize(k_ + 2);
        for (const std::string& letters : GapStrings::all(k_, well_nested, words_))
            for (const char own : {'a', 'b'}) {
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

    int make_item(int head, const Blocks& blocks, double cost, double outside, int left, int right) {
        items_.push_back({head, blocks, cost, outside, left, right, left < 0});
        return static_cast<int>(items_.size()) - 1;
    }
    void offer(int head, const Blocks& blocks, double cost, int left, int right) {
        ++steps_;
        const Key key = key_of(head, blocks);
        auto at = by_blocks_.find(key);
        if (at == by_blocks_.end()) {
            const double outside = lost_outside(head, blocks);
            if (outside == std::numeric_limits<double>::infinity()) return;
            at = by_blocks_.emplace(key, make_item(head, blocks, cost, outside, left, right)).first;
        } else {
            Item& item = items_[at->second];
            if (item.is_final || item.cost <= cost) return;
            item.cost = cost, item.left = left, item.right = right;
        }
        agenda_.emplace(-(cost + items_[at->second].outside), at->second);
    }
    // What the words outside the blocks lose at least when they have their heads outside too.
    double lost_outside(int head, const Blocks& blocks) {
        std::array<bool, max_words + 1> is_inside{};
        for (int b = 0; b < blocks.count; ++b)
            for (int place = blocks.first(b); place <= blocks.last(b); ++place)
                is_inside[place + (head > 0 && place >= head)] = true;
        double lost = 0;
        for (int d = 1; d <= words_; ++d) {
            if (is_inside[d]) continue;
            const auto best =
                std::find_if(possible_[d].begin(), possible_[d].end(), [&](int h) { return !is_inside[h]; });
            if (best == possible_[d].end()) return std::numeric_limits<double>::infinity();
            lost += cost(*best, d);
        }
        return lost;
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
        steps_ += static_cast<double>(found->second.size());
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

}  // namespace nonproj
