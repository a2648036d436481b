// MH_k as a transition system: the chart of Gomez-Rodriguez 2016, Figure 2, walked from left to right with a stack of
// items, so that it derives exactly the trees of MH_k. An item [h_1 .. h_m], m <= k, is the part of the sentence from h_1
// to h_m in which the words not shown have their heads; items that follow one another share an end.
// Configuration (items, buffer b, arcs); start ([], [1..n+1]), end ([[0, n+1]], []); n+1 is an end mark, never a head.
//
//   SHIFT     push [i, j]                                      i: the last node so far, j: the first of the buffer; the
//                                                              last item has less than k nodes, or it would be stuck
//   COMBINE   [h_1 .. h_m] [h_m .. h_p] => [h_1 .. h_p]        at most k nodes
//   LINKa>b   arc h_a -> h_b in the last item; h_b leaves it    1 < b < m, h_a is not the end mark
//
// Single root: an arc from the dummy only when it is the last transition.
// Oracle: as in classes/multi_headed.hpp an item is settled by its ends, since linking at once never hurts; a table of
// the items with room for more says where to combine. It is made for the core of the tree only (tree/core.hpp), and
// linear where few words wait for their heads; at worst it has a place for every two words of the core, and its
// making is cubic. 3n + 1 transitions.
#pragma once
#include <algorithm>

#include "nonproj/error.hpp"
#include "nonproj/transition/system.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

struct MultiHeadedSystem {
    int k = 4;
    bool single_root = false;

    static constexpr int SHIFT = 0, COMBINE = 1, LINK = 2;
    static constexpr int max_nodes = 64;
    struct Configuration {
        int words = 0, front = 1;
        std::vector<int> nodes;   // of all items, shared ends once
        std::vector<int> starts;  // where in `nodes` each item starts
        std::vector<int> head;
        int items() const { return static_cast<int>(starts.size()); }
        int size_of_last() const { return static_cast<int>(nodes.size()) - starts.back(); }
        // h_1, h_2, ... of the last item
        int h(int j) const { return nodes[starts.back() + j - 1]; }
    };

    int transitions(int) const { return LINK + (k - 2) * (k - 1); }
    std::string name(int t) const {
        if (t < LINK) return t == SHIFT ? "SHIFT" : "COMBINE";
        return "LINK" + std::to_string(head_of(t)) + ">" + std::to_string(dependent_of(t));
    }

