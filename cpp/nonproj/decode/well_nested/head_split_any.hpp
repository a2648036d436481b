// WG_1S: head-split trees in which any number of children inherit a gap. O(n^6) time, O(n^4) space; each tree has exactly one
// derivation. The corners and the closing of gaps are those of head_split.hpp. I and J may have any number of inheriting
// children, also none; P and Q have one or more, and the innermost one's right block begins at q (left block ends at p).
// What lies between it and the gap belongs to I (J). With r(h, x) = F(h+1, x | h), l(x, h) = F(x, h-1 | h), and
// I(h, p, j+1 | j) = r(h, p), P(i, h, j+1 | j) = l(i, h), J(i, i-1, q | h) = l(q, h), Q(i, i-1, h | j) = r(h, j):
//
//   head at i: the innermost child c is added last, and ends at p, begins again at q
//   Ki(h, c, z | j) = s(h, c) (x) (+)_{h < a <= c, z <= b <= j}  I(h, a-1, b+1 | j) (x) P(a, c, z | b)
//   Kx(h, c, z | j) = s(h, c) (x) (+)_{h < a <= c}  I(h, a-1, z | j) (x) l(a, c)                  Kp = Ki (+) Kx
//   N (h, z, c | j) = s(h, c) (x) (+)_{h < a <= z, c <= b <= j}  I(h, a-1, b+1 | j) (x) Q(a, z, c | b)
//   Nx(h, z, c | j) = s(h, c) (x) (+)_{c <= b <= j}  I(h, z, b+1 | j) (x) r(c, b)                 Np = N (+) Nx
//   I0(h, p, q | j) = (+)_{h < c <= p}  Ki(h, c, q | j) (x) r(c, p)  (+)  Zr(h | c) (x) I(c, p, q | j)
//                                       (+) (+)_{q < z <= j}  Kp(h, c, z | j) (x) I(c, p, q | z-1)
//                 (+) (+)_{q <= c <= j} N(h, p, c | j) (x) l(q, c)  (+) (+)_{h <= z < p}  Np(h, z, c | j) (x) J(z+1, p, q | c)
//   I1(h, p, q | j) = (+)_{h < x <= p}  I0(h, x, q | j) (x) F(x+1, p | h)
//   I (h, p, q | j) = r(h, p) (x) F(q, j | h)  (+)  (+)_{q <= y <= j}  I1(h, p, y | j) (x) F(q, y-1 | h)
//
//   head at p: the outermost child c is added last, and ends at a and b
//   R (c, h, q | z) = s(h, c) (x) (+)_{c <= x < h, q <= y <= z}  I(c, x, y | z) (x) P(x+1, h, q | y-1)
//   Rx(c, h, q | z) = s(h, c) (x) (+)_{c <= x < h}  r(c, x) (x) P(x+1, h, q | z)                  Rp = R (+) Rx
//   Y (z, h, q | c) = s(h, c) (x) (+)_{z <= x < h, q <= y <= c}  J(z, x, y | c) (x) P(x+1, h, q | y-1)
//   Yx(z, h, q | c) = s(h, c) (x) (+)_{q <= y <= c}  l(y, c) (x) P(z, h, q | y-1)                 Yp = Y (+) Yx
//   P0(a, h, q | b) = (+)_{a <= c < h}  l(a, c) (x) R(c, h, q | b)  (+)  P(a, c, q | b) (x) Zl(h | c)
//                                       (+) (+)_{q < z <= b}  P(a, c, z | b) (x) Rp(c, h, q | z-1)
//                 (+) (+)_{q <= c <= b} r(c, b) (x) Y(a, h, q | c)  (+) (+)_{a <= z < h}  Q(a, z, c | b) (x) Yp(z+1, h, q | c)
//   P1(i, h, q | b) = (+)_{i <= a < h}  F(i, a-1 | h) (x) P0(a, h, q | b)
//   P (i, h, q | j) = (+)_{q <= b <= j}  P1(i, h, q | b) (x) F(b+1, j | h)
//
//   The tables of the heads at j and at q are mirror images of these.
#pragma once
#include "nonproj/decode/well_nested/head_split.hpp"

namespace nonproj::nested {

struct HeadSplitAny : BothSides<HeadSplitAny> {
    // clang-format off
    enum : std::int16_t {
        Ki = first_own, Kx, Kp, N, Nx, Np, I0, I1, R, Rx, Rp, Y, Yx, Yp, P0, P1, first_mirror,
        first_part = 2 * first_mirror - first_own, J0b = first_part, J1b, Jb, tables
    };
    // clang-format on
    static constexpr auto packings = with_corners<tables>();
    static constexpr int inherited[] = {I0, I1, I};
    // In a cell.
    static constexpr int order[] = {
        Ki,         Kx,         Kp,         N,          Nx,         Np,         I0,  I1,         I,
        R,          Rx,         Rp,         Y,          P0,         P1,         P,   Yx,         Yp,
        mirror(R),  mirror(Y),  mirror(Yx), mirror(Yp), mirror(P0), mirror(P1), Q,   mirror(Rx), mirror(Rp),
        mirror(Ki), mirror(Kx), mirror(Kp), mirror(N),  mirror(Nx), mirror(Np), J0b, J1b,        Jb};

    static void steps(StepList& list, int words, int i) {
        shared_steps(list, words, i, [&](int p, int q) { corner_steps(list, words, i, p, q); });
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, Row out, bool) const {
        if (!shared_rule<false>(v, out)) corner_rule(v, out);
    }

