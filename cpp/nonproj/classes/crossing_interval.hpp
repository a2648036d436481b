// k-crossing-interval trees (Pitler & McDonald 2015): crossed arcs whose closed
// intervals meet form a group, and a group needs a set of vertices that
//   (a) touches every crossed arc of the group, and
//   (b) includes every vertex of the group's interval that has a child beyond its own parent.
// The arcs are edges of a tree, so once (b) has been granted a smallest set for (a) comes from the leaves
// upwards: an arc not yet touched is best touched at its upper end. The measure never falls when arcs are
// added, which makes a subset of the arcs a proof that the whole tree needs as many.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

struct CrossingGroup {
    std::vector<Arc> arcs;  // the crossed arcs
    int left = 0, right = 0;
    std::vector<int> vertices;  // a smallest set for (a) and (b)
};

namespace crossing_interval_detail {

inline std::vector<Arc> crossed_arcs(std::span<const Arc> arcs) {
    std::vector<Arc> crossed;
    for (const Arc& a : arcs)
        if (std::any_of(arcs.begin(), arcs.end(), [&](const Arc& b) { return cross(a, b); })) crossed.push_back(a);
    std::sort(crossed.begin(), crossed.end(), [](const Arc& a, const Arc& b) {
        return std::pair(a.left(), a.right()) < std::pair(b.left(), b.right());
    });
    return crossed;
}

// Vertices with a child beyond their own parent.
inline std::vector<int> far_side_vertices(std::span<const Arc> arcs) {
    std::vector<int> far;
    for (const Arc& up : arcs)
        for (const Arc& down : arcs)
            if (down.head == up.dependent && std::min(up.dependent, down.dependent) < up.head &&
                up.head < std::max(up.dependent, down.dependent))
                far.push_back(up.dependent);
    std::sort(far.begin(), far.end());
    far.erase(std::unique(far.begin(), far.end()), far.end());
    return far;
}

// Smallest set of vertices that touches every arc and includes those already in it. An arc can be settled
// when no unsettled arc hangs below its dependent.
inline void complete_cover(const std::vector<Arc>& arcs, std::vector<int>& cover) {
    auto touched = [&](const Arc& a) {
        return std::any_of(cover.begin(), cover.end(), [&](int v) { return v == a.head || v == a.dependent; });
    };
    std::vector<Arc> open;
    std::copy_if(arcs.begin(), arcs.end(), std::back_inserter(open), [&](const Arc& a) { return !touched(a); });
    while (!open.empty()) {
        const auto lowest = std::find_if(open.begin(), open.end(), [&](const Arc& a) {
            return std::none_of(open.begin(), open.end(), [&](const Arc& b) { return b.head == a.dependent; });
        });
        cover.push_back(lowest->head);
        std::erase_if(open, touched);
    }
    std::sort(cover.begin(), cover.end());
}

}  // namespace crossing_interval_detail

inline std::vector<CrossingGroup> crossing_groups(std::span<const Arc> arcs) {
    using namespace crossing_interval_detail;
    std::vector<CrossingGroup> groups;
    for (const Arc& a : crossed_arcs(arcs)) {
        if (groups.empty() || a.left() > groups.back().right) groups.push_back({{}, a.left(), a.right(), {}});
        groups.back().arcs.push_back(a);
        groups.back().right = std::max(groups.back().right, a.right());
    }
    if (groups.empty()) return groups;
    const std::vector<int> far = far_side_vertices(arcs);
    for (CrossingGroup& group : groups) {
        for (int v : far)
            if (group.left <= v && v <= group.right) group.vertices.push_back(v);
        complete_cover(group.arcs, group.vertices);
    }
    return groups;
}

inline std::vector<Arc> arcs_of(const Tree& tree) {
    std::vector<Arc> arcs;
    for (int d = 1; d <= tree.words(); ++d) arcs.push_back(tree.arc(d));
    return arcs;
}

// The smallest k; 1 without crossings.
inline int crossing_interval(std::span<const Arc> arcs) {
    std::size_t most = 1;
    for (const CrossingGroup& group : crossing_groups(arcs)) most = std::max(most, group.vertices.size());
    return static_cast<int>(most);
}

}  // namespace nonproj