    void start(Configuration& c, int words) const {
        if (k < 3 || k > max_nodes) throw Error("items need 3 to " + std::to_string(max_nodes) + " nodes");
        c.words = words;
        c.front = 1;
        c.nodes.assign(1, 0);
        c.starts.clear();
        c.head.assign(words + 1, no_head);
    }
    bool is_final(const Configuration& c) const { return c.front > c.words + 1 && c.nodes.size() == 2; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) {
            if (c.front > c.words + 1) return "the buffer is empty";
            return c.items() > 0 && c.size_of_last() == k ? "the item has no room for another node" : nullptr;
        }
        if (t == COMBINE) {
            if (c.items() < 2) return "there are no two items";
            const int together = static_cast<int>(c.nodes.size()) - c.starts[c.items() - 2];
            return together > k ? "the item would have too many nodes" : nullptr;
        }
        if (c.items() == 0) return "there is no item";
        if (dependent_of(t) >= c.size_of_last() || head_of(t) > c.size_of_last())
            return "the item is not as long as that";
        const int head = c.h(head_of(t));
        if (head > c.words) return "the end mark is no head";
        if (single_root && head == 0 && !(c.front > c.words + 1 && c.nodes.size() == 3))
            return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        return t < LINK ? no_arc : Arc{c.h(head_of(t)), c.h(dependent_of(t))};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) {
            c.starts.push_back(static_cast<int>(c.nodes.size()) - 1);
            c.nodes.push_back(c.front++);
        } else if (t == COMBINE) {
            c.starts.pop_back();
        } else {
            const Arc made = arc(c, t);
            c.head[made.dependent] = made.head;
            c.nodes.erase(c.nodes.begin() + c.starts.back() + dependent_of(t) - 1);
        }
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        std::vector<int> heads;
        for (int w = 1; w <= tree.words(); ++w) heads.push_back(tree.head(w));
        Core core;
        core.assign(std::span<const int>(heads));
        ItemTable table(core.tree(), k);
        if (!table.is_derivable(0, core.tree().words() + 1)) return false;
        Run run{*this, tree, transition_detail::missing_dependents(tree), {}, sequence};
        start(run.c, tree.words());
        sequence.clear();
        run.derive(table, core);
        return true;
    }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT) - 1; }
    // The nodes of all items are a stack; the end mark is no word.
    Focus focus(const Configuration& c) const {
        Focus focus;
        focus.see_stack(c.nodes);
        if (focus.stack[0] > c.words) focus.stack[0] = -1;
        focus.mode = c.items() == 0 ? 0 : c.size_of_last();
        focus.see_buffer(c.front, c.words);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        TraceColumn items{"items", TraceColumn::Kind::items, {}};
        for (int i = 0; i < c.items(); ++i) {
            const int end = i + 1 < c.items() ? c.starts[i + 1] : static_cast<int>(c.nodes.size()) - 1;
            items.values.insert(items.values.end(), c.nodes.begin() + c.starts[i], c.nodes.begin() + end + 1);
        }
        return {items, {"buffer", TraceColumn::Kind::words, transition_detail::range(c.front, c.words + 1)}};
    }

  private:
    // Dependents are h_2 .. h_(k-1), each with the k - 1 other nodes as heads.
    int dependent_of(int t) const { return (t - LINK) / (k - 1) + 2; }
    int head_of(int t) const {
        const int rank = (t - LINK) % (k - 1) + 1;
        return rank < dependent_of(t) ? rank : rank + 1;
    }
    int link(int head, int dependent) const {
        return LINK + (dependent - 2) * (k - 1) + (head < dependent ? head : head - 1) - 1;
    }

    // The items that can be derived and are of use, by their ends: those with room for another node, and the last one.
    // What is left between the ends is settled by them: x is linked away when its head and its whole yield are inside.
    class ItemTable {
      public:
        ItemTable(const Tree& tree, int k) : ending_(tree.words() + 2), seen_(tree.words() + 2, 0) {
            measure(tree);
            const int last = tree.words() + 1;
            for (int j = 1; j <= last; ++j) {
                ending_[j].push_back({j - 1, j - 1, left_over_.size(), 0});
                seen_[j - 1] = j;
                for (std::size_t n = 0; n < ending_[j].size(); ++n) {
                    const Item right = ending_[j][n];
                    if (right.left == 0) continue;
                    for (const Item& left : ending_[right.left])
                        if (left.size + right.size + 3 <= k && seen_[left.left] != j) combine(left, right, j, k, last);
                }
                std::sort(ending_[j].begin(), ending_[j].end(),
                          [](const Item& a, const Item& b) { return a.left < b.left; });
            }
        }
        bool is_derivable(int i, int j) const { return find(i, j) != nullptr; }
        // Where it was combined.
        int split(int i, int j) const { return find(i, j)->split; }

      private:
        struct Item {
            int left, split;
            std::size_t begin;  // of what is left between the ends, in left_over_
            int size;
        };
        static constexpr std::size_t max_items = 8'000'000;

        const Item* find(int i, int j) const {
            const auto& items = ending_[j];
            const auto at = std::lower_bound(items.begin(), items.end(), i,
                                             [](const Item& item, int left) { return item.left < left; });
            return at != items.end() && at->left == i ? &*at : nullptr;
        }
        void measure(const Tree& tree) {
            low_.resize(tree.words() + 1);
            for (int v = 0; v <= tree.words(); ++v) low_[v] = v;
            high_ = low_;
            const auto order = tree.top_down();
            for (std::size_t n = order.size(); n-- > 1;) {
                const int v = order[n], head = tree.head(v);
                low_[head] = std::min(low_[head], low_[v]);
                high_[head] = std::max(high_[head], high_[v]);
            }
            for (int v = 1; v <= tree.words(); ++v) {
                low_[v] = std::min(low_[v] - 1, tree.head(v));
                high_[v] = std::max(high_[v] + 1, tree.head(v));
            }
        }
        void combine(const Item& left, const Item& right, int j, int k, int last) {
            seen_[left.left] = j;
            const Item made{left.left, right.left, left_over_.size(), 0};
            const auto keep = [&](int x) {
                if (low_[x] < made.left || high_[x] > j) left_over_.push_back(x);
            };
            for (int n = 0; n < left.size; ++n) keep(left_over_[left.begin + n]);
            keep(right.left);
            for (int n = 0; n < right.size; ++n) keep(left_over_[right.begin + n]);
            const int size = static_cast<int>(left_over_.size() - made.begin);
            if (size + 3 > k && !(made.left == 0 && j == last)) {
                left_over_.resize(made.begin);
                return;
            }
            if (++items_ > max_items) throw Error("this tree is too entangled: its items cannot all be kept");
            ending_[j].push_back({made.left, made.split, made.begin, size});
        }

        std::vector<std::vector<Item>> ending_;  // by right end
        std::vector<int> seen_;                  // the last right end for which this left end was tried
        std::vector<int> left_over_, low_, high_;
        std::size_t items_ = 0;
    };

    struct Run {
        const MultiHeadedSystem& system;
        const Tree& tree;
        std::vector<int> missing;
        Configuration c;
        std::vector<int>& sequence;

        void take(int t) {
            if (t >= LINK) --missing[system.arc(c, t).head];
            system.apply(c, t);
            sequence.push_back(t);
        }
        // The items of the core, ends of which are places in it, left part, right part, then the whole.
        void derive(const ItemTable& table, const Core& core) {
            struct Task {
                int i, j;
                bool are_parts_done;
            };
            std::vector<Task> tasks{{0, core.tree().words() + 1, false}};
            while (!tasks.empty()) {
                const auto [i, j, are_parts_done] = tasks.back();
                tasks.pop_back();
                if (are_parts_done) {
                    take(COMBINE);
                    while (link_one()) {
                    }
                } else if (i + 1 == j) {
                    shift_to(j <= core.tree().words() ? core.word(j) : tree.words() + 1);
                } else {
                    const int m = table.split(i, j);
                    tasks.push_back({i, j, true});
                    tasks.push_back({m, j, false});
                    tasks.push_back({i, m, false});
                }
            }
        }
        // Words between two neighbours of the core are linked to one of the two, or among themselves, projectively.
        void shift_to(int end) {
            const int below = c.items();
            while (c.front <= end) {
                take(SHIFT);
                while (c.items() > below + 1) {
                    const int size = static_cast<int>(c.nodes.size()), middle = c.nodes[size - 2];
                    const int head = tree.head(middle);
                    if (missing[middle] > 0 || (head != c.nodes[size - 3] && head != c.nodes[size - 1])) break;
                    take(COMBINE);
                    take(system.link(head == c.nodes[size - 3] ? 1 : 3, 2));
                }
            }
        }
        bool link_one() {
            for (int b = 2; b < c.size_of_last(); ++b)
                for (int a = 1; a <= c.size_of_last(); ++a)
                    if (a != b && missing[c.h(b)] == 0 && tree.head(c.h(b)) == c.h(a)) {
                        take(system.link(a, b));
                        return true;
                    }
            return false;
        }
    };
};

static_assert(TransitionSystem<MultiHeadedSystem>);

}  // namespace nonproj
