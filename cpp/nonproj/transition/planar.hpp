// k stacks for k-planar trees (Gomez-Rodriguez & Nivre 2010, 2013): derives exactly the k-planar trees.
// Configuration (stacks S_1 .. S_k, the active one p, buffer b, arcs). The dummy is on no stack, which is why arcs from
// it do not count for planes. Start (all empty, p = 1, [1..n]), end: the buffer is empty and every word has a head.
//
//   SHIFT    j is pushed on every stack                    j: the first word of the buffer
//   LA       arc j -> i, i stays                           i: the top of the active stack, without a head
//   RA       arc i -> j, i stays                           j has no head;  LA, RA: i and j do not hang together
//   REDUCE   i leaves the active stack
//   SWITCH   the next stack becomes the active one         at most k - 1 times in a row
//   ROOT     the buffer is empty: the first headless word becomes a root
//
// An arc made on stack p covers no word of that stack, so no two arcs of one stack cross.
// Oracle: put the arcs into planes; for every word of the buffer and every plane in turn, pop down to the arcs due
// there. A popped word has no later arc in that plane: it would cross. At most (2k + 1) n transitions.
// Planes: k = 2 by classes/two_planes.hpp in O(n log n); more by search (classes/planes.hpp), which is NP-complete in general.
//
// Single root, without dead ends: rho is the headless word that has left its last stack.
//   REDUCE from the last stack: a headless word becomes rho, which must be free, and with the last word at the front
//          must not be left behind by it; a word of rho's component must stay visible, or be the front.
//   RA     to the last word, once there is a rho, only from rho's component.
//   SHIFT  of the last word only when one headless word is left.
//   SWITCH only when a stack that it can lead to is not empty.
#pragma once
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/two_planes.hpp"
#include "nonproj/error.hpp"
#include "nonproj/transition/components.hpp"
#include "nonproj/transition/system.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

struct Planar {
    int planes = 2;
    bool single_root = false;

    enum : int { SHIFT, LA, RA, REDUCE, SWITCH, ROOT };
    struct Configuration {
        int words = 0, front = 1;
        int active = 0, switches = 0;  // SWITCHes in a row
        int headless = 0, first_root = 1;
        int rho = 0;
        std::vector<std::vector<int>> stacks;
        std::vector<int> head;
        std::vector<int> copies;   // on how many stacks a word is
        std::vector<int> visible;  // for each component how many of its words are on a stack
        Components components;
        bool buffer_is_empty() const { return front > words; }
        const std::vector<int>& stack() const { return stacks[active]; }
        int top() const { return stack().back(); }
        bool is_headless(int w) const { return head[w] == no_head; }
    };

    int transitions(int) const { return 6; }
    std::string name(int t) const {
        static constexpr const char* names[] = {"SHIFT", "LA", "RA", "REDUCE", "SWITCH", "ROOT"};
        return names[t];
    }

    void start(Configuration& c, int words) const {
        c.words = c.headless = words;
        c.front = c.first_root = 1;
        c.active = c.switches = c.rho = 0;
        c.stacks.resize(planes);
        for (auto& stack : c.stacks) stack.clear();
        c.head.assign(words + 1, no_head);
        c.copies.assign(words + 1, 0);
        c.visible.assign(words + 1, 0);
        c.components.start(words);
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.headless == 0; }

