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
// No item needs an index for the head. Q and J are the mirror images of P and I, and so are all the tables that lead to
// them: rules are written for P and I, and read from either side (`Side`). Names as in the recurrences; a trailing m marks
// a mirror image.
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
#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

#include "nonproj/decode/machine/closed_items.hpp"

namespace nonproj::nested {

struct HeadSplit : ClosedItems {
    enum : std::int16_t { Fe = first_table_of_class, Lh, Lrow, Zl, Zr, B, Bm, W, Wm, K, P, I, Q, J, first_own };
    static constexpr int shared_tables = first_own;
    static constexpr Packing shared_packings[shared_tables] = {
        Packing::word,   Packing::word,    Packing::word,    Packing::span,    Packing::span,
        Packing::span,   Packing::ends,    Packing::word,    Packing::word,    Packing::word,
        Packing::word,   Packing::span,    Packing::span,    Packing::span,    Packing::span,
        Packing::triple, Packing::corners, Packing::corners, Packing::corners, Packing::corners};

    // The shared packings, then corners for all the tables of one's own.
    template <int tables>
    static constexpr std::array<Packing, tables> with_corners() {
        std::array<Packing, tables> packings;
        packings.fill(Packing::corners);
        std::copy(shared_packings, shared_packings + shared_tables, packings.begin());
        return packings;
    }

    // F(x, h-1 | h), F(h+1, x | h): one item each.
    template <class Visitor>
    static NONPROJ_INLINE Item left_of(Visitor& v, int x, int h) {
        return item(v.row(Lh, h), x - 1);
    }
    template <class Visitor>
    static NONPROJ_INLINE Item right_of(Visitor& v, int h, int x) {
        return item(v.row(Fe, h + 1, h), x);
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
    NONPROJ_INLINE bool shared_rule(Visitor& v, Row out) const {
        if (closed_rule(v, out)) return true;
        const auto [a, b, c, unused] = out.keys();
        switch (out.table()) {
            case Fe:
                v.lanes([&](int j) NONPROJ_INLINE_LAMBDA { v.add(j, item(v.row(F, a, j), b)); });
                return true;
            case Lh:
                v.lanes([&](int x) NONPROJ_INLINE_LAMBDA { v.add(x, item(v.row(F, x + 1, a - 1), a)); });
                return true;
            case Lrow:
                v.lanes([&](int h) NONPROJ_INLINE_LAMBDA { v.add(h, item(v.row(F, a + 1, h - 1), h)); });
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
                    v.add(0, a, right_of(v, a, x), v.row(F, x + 1, b - 1));
                    v.add(x + 1, v.end, right_of(v, a, x), v.row(F, x + 1, b - 1));
                }
                if (!at_most_one && b > a + 2) v.add(0, v.end, v.row(W, a, b - 1));
                return true;
            case Bm:
                for (int y = a + 2; y <= b; ++y) {
                    v.add(0, y, left_of(v, y, b), v.row(F, a + 1, y - 1));
                    v.add(b + 1, v.end, left_of(v, y, b), v.row(F, a + 1, y - 1));
                }
                if (!at_most_one && b > a + 2) v.add(0, v.end, v.row(Wm, a + 1, b));
                return true;
            case W:
            case Wm:
                for (int x = a; x <= b - 2; ++x)
                    for (int y = x + 2; y <= b; ++y) {
                        const Item around = item(v.row(out.table() == W ? I : J, a, x, y), b);
                        add_outside(v, a, b, x + 1, y, around, v.row(F, x + 1, y - 1));
                    }
                return true;
            case K:
                close_child(v, a, b, c);
                return true;
            case H:
                for (int child = a; child <= b && b > a + 1; ++child) v.add(0, v.end, v.row(K, a, child, b));
                return true;
            default:
                return false;
        }
    }