    template <class Side, class First, class Last>
    static NONPROJ_INLINE void corner(Side& s, int table, First i, int p, int q, Last j) {
        const auto add_both = [&](int a, int b) NONPROJ_INLINE_LAMBDA {
            s.add(s.at(a, i, p, q, j));
            s.add(s.at(b, i, p, q, j));
        };
        switch (table) {
            case Ki:
                s.link(i, p);
                join_with_I(s, P, i, p, q, j);
                break;
            case Kx:
                s.link(i, p);
                s.each(s.after(i), p,
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.l(a, p), s.at(I, i, s.before(a), q, j)); });
                break;
            case Kp:
                add_both(Ki, Kx);
                break;
            case N:
                s.link(i, q);
                join_with_I(s, Q, i, p, q, j);
                break;
            case Nx:
                s.link(i, q);
                s.add(s.r(i, p), s.r(q, j));
                s.each(q, s.before(j),
                       [&](int b) NONPROJ_INLINE_LAMBDA { s.add(s.r(q, b), s.at(I, i, p, s.after(b), j)); });
                break;
            case Np:
                add_both(N, Nx);
                break;
            case I0:
                s.each(s.after(i), p, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.r(c, p), s.at(Ki, i, c, q, j));
                    if constexpr (!Side::is_mirrored) s.add(s.Zr(i, c), s.at(I, c, p, q, j));
                    s.each(s.after(q), j, [&](int z) NONPROJ_INLINE_LAMBDA {
                        s.add(s.at(I, c, p, q, s.before(z)), s.at(Kp, i, c, z, j));
                    });
                });
                s.each(q, j, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.l(q, c), s.at(N, i, p, c, j));
                    s.each(i, s.before(p), [&](int z) NONPROJ_INLINE_LAMBDA {
                        s.add(s.at(J, s.after(z), p, q, c), s.at(Np, i, z, c, j));
                    });
                });
                break;
            case I1:
                s.each(s.after(i), s.last(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.F(s.after(x), p, i), s.at(I0, i, x, q, j)); });
                break;
            case I:
                s.add(s.F(q, j, i), s.r(i, p));
                s.each(s.first(q), j,
                       [&](int y) NONPROJ_INLINE_LAMBDA { s.add(s.F(q, s.before(y), i), s.at(I1, i, p, y, j)); });
                break;

            case R:
                s.link(p, i);
                join_with_P(s, I, i, p, q, j);
                break;
            case Rx:
                s.link(p, i);
                s.each(i, s.before(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.r(i, x), s.at(P, s.after(x), p, q, j)); });
                break;
            case Rp:
                add_both(R, Rx);
                break;
            case Y:
                s.link(p, j);
                join_with_P(s, J, i, p, q, j);
                break;
            case Yx:
                s.link(p, j);
                s.add(s.l(i, p), s.l(q, j));
                s.each(s.after(q), j,
                       [&](int y) NONPROJ_INLINE_LAMBDA { s.add(s.at(P, i, p, q, s.before(y)), s.l(y, j)); });
                break;
            case Yp:
                add_both(Y, Yx);
                break;
            case P0:
                s.each(i, s.before(p), [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.l(i, c), s.at(R, c, p, q, j));
                    s.add(s.Zl(p, c), s.at(P, i, c, q, j));
                    s.each(s.after(q), j, [&](int z) NONPROJ_INLINE_LAMBDA {
                        s.add(s.at(Rp, c, p, q, s.before(z)), s.at(P, i, c, z, j));
                    });
                });
                s.each(q, j, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.at(Y, i, p, q, c), s.r(c, j));
                    s.each(i, s.before(p), [&](int z) NONPROJ_INLINE_LAMBDA {
                        s.add(s.at(Yp, s.after(z), p, q, c), s.at(Q, i, z, c, j));
                    });
                });
                break;
            case P1:
                s.each(i, s.before(p),
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.F(i, s.before(a), p), s.at(P0, a, p, q, j)); });
                break;
            case P:
                s.each(q, j, [&](int b) NONPROJ_INLINE_LAMBDA { s.add(s.at(P1, i, p, q, b), s.F(s.after(b), j, p)); });
                break;
        }
    }

  private:
    // (+)_{a, b}  I(i, a-1, b+1 | j) (x) T(a, p, q | b), where T is P or Q
    template <class Side, class First, class Last>
    static NONPROJ_INLINE void join_with_I(Side& s, int T, First i, int p, int q, Last j) {
        s.each(s.after(i), p, [&](int a) NONPROJ_INLINE_LAMBDA {
            s.add(s.r(i, s.before(a)), s.at(T, a, p, q, j));
            s.each(q, s.before(j), [&](int b) NONPROJ_INLINE_LAMBDA {
                s.add(s.at(T, a, p, q, b), s.at(I, i, s.before(a), s.after(b), j));
            });
        });
    }
    // (+)_{x, y}  T(i, x, y | j) (x) P(x+1, p, q | y-1), where T is I or J
    template <class Side, class First, class Last>
    static NONPROJ_INLINE void join_with_P(Side& s, int T, First i, int p, int q, Last j) {
        s.each(i, s.before(p), [&](int x) NONPROJ_INLINE_LAMBDA {
            s.add(s.l(s.after(x), p), s.at(T, i, x, q, j));
            s.each(s.after(q), j, [&](int y) NONPROJ_INLINE_LAMBDA {
                s.add(s.at(P, s.after(x), p, q, s.before(y)), s.at(T, i, x, y, j));
            });
        });
    }
};

}  // namespace nonproj::nested
