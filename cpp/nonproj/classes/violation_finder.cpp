#include "nonproj/classes/violation_finder.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <vector>

#include "nonproj/classes/crossing_interval.hpp"
#include "nonproj/classes/crossings.hpp"
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/yields.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

namespace {

Violation whole_tree(const Tree& tree) {
    Violation whole{Reason::whole_tree, arcs_of(tree), {}};
    for (int d = 1; d <= tree.words(); ++d) whole.words.push_back(d);
    return whole;
}

// What is left of a tree outside, and is outside itself, when words are deleted as long as they can be. At first the last
// ones of an order in which heads come before their dependents: how many, halving tells, since no part is outside that
// lies in one that is inside. Then one leaf at a time.
Violation smallest_part(const Tree& tree, const std::function<bool(std::span<const int>)>& is_outside) {
    constexpr int max_words_to_shrink = 120;
    std::vector<int> words;
    const auto has_child_left = [&](int v) {
        return std::any_of(words.begin(), words.end(), [&](int w) { return tree.head(w) == v; });
    };
    const auto is_part_outside = [&](const std::vector<int>& part) {
        std::vector<int> heads;
        for (int w : part) {
            const auto place = std::lower_bound(part.begin(), part.end(), tree.head(w));
            heads.push_back(tree.head(w) == 0 ? 0 : static_cast<int>(place - part.begin()) + 1);
        }
        return is_outside(std::span<const int>(heads));
    };
    std::vector<int> order;
    for (int v : tree.top_down())
        if (v != 0) order.push_back(v);
    const auto first = [&](int count) {
        words.assign(order.begin(), order.begin() + count);
        std::sort(words.begin(), words.end());
        return words;
    };
    int enough = tree.words();
    for (int few = 0; enough - few > 1;) {
        const int middle = (few + enough) / 2;
        (is_part_outside(first(middle)) ? enough : few) = middle;
    }
    words = first(enough);
    std::vector<char> is_needed(tree.words() + 1);  // what could not be deleted once cannot be deleted from less
    for (bool shrunk = enough <= max_words_to_shrink; shrunk;) {
        shrunk = false;
        for (std::size_t i = words.size(); i-- > 0;) {
            if (is_needed[words[i]] || has_child_left(words[i])) continue;
            is_needed[words[i]] = true;
            std::vector<int> fewer = words;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (is_part_outside(fewer)) words = std::move(fewer), shrunk = true;
        }
    }
    Violation found{Reason::obstruction, {}, words};
    for (int v : words) found.arcs.push_back(tree.arc(v));
    return found;
}

// Finds them in places of the core.
template <int W>
class CoreFinder final : public ViolationFinder {
  public:
    using Set = Bits<W>;

    explicit CoreFinder(const Tree& core) : tree_(core) {
        shape_.assign(core);
        depth_.assign(core.words() + 1, 0);
        for (int v : core.top_down())
            if (v != 0) depth_[v] = depth_[core.head(v)] + 1;
    }

    int gap_degree() const override { return nonproj::gap_degree(shape_); }
    bool is_well_nested() const override { return nonproj::is_well_nested(shape_); }
    int inheritance_degree() const override { return nonproj::inheritance_degree(shape_); }

    Violation crossing(bool with_dummy) const override {
        Violation best{Reason::crossing, {}, {}};
        int best_width = std::numeric_limits<int>::max();
        for_each_crossing(with_dummy, [&](const Arc& a, const Arc& b) {
            const int width = std::max(a.right(), b.right()) - std::min(a.left(), b.left());
            if (width < best_width) best_width = width, best.arcs = {a, b};
        });
        return best;
    }

    Violation planes(int k) const override {
        CrossingGraph<W> graph;
        graph.assign(tree_);
        const Set vertices = k == 2 ? odd_cycle(graph) : critical_part(tree_, graph, k);
        Violation found{Reason::planes, {}, {}};
        vertices.for_each([&](int d) { found.arcs.push_back(tree_.arc(d)); });
        return found;
    }

