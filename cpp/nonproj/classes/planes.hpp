// k-planar trees (Yli-Jyrae 2003; Gomez-Rodriguez & Nivre 2010): the crossing graph of the arcs between words
// can be coloured with k colours. Arcs from the dummy do not count.
//
// Each connected part of the graph is coloured by itself. Two colours are found or refuted in linear time by search along
// the crossings. Arcs that all cross one another need a plane each, so fewer planes than those are not tried. What is
// left is found by DSATUR backtracking: NP-complete in general (circle graphs), instant on the trees of treebanks, and
// given up after a number of looks at vertices that no treebank has come near, some tenths of a second.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/classes/shape.hpp"

namespace nonproj {

// The graph: vertex d is the arc into word d; an arc from the dummy has no neighbour.
template <int W>
class CrossingGraph {
  public:
    using Set = Bits<W>;

    void assign(const Tree& tree) {
        crossed_.assign(tree.words() + 1, Set{});
        for (int a = 1; a <= tree.words(); ++a) {
            if (tree.head(a) == 0) continue;
            for (int b = a + 1; b <= tree.words(); ++b)
                if (tree.head(b) != 0 && cross(tree.arc(a), tree.arc(b))) {
                    crossed_[a].insert(b);
                    crossed_[b].insert(a);
                }
        }
    }

    int size() const { return static_cast<int>(crossed_.size()); }
    const Set& crossed(int d) const { return crossed_[d]; }
    Set vertices() const {
        Set all;
        for (int d = 1; d < size(); ++d)
            if (!crossed_[d].empty()) all.insert(d);
        return all;
    }

  private:
    std::vector<Set> crossed_;
};

template <int W>
class PlaneColouring {
  public:
    using Set = Bits<W>;
    static constexpr long max_looks = 10'000'000;

    // A colour for each of the given vertices (-1 elsewhere), or nothing when k do not suffice; gave_up()
    // tells whether that was for want of looks.
    std::optional<std::vector<int>> colour(const CrossingGraph<W>& graph, const Set& vertices, int k) {
        graph_ = &graph;
        k_ = k;
        looks_ = 0;
        colour_.assign(graph.size(), -1);
        class_.assign(k, Set{});
        if (!extend(vertices, 0)) return std::nullopt;
        return colour_;
    }
    bool gave_up() const { return looks_ > max_looks; }

  private:
    // Colours the vertex with the fewest colours left, then the rest; `used` colours have been opened so far,
    // and a new one is opened only in order, since their names do not matter.
    bool extend(const Set& open, int used) {
        if (open.empty()) return true;
        looks_ += static_cast<long>(open.size()) * (used + 1);  // at a vertex, for each colour
        if (gave_up()) return false;
        const int v = most_constrained(open, used);
        Set rest = open;
        rest.erase(v);
        for (int c = 0; c < std::min(k_, used + 1); ++c) {
            if (class_[c].meets(graph_->crossed(v))) continue;
            class_[c].insert(v);
            colour_[v] = c;
            if (extend(rest, std::max(used, c + 1))) return true;
            class_[c].erase(v);
            colour_[v] = -1;
            if (gave_up()) return false;
        }
        return false;
    }

    int most_constrained(const Set& open, int used) const {
        int best = -1, best_key = -1;
        open.for_each([&](int v) {
            int saturation = 0;
            for (int c = 0; c < used; ++c) saturation += class_[c].meets(graph_->crossed(v));
            const int key = saturation * Set::capacity + (graph_->crossed(v) & open).size();
            if (key > best_key) best = v, best_key = key;
        });
        return best;
    }

    const CrossingGraph<W>* graph_ = nullptr;
    int k_ = 0;
    long looks_ = 0;
    std::vector<int> colour_;
    std::vector<Set> class_;
};

extern template class PlaneColouring<4>;
extern template class PlaneColouring<32>;

// The connected parts of the crossing graph that have crossings.
template <int W>
std::vector<Bits<W>> crossing_parts(const CrossingGraph<W>& graph) {
    std::vector<Bits<W>> parts;
    for (Bits<W> open = graph.vertices(); !open.empty(); open -= parts.back()) {
        Bits<W> part = Bits<W>::single(open.first()), seen;
        while (!(part == seen)) {
            const Bits<W> added = part - seen;
            seen = part;
            added.for_each([&](int v) { part |= graph.crossed(v); });
        }
        parts.push_back(part);
    }
    return parts;
}

// The most arcs between words that all cross one another, from left to right, each named by its dependent: a largest
// clique of a circle graph (Gavril 1973), in O(n^2 log n). All others open within the first of them and close after
// it, the later they open the later: for each first arc a longest rising sequence.
std::vector<int> most_crossing_arcs(const Tree& tree);

// The smallest number of planes, at least 1; or, where it could not be settled, -b when it is at least b.
template <int W>
int count_planes(const Tree& tree, const CrossingGraph<W>& graph, PlaneColouring<W>& colouring) {
    std::vector<Bits<W>> open = crossing_parts(graph);
    if (open.empty()) return 1;
    for (int k = 2;;) {
        bool is_refuted = false;
        std::erase_if(open, [&](const Bits<W>& part) {
            const bool is_coloured = colouring.colour(graph, part, k).has_value();
            is_refuted = is_refuted || !(is_coloured || colouring.gave_up());
            return is_coloured;
        });
        if (open.empty()) return k;
        if (!is_refuted) return -k;
        k = k == 2 ? std::max(3, static_cast<int>(most_crossing_arcs(tree).size())) : k + 1;
    }
}

// A plane for the arc into each word with the fewest planes; in each connected part of the crossing graph the
// planes are numbered by falling size, so that plane 0 holds what a reader takes for the ordinary arcs. -1
// for arcs from the dummy; nothing when the colouring could not be settled.
template <int W>
std::optional<std::vector<int>> assign_planes(const Tree& tree) {
    CrossingGraph<W> graph;
    PlaneColouring<W> colouring;
    graph.assign(tree);
    const int count = count_planes(tree, graph, colouring);
    if (count < 0) return std::nullopt;
    std::vector<int> plane(tree.words() + 1, 0);
    for (const Bits<W>& part : crossing_parts(graph)) {
        const auto colour = colouring.colour(graph, part, count);
        if (!colour) return std::nullopt;  // fewer planes were enough for it, and it was not tried with as many
        std::vector<std::pair<int, int>> by_size(count);
        for (int c = 0; c < count; ++c) by_size[c] = {0, c};
        part.for_each([&](int v) { --by_size[(*colour)[v]].first; });
        std::sort(by_size.begin(), by_size.end());
        for (int rank = 0; rank < count; ++rank)
            part.for_each([&](int v) {
                if ((*colour)[v] == by_size[rank].second) plane[v] = rank;
            });
    }
    for (int d = 1; d <= tree.words(); ++d)
        if (tree.head(d) == 0) plane[d] = -1;
    return plane;
}

// The plane of the arc into each word of a tree, from 0 on, -1 for arcs of the dummy; an error where that could not be
// settled.
std::vector<int> planes_of_words(std::span<const int> heads);

}  // namespace nonproj
