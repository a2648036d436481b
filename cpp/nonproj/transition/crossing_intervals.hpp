// The crossing intervals of a 2-crossing-interval tree (Pitler & McDonald 2015), each with its two registers. O(n log n).
//
// Crossed arcs whose closed intervals meet form a group with a hull [lo, hi]. Two crossing arcs share no end, so a set of
// two vertices that touches every arc of the group is an end of the first arc and an end of one that crosses it.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

struct CrossingInterval {
    int lo = 0, hi = 0;
    int r1 = 0, r2 = 0;  // the registers, r1 < r2
};

// The hull of any group, with a smallest set of registers.
struct CrossingHull {
    int lo = 0, hi = 0;
    std::vector<int> registers;  // in rising order
};

class CrossingIntervals {
  public:
    // From left to right; nothing when the tree is not 2-crossing-interval.
    std::optional<std::vector<CrossingInterval>> find(const Tree& tree) {
        measure(tree);
        std::vector<CrossingInterval> intervals;
        std::vector<Arc> group;
        int right = -1;
        for (const Arc& a : crossed_arcs(tree)) {
            if (!group.empty() && a.left() > right) {
                if (!settle(tree, group, right, intervals)) return std::nullopt;
                group.clear();
            }
            right = group.empty() ? a.right() : std::max(right, a.right());
            group.push_back(a);
        }
        if (!group.empty() && !settle(tree, group, right, intervals)) return std::nullopt;
        return intervals;
    }

    // From left to right, of any tree.
    std::vector<CrossingHull> hulls(const Tree& tree) {
        measure(tree);
        std::vector<CrossingHull> hulls;
        std::vector<int> hull_of(tree.words() + 1, -1);  // of the arc to each dependent
        for (const Arc& a : crossed_arcs(tree)) {
            if (hulls.empty() || a.left() > hulls.back().hi) hulls.push_back({a.left(), a.right(), {}});
            hulls.back().hi = std::max(hulls.back().hi, a.right());
            hull_of[a.dependent] = static_cast<int>(hulls.size()) - 1;
        }
        std::vector<char> is_register(tree.words() + 1, 0);
        for (const CrossingHull& hull : hulls)
            for (int v = hull.lo; v <= hull.hi; ++v) is_register[v] = is_far_side(tree, v);
        // The arcs are edges of a tree: from the leaves upwards, one that is not touched yet is best touched above.
        const auto order = tree.top_down();
        for (auto d = order.rbegin(); d != order.rend(); ++d)
            if (*d != 0 && hull_of[*d] >= 0 && !is_register[*d]) is_register[tree.head(*d)] = 1;
        for (CrossingHull& hull : hulls)
            for (int v = hull.lo; v <= hull.hi; ++v)
                if (is_register[v]) hull.registers.push_back(v);
        return hulls;
    }

  private:
    // lowest_[l][v], highest_[l][v]: the farthest neighbours of the 2^l vertices from v on.
    void measure(const Tree& tree) {
        const int nodes = tree.words() + 1, levels = std::bit_width(static_cast<unsigned>(nodes));
        lowest_.assign(levels, std::vector<int>(nodes));
        highest_ = lowest_;
        for (int v = 0; v < nodes; ++v) lowest_[0][v] = highest_[0][v] = v;
        for (int d = 1; d < nodes; ++d) {
            const int h = tree.head(d);
            lowest_[0][d] = std::min(lowest_[0][d], h), lowest_[0][h] = std::min(lowest_[0][h], d);
            highest_[0][d] = std::max(highest_[0][d], h), highest_[0][h] = std::max(highest_[0][h], d);
        }
        for (int l = 1; l < levels; ++l)
            for (int v = 0; v + (1 << l) <= nodes; ++v) {
                lowest_[l][v] = std::min(lowest_[l - 1][v], lowest_[l - 1][v + (1 << (l - 1))]);
                highest_[l][v] = std::max(highest_[l - 1][v], highest_[l - 1][v + (1 << (l - 1))]);
            }
    }
    // Crossed: a vertex between the ends has a neighbour outside them.
    bool is_crossed(const Arc& a) const {
        const int first = a.left() + 1, last = a.right() - 1;
        if (first > last) return false;
        const int l = std::bit_width(static_cast<unsigned>(last - first + 1)) - 1, v = last - (1 << l) + 1;
        return std::min(lowest_[l][first], lowest_[l][v]) < a.left() ||
               std::max(highest_[l][first], highest_[l][v]) > a.right();
    }
    std::vector<Arc> crossed_arcs(const Tree& tree) const {
        std::vector<Arc> crossed;
        for (int d = 1; d <= tree.words(); ++d)
            if (is_crossed(tree.arc(d))) crossed.push_back(tree.arc(d));
        std::sort(crossed.begin(), crossed.end(), [](const Arc& a, const Arc& b) {
            return std::pair(a.left(), a.right()) < std::pair(b.left(), b.right());
        });
        return crossed;
    }
    // A child beyond the vertex's own head.
    bool is_far_side(const Tree& tree, int v) const {
        if (v == 0) return false;
        return tree.head(v) > v ? highest_[0][v] > tree.head(v) : lowest_[0][v] < tree.head(v);
    }

    bool settle(const Tree& tree, const std::vector<Arc>& group, int hi,
                std::vector<CrossingInterval>& intervals) const {
        const Arc first = group.front();
        const Arc crossing = *std::find_if(group.begin(), group.end(), [&](const Arc& a) { return cross(a, first); });
        const int lo = first.left();
        std::vector<int> needed;
        for (int v = lo; v <= hi && needed.size() < 3; ++v)
            if (is_far_side(tree, v)) needed.push_back(v);
        std::array<std::pair<int, int>, 4> candidates;
        int i = 0;
        for (int a : {first.left(), first.right()})
            for (int b : {crossing.left(), crossing.right()}) candidates[i++] = std::minmax({a, b});
        std::sort(candidates.begin(), candidates.end());
        for (const auto& [r1, r2] : candidates) {
            const auto is_register = [&, r1 = r1, r2 = r2](int v) { return v == r1 || v == r2; };
            if (std::all_of(needed.begin(), needed.end(), is_register) &&
                std::all_of(group.begin(), group.end(),
                            [&](const Arc& a) { return is_register(a.head) || is_register(a.dependent); })) {
                intervals.push_back({lo, hi, r1, r2});
                return true;
            }
        }
        return false;
    }

    std::vector<std::vector<int>> lowest_, highest_;
};

}  // namespace nonproj
