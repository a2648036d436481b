// Gap-minding trees (M0I): Pitler, Kannan & Marcus (2012), "Dynamic programming for higher order parsing of gap-minding
// trees". O(n^5) time, O(n^4) space. Each tree has exactly one derivation; in the paper's own algorithm it has many.
//
// Well-nested, at most one gap a word, and no child has words on both sides of its head's gap. So the two blocks of a
// child c with the gap l..r are filled independently: F(a, l-1 | c) and F(r+1, b | c), one of them with c inside. What
// fills the gap is joined with the block that does not hold c first.
//
//   D(c, l, b | h) = s(h, c) (x) (+)_{l <= r < b}   F(l, r | h) (x) F(r+1, b | c)       c < l,  h not in r+1..b
//   E(a, r, c | h) = s(h, c) (x) (+)_{a < l <= r}   F(a, l-1 | c) (x) F(l, r | h)       c > r,  h not in a..l-1
//   H(a, b | h)    = (+)_{a <= c < l < b}  F(a, l-1 | c) (x) D(c, l, b | h)             h not in a..l-1
//                (+) (+)_{a < r < c <= b}  E(a, r, c | h) (x) F(r+1, b | c)             h not in r+1..b
#pragma once
#include "nonproj/decode/machine/closed_items.hpp"

namespace nonproj::nested {

struct GapMinding : ClosedItems {
    enum : std::int16_t { D = first_table_of_class, E, tables };
    static constexpr Packing packings[tables] = {Packing::word, Packing::word, Packing::word,   Packing::span,
                                                 Packing::span, Packing::span, Packing::triple, Packing::triple};

    static void steps(StepList& list, int words, int i) {
        close_empty(list, words, i);
        for (int j = i; j <= words && i > 0; ++j) {
            close(list, words, i, j);
            for (int c = 1; c < i && j > i; ++c) list.row(D, c, i, j, 0, 0, words + 1);
            for (int c = j + 1; c <= words && j > i; ++c) list.row(E, i, j, c, 0, 0, words + 1);
        }
        reach_goal(list, i);
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, Row out, bool) const {
        if (closed_rule(v, out)) return;
        const auto [x, y, z, unused] = out.keys();
        switch (out.table()) {
            case D: {
                const int c = x, l = y, b = z;
                v.link(v.row(arcs_into, c));
                for (int r = l; r < b; ++r) {
                    v.add(0, r + 1, item(filled(v, r + 1, b), c), filled(v, l, r));
                    v.add(b + 1, v.end, item(filled(v, r + 1, b), c), filled(v, l, r));
                }
                break;
            }
            case E: {
                const int a = x, r = y, c = z;
                v.link(v.row(arcs_into, c));
                for (int l = a + 1; l <= r; ++l) {
                    v.add(0, a, item(filled(v, a, l - 1), c), filled(v, l, r));
                    v.add(l, v.end, item(filled(v, a, l - 1), c), filled(v, l, r));
                }
                break;
            }
            case H: {
                const int a = x, b = y;
                for (int l = a + 1; l < b; ++l)
                    for (int c = a; c < l; ++c) {
                        v.add(0, a, item(filled(v, a, l - 1), c), v.row(D, c, l, b));
                        v.add(l, v.end, item(filled(v, a, l - 1), c), v.row(D, c, l, b));
                    }
                for (int r = a + 1; r < b; ++r)
                    for (int c = r + 1; c <= b; ++c) {
                        v.add(0, r + 1, item(filled(v, r + 1, b), c), v.row(E, a, r, c));
                        v.add(b + 1, v.end, item(filled(v, r + 1, b), c), v.row(E, a, r, c));
                    }
                break;
            }
        }
    }
};

}  // namespace nonproj::nested
