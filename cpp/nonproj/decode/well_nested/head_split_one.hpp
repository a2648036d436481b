// M1IS: head-split trees in which a gap is inherited by one child at most. O(n^5) time, O(n^4) space; each tree has exactly
// one derivation. The corners P, I, Q, J and the closing of gaps are those of head_split.hpp; here P and Q have at most
// one inheriting child, I and J exactly one. With r(h, x) = F(h+1, x | h) and l(x, h) = F(x, h-1 | h):
//
//   Qp(i, h, c | j) = s(h, c) (x) (+)_{i <= x < h}  Q(i, x, c | j) (x) l(x+1, h)               Jp, Ip alike
//   P0(i, h, q | b) = (+)_{i <= c < h}  P(i, c, q | b) (x) Zl(h | c)  (+)  l(i, c) (x) Ip(c, h, q | b)
//                 (+) (+)_{q <= c}      Qp(i, h, c | b) (x) l(q, c)   (+)  Jp(i, h, q | c) (x) r(c, b)
//   P1(i, h, q | b) = (+)_a  F(i, a-1 | h) (x) P0(a, h, q | b)
//   P2(i, h, q | b) = (+)_y  F(q, y-1 | h) (x) P1(i, h, y | b)
//   P (i, h, q | j) = l(i, h) (x) F(q, j | h)  (+)  (+)_b  P2(i, h, q | b) (x) F(b+1, j | h)
//
//   Pi(h, c, q | b) = s(h, c) (x) (+)_{h < a <= c}  r(h, a-1) (x) P(a, c, q | b)               Qi, Ji alike
//   I0(h, p, q | b) = (+)_{h < c <= p}  Pi(h, c, q | b) (x) r(c, p)   (+)  Zr(h | c) (x) I(c, p, q | b)
//                 (+) (+)_{q <= c}      Qi(h, p, c | b) (x) l(q, c)   (+)  Ji(h, p, q | c) (x) r(c, b)
//   I1, I2, I       = I0 with closed intervals joined at p, q, j
//
//   Pq, Iq, Jq; Q0, Q1, Q2, Q and Qj, Pj, Ij; J0, J1, J2, J   are mirror images of these.
#pragma once
#include "nonproj/decode/well_nested/head_split.hpp"

namespace nonproj::nested {

struct HeadSplitOne : BothSides<HeadSplitOne> {
    // clang-format off
    enum : std::int16_t {
        Qp = first_own, Jp, Ip, P0, P1, P2, Pi, Qi, Ji, I0, I1, I2, first_mirror,
        first_part = 2 * first_mirror - first_own, J0b = first_part, J1b, J2b, Jb, tables
    };
    // clang-format on
    static constexpr auto packings = with_corners<tables>();
    static constexpr int inherited[] = {I0, I1, I2, I};
    // In a cell.
    static constexpr int order[] = {Qp,         Jp,         Ip,         P0,         P1,         P2,         P,
                                    Pi,         Qi,         Ji,         I0,         I1,         I2,         I,
                                    mirror(Qp), mirror(Jp), mirror(Ip), mirror(P0), mirror(P1), mirror(P2), Q,
                                    mirror(Pi), mirror(Qi), mirror(Ji), J0b,        J1b,        J2b,        Jb};

    static void steps(StepList& list, int words, int i) {
        shared_steps(list, words, i, [&](int p, int q) { corner_steps(list, words, i, p, q); });
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, Row out, bool) const {
        if (!shared_rule<true>(v, out)) corner_rule(v, out);
    }

    template <class Side, class First, class Last>
    static NONPROJ_INLINE void corner(Side& s, int table, First i, int p, int q, Last j) {
        switch (table) {
            case Qp:
                s.link(p, q);
                s.each(i, s.before(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.l(s.after(x), p), s.at(Q, i, x, q, j)); });
                break;
            case Jp:
                s.link(p, j);
                s.each(i, s.before(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.l(s.after(x), p), s.at(J, i, x, q, j)); });
                break;
            case Ip:
                s.link(p, i);
                s.each(s.after(i), s.before(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.l(s.after(x), p), s.at(I, i, x, q, j)); });
                break;
            case P0:
                s.each(i, s.before(p), [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.Zl(p, c), s.at(P, i, c, q, j));
                    s.add(s.l(i, c), s.at(Ip, c, p, q, j));
                });
                s.each(q, j, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.l(q, c), s.at(Qp, i, p, c, j));
                    s.add(s.at(Jp, i, p, q, c), s.r(c, j));
                });
                break;
            case P1:
                s.each(i, s.before(p),
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.F(i, s.before(a), p), s.at(P0, a, p, q, j)); });
                break;
            case P2:
                s.each(q, j, [&](int y) NONPROJ_INLINE_LAMBDA { s.add(s.F(q, s.before(y), p), s.at(P1, i, p, y, j)); });
                break;
            case P:
                s.add(s.l(i, p), s.F(q, j, p));
                s.each(q, j, [&](int b) NONPROJ_INLINE_LAMBDA { s.add(s.at(P2, i, p, q, b), s.F(s.after(b), j, p)); });
                break;

            case Pi:
                s.link(i, p);
                s.each(s.after(i), p,
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.r(i, s.before(a)), s.at(P, a, p, q, j)); });
                break;
            case Qi:
                s.link(i, q);
                s.each(s.after(i), p,
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.r(i, s.before(a)), s.at(Q, a, p, q, j)); });
                break;
            case Ji:
                s.link(i, j);
                s.each(s.after(i), p,
                       [&](int a) NONPROJ_INLINE_LAMBDA { s.add(s.r(i, s.before(a)), s.at(J, a, p, q, j)); });
                break;
            case I0:
                s.each(s.after(i), p, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.r(c, p), s.at(Pi, i, c, q, j));
                    if constexpr (!Side::is_mirrored) s.add(s.Zr(i, c), s.at(I, c, p, q, j));
                });
                s.each(q, j, [&](int c) NONPROJ_INLINE_LAMBDA {
                    s.add(s.l(q, c), s.at(Qi, i, p, c, j));
                    s.add(s.at(Ji, i, p, q, c), s.r(c, j));
                });
                break;
            case I1:
                s.each(s.after(i), s.last(p),
                       [&](int x) NONPROJ_INLINE_LAMBDA { s.add(s.F(s.after(x), p, i), s.at(I0, i, x, q, j)); });
                break;
            case I2:
                s.each(s.first(q), j,
                       [&](int y) NONPROJ_INLINE_LAMBDA { s.add(s.F(q, s.before(y), i), s.at(I1, i, p, y, j)); });
                break;
            case I:
                s.each(q, s.last(j),
                       [&](int b) NONPROJ_INLINE_LAMBDA { s.add(s.F(s.after(b), j, i), s.at(I2, i, p, q, b)); });
                break;
        }
    }
};

}  // namespace nonproj::nested
