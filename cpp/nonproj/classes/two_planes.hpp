// Two planes for the arcs of a 2-planar tree, in one sweep over the words, O(n log n) although there may be n^2/16
// crossings. Arcs from the dummy do not count.
//
// The open arcs are kept as a stack of the components of their crossing graph; a component is two lists, its sides, each
// in order of opening, and components are contiguous in that order. An arc that closes crosses all open arcs that were
// opened after it: the components above its own are merged into the side opposite to it; one that has two sides
// already makes a third. In each component the arc that closes first is in plane 0.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

class TwoPlanes {
  public:
    // plane[d] of the arc into word d, 0 for those of the dummy; nothing when two planes are not enough.
    std::optional<std::vector<int>> find(const Tree& tree) {
        const int words = tree.words();
        relations_.assign(words + 1, {-1, 0});
        before_.assign(words + 1, none);
        open_.clear();
        // The arcs that close and open at each word, ends nearest to it first and last.
        std::vector<std::vector<int>> closing(words + 1), opening(words + 1);
        for (int a = 1; a <= words; ++a)
            for (int d : arcs_from(tree, a, a, words)) closing[other_end(tree, d, a)].push_back(d);
        for (int b = words; b >= 1; --b)
            for (int d : arcs_from(tree, b, 1, b)) opening[other_end(tree, d, b)].push_back(d);
        for (int w = 1; w <= words; ++w) {
            for (std::size_t i = closing[w].size(); i-- > 0;)
                if (!close(closing[w][i])) return std::nullopt;
            for (int d : opening[w]) open_.push_back({{{d, d}, {none, none}}});
        }
        return coloured(closing);
    }

  private:
    static constexpr int none = 0;
    struct Side {
        int first = none, last = none;  // joined backwards by before_
    };
    struct Component {
        Side side[2];
    };
    struct Relation {
        int up;        // as in Components: minus the size where it is the top
        int opposite;  // to `up`
    };

    // The arcs between a word and the words low .. high, each named by its dependent.
    static std::vector<int> arcs_from(const Tree& tree, int node, int low, int high) {
        std::vector<int> arcs;
        for (int d : tree.children(node))
            if (low <= d && d <= high) arcs.push_back(d);
        if (const int head = tree.head(node); head != 0 && low <= head && head <= high) arcs.push_back(node);
        return arcs;
    }
    static int other_end(const Tree& tree, int dependent, int end) {
        return dependent == end ? tree.head(dependent) : dependent;
    }

    bool close(int e) {
        std::size_t level = open_.size();
        int s = 0;
        while (true) {
            if (level == 0) return false;
            const Component& c = open_[--level];
            if (c.side[0].last == e || c.side[1].last == e) {
                s = c.side[1].last == e;
                break;
            }
            if (c.side[0].last != none && c.side[1].last != none) return false;
        }
        Component& own = open_[level];
        own.side[s].last = before_[e];
        if (own.side[s].last == none) own.side[s].first = none;
        for (std::size_t i = level + 1; i < open_.size(); ++i) {
            const Side moved = open_[i].side[open_[i].side[0].last == none];
            relate_opposite(e, moved.last);
            Side& to = own.side[1 - s];
            if (to.last == none)
                to = moved;
            else
                before_[moved.first] = to.last, to.last = moved.last;
        }
        const bool is_done = own.side[0].last == none && own.side[1].last == none;
        open_.resize(level + !is_done);
        return true;
    }

    // The top of e's relations, and whether e is opposite to it.
    std::pair<int, int> top(int e) const {
        int opposite = 0;
        for (; relations_[e].up >= 0; e = relations_[e].up) opposite ^= relations_[e].opposite;
        return {e, opposite};
    }
    void relate_opposite(int e, int f) {
        auto [a, side_a] = top(e);
        auto [b, side_b] = top(f);
        if (a == b) return;
        if (relations_[a].up > relations_[b].up) std::swap(a, b);
        relations_[a].up += relations_[b].up;
        relations_[b] = {a, side_a ^ side_b ^ 1};
    }

    std::vector<int> coloured(const std::vector<std::vector<int>>& closing) const {
        std::vector<int> plane(relations_.size(), 0), first(relations_.size(), -1);
        for (const auto& arcs : closing)
            for (std::size_t i = arcs.size(); i-- > 0;) {
                const auto [t, opposite] = top(arcs[i]);
                if (first[t] < 0) first[t] = opposite;
                plane[arcs[i]] = first[t] ^ opposite;
            }
        return plane;
    }

    std::vector<Component> open_;
    std::vector<int> before_;
    std::vector<Relation> relations_;
};

}  // namespace nonproj