    Violation endpoints() const override {
        Violation best{Reason::endpoints, {}, {}};
        int best_width = std::numeric_limits<int>::max();
        for (int d = 1; d <= tree_.words(); ++d) {
            const Arc arc = tree_.arc(d);
            const auto ends = crossing_ends(shape_, arc);
            const int width = arc.right() - arc.left();
            if (ends.inside.size() < 2 || ends.outside.size() < 2 || width >= best_width) continue;
            best_width = width;
            best.arcs = two_apart(arc);
        }
        return best;
    }

    // The arcs of the group that needs too many vertices, less all that can go while it still does.
    Violation interval(int k) const override {
        const std::vector<Arc> all = arcs_of(tree_);
        std::vector<Arc> kept;
        for (const CrossingGroup& group : crossing_groups(all)) {
            if (static_cast<int>(group.vertices.size()) <= k) continue;
            for (const Arc& a : all)
                if (group.left <= a.left() && a.right() <= group.right && counts_for_interval(all, a))
                    kept.push_back(a);
            break;
        }
        for (std::size_t i = kept.size(); i-- > 0;) {
            std::vector<Arc> fewer = kept;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (crossing_interval(fewer) > k) kept = std::move(fewer);
        }
        Violation found{Reason::interval, kept, {}};
        for (const CrossingGroup& group : crossing_groups(kept))
            if (static_cast<int>(group.vertices.size()) > k) {
                found.words = {group.left, group.right};
                found.words.insert(found.words.end(), group.vertices.begin(), group.vertices.end());
                break;
            }
        return found;
    }

    Violation gaps(int k) const override {
        Violation best{Reason::gaps, {}, {}};
        int best_size = std::numeric_limits<int>::max();
        for (int v = 1; v <= tree_.words(); ++v) {
            if (shape_.gaps(v) <= k) continue;
            // Runs of Y(v) and the gaps between them, alternating: the first k + 2 runs witness k + 1 gaps.
            std::vector<int> words{v};
            ArcSet arcs{*this};
            Set rest = shape_.yield(v), outside = shape_.gap_positions(v);
            for (int run = 0; run <= k + 1; ++run) {
                const int end = outside.empty() ? Set::capacity : outside.first();
                const int inside = highest(rest & Set::below(end));
                words.push_back(inside);
                arcs.path(inside, v);
                rest -= Set::below(end);
                if (run == k + 1) break;
                const int next = rest.first();
                const int between = nearest_outside(outside & Set::below(next), v);
                words.push_back(between);
                arcs.keep_outside(between, v);
                outside -= Set::below(next);
            }
            if (arcs.size() < best_size) best_size = arcs.size(), best.arcs = arcs.arcs(), best.words = words;
        }
        return best;
    }

    // Paths drawn above the words between i, j of Y(p) and k, l of Y(q) cross, so two arcs do whose heads are
    // apart.
    Violation nesting() const override {
        Violation best{Reason::nesting, {}, {}};
        int best_size = std::numeric_limits<int>::max();
        for_each_crossing(true, [&](Arc a, Arc b) {
            if (shape_.yield(a.head).contains(b.head) || shape_.yield(b.head).contains(a.head)) return;
            ArcSet arcs{*this};
            arcs.path(a.dependent, a.head);
            arcs.path(b.dependent, b.head);
            arcs.keep_outside(a.head, b.head);
            if (arcs.size() >= best_size) return;
            if (a.left() > b.left()) std::swap(a, b);
            best_size = arcs.size();
            best.arcs = arcs.arcs();
            best.words = {a.head, b.head, a.left(), b.left(), a.right(), b.right()};
        });
        return best;
    }

    Violation inheritance(int bound) const override {
        Violation best{Reason::inheritance, {}, {}};
        int best_size = std::numeric_limits<int>::max();
        for (int v = 1; v <= tree_.words(); ++v) {
            if (shape_.gaps(v) != 1) continue;
            const Set gap = shape_.gap_positions(v);
            const int outside = nearest_outside(gap, v);
            ArcSet arcs{*this};
            arcs.keep_outside(outside, v);
            std::vector<int> words{v, outside};
            for (int c : tree_.children(v)) {
                if (!inherits_gap(shape_, gap, c) || static_cast<int>(words.size()) == bound + 3) continue;
                arcs.path(highest(shape_.yield(c) & Set::below(outside)), v);
                arcs.path(highest(shape_.yield(c) - Set::below(outside)), v);
                words.push_back(c);
            }
            if (static_cast<int>(words.size()) == bound + 3 && arcs.size() < best_size)
                best_size = arcs.size(), best.arcs = arcs.arcs(), best.words = words;
        }
        return best;
    }

