// The projective order (Nivre 2009, section 3): the nodes as an inorder traversal from the dummy visits them, a node
// among its children by position. In that order the tree is projective. Linear time.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

// The nodes in projective order; the dummy, which is leftmost, comes first.
inline std::vector<int> projective_order(const Tree& tree) {
    std::vector<int> order;
    struct Visit {
        int node, next;  // children before `next` are done
        bool opened;     // the node itself is done
    };
    std::vector<Visit> path{{0, 0, false}};
    while (!path.empty()) {
        Visit& at = path.back();
        const auto children = tree.children(at.node);
        const bool has_more = at.next < static_cast<int>(children.size());
        if (!at.opened && (!has_more || children[at.next] > at.node)) {
            order.push_back(at.node);
            at.opened = true;
        } else if (has_more) {
            const int child = children[at.next++];
            path.push_back({child, 0, false});
        } else {
            path.pop_back();
        }
    }
    return order;
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
