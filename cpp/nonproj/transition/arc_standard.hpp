// Arc-standard (Nivre 2009, Figure 3; Nivre 2004): derives the projective trees, bottom-up, in 2n transitions.
// Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []).
//
//   SHIFT   (s, i|b) => (s|i, b)
//   LA      (s|i|j, b) => (s|j, b), arc j -> i       i is not the dummy
//   RA      (s|i|j, b) => (s|i, b), arc i -> j
//
// Single root: RA from the dummy only when it is the last transition.
// Oracle: link as soon as the dependent has all its own dependents, else shift. Linear time.
#pragma once
#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct ArcStandard : OnStackAndBuffer {
    bool single_root = false;

    enum : int { LA = 1, RA };

    int transitions(int) const { return 3; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : t == LA ? "LA" : "RA"; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        if (c.depth() < 2) return "the stack holds nothing but the root";
        if (t == LA) return c.s(1) == 0 ? "the root takes no head" : nullptr;
        if (single_root && c.s(1) == 0 && !c.buffer_is_empty()) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        return t == LA ? Arc{c.s(0), c.s(1)} : t == RA ? Arc{c.s(1), c.s(0)} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.stack.pop_back();
        c.stack.back() = made.head;
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const { return follow(*this, tree, sequence); }

  private:
    friend OnStackAndBuffer;
    static int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing) {
        if (c.depth() < 2) return SHIFT;
        if (c.s(1) != 0 && tree.head(c.s(1)) == c.s(0) && missing[c.s(1)] == 0) return LA;
        if (tree.head(c.s(0)) == c.s(1) && missing[c.s(0)] == 0) return RA;
        return SHIFT;
    }
};

static_assert(TransitionSystem<ArcStandard>);

}  // namespace nonproj