    // m below h, with words of Y(m) on both sides of h; beyond one of them, seen from h, a word of h's gap.
    Violation head_split() const override {
        for (int m = 1; m <= tree_.words(); ++m) {
            if (splits_at_head(shape_, m)) continue;
            const int h = tree_.head(m);
            const Set left = shape_.yield(m) & Set::below(h), right = shape_.yield(m) - Set::below(h);
            const Set gap = shape_.gap_positions(h);
            const bool on_the_right = gap.last() > right.first();
            const int parting = on_the_right ? right.first() : left.last();
            const Set beyond = on_the_right ? gap - Set::below(parting) : gap & Set::below(parting);
            const int outside = nearest_outside(beyond, h);
            const Set far =
                on_the_right ? shape_.yield(h) - Set::below(outside) : shape_.yield(h) & Set::below(outside);
            ArcSet arcs{*this};
            arcs.path(on_the_right ? highest(left) : highest(right), h);
            arcs.path(parting, h);
            arcs.path(highest(far), h);
            arcs.keep_outside(outside, h);
            return {Reason::head_split, arcs.arcs(), {h, m, outside, parting}};
        }
        assert(false);
        return {Reason::head_split, {}, {}};
    }

    Violation obstruction(property::Name name, int k) const override {
        Profiler profiler;
        return smallest_part(tree_, [&](std::span<const int> heads) {
            return profiler.measure(heads, PropertySet{1} << name)[name] > k;
        });
    }

  private:
    template <class Visit>
    void for_each_crossing(bool with_dummy, Visit visit) const {
        for (int a = 1; a <= tree_.words(); ++a)
            for (int b = a + 1; b <= tree_.words(); ++b)
                if ((with_dummy || (tree_.head(a) != 0 && tree_.head(b) != 0)) && cross(tree_.arc(a), tree_.arc(b)))
                    visit(tree_.arc(a), tree_.arc(b));
    }

    // A shortest odd cycle: breadth-first search from each vertex, closed by an edge between equal depths.
    static Set odd_cycle(const CrossingGraph<W>& graph) {
        Set best;
        int best_length = std::numeric_limits<int>::max();
        graph.vertices().for_each([&](int start) {
            std::vector<int> parent(graph.size(), -1), depth(graph.size(), -1);
            std::deque<int> queue{start};
            depth[start] = 0;
            while (!queue.empty()) {
                const int v = queue.front();
                queue.pop_front();
                if (2 * depth[v] + 1 >= best_length) break;
                graph.crossed(v).for_each([&](int w) {
                    if (depth[w] < 0) {
                        depth[w] = depth[v] + 1;
                        parent[w] = v;
                        queue.push_back(w);
                    } else if (depth[w] == depth[v] && 2 * depth[v] + 1 < best_length) {
                        best_length = 2 * depth[v] + 1;
                        best = Set{};
                        for (int end : {v, w})
                            for (int x = end; x >= 0; x = parent[x]) best.insert(x);
                    }
                });
            }
        });
        return best;
    }

    // More than k arcs that all cross one another, or else what is left when vertices are deleted as long as k colours do
    // not suffice.
    static Set critical_part(const Tree& tree, const CrossingGraph<W>& graph, int k) {
        Set part;
        if (const auto crossing = most_crossing_arcs(tree); static_cast<int>(crossing.size()) > k) {
            for (int i = 0; i <= k; ++i) part.insert(crossing[i]);
            return part;
        }
        PlaneColouring<W> colouring;
        part = graph.vertices();
        graph.vertices().for_each([&](int v) {
            Set smaller = part;
            smaller.erase(v);
            if (!colouring.colour(graph, smaller, k) && !colouring.gave_up()) part = smaller;
        });
        return part;
    }

