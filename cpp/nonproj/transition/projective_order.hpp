// Orders of the nodes in which the tree is projective: an inorder traversal from the dummy, where a node stands among its
// children by a key.
//
//   projective order (Nivre 2009, section 3)    every child by its position: what sorting sorts into
//   completion order                            every child by the last word of its yield, the node by its position: a
//                                               child that is complete before the node is read stands left of it, any
//                                               other to the right, in the order in which they are complete
//
// Both are the order of the sentence for a projective tree, and begin with the dummy. O(n log n), linear where the
// children are in order already.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

// last[w] is the last word of the yield of w.
inline std::vector<int> last_words(const Tree& tree) {
    std::vector<int> last(tree.words() + 1);
    const auto top_down = tree.top_down();
    for (const int w : top_down) last[w] = w;
    for (std::size_t i = top_down.size(); i-- > 1;) {
        const int head = tree.head(top_down[i]);
        last[head] = std::max(last[head], last[top_down[i]]);
    }
    return last;
}

// The children of a node by rising key, the node itself before the first whose key is beyond it.
template <class Key>
std::vector<int> inorder(const Tree& tree, const Key& key) {
    const auto by_key = [&](int one, int other) { return key(one) < key(other); };
    std::vector<int> order, children;  // the children of the nodes on the path that are still to be visited, backwards
    order.reserve(tree.words() + 1);
    struct Visit {
        int node;
        std::size_t below;  // those of `children` that belong to the nodes above it
        bool opened;
    };
    std::vector<Visit> path;
    const auto enter = [&](int node) {
        const std::size_t begin = children.size();
        const auto found = tree.children(node);
        children.insert(children.end(), found.rbegin(), found.rend());
        if (!std::is_sorted(children.rbegin(), children.rend() - begin, by_key))
            std::sort(children.rbegin(), children.rend() - begin, by_key);
        path.push_back({node, begin, false});
    };
    enter(0);
    while (!path.empty()) {
        Visit& at = path.back();
        const bool has_more = children.size() > at.below;
        if (!at.opened && (!has_more || key(children.back()) > at.node)) {
            order.push_back(at.node);
            at.opened = true;
        } else if (has_more) {
            const int child = children.back();
            children.pop_back();
            enter(child);
        } else {
            path.pop_back();
        }
    }
    return order;
}

inline std::vector<int> projective_order(const Tree& tree) {
    return inorder(tree, [](int child) { return child; });
}
inline std::vector<int> completion_order(const Tree& tree) {
    return inorder(tree, [last = last_words(tree)](int child) { return last[child]; });
}

// place[w] is where w stands in the order.
inline std::vector<int> places_in(const std::vector<int>& order) {
    std::vector<int> place(order.size());
    for (int i = 0; i < static_cast<int>(order.size()); ++i) place[order[i]] = i;
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
