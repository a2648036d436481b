// What the charts of head-split trees share (Satta & Kuhlmann 2013, "Efficient parsing for head-split dependency trees";
// the rules here are our own). In a head-split tree a child whose gap contains its head h has the whole gap of h in its
// own. So the subtree of a head with a gap falls apart at the head, into a closed part and a part with a gap in which the
// head is at one of four corners:
//
//   P(i, h, q | j)   the left block ends with h       i..h-1 and q..j are filled by children of h that reach round h
//   I(h, p, q | j)   the left block begins with h     h+1..p and q..j
//   Q(i, p, h | j)   the right block begins with h    i..p and h+1..j, by children that reach round h
//   J(i, p, q | h)   the right block ends with h      i..p and q..h-1
//
// No item needs an index for the head. Names as in the recurrences; a trailing m marks a mirror image.
//
//   Fe(i, h | j), Lh(h | x), Lrow(x | h)   views of F: F(i, j | h), and F(x+1, h-1 | h) twice
//   Zl(h | c) = s(h, c) (x) (+)_{c <= x < h}   F(c+1, x | c) (x) F(x+1, h-1 | h)        c < h: Eisner's spans
//   Zr(h | c) = s(h, c) (x) (+)_{h <= x < c}   F(h+1, x | h) (x) F(x+1, c-1 | c)        h < c
//
// Closing a gap, for h in the gap or outside the hull:
//
//   B (c, y | h) = (+)_{c <= x <= y-2}   F(c+1, x | c) (x) F(x+1, y-1 | h)              h not in c..x
//   Bm(x, c | h) = (+)_{x+2 <= y <= c}   F(x+1, y-1 | h) (x) F(y, c-1 | c)              h not in y..c
//   W (c, b | h) = (+)_{x, y}  I(c, x, y | b) (x) F(x+1, y-1 | h)                       h not in c..x, y..b
//   Wm(a, c | h) = (+)_{x, y}  J(a, x, y | c) (x) F(x+1, y-1 | h)                       h not in a..x, y..c
//   K (a, c, b | h) = s(h, c) (x) {
//                     F(a, c-1 | c) (x) W (c, b | h)                                    h not in a..c
//        (+) (+)_y    P(a, c, y | b) (x) [ B (c, y | h) (+) W (c, y-1 | h) ]            h not in a..c, y..b
//        (+)          F(c+1, b | c) (x) Wm(a, c | h)                                    h not in c..b
//        (+) (+)_x    Q(a, x, c | b) (x) [ Bm(x, c | h) (+) Wm(x+1, c | h) ] }          h not in a..x, c..b
//   H (a, b | h) = (+)_c K(a, c, b | h)
// where W (c, y-1) and Wm(x+1, c) belong to WG_1S alone: in M1IS one child inherits at most.
#pragma once
#include "nonproj/decode/machine/closed_items.hpp"

namespace nonproj::nested {

struct HeadSplit : ClosedItems {
    enum : std::int16_t { Fe = first_table_of_class, Lh, Lrow, Zl, Zr, B, Bm, W, Wm, K, P, I, Q, J, first_own };
    static constexpr int shared_tables = first_own;
    static constexpr Shape shared_shapes[shared_tables] = {
        Shape::word, Shape::word,   Shape::word,    Shape::span,    Shape::span,    Shape::span,   Shape::ends,
        Shape::word, Shape::word,   Shape::word,    Shape::word,    Shape::span,    Shape::span,   Shape::span,
        Shape::span, Shape::triple, Shape::corners, Shape::corners, Shape::corners, Shape::corners};

    // The shared shapes, then corners for all the tables of one's own.
    template <int tables>
    struct Shapes {
        Shape of[tables];
        constexpr Shapes() : of() {
            for (int t = 0; t < tables; ++t) of[t] = t < shared_tables ? shared_shapes[t] : Shape::corners;
        }
        constexpr Shape operator[](int table) const { return of[table]; }
    };

    // F(i, x | h), F(x, h-1 | h), F(h+1, x | h): one item each.
    template <class Visitor>
    static NONPROJ_INLINE Item filled(Visitor& v, int i, int x, int h) {
        return item(v.row(Fe, i, h), x);
    }
    template <class Visitor>
    static NONPROJ_INLINE Item left_of(Visitor& v, int x, int h) {
        return item(v.row(Lh, h), x - 1);
    }
    template <class Visitor>
    static NONPROJ_INLINE Item right_of(Visitor& v, int h, int x) {
        return item(v.row(Fe, h + 1, h), x);
    }
    template <class Visitor>
    static NONPROJ_INLINE Item arc(Visitor& v, int head, int dependent) {
        return item(v.row(arcs_from, head), dependent);
    }

    // `cell(p, q)` adds the steps of the corners (i, p, q).
    template <class Cell>
    static void shared_steps(StepList& list, int words, int i, const Cell& cell) {
        close_empty(list, words, i);
        if (i > 0) view(list, words, i, i - 1);
        if (i > 0 && i <= words) spans(list, words, i);
        for (int p = i; p <= words && i > 0; ++p) {
            for (const int table : {W, Wm})
                if (p > i + 1) list.row(table, i, p, 0, 0, 0, words + 1);
            if (p > i && p < words) list.row(B, i, p + 1, 0, 0, 0, words + 1);
            for (int c = i; c <= p && p > i + 1; ++c) list.row(K, i, c, p, 0, 0, words + 1);
            close(list, words, i, p);
            view(list, words, i, p);
            for (int q = words; q >= p + 2; --q) cell(p, q);
        }
        reach_goal(list, i);
    }