    // Two arcs that cross the given one and share no end; without two such, all would share one.
    std::vector<Arc> two_apart(const Arc& arc) const {
        std::vector<Arc> crossing;
        for (int d = 1; d <= tree_.words(); ++d)
            if (cross(arc, tree_.arc(d))) crossing.push_back(tree_.arc(d));
        for (std::size_t a = 0; a < crossing.size(); ++a)
            for (std::size_t b = a + 1; b < crossing.size(); ++b)
                if (!share_end(crossing[a], crossing[b])) return {arc, crossing[a], crossing[b]};
        assert(false);
        return {};
    }
    static bool share_end(const Arc& a, const Arc& b) {
        return a.head == b.head || a.head == b.dependent || a.dependent == b.head || a.dependent == b.dependent;
    }

    // Whether the arc is crossed, or leads to a vertex with a child beyond its parent, or is the arc to such
    // a child: without the others the groups are the same.
    static bool counts_for_interval(const std::vector<Arc>& all, const Arc& arc) {
        const auto passes = [](const Arc& up, const Arc& down) {
            return down.head == up.dependent && down.left() < up.head && up.head < down.right();
        };
        return std::any_of(all.begin(), all.end(), [&](const Arc& other) {
            return cross(arc, other) || passes(arc, other) || passes(other, arc);
        });
    }

    // Arcs gathered by their dependents, each once.
    struct ArcSet {
        const CoreFinder& finder;
        Set dependents{};

        void path(int from, int to) {
            for (int v = from; v != to; v = finder.tree_.head(v)) dependents.insert(v);
        }
        // What keeps `word` out of the yield of v.
        void keep_outside(int word, int v) {
            const int top = finder.common_ancestor(word, v);
            path(word, top);
            path(v, top);
        }
        int size() const { return dependents.size(); }
        std::vector<Arc> arcs() const {
            std::vector<Arc> arcs;
            dependents.for_each([&](int d) { arcs.push_back(finder.tree_.arc(d)); });
            return arcs;
        }
    };

    int common_ancestor(int a, int b) const {
        while (a != b) (depth_[a] >= depth_[b] ? a : b) = tree_.head(depth_[a] >= depth_[b] ? a : b);
        return a;
    }

    int highest(const Set& positions) const {
        int best = positions.first();
        positions.for_each([&](int v) {
            if (depth_[v] < depth_[best]) best = v;
        });
        return best;
    }

    // The place in a gap that is tied to v by the fewest arcs.
    int nearest_outside(const Set& gap, int v) const {
        int best = gap.first(), best_size = std::numeric_limits<int>::max();
        gap.for_each([&](int w) {
            const int size = depth_[w] - 2 * depth_[common_ancestor(w, v)];
            if (size < best_size) best = w, best_size = size;
        });
        return best;
    }

    const Tree& tree_;
    Shape<W> shape_;
    std::vector<int> depth_;
};

}  // namespace

Violation find_in_core(std::span<const int> heads, const std::function<Violation(const ViolationFinder&)>& find) {
    Core core;
    core.assign(heads);
    const int left = core.tree().words();
    Violation found = [&] {
        if (left <= Shape<1>::max_words) return find(CoreFinder<1>(core.tree()));
        if (left <= Shape<4>::max_words) return find(CoreFinder<4>(core.tree()));
        if (left <= Shape<32>::max_words) return find(CoreFinder<32>(core.tree()));
        return whole_tree(core.tree());  // too entangled to look for less
    }();
    for (Arc& a : found.arcs) a = {core.word(a.head), core.word(a.dependent)};
    for (int& w : found.words) w = core.word(w);
    return found;
}

Violation find_in_tree(std::span<const int> heads, bool is_hereditary,
                       const std::function<bool(std::span<const int>)>& is_outside) {
    Tree tree;
    tree.assign(heads);
    return is_hereditary ? smallest_part(tree, is_outside) : whole_tree(tree);
}

}  // namespace nonproj
