// Covington's non-projective system (Covington 2001; Nivre 2008): every pair of words is looked at, so it derives every
// tree, in O(n^2) transitions; in O(n) when every word's arcs are short, since SHIFT may skip the rest.
// Configuration (lambda1, lambda2, buffer b, arcs). The words are never moved out of order, so lambda1 is 1..i and
// lambda2 is i+1..b-1. The dummy is in no list. Start (i = 0, b = 1), end: the buffer is empty and every word has a head.
//
//   SHIFT    (l1, l2, j|b) => (l1.l2|j, [], b)
//   NO-ARC   (l1|i, l2, j|b) => (l1, i|l2, j|b)
//   LA       the same with the arc j -> i              i has no head; i and j do not hang together
//   RA       the same with the arc i -> j              j has no head; i and j do not hang together
//   ROOT     the buffer is empty: the first headless word becomes a root
//
// cost of a transition (Gomez-Rodriguez & Fernandez-Gonzalez 2015): loss after it less loss before it, where the loss is
// the number of arcs of the tree that can no longer be made one by one, and one for each cycle that the others would
// close with the arcs already made. Exact for any tree where several roots are allowed. O(n).
// Single root: the guards below act only while the last word is the front, which can still take all headless words.
#pragma once
#include "nonproj/transition/components.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj {

struct Covington {
    bool single_root = false;

    enum : int { SHIFT, NO_ARC, LA, RA, ROOT };
    struct Configuration {
        int words = 0;
        int i = 0, front = 1;
        int headless = 0;    // words without a head, those of the buffer included
        int first_root = 1;  // no word before it is headless once the buffer is empty
        int passed = 0;      // single root: the headless word that the last word has passed
        std::vector<int> head;
        Components components;
        bool buffer_is_empty() const { return front > words; }
    };

    int transitions(int) const { return 5; }
    std::string name(int t) const {
        return t == SHIFT ? "SHIFT" : t == NO_ARC ? "NO-ARC" : t == LA ? "LA" : t == RA ? "RA" : "ROOT";
    }

    void start(Configuration& c, int words) const {
        c.words = c.headless = words;
        c.i = c.passed = 0;
        c.front = c.first_root = 1;
        c.head.assign(words + 1, no_head);
        c.components.start(words);
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.headless == 0; }

    const char* objection(const Configuration& c, int t) const {
        if (t == ROOT) {
            if (!c.buffer_is_empty()) return "roots are settled when the buffer is empty";
            return c.headless == 0 ? "every word has a head" : nullptr;
        }
        if (c.buffer_is_empty()) return "the buffer is empty";
        const bool last = single_root && c.front == c.words;
        if (t == SHIFT) return last && c.headless > 1 ? "more than one word would be left without a head" : nullptr;
        if (c.i == 0) return "no word is left to look at";
        if (t == LA && c.head[c.i] != no_head) return "the word has a head already";
        if (t == RA && c.head[c.front] != no_head) return "the first word of the buffer has a head already";
        if (t != NO_ARC && c.components.joined(c.i, c.front)) return "the arc would close a cycle";
        return last && !leaves_one_root(c, t) ? "more than one word would be left without a head" : nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == ROOT) return {0, next_root(c)};
        return t == LA ? Arc{c.front, c.i} : t == RA ? Arc{c.i, c.front} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) {
            c.i = c.front++;
            c.passed = 0;
            return;
        }
        if (t == ROOT) {
            c.first_root = next_root(c);
            c.head[c.first_root] = 0;
            --c.headless;
            return;
        }
        if (t != LA && c.head[c.i] == no_head) c.passed = c.i;
        if (t != NO_ARC) {
            const Arc made = arc(c, t);
            c.head[made.dependent] = made.head;
            c.components.join(c.i, c.front);
            --c.headless;
        }
        --c.i;
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        while (!is_final(c)) {
            const int t = next(c, tree);
            apply(c, t);
            sequence.push_back(t);
        }
        return true;
    }

    int cost(const Configuration& c, int t, const Tree& tree) const {
        Configuration after = c;
        apply(after, t);
        return loss(after, tree) - loss(c, tree);
    }
    // The fewest words that get another head than in the tree, whatever comes next.
    static int loss(const Configuration& c, const Tree& tree) {
        std::vector<int> towards(c.words + 1, 0);  // the head that each word has or can still get from the tree
        int lost = 0;
        for (int d = 1; d <= c.words; ++d) {
            const int gold = tree.head(d), left = std::min(gold, d), right = std::max(gold, d);
            const bool is_reachable = gold == 0 || right > c.front || (right == c.front && left <= c.i);
            if (c.head[d] != no_head)
                towards[d] = c.head[d];
            else if (is_reachable)
                towards[d] = gold;
            lost += c.head[d] != no_head ? c.head[d] != gold : !is_reachable;
        }
        return lost + cycles(towards);
    }
    bool is_cost_exact() const { return !single_root; }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    // The words before the front as a stack with its top at i; beside it the ends of those that were passed.
    Focus focus(const Configuration& c) const {
        Focus focus;
        for (int e = 0; e < static_cast<int>(focus.stack.size()); ++e) focus.stack[e] = c.i - e >= 1 ? c.i - e : -1;
        if (c.i + 1 < c.front) focus.beside = {c.i + 1, c.front - 1};
        focus.see_buffer(c.front, c.words);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        return {{"λ1", TraceColumn::Kind::words, transition_detail::range(1, c.i)},
                {"λ2", TraceColumn::Kind::words, transition_detail::range(c.i + 1, c.front - 1)},
                {"buffer", TraceColumn::Kind::words, transition_detail::range(c.front, c.words)}};
    }

  private:
    static int next_root(const Configuration& c) {
        int w = c.first_root;
        while (c.head[w] != no_head) ++w;
        return w;
    }
    // SHIFT as soon as the front has no more arcs to the left.
    static int next(const Configuration& c, const Tree& tree) {
        if (c.buffer_is_empty()) return ROOT;
        const auto children = tree.children(c.front);
        const int gold = tree.head(c.front);
        const int farthest = children.empty() ? c.front : std::min(children.front(), c.front);
        if (c.i == 0 || (c.i < farthest && (gold > c.i || gold == 0))) return SHIFT;
        if (gold == c.i) return RA;
        return tree.head(c.i) == c.front ? LA : NO_ARC;
    }
    // With the last word at the front: whether all headless words but one can still get a head after t.
    static bool leaves_one_root(const Configuration& c, int t) {
        const bool passes = t != LA && c.head[c.i] == no_head;
        if (passes && c.passed != 0) return false;
        const int rho = passes ? c.i : c.passed;
        if (rho == 0) return true;  // the last word can take them all
        if (t == RA) return c.components.joined(c.i, rho);
        if (c.head[c.front] != no_head) return c.components.joined(c.front, rho);
        for (int w = c.i - 1; w > 0; --w)
            if (c.components.joined(w, rho)) return true;  // w can take the last word
        return false;
    }
    // Circles in a graph in which every node has one way out, or none to 0.
    static int cycles(const std::vector<int>& towards) {
        std::vector<int> met(towards.size(), 0);
        int found = 0;
        for (int w = 1; w < static_cast<int>(towards.size()); ++w) {
            int at = w;
            while (at != 0 && met[at] == 0) {
                met[at] = w;
                at = towards[at];
            }
            found += at != 0 && met[at] == w;
        }
        return found;
    }
};

static_assert(TransitionSystem<Covington> && HasCost<Covington>);

}  // namespace nonproj