    template <bool at_most_one, class Visitor>
    NONPROJ_INLINE bool shared_rule(Visitor& v, const Row& out) const {
        if (closed_rule(v, out)) return true;
        const auto [a, b, c, unused] = out.key;
        switch (out.table) {
            case Fe:
                v.lanes([&](int j) NONPROJ_INLINE_LAMBDA { v.add(j, item(v.row(F_, a, j), b)); });
                return true;
            case Lh:
                v.lanes([&](int x) NONPROJ_INLINE_LAMBDA { v.add(x, item(v.row(F_, x + 1, a - 1), a)); });
                return true;
            case Lrow:
                v.lanes([&](int h) NONPROJ_INLINE_LAMBDA { v.add(h, item(v.row(F_, a + 1, h - 1), h)); });
                return true;
            case Zl:
                v.link(v.row(arcs_from, a));
                v.lanes([&](int x) NONPROJ_INLINE_LAMBDA { v.inner(x, v.row(Fe, x + 1, x), v.row(Lh, a), x, a); });
                return true;
            case Zr:
                v.link(v.row(arcs_from, a));
                v.lanes([&](int x) NONPROJ_INLINE_LAMBDA { v.inner(x, v.row(Fe, a + 1, a), v.row(Lh, x), a, x); });
                return true;
            case B:
                for (int x = a; x <= b - 2; ++x) {
                    v.add(0, a, right_of(v, a, x), v.row(F_, x + 1, b - 1));
                    v.add(x + 1, v.end, right_of(v, a, x), v.row(F_, x + 1, b - 1));
                }
                if (!at_most_one && b > a + 2) v.add(0, v.end, v.row(W, a, b - 1));
                return true;
            case Bm:
                for (int y = a + 2; y <= b; ++y) {
                    v.add(0, y, left_of(v, y, b), v.row(F_, a + 1, y - 1));
                    v.add(b + 1, v.end, left_of(v, y, b), v.row(F_, a + 1, y - 1));
                }
                if (!at_most_one && b > a + 2) v.add(0, v.end, v.row(Wm, a + 1, b));
                return true;
            case W:
            case Wm:
                for (int x = a; x <= b - 2; ++x)
                    for (int y = x + 2; y <= b; ++y) {
                        const Item around = item(v.row(out.table == W ? I : J, a, x, y), b);
                        add_outside(v, a, b, x + 1, y, around, v.row(F_, x + 1, y - 1));
                    }
                return true;
            case K:
                close_child(v, a, b, c);
                return true;
            case H_:
                for (int child = a; child <= b && b > a + 1; ++child) v.add(0, v.end, v.row(K, a, child, b));
                return true;
            default:
                return false;
        }
    }

  private:
    // For h in lo..hi-1 or outside a..b.
    template <class Visitor>
    static NONPROJ_INLINE void add_outside(Visitor& v, int a, int b, int lo, int hi, const Item& x, const Row& row) {
        v.add(0, a, x, row);
        v.add(lo, hi, x, row);
        v.add(b + 1, v.end, x, row);
    }
    template <class Visitor>
    static NONPROJ_INLINE void close_child(Visitor& v, int a, int c, int b) {
        v.link(v.row(arcs_into, c));
        if (b > c + 1) {
            v.add(0, a, left_of(v, a, c), v.row(W, c, b));
            v.add(c + 1, v.end, left_of(v, a, c), v.row(W, c, b));
        }
        for (int y = c + 2; y <= b; ++y) add_outside(v, a, b, c + 1, y, item(v.row(P, a, c, y), b), v.row(B, c, y));
        if (c > a + 1) {
            v.add(0, c, right_of(v, c, b), v.row(Wm, a, c));
            v.add(b + 1, v.end, right_of(v, c, b), v.row(Wm, a, c));
        }
        for (int x = a; x <= c - 2; ++x) add_outside(v, a, b, x + 1, c, item(v.row(Q, a, x, c), b), v.row(Bm, x, c));
    }

    static void view(StepList& list, int words, int i, int j) {
        for (int h = 0; h <= words; ++h) list.row(Fe, i, h, 0, 0, j, j + 1);
        if (j == words) return;
        list.row(Lh, j + 1, 0, 0, 0, i - 1, i);
        list.row(Lrow, i - 1, 0, 0, 0, j + 1, j + 2);
    }
    static void spans(StepList& list, int words, int i) {
        for (int h = i + 1; h <= words; ++h) list.row(Zl, h, 0, 0, 0, i, i + 1);
        list.row(Zr, i, 0, 0, 0, i + 1, words + 1);
        for (int c = i + 2; c <= words; ++c) list.row(Bm, i, c, 0, 0, 0, words + 1);
    }
};

// The last steps of J, one lane after the other: `J0` has a term with J of the lanes before, and the tables that lead
// from it to J take one from the other.
inline void steps_by_lane(StepList& list, int words, int i, int p, int q, std::initializer_list<int> tables) {
    for (int h = q; h <= words; ++h)
        for (const int table : tables) list.row(table, i, p, q, 0, h, h + 1);
}

}  // namespace nonproj::nested
