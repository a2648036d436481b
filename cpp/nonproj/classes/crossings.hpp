// Crossing arcs and 1-endpoint-crossing trees (Pitler, Kannan & Marcus 2013). Arcs from the dummy count.
#pragma once
#include <utility>
#include <vector>

#include "nonproj/classes/shape.hpp"

namespace nonproj {

// The ends of the arcs that cross a given one: those inside it, and those outside.
template <int W>
struct CrossingEnds {
    Bits<W> inside, outside;
};

template <int W>
CrossingEnds<W> crossing_ends(const Shape<W>& shape, const Arc& arc) {
    CrossingEnds<W> ends;
    const auto closed = Bits<W>::below(arc.right() + 1) - Bits<W>::below(arc.left());
    for (int w = arc.left() + 1; w < arc.right(); ++w) {
        const auto beyond = shape.neighbours(w) - closed;
        if (beyond.empty()) continue;
        ends.inside.insert(w);
        ends.outside |= beyond;
    }
    return ends;
}

template <int W>
int count_crossings(const Shape<W>& shape) {
    int twice = 0;
    for (int d = 1; d <= shape.words(); ++d) {
        const Arc arc = shape.tree().arc(d);
        const auto closed = Bits<W>::below(arc.right() + 1) - Bits<W>::below(arc.left());
        for (int w = arc.left() + 1; w < arc.right(); ++w) twice += (shape.neighbours(w) - closed).size();
    }
    return twice / 2;
}

inline std::vector<std::pair<Arc, Arc>> crossing_pairs(const Tree& tree) {
    std::vector<std::pair<Arc, Arc>> pairs;
    for (int a = 1; a <= tree.words(); ++a)
        for (int b = a + 1; b <= tree.words(); ++b)
            if (cross(tree.arc(a), tree.arc(b))) pairs.emplace_back(tree.arc(a), tree.arc(b));
    return pairs;
}

// Crossing arcs join an inside end to an outside end: they share a vertex when one side has a single end.
template <int W>
bool is_one_endpoint_crossing(const Shape<W>& shape) {
    for (int d = 1; d <= shape.words(); ++d) {
        const auto ends = crossing_ends(shape, shape.tree().arc(d));
        if (ends.inside.size() > 1 && ends.outside.size() > 1) return false;
    }
    return true;
}

}  // namespace nonproj
