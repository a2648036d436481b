// Integrated sorting and parsing (Nivre 2009, Figure 7): arc-standard on a list that is sorted as it grows.
// Configuration (m, list s, buffer b, arcs), the head of the list to the right; s[m] is the m-th word from there.
// Start (0, [0], [1..n]), end ([0], []).
//
//   SHIFT   (m, s, i|b) => (0, s|i, b)
//   SWAP    (m, s|i|j|s_m, b) => (m+1, s|j|i|s_m, b)             s_m are m words; i is not the dummy
//   LA      (m, s|i|j|s_m, b) => (m, s|j|s_m, b), arc j -> i     i is not the dummy
//   RA      (m, s|i|j|s_m, b) => (m, s|i|s_m, b), arc i -> j
//
// Oracles, with t(w) the last word of the yield of w. Both swap the word at m while it belongs before its neighbour, then
// link it with its neighbour while one of them depends on the other and has all its own dependents, then shift. They
// differ in the order that they sort into (projective_order.hpp).
//
// The completion oracle sorts into completion order: the children c of w with t(c) < w, then w, then the others by rising
// t(c). It derives every tree. Proof: after word k is inserted and linked,
//
//   (1) a word w with t(w) <= k has all its dependents, and they have left the list;
//   (2) of the children of a word w <= k that stand right of it, those with t(c) <= k are linked to it.
//
//   Let both hold before k is inserted, and let k = w_0, w_1, ..., w_r, each the head of the one before, be the words
//   with t = k. Of their children only w_0 .. w_r-1 have t = k, the others are smaller: by (1) they stand alone where
//   they are still in the list. k is beyond w_i for i > 0, so that w_i-1 is the last of the children of w_i and right of
//   it, and the list around k, which has no other words than these between its first and its last, is
//
//      .. L_r w_r L_r-1 w_r-1 .. L_1 w_1 L_0 w_0 ..          L_i: children of w_i that stand left of it
//
//   since by (2) no other child is left between w_i and L_i-1. k, inserted between the words of L_0 and what follows,
//   takes L_0 by LA, one after the other, and goes to w_1 by RA, which takes L_1, and so on up to w_r: (1). Then w_r is
//   linked to its head h, if h is in the list and w_r stands right of it: what stands between them are children of h with
//   a smaller t, none by (2). If w_r stands right of h then t(w_r) = k > h, so that h is in the list: (2). No arc but those
//   of the tree is made, and none takes away a word that still waits for a dependent. At the end t(0) = n, and by (1)
//   the list is [0], with the only child of the dummy, if there is but one, linked last.
//
// A word that is linked away is one that later words need not be swapped with.
//
// The printed oracle sorts into projective order, as the paper has it, and does not derive every tree: it succeeds exactly
// when at every node w, the dummy included, the right children have rising t, and each left child c with t(c) > w has a
// smaller t than the last right child of w.
//
// Word n is the last in completion order, and in the projective order of every tree that the printed oracle derives: it is
// never swapped. So SWAP is refused once the buffer is empty, and no legal sequence gets stuck; only with the printed
// oracle it is legal as on paper, and what is legal may lead nowhere.
// Single root: RA from the dummy only when it is the last transition.
#pragma once
#include "nonproj/transition/sorting.hpp"

namespace nonproj {

struct SortParse {
    enum class Oracle { completion, printed };
    Oracle kind = Oracle::completion;
    bool single_root = false;

    enum : int { SHIFT, SWAP, LA, RA, TRANSITIONS };
    using Configuration = ListAndBuffer;

    int transitions(int) const { return TRANSITIONS; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : t == SWAP ? "SWAP" : t == LA ? "LA" : "RA"; }

    void start(Configuration& c, int words) const { c.start(words); }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.length() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        if (t == SWAP && kind != Oracle::printed && c.buffer_is_empty()) return "the last word stays where it is";
        if (t == SWAP) return c.objection_to_swap();
        if (c.m + 1 >= c.length()) return "no word stands before the current one";
        if (c.at(c.m + 1) != 0) return nullptr;
        if (t == LA) return "the root takes no head";
        if (single_root && (c.length() > 2 || !c.buffer_is_empty())) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == SHIFT || t == SWAP) return no_arc;
        const int i = c.at(c.m + 1), j = c.at(c.m);
        return t == LA ? Arc{j, i} : Arc{i, j};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        if (t == SWAP) return c.swap();
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.at(c.m + 1) = made.head;
        c.list.erase(c.list.end() - 1 - c.m);
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        const std::vector<int> place = kind == Oracle::printed ? projective_places(tree) : completion_places(tree);
        std::vector<int> missing = transition_detail::missing_dependents(tree);
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        while (!c.buffer_is_empty()) {
            c.shift();
            sequence.push_back(SHIFT);
            for (; place[c.at(c.m)] < place[c.at(c.m + 1)]; c.swap()) sequence.push_back(SWAP);
            for (int t; (t = link(c, tree, missing)) != SHIFT; apply(c, t)) {
                if (single_root && objection(c, t) != nullptr) return false;
                --missing[arc(c, t).head];
                sequence.push_back(t);
            }
        }
        return is_final(c);
    }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    Focus focus(const Configuration& c) const { return c.focus(); }
    std::vector<TraceColumn> columns(const Configuration& c) const { return c.columns(); }

  private:
    // The arc of the tree between the current word and the one before it, if the dependent has all its own; else SHIFT.
    static int link(const Configuration& c, const Tree& tree, const std::vector<int>& missing) {
        if (c.m + 1 >= c.length()) return SHIFT;
        const int i = c.at(c.m + 1), j = c.at(c.m);
        if (i != 0 && tree.head(i) == j && missing[i] == 0) return LA;
        return tree.head(j) == i && missing[j] == 0 ? RA : SHIFT;
    }
};

static_assert(TransitionSystem<SortParse>);

}  // namespace nonproj
