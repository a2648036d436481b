// Arc-hybrid (Kuhlmann, Gomez-Rodriguez & Satta 2011): derives the projective trees in 2n transitions.
// Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []).
//
//   SHIFT   (s, i|b) => (s|i, b)
//           cost: heads of i in the stack below its top, dependents of i in the stack
//   LA      (s|i, j|b) => (s, j|b), arc j -> i       i is not the dummy
//           cost: a head of i just below it or in b, dependents of i in j|b
//   RA      (s|i|j, b) => (s|i, b), arc i -> j
//           cost: a head of j in b, dependents of j in b
//
// Single root: RA from the dummy only when it is the last transition.
// The cost of a transition is the number of arcs of the (projective) tree that can be made before it and not after it
// (Goldberg & Nivre 2013); the arcs that can be made one by one can be made together, so it is exact.
#pragma once
#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct ArcHybrid : OnStackAndBuffer {
    bool single_root = false;

    enum : int { LA = 1, RA };

    int transitions(int) const { return 3; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : t == LA ? "LA" : "RA"; }

    const char* objection(const Configuration& c, int t) const {
        if (t != RA && c.buffer_is_empty()) return "the buffer is empty";
        if (t == SHIFT) return nullptr;
        if (c.depth() < 2) return "the stack holds nothing but the root";
        if (t == RA && single_root && c.s(1) == 0 && !c.buffer_is_empty()) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        return t == LA ? Arc{c.front, c.s(0)} : t == RA ? Arc{c.s(1), c.s(0)} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.stack.pop_back();
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const { return follow(*this, tree, sequence); }

    int cost(const Configuration& c, int t, const Tree& tree) const {
        const int i = t == SHIFT ? c.front : c.s(0);
        const int head = tree.head(i);
        int lost = 0;
        if (t == SHIFT) {
            lost += head < i && head != c.s(0) && is_on_stack(c, head);
            for (int d : tree.children(i)) lost += d < i && is_on_stack(c, d);
            return lost;
        }
        lost += t == LA ? head > c.front || head == c.s(1) : head >= c.front;
        for (int d : tree.children(i)) lost += d >= c.front;
        return lost;
    }
    bool is_cost_exact() const { return true; }

  private:
    friend OnStackAndBuffer;
    static int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing) {
        if (c.depth() < 2 || missing[c.s(0)] > 0) return SHIFT;
        if (!c.buffer_is_empty() && tree.head(c.s(0)) == c.front) return LA;
        return tree.head(c.s(0)) == c.s(1) ? RA : SHIFT;
    }
    // A word before the buffer leaves the stack when it gets its head.
    static bool is_on_stack(const Configuration& c, int w) { return w < c.front && c.head[w] == no_head; }
};

static_assert(TransitionSystem<ArcHybrid> && HasCost<ArcHybrid>);

}  // namespace nonproj
