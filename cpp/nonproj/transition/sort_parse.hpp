// Integrated sorting and parsing (Nivre 2009, Figure 7): arc-standard on a list that is sorted as it grows.
// Configuration (m, list s, buffer b, arcs), the head of the list to the right; s[m] is the m-th word from there.
// Start (0, [0], [1..n]), end ([0], []).
//
//   SHIFT   (m, s, i|b) => (0, s|i, b)
//   SWAP    (m, s|i|j|s_m, b) => (m+1, s|j|i|s_m, b)             s_m are m words; i is not the dummy
//   LA      (m, s|i|j|s_m, b) => (m, s|j|s_m, b), arc j -> i     i is not the dummy
//   RA      (m, s|i|j|s_m, b) => (m, s|i|s_m, b), arc i -> j
//
// Oracles. The printed one swaps a word into projective order, then links what can be linked. It does not derive every
// tree, since arcs are made only where the last word was put: it succeeds exactly when at every node w, the dummy
// included, with t(c) the last word of the yield of c, the right children have rising t, and each left child c with
// t(c) > w has a smaller t than the last right child of w. To derive every tree there are, once the buffer is empty,
//
//   LA@m, RA@m   the same as LA, RA at the index m instead of the current one
//
// and the other oracles end with one walk over the list from its far end, linking as arc-standard does: the list is
// then in projective order. The sequence has n SHIFT, n arcs and the swaps. The eager oracle is the printed one with the
// walk; a word that is linked away early is one that later words need not be swapped with. The completed oracle
// links a word only when none that belongs before it is left in the buffer: it swaps once for each inversion.
// Single root: RA from the dummy only when it is the last transition.
#pragma once
#include "nonproj/transition/sorting.hpp"

namespace nonproj {

struct SortParse {
    enum class Oracle { eager, completed, printed };
    Oracle kind = Oracle::eager;
    bool single_root = false;

    enum : int { SHIFT, SWAP, LA, RA, NAMED };  // from NAMED on: LA@0, RA@0, LA@1, ...
    static constexpr int LA_at(int m) { return NAMED + 2 * m; }
    static constexpr int RA_at(int m) { return NAMED + 2 * m + 1; }
    using Configuration = ListAndBuffer;

    int transitions(int words) const { return kind == Oracle::printed ? NAMED : NAMED + 2 * words; }
    std::string name(int t) const {
        if (t < NAMED) return t == SHIFT ? "SHIFT" : t == SWAP ? "SWAP" : t == LA ? "LA" : "RA";
        return (is_left(t) ? "LA@" : "RA@") + std::to_string((t - NAMED) / 2);
    }

    void start(Configuration& c, int words) const { c.start(words); }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.length() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        if (t == SWAP) return c.objection_to_swap();
        if (t >= NAMED && !c.buffer_is_empty()) return "an arc may name its place only when the buffer is empty";
        const int m = index(c, t);
        if (m + 1 >= c.length()) return "no word stands before this one";
        if (c.at(m + 1) != 0) return nullptr;
        if (is_left(t)) return "the root takes no head";
        if (single_root && (c.length() > 2 || !c.buffer_is_empty())) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == SHIFT || t == SWAP) return no_arc;
        const int m = index(c, t), i = c.at(m + 1), j = c.at(m);
        return is_left(t) ? Arc{j, i} : Arc{i, j};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        if (t == SWAP) return c.swap();
        const Arc made = arc(c, t);
        c.m = index(c, t);
        c.head[made.dependent] = made.head;
        c.at(c.m + 1) = made.head;
        c.list.erase(c.list.end() - 1 - c.m);
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        std::vector<int> missing = transition_detail::missing_dependents(tree);
        const std::vector<int> place = places_in(projective_order(tree));
        // first_to_come[w]: the first place in the order that one of the words w .. n takes.
        std::vector<int> first_to_come(tree.words() + 2, tree.words() + 1);
        for (int w = tree.words(); w > 0; --w) first_to_come[w] = std::min(first_to_come[w + 1], place[w]);
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        const auto take = [&](int t) {
            if (t != SHIFT && t != SWAP) --missing[arc(c, t).head];
            apply(c, t);
            sequence.push_back(t);
        };
        while (!c.buffer_is_empty()) {
            take(SHIFT);
            while (place[c.at(c.m)] < place[c.at(c.m + 1)]) take(SWAP);
            for (int t; (t = link(c, c.m, tree, missing)) != SHIFT;) {
                if (kind == Oracle::completed && place[arc(c, t).dependent] > first_to_come[c.front]) break;
                take(t);
            }
        }
        for (int m = c.length() - 2; m >= 0 && kind != Oracle::printed; --m)
            for (int t; (t = link(c, m, tree, missing)) != SHIFT;) take(m == c.m ? t : t == LA ? LA_at(m) : RA_at(m));
        return is_final(c);
    }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    Focus focus(const Configuration& c) const { return c.focus(); }
    std::vector<TraceColumn> columns(const Configuration& c) const { return c.columns(); }

  private:
    static bool is_left(int t) { return t % 2 == 0; }
    static int index(const Configuration& c, int t) { return t < NAMED ? c.m : (t - NAMED) / 2; }

    // The arc of the tree between the words at m and m + 1, if the dependent has all its own; else SHIFT.
    static int link(const Configuration& c, int m, const Tree& tree, const std::vector<int>& missing) {
        if (m + 1 >= c.length()) return SHIFT;
        const int i = c.at(m + 1), j = c.at(m);
        if (i != 0 && tree.head(i) == j && missing[i] == 0) return LA;
        return tree.head(j) == i && missing[j] == 0 ? RA : SHIFT;
    }
};

static_assert(TransitionSystem<SortParse>);

}  // namespace nonproj
