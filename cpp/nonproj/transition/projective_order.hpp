// Orders of the nodes in which the tree is projective: an inorder traversal from the dummy, where a node stands among its
// children by a key.
//
//   projective order (Nivre 2009, section 3)    every child by its position: what sorting sorts into
//   completion order                            every child by the last word of its yield, the node by its position: a
//                                               child that is complete before the node is read stands left of it, any
//                                               other to the right, in the order in which they are complete
//
// Both are the order of the sentence for a projective tree, and begin with the dummy. O(n log n), linear where the
// children stand in order already.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

// last[w] is the last word of the yield of w.
inline std::vector<int> last_words(const Tree& tree) {
    std::vector<int> last(tree.words() + 1);
    std::iota(last.begin(), last.end(), 0);
    const auto top_down = tree.top_down();
    for (std::size_t i = top_down.size(); i-- > 1;) {
        const int head = tree.head(top_down[i]);
        last[head] = std::max(last[head], last[top_down[i]]);
    }
    return last;
}

// Visits the children of a node by rising key, the node itself before the first whose key is beyond it.
template <class Key, class Action>
void inorder(const Tree& tree, const Key& key, Action visit) {
    struct Visit {
        int node;
        const int *next, *end;  // the children that are still to be visited
        bool opened;            // the node itself is done
    };
    std::vector<Visit> path;
    std::vector<std::vector<int>> sorted;  // children that were in another order
    const auto enter = [&](int node) {
        auto children = tree.children(node);
        const auto by_key = [&](int one, int other) { return key(one) < key(other); };
        if (!std::is_sorted(children.begin(), children.end(), by_key)) {
            children = sorted.emplace_back(children.begin(), children.end());
            std::sort(sorted.back().begin(), sorted.back().end(), by_key);
        }
        path.push_back({node, children.data(), children.data() + children.size(), false});
    };
    enter(0);
    while (!path.empty()) {
        Visit& at = path.back();
        const bool has_more = at.next != at.end;
        if (!at.opened && (!has_more || key(*at.next) > at.node)) {
            visit(at.node);
            at.opened = true;
        } else if (has_more) {
            enter(*at.next++);
        } else {
            path.pop_back();
        }
    }
}

inline std::vector<int> projective_order(const Tree& tree) {
    std::vector<int> order;
    order.reserve(tree.words() + 1);
    inorder(tree, [](int child) { return child; }, [&](int node) { order.push_back(node); });
    return order;
}

// The place of each node in projective order, and in completion order.
inline std::vector<int> projective_places(const Tree& tree) {
    std::vector<int> place(tree.words() + 1);
    inorder(tree, [](int child) { return child; }, [&, next = 0](int node) mutable { place[node] = next++; });
    return place;
}
inline std::vector<int> completion_places(const Tree& tree) {
    std::vector<int> last = last_words(tree), place(tree.words() + 1);
    inorder(tree, [&](int child) { return last[child]; }, [&, next = 0](int node) mutable { place[node] = next++; });
    return place;
}

// Pairs of words that stand the other way round in the order, by a binary indexed tree: O(n log n).
inline std::int64_t inversions(const std::vector<int>& order) {
    const int nodes = static_cast<int>(order.size());
    std::vector<int> seen(nodes + 1, 0);
    std::int64_t found = 0;
    for (int i = nodes - 1; i >= 0; --i) {
        for (int p = order[i]; p > 0; p -= p & -p) found += seen[p];  // smaller words that come later
        for (int p = order[i] + 1; p <= nodes; p += p & -p) ++seen[p];
    }
    return found;
}

}  // namespace nonproj