  private:
    // For h in lo..hi-1 or outside a..b.
    template <class Visitor>
    static NONPROJ_INLINE void add_outside(Visitor& v, int a, int b, int lo, int hi, const Item& x, Row row) {
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

// A point of a rule that is the lane of the row, plus so much.
struct Lane {
    int plus = 0;
};

// A rule for corners (i, p, q, j), read from the left, or from the right as a rule for their mirror images. Its points are
// numbers, but for one that is the lane: j, and in the mirror image i. Of the two factors of a term, those that hold the
// lane are rows and the others items.
template <class Recurrences, class Visitor, bool mirrored>
class Side {
  public:
    static constexpr bool is_mirrored = mirrored;

    NONPROJ_INLINE Side(Visitor& visitor, int first) : v_(visitor), first_(first) {}

    // The next point on the way from i to j, and the one before.
    static constexpr int after(int x) { return is_mirrored ? x - 1 : x + 1; }
    static constexpr int before(int x) { return is_mirrored ? x + 1 : x - 1; }
    static constexpr Lane after(Lane x) { return {after(x.plus)}; }
    static constexpr Lane before(Lane x) { return {before(x.plus)}; }

    // The same point; but in the mirror image the one beside it, if the term of that point is in the row itself.
    template <class X>
    static constexpr X last(X x) {
        return is_mirrored ? before(x) : x;
    }
    static constexpr int first(int x) { return is_mirrored ? after(x) : x; }

    // Calls visit(c) for the points c from `from` to `to`, both included.
    template <class From, class To, class Visit>
    NONPROJ_INLINE void each(From from, To to, const Visit& visit) {
        if constexpr (is_mirrored)
            ascend(to, from, visit);
        else
            ascend(from, to, visit);
    }
    template <class Left, class Right>
    NONPROJ_INLINE void add(const Left& a, const Right& b) {
        if constexpr (std::is_same_v<Right, Item>)
            v_.add(first_, v_.end, b, a);
        else
            v_.add(first_, v_.end, a, b);
    }
    NONPROJ_INLINE void add(Row a) { v_.add(first_, v_.end, a); }

    // The arc h -> d, with which all is multiplied.
    NONPROJ_INLINE void link(int h, int d) { v_.link(item(v_.row(arcs_from, h), d)); }
    NONPROJ_INLINE void link(int h, Lane) { v_.link(v_.row(arcs_from, h)); }
    NONPROJ_INLINE void link(Lane, int d) { v_.link(v_.row(arcs_into, d)); }

    // T(a, b, c | d)
    template <class First, class Last>
    NONPROJ_INLINE auto at(int table, First a, int b, int c, Last d) const {
        if constexpr (is_mirrored)
            return corner(Recurrences::mirror(table), d, c, b, a);
        else
            return corner(table, a, b, c, d);
    }
    // l(x, h) = F(x, h-1 | h), r(h, x) = F(h+1, x | h), F(x, y | h)
    template <class X, class H>
    NONPROJ_INLINE auto l(X x, H h) const {
        if constexpr (is_mirrored)
            return right_of(h, x);
        else
            return left_of(x, h);
    }
    template <class H, class X>
    NONPROJ_INLINE auto r(H h, X x) const {
        if constexpr (is_mirrored)
            return left_of(x, h);
        else
            return right_of(h, x);
    }
    template <class X, class Y, class H>
    NONPROJ_INLINE auto F(X x, Y y, H h) const {
        if constexpr (is_mirrored)
            return filled(y, x, h);
        else
            return filled(x, y, h);
    }
    // Zl(h | c), c before h; Zr(h | c), c behind h
    NONPROJ_INLINE Item Zl(int h, int c) const {
        return item(v_.row(is_mirrored ? HeadSplit::Zr : HeadSplit::Zl, h), c);
    }
    NONPROJ_INLINE Item Zr(int h, int c) const {
        return item(v_.row(is_mirrored ? HeadSplit::Zl : HeadSplit::Zr, h), c);
    }

  private:
    Visitor& v_;
    int first_;  // the first lane of the terms that are added now

    template <class Visit>
    NONPROJ_INLINE void ascend(int lo, int hi, const Visit& visit) {
        for (int c = lo; c <= hi; ++c) visit(c);
    }
    template <class Visit>
    NONPROJ_INLINE void ascend(int lo, Lane hi, const Visit& visit) {
        const int first = first_;
        for (int c = lo; c <= v_.words + hi.plus; ++c) {
            first_ = c - hi.plus;
            visit(c);
        }
        first_ = first;
    }

    NONPROJ_INLINE Row corner(int table, int i, int p, int q, Lane) const {
        return v_.template row_packed<Packing::corners>(table, i, p, q);
    }
    NONPROJ_INLINE Item corner(int table, int i, int p, int q, int j) const {
        return item(corner(table, i, p, q, Lane()), j);
    }
    NONPROJ_INLINE Item left_of(int x, int h) const { return HeadSplit::left_of(v_, x, h); }
    NONPROJ_INLINE Row left_of(int x, Lane) const { return v_.row(HeadSplit::Lrow, x - 1); }
    NONPROJ_INLINE Item right_of(int h, int x) const { return HeadSplit::right_of(v_, h, x); }
    NONPROJ_INLINE Row right_of(int h, Lane) const { return v_.row(HeadSplit::Fe, h + 1, h); }
    NONPROJ_INLINE Item filled(int x, int y, int h) const { return item(v_.row(HeadSplit::Fe, x, h), y); }
    NONPROJ_INLINE Row filled(int x, Lane, int h) const { return v_.row(HeadSplit::Fe, x, h); }
    NONPROJ_INLINE Row filled(int x, int y, Lane) const { return v_.row(HeadSplit::F, x, y); }
};

// The rules of the corners of one class, from both sides. Recurrences has
//
//   first_mirror    the tables from `first_own` on, up to this, have their mirror images behind it, in the same order
//   inherited       the tables that lead from I0 to I, each with a term that is the one before it
//   first_part      as many tables: the mirror images of those in part (see below)
//   corner(side, table, i, p, q, j)     the rule of a table before `first_mirror`, or of I or P
//
// The mirror image of I0 has a term with J of the lanes before. So J0, ..., J are first summed without what is in the row
// itself, in part, and then one lane after the other.
template <class Recurrences>
struct BothSides : HeadSplit {
    static constexpr int mirror(int table) {
        constexpr int own = int(Recurrences::first_mirror) - first_own;
        switch (table) {
            case P:
                return Q;
            case Q:
                return P;
            case I:
                return J;
            case J:
                return I;
            default:
                return table < Recurrences::first_mirror ? table + own : table - own;
        }
    }

    // The steps of the corners (i, p, q): these tables, then J by lane.
    static void corner_steps(StepList& list, int words, int i, int p, int q) {
        for (const int table : Recurrences::order) list.row(table, i, p, q, 0, q, words + 1);
        for (int h = q; h <= words; ++h)
            for (const int table : Recurrences::inherited) list.row(mirror(table), i, p, q, 0, h, h + 1);
    }

    template <class Visitor>
    static NONPROJ_INLINE void corner_rule(Visitor& v, Row out) {
        constexpr int first_part = Recurrences::first_part;
        const auto [i, p, q, unused] = out.keys();
        for (int n = 0; n < static_cast<int>(std::size(Recurrences::inherited)); ++n) {
            if (out.table() != mirror(Recurrences::inherited[n])) continue;
            v.add(q, v.end, v.row(first_part + n, i, p, q));
            if (n > 0) return v.add(q, v.end, v.row(mirror(Recurrences::inherited[n - 1]), i, p, q));
            return v.lanes([&](int h) NONPROJ_INLINE_LAMBDA { v.inner(h, v.row(Zl, h), v.row(J, i, p, q), q, h); });
        }
        if (out.table() < Recurrences::first_mirror && out.table() != Q) {
            Side<Recurrences, Visitor, false> side(v, q);
            Recurrences::corner(side, out.table(), i, p, q, Lane());
        } else {
            Side<Recurrences, Visitor, true> side(v, q);
            Recurrences::corner(
                side, out.table() < first_part ? mirror(out.table()) : Recurrences::inherited[out.table() - first_part],
                Lane(), q, p, i);
        }
    }
};

}  // namespace nonproj::nested
