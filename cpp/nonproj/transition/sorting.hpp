// Sorting into projective order (Nivre 2009, Figure 5): gnome sort by transitions. It makes no arcs.
// Configuration (m, list s, buffer b), the head of the list to the right; s[m] is the m-th word from there.
// Start (0, [0], [1..n]), end: the buffer is empty.
//
//   SHIFT   (m, s, i|b) => (0, s|i, b)
//   SWAP    (m, s|i|j|s_m, b) => (m+1, s|j|i|s_m, b)       s_m are m words; i is not the dummy
//
// Oracle: SWAP while the words are the wrong way round, else SHIFT: as many swaps as inversions. O(n + swaps).
#pragma once
#include <algorithm>

#include "nonproj/transition/projective_order.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj {

// The list of Figures 5 and 7.
struct ListAndBuffer {
    int words = 0;
    int front = 1;
    int m = 0;
    std::vector<int> list;  // its head is the last
    std::vector<int> head;

    void start(int n) {
        words = n;
        front = 1;
        m = 0;
        list.assign(1, 0);
        head.assign(n + 1, no_head);
    }
    bool buffer_is_empty() const { return front > words; }
    int length() const { return static_cast<int>(list.size()); }
    int& at(int index) { return list[list.size() - 1 - index]; }
    int at(int index) const { return list[list.size() - 1 - index]; }

    void shift() {
        list.push_back(front++);
        m = 0;
    }
    void swap() {
        std::swap(at(m), at(m + 1));
        ++m;
    }
    const char* objection_to_swap() const {
        if (m + 1 >= length()) return "no word stands before the current one";
        return at(m + 1) == 0 ? "the root stays first" : nullptr;
    }
    // The words at the index m and behind it, and those before it.
    Focus focus() const {
        Focus focus;
        const auto seen = [&](int index) { return index < 0 || index >= length() ? -1 : at(index); };
        for (int i = 0; i < static_cast<int>(focus.stack.size()); ++i) focus.stack[i] = seen(m + i);
        focus.beside = {seen(m - 1), seen(m - 2)};
        focus.mode = m == 0 ? 0 : 1;
        focus.see_buffer(front, words);
        return focus;
    }
    std::vector<TraceColumn> columns() const {
        return {{"m", TraceColumn::Kind::number, {m}},
                {"list", TraceColumn::Kind::words, list, length() - 1 - m},
                {"buffer", TraceColumn::Kind::words, transition_detail::range(front, words)}};
    }
};

struct Sorting {
    bool single_root = false;  // makes no difference: there are no arcs

    enum : int { SHIFT, SWAP };
    using Configuration = ListAndBuffer;

    int transitions(int) const { return 2; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : "SWAP"; }

    void start(Configuration& c, int words) const { c.start(words); }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty(); }
    const char* objection(const Configuration& c, int t) const {
        if (t == SWAP) return c.objection_to_swap();
        return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
    }
    Arc arc(const Configuration&, int) const { return no_arc; }
    void apply(Configuration& c, int t) const { t == SHIFT ? c.shift() : c.swap(); }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        const std::vector<int> place = projective_places(tree);
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        while (true) {
            const bool is_inverted = c.m + 1 < c.length() && place[c.at(c.m)] < place[c.at(c.m + 1)];
            if (!is_inverted && c.buffer_is_empty()) return true;
            sequence.push_back(is_inverted ? SWAP : SHIFT);
            apply(c, sequence.back());
        }
    }

    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    Focus focus(const Configuration& c) const { return c.focus(); }
    std::vector<TraceColumn> columns(const Configuration& c) const { return c.columns(); }
};

static_assert(TransitionSystem<Sorting>);

}  // namespace nonproj