    const char* objection(const Configuration& c, int t) const {
        if (t == ROOT) {
            if (!c.buffer_is_empty()) return "roots are settled when the buffer is empty";
            return c.headless == 0 ? "every word has a head" : nullptr;
        }
        if (c.buffer_is_empty()) return "the buffer is empty";
        if (t == SWITCH) {
            if (c.switches >= planes - 1) return "every stack has been active since the last other transition";
            return single_root && !can_reach_a_word(c) ? "no stack that it leads to holds a word" : nullptr;
        }
        if (t != SHIFT && c.stack().empty()) return "the active stack is empty";
        if (t == LA && !c.is_headless(c.top())) return "the top of the active stack has a head already";
        if (t == RA && !c.is_headless(c.front)) return "the first word of the buffer has a head already";
        if ((t == LA || t == RA) && c.components.joined(c.top(), c.front)) return "the arc would close a cycle";
        return single_root && !leaves_one_root(c, t) ? "more than one word would be left without a head" : nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == ROOT) return {0, next_root(c)};
        return t == LA ? Arc{c.front, c.top()} : t == RA ? Arc{c.top(), c.front} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        c.switches = t == SWITCH ? c.switches + 1 : 0;
        switch (t) {
            case SHIFT:
                for (auto& stack : c.stacks) stack.push_back(c.front);
                c.copies[c.front] = planes;
                ++c.visible[c.components.of(c.front++)];
                break;
            case REDUCE:
                reduce(c);
                break;
            case SWITCH:
                c.active = (c.active + 1) % planes;
                break;
            case ROOT:
                c.first_root = next_root(c);
                c.head[c.first_root] = 0;
                --c.headless;
                break;
            default:
                link(c, arc(c, t));
        }
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        const auto plane = planes_of(tree);
        if (!plane) return false;
        // due[w]: the arcs whose right end is w, left ends rising, as (left end, plane).
        std::vector<std::vector<std::pair<int, int>>> due(tree.words() + 1);
        for (int a = 1; a <= tree.words(); ++a) {
            for (int d : tree.children(a))
                if (d > a) due[d].push_back({a, (*plane)[d]});
            if (const int head = tree.head(a); head > a) due[head].push_back({a, (*plane)[a]});
        }
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        const auto take = [&](int t) {
            apply(c, t);
            sequence.push_back(t);
        };
        for (int w = 1; w <= tree.words(); ++w) {
            std::size_t left = due[w].size();
            while (left > 0) {
                std::vector<std::pair<int, int>> others;  // those of the other planes
                for (std::size_t i = due[w].size(); i-- > 0;) {
                    const auto [a, p] = due[w][i];
                    if (p != c.active) {
                        others.push_back(due[w][i]);
                        continue;
                    }
                    while (!c.stack().empty() && c.top() != a) take(REDUCE);
                    if (c.stack().empty()) return false;
                    take(tree.head(a) == w ? LA : RA);
                }
                due[w].assign(others.rbegin(), others.rend());
                left = due[w].size();
                if (left > 0) take(SWITCH);
            }
            take(SHIFT);
        }
        while (c.headless > 0) take(ROOT);
        return true;
    }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    // Of two stacks the other one is beside the active one.
    Focus focus(const Configuration& c) const {
        Focus focus;
        focus.see_stack(c.stack());
        Focus::see_last(c.stacks[(c.active + 1) % planes], focus.beside);
        focus.mode = c.switches;
        focus.see_buffer(c.front, c.words);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        std::vector<TraceColumn> shown{{"active", TraceColumn::Kind::number, {c.active + 1}}};
        for (int p = 0; p < planes; ++p)
            shown.push_back({"stack " + std::to_string(p + 1), TraceColumn::Kind::words, c.stacks[p]});
        shown.push_back({"buffer", TraceColumn::Kind::words, transition_detail::range(c.front, c.words)});
        return shown;
    }

  private:
    // The plane of the arc into each word; nothing when k are not enough.
    std::optional<std::vector<int>> planes_of(const Tree& tree) const {
        if (planes == 1) return std::vector<int>(tree.words() + 1, 0);
        if (auto plane = TwoPlanes().find(tree); plane || planes == 2) return plane;
        std::vector<int> heads;
        for (int w = 1; w <= tree.words(); ++w) heads.push_back(tree.head(w));
        Core core;
        core.assign(std::span<const int>(heads));
        const int left = core.tree().words();
        if (left <= Shape<1>::max_words) return coloured<1>(core, tree.words());
        if (left <= Shape<4>::max_words) return coloured<4>(core, tree.words());
        if (left <= Shape<32>::max_words) return coloured<32>(core, tree.words());
        throw Error(unsettled);
    }
    static constexpr const char* unsettled = "this tree is too entangled: its planes could not be settled";

    template <int W>
    std::optional<std::vector<int>> coloured(const Core& core, int words) const {
        CrossingGraph<W> graph;
        PlaneColouring<W> colouring;
        graph.assign(core.tree());
        const auto found = colouring.colour(graph, graph.vertices(), planes);
        if (!found && colouring.gave_up()) throw Error(unsettled);
        if (!found) return std::nullopt;
        std::vector<int> plane(words + 1, 0);
        for (int place = 1; place <= core.tree().words(); ++place)
            plane[core.word(place)] = std::max(0, (*found)[place]);
        return plane;
    }

    static int next_root(const Configuration& c) {
        int w = c.first_root;
        while (!c.is_headless(w)) ++w;
        return w;
    }
    void link(Configuration& c, const Arc& made) const {
        c.head[made.dependent] = made.head;
        --c.headless;
        const int a = c.components.of(made.head), b = c.components.of(made.dependent);
        const int together = c.visible[a] + c.visible[b];
        c.visible[c.components.join(a, b)] = together;
    }
    void reduce(Configuration& c) const {
        const int x = c.top();
        c.stacks[c.active].pop_back();
        if (--c.copies[x] > 0) return;
        --c.visible[c.components.of(x)];
        if (c.is_headless(x)) c.rho = x;
    }

    bool can_reach_a_word(const Configuration& c) const {
        for (int further = 1; further <= planes - 1 - c.switches; ++further)
            if (!c.stacks[(c.active + further) % planes].empty()) return true;
        return false;
    }
    bool leaves_one_root(const Configuration& c, int t) const {
        const bool is_last = c.front == c.words;
        if (t == SHIFT) return !is_last || c.headless == 1;
        if (t == RA) return !is_last || c.rho == 0 || c.components.joined(c.top(), c.rho);
        if (t != REDUCE || c.copies[c.top()] > 1) return true;
        const int x = c.top();
        if (c.is_headless(x)) {
            if (c.rho != 0) return false;
            if (is_last && !c.is_headless(c.front) && !c.components.joined(x, c.front)) return false;
        } else if (c.rho == 0 || !c.components.joined(x, c.rho)) {
            return true;
        }
        return c.visible[c.components.of(x)] >= 2 || c.components.joined(x, c.front);
    }
};

static_assert(TransitionSystem<Planar>);

}  // namespace nonproj
