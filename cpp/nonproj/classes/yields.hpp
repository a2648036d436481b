// Properties of yields: gap degree, well-nestedness, gap inheritance, head-split, and the edge degree.
// Bodirsky, Kuhlmann & Moehl 2005; Pitler, Kannan & Marcus 2012, section 3; Satta & Kuhlmann 2013; Kuhlmann &
// Nivre 2006.
#pragma once
#include <algorithm>

#include "nonproj/classes/shape.hpp"

namespace nonproj {

template <int W>
int gap_degree(const Shape<W>& shape) {
    int degree = 0;
    for (int v = 1; v <= shape.words(); ++v) degree = std::max(degree, shape.gaps(v));
    return degree;
}

// Disjoint yields interleave exactly when each has a position between the ends of the other.
template <int W>
bool interleave(const Shape<W>& shape, int p, int q) {
    return shape.yield(p).meets(Bits<W>::between(shape.first(q), shape.last(q))) &&
           shape.yield(q).meets(Bits<W>::between(shape.first(p), shape.last(p)));
}

// Whether no two children of v interleave; a yield without a gap never does.
template <int W>
bool children_nest(const Shape<W>& shape, int v) {
    const auto children = shape.tree().children(v);
    for (std::size_t a = 0; a < children.size(); ++a) {
        if (shape.gaps(children[a]) == 0) continue;
        for (std::size_t b = a + 1; b < children.size(); ++b)
            if (shape.gaps(children[b]) > 0 && interleave(shape, children[a], children[b])) return false;
    }
    return true;
}

// Two disjoint nodes that interleave lie below two children of one node that do.
template <int W>
bool is_well_nested(const Shape<W>& shape) {
    for (int v = 0; v <= shape.words(); ++v)
        if (!children_nest(shape, v)) return false;
    return true;
}

// Does Y(child) lie on both sides of its parent's only gap?
template <int W>
bool inherits_gap(const Shape<W>& shape, const Bits<W>& gap, int child) {
    return shape.first(child) < gap.first() && gap.last() < shape.last(child);
}

template <int W>
int inheritance_degree(const Shape<W>& shape) {
    int degree = 0;
    for (int v = 1; v <= shape.words(); ++v) {
        if (shape.gaps(v) != 1) continue;
        const auto gap = shape.gap_positions(v);
        const auto children = shape.tree().children(v);
        degree = std::max<int>(degree, std::count_if(children.begin(), children.end(),
                                                     [&](int c) { return inherits_gap(shape, gap, c); }));
    }
    return degree;
}

// Whether the gap of m that contains its head h, if there is one, contains all gap positions of h.
template <int W>
bool splits_at_head(const Shape<W>& shape, int m) {
    const int h = shape.tree().head(m);
    if (h == 0 || h < shape.first(m) || h > shape.last(m)) return true;
    const auto gap_of_head = shape.gap_positions(h);
    if (gap_of_head.empty()) return true;
    const int left = (shape.yield(m) & Bits<W>::below(h)).last();
    const int right = (shape.yield(m) - Bits<W>::below(h)).first();
    return left < gap_of_head.first() && gap_of_head.last() < right;
}

template <int W>
bool is_head_split(const Shape<W>& shape) {
    for (int m = 1; m <= shape.words(); ++m)
        if (!splits_at_head(shape, m)) return false;
    return true;
}

// Components between h and d are counted by their roots: words whose own head is beyond the arc.
template <int W>
int edge_degree(const Shape<W>& shape) {
    const Tree& tree = shape.tree();
    int degree = 0;
    for (int d = 1; d <= shape.words(); ++d) {
        const Arc arc = tree.arc(d);
        int components = 0;
        for (int w = arc.left() + 1; w < arc.right(); ++w) {
            const int h = tree.head(w);
            components += (h < arc.left() || h > arc.right()) && !shape.yield(arc.head).contains(w);
        }
        degree = std::max(degree, components);
    }
    return degree;
}

}  // namespace nonproj
