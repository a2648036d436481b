// Well-nested trees of gap degree 1 whose gaps may be inherited: any number of times (WG_1, O(n^7) time) or by one child
// at most (M1I, O(n^6)); O(n^5) space. Classes: Gomez-Rodriguez, Weir & Carroll (2009), Pitler, Kannan & Marcus (2012).
// The rules are an ordered form of theirs: each tree has exactly one derivation.
//
// A child *inherits* the gap l..r of its head when it has words on both sides of it. Inheriting children are nested;
// the outermost is taken first, and closed intervals from the left.
//
//   X(a, b, l, r | h)   one child of h that fills a..b without l..r; h in l..r or outside a..b
//   G(i, j, l, r | h)   children of h fill i..j without l..r, none in l..r; h not in l..r
//   V(a, b, l, r | h)   as G, a child inherits, and the outermost that does has a and b
//   U(a, j, l, r | h)   as V, but it need only have a
//
//   X(a, b, l, r | h) = (+)_{c in a..l-1 or r+1..b}  G(a, b, l, r | c) (x) s(h, c)
//   U(a, j, l, r | h) = (+)_{r < b <= j}  V(a, b, l, r | h) (x) F(b+1, j | h)
//   G(i, j, l, r | h) = F(i, l-1 | h) (x) F(r+1, j | h)  (+)  (+)_{i <= a < l}  F(i, a-1 | h) (x) U(a, j, l, r | h)
//   H(a, b | h)       = (+)_{l, r}  X(a, b, l, r | h) (x) F(l, r | h)
//   WG_1:
//   V(a, b, l, r | h) = (+)_{a < x <= l, r <= y < b}  X(a, b, x, y | h) (x) G(x, y, l, r | h)
//   M1I:
//   A(a, b, l, y | h) = (+)_{a < x <= l}  X(a, b, x, y | h) (x) F(x, l-1 | h)
//   V(a, b, l, r | h) = (+)_{r <= y < b}  A(a, b, l, y | h) (x) F(r+1, y | h)
// with G(l, y, l, r | h) = F(r+1, y | h), G(x, r, l, r | h) = F(x, l-1 | h), and 1 where both sides are empty.
//
// For each a the gaps l..r shrink, l rises and r falls, and the hulls a..b of a gap grow. For each, V, U and G are summed without the term of X(a, b, l, r),
// which concerns only the h outside a..b; the h in the blocks sum to X; then it is added to the others (`own`).
#pragma once
#include "nonproj/decode/machine/closed_items.hpp"

namespace nonproj::nested {

template <bool at_most_one>
struct GapInheriting : ClosedItems {
    enum : std::int16_t { X = first_table_of_class, V, U, G, A, all_tables, tables = at_most_one ? all_tables : A };
    static constexpr Packing packings[all_tables] = {Packing::word, Packing::word, Packing::word, Packing::span,
                                                     Packing::span, Packing::span, Packing::ring, Packing::gap,
                                                     Packing::gap,  Packing::gap,  Packing::ring};

    static void steps(StepList& list, int words, int i) {
        close_empty(list, words, i);
        // The hulls i..j of a gap one after the other, so that its V, U and G stay at hand.
        for (int l = i + 1; l <= words + 1 && i > 0; ++l) {
            close(list, words, i, l - 1);
            for (int r = words - 1; r >= l; --r)
                for (int j = r + 1; j <= words; ++j) ring_steps(list, words, i, j, l, r);
        }
        reach_goal(list, i);
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, Row out, bool own) const {
        if (closed_rule(v, out)) return;
        const auto [a, b, l, r] = out.keys();
        if (own) return v.add(0, v.end, v.row(X, a, b, l, r));
        switch (out.table()) {
            case X:
                v.mask(a, l), v.mask(r + 1, b + 1);
                for (int c = a; c <= b; c = c == l - 1 ? r + 1 : c + 1)
                    v.add(0, v.end, item(v.row(G, a, b, l, r), c), v.row(arcs_into, c));
                break;
            case A:
                for (int x = a + 1; x <= l; ++x) v.add(0, v.end, v.row(X, a, b, x, r), v.row(F, x, l - 1));
                break;
            case V:
                v.mask(l, r + 1);
                if constexpr (at_most_one)
                    for (int y = r; y < b; ++y) v.add(0, v.end, v.row(A, a, b, l, y), v.row(F, r + 1, y));
                else
                    for (int x = a + 1; x <= l; ++x)
                        for (int y = r; y < b; ++y)
                            v.add(0, v.end, v.row(X, a, b, x, y),
                                  x == l   ? v.row(F, r + 1, y)
                                  : y == r ? v.row(F, x, l - 1)
                                           : v.row(G, x, y, l, r));
                break;
            case U:
                for (int end = r + 1; end <= b; ++end) v.add(0, v.end, v.row(V, a, end, l, r), v.row(F, end + 1, b));
                break;
            case G:
                v.mask(l, r + 1);
                v.add(0, v.end, v.row(F, a, l - 1), v.row(F, r + 1, b));
                for (int begin = a; begin < l; ++begin)
                    v.add(0, v.end, v.row(F, a, begin - 1), v.row(U, begin, b, l, r));
                break;
            case H:
                for (int left = a + 1; left < b; ++left)
                    for (int right = left; right < b; ++right)
                        v.add(0, v.end, v.row(X, a, b, left, right), v.row(F, left, right));
                break;
        }
    }

  private:
    static void ring_steps(StepList& list, int words, int i, int j, int l, int r) {
        const auto row = [&](int table) { list.row(table, i, j, l, r, 0, words + 1); };
        const auto outside = [&](int table) {
            list.row(table, i, j, l, r, 0, i, true);
            list.row(table, i, j, l, r, j + 1, words + 1, true);
        };
        if (at_most_one) row(A);
        row(V), row(U), row(G), row(X);
        if (at_most_one) list.row(A, i, j, l, r, 0, words + 1, true);
        outside(V), outside(U);
        if (!at_most_one) outside(G);
    }
};

}  // namespace nonproj::nested
