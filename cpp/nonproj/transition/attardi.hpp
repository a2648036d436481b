// Attardi's system of degree d (Attardi 2006), on the stack: derives the trees of AD_d in 2n transitions.
// Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []). s_0 is the top, s_e the e-th below it.
//
//   SHIFT   (s, i|b) => (s|i, b)
//   LAe     arc s_0 -> s_e, s_e leaves the stack      1 <= e <= d, s_e is not the dummy
//   RAe     arc s_e -> s_0, s_0 leaves the stack      1 <= e <= d
//
// Single root: an arc from the dummy only when it is the last transition.
// Oracle: the first reduction, smallest e first, whose dependent has all its own dependents, else SHIFT. A reduction
// that the tree allows never hurts (all other distances stay or shrink), so it refuses exactly the trees outside AD_d.
// O(dn).
#pragma once
#include <algorithm>

#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct AttardiSystem : OnStackAndBuffer {
    int degree = 2;
    bool single_root = false;

    static constexpr int LA(int e) { return 2 * e - 1; }
    static constexpr int RA(int e) { return 2 * e; }

    int transitions(int words) const { return 1 + 2 * std::min(degree, words); }
    std::string name(int t) const {
        return t == SHIFT ? "SHIFT" : (is_left(t) ? "LA" : "RA") + std::to_string(e_of(t));
    }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        if (c.depth() <= e_of(t)) return "the stack is not as deep as that";
        if (c.s(e_of(t)) != 0) return nullptr;
        if (is_left(t)) return "the root takes no head";
        if (single_root && (c.depth() > 2 || !c.buffer_is_empty())) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == SHIFT) return no_arc;
        const int deep = c.s(e_of(t));
        return is_left(t) ? Arc{c.s(0), deep} : Arc{deep, c.s(0)};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.stack.erase(is_left(t) ? c.stack.end() - 1 - e_of(t) : c.stack.end() - 1);
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const { return follow(*this, tree, sequence); }

  private:
    friend OnStackAndBuffer;
    static int e_of(int t) { return (t + 1) / 2; }
    static bool is_left(int t) { return t % 2 == 1; }

    int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing) const {
        const int top = c.s(0);
        for (int e = 1; e <= degree && e < c.depth(); ++e) {
            const int deep = c.s(e);
            if (deep != 0 && tree.head(deep) == top && missing[deep] == 0) return LA(e);
            if (tree.head(top) == deep && missing[top] == 0) return RA(e);
        }
        return SHIFT;
    }
};

static_assert(TransitionSystem<AttardiSystem>);

}  // namespace nonproj
