// Arc-eager (Nivre 2003), with the dummy at the end of the buffer (Ballesteros & Nivre 2013), so that the arcs from it
// are made like all others and no word is left without a head: derives the projective trees in 2n transitions.
// Configuration (stack s, buffer b, arcs); start ([], [1..n, 0]), end ([], [0]).
//
//   SHIFT   (s, i|b) => (s|i, b)                        i is not the dummy
//           cost: a head of i in s, headless dependents of i in s
//   LA      (s|i, j|b) => (s, j|b), arc j -> i          i has no head
//           cost: a head of i in b, dependents of i in j|b
//   RA      (s|i, j|b) => (s|i|j, b), arc i -> j        j is not the dummy
//           cost: a head of j in s or b, headless dependents of j in s|i
//   REDUCE  (s|i, b) => (s, b)                          i has a head
//           cost: dependents of i in b
//
// Single root: before the last word is pushed the headless words on the stack must be none (SHIFT), one (RA). The last
// word can always take the others as dependents, so nothing gets stuck.
// The cost of a transition is the number of arcs of the (projective) tree that can be made before it and not after it
// (Goldberg & Nivre 2012); exact where several roots are allowed.
#pragma once
#include <algorithm>

#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct ArcEager {
    bool single_root = false;

    enum : int { SHIFT, LA, RA, REDUCE };
    struct Configuration : StackAndBuffer {
        int headless = 0;  // words on the stack that have no head
        // The first word of the buffer: the dummy when no other is left.
        int b() const { return buffer_is_empty() ? 0 : front; }
    };

    int transitions(int) const { return 4; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : t == LA ? "LA" : t == RA ? "RA" : "REDUCE"; }

    void start(Configuration& c, int words) const {
        c.start(words);
        c.stack.clear();
        c.headless = 0;
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.stack.empty(); }

    const char* objection(const Configuration& c, int t) const {
        if (t != SHIFT && c.stack.empty()) return "the stack is empty";
        if ((t == SHIFT || t == RA) && c.buffer_is_empty()) return "only the root is left in the buffer";
        if (t == LA && c.head[c.s(0)] != no_head) return "the top of the stack has a head already";
        if (t == REDUCE && c.head[c.s(0)] == no_head) return "the top of the stack has no head yet";
        if (single_root && c.front == c.words && (t == SHIFT || t == RA) && c.headless != (t == RA))
            return "more than one word would be left without a head";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        return t == LA ? Arc{c.b(), c.s(0)} : t == RA ? Arc{c.s(0), c.front} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        const Arc made = arc(c, t);
        if (made != no_arc) c.head[made.dependent] = made.head;
        c.headless += (t == SHIFT) - (t == LA);
        if (t == SHIFT || t == RA)
            c.shift();
        else
            c.stack.pop_back();
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        return transition_detail::derive(
            *this, tree, sequence, [&](const Configuration& c, const auto& missing) { return next(c, tree, missing); });
    }

    int cost(const Configuration& c, int t, const Tree& tree) const {
        int lost = 0;
        if (t == SHIFT || t == RA) {
            const int head = tree.head(c.front);
            const bool in_stack = head != 0 && head < c.front && is_on_stack(c, head);
            lost += t == SHIFT ? in_stack : head != c.s(0) && (in_stack || head == 0 || head > c.front);
            for (int d : tree.children(c.front)) lost += d < c.front && c.head[d] == no_head;
            return lost;
        }
        if (t == LA) lost += tree.head(c.s(0)) != c.b() && (tree.head(c.s(0)) > c.front || tree.head(c.s(0)) == 0);
        for (int d : tree.children(c.s(0))) lost += d >= c.front;
        return lost;
    }
    bool is_cost_exact() const { return !single_root; }

    int words_of(const std::vector<int>& sequence) const {
        return transition_detail::count(sequence, SHIFT) + transition_detail::count(sequence, RA);
    }
    Focus focus(const Configuration& c) const { return c.focus(); }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        std::vector<TraceColumn> shown = c.columns();
        shown[1].values.push_back(0);
        return shown;
    }

  private:
    static int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing) {
        if (c.stack.empty()) return SHIFT;
        const int top = c.s(0);
        if (c.head[top] == no_head && tree.head(top) == c.b()) return missing[top] == 0 ? LA : transition_detail::none;
        if (!c.buffer_is_empty() && tree.head(c.front) == top) return RA;
        return c.head[top] != no_head && missing[top] == 0 ? REDUCE : SHIFT;
    }
    // The stack rises from bottom to top.
    static bool is_on_stack(const Configuration& c, int w) {
        return std::binary_search(c.stack.begin(), c.stack.end(), w);
    }
};

static_assert(TransitionSystem<ArcEager> && HasCost<ArcEager>);

}  // namespace nonproj
