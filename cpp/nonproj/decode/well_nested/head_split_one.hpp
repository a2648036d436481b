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

struct HeadSplitOne : HeadSplit {
    // clang-format off
    enum : std::int16_t {
        Qp = first_own, Jp, Ip, P0, P1, P2, Pi, Qi, Ji, I0, I1, I2, Pq, Iq, Jq, Q0, Q1, Q2, Qj, Pj, Ij,
        J0b, J1b, J2b, Jb, J0, J1, J2, tables
    };
    // clang-format on
    static constexpr Shapes<tables> shapes{};
    // In a cell; the rest of J follows lane by lane.
    static constexpr std::int16_t order[] = {Qp, Jp, Ip, P0, P1, P2, P, Pi, Qi, Ji, I0,  I1,  I2,  I,
                                             Pq, Iq, Jq, Q0, Q1, Q2, Q, Qj, Pj, Ij, J0b, J1b, J2b, Jb};

    static void steps(StepList& list, int words, int i) {
        shared_steps(list, words, i, [&](int p, int q) {
            for (const int table : order) list.row(table, i, p, q, 0, q, words + 1);
            steps_by_lane(list, words, i, p, q, {J0, J1, J2, J});
        });
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, const Row& out, bool) const {
        if (shared_rule<true>(v, out)) return;
        const auto [i, p, q, unused] = out.key;
        switch (out.table) {
            case Qp:
                v.link(arc(v, p, q));
                for (int x = i; x < p; ++x) v.add(q, v.end, left_of(v, x + 1, p), v.row(Q, i, x, q));
                break;
            case Jp:
                v.link(v.row(arcs_from, p));
                for (int x = i; x < p; ++x) v.add(q, v.end, left_of(v, x + 1, p), v.row(J, i, x, q));
                break;
            case Ip:
                v.link(arc(v, p, i));
                for (int x = i + 1; x < p; ++x) v.add(q, v.end, left_of(v, x + 1, p), v.row(I, i, x, q));
                break;
            case P0:
                for (int c = i; c < p; ++c) {
                    v.add(q, v.end, item(v.row(Zl, p), c), v.row(P, i, c, q));
                    v.add(q, v.end, left_of(v, i, c), v.row(Ip, c, p, q));
                }
                for (int c = q; c <= v.words; ++c) {
                    v.add(c, v.end, left_of(v, q, c), v.row(Qp, i, p, c));
                    v.add(c, v.end, item(v.row(Jp, i, p, q), c), v.row(Fe, c + 1, c));
                }
                break;
            case P1:
                for (int a = i; a < p; ++a) v.add(q, v.end, filled(v, i, a - 1, p), v.row(P0, a, p, q));
                break;
            case P2:
                for (int y = q; y <= v.words; ++y) v.add(y, v.end, filled(v, q, y - 1, p), v.row(P1, i, p, y));
                break;
            case P:
                v.add(q, v.end, left_of(v, i, p), v.row(Fe, q, p));
                for (int b = q; b <= v.words; ++b) v.add(b, v.end, item(v.row(P2, i, p, q), b), v.row(Fe, b + 1, p));
                break;

            case Pi:
                v.link(arc(v, i, p));
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, right_of(v, i, a - 1), v.row(P, a, p, q));
                break;
            case Qi:
                v.link(arc(v, i, q));
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, right_of(v, i, a - 1), v.row(Q, a, p, q));
                break;
            case Ji:
                v.link(v.row(arcs_from, i));
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, right_of(v, i, a - 1), v.row(J, a, p, q));
                break;
            case I0:
                if (p == i) break;
                for (int c = i + 1; c <= p; ++c) {
                    v.add(q, v.end, right_of(v, c, p), v.row(Pi, i, c, q));
                    v.add(q, v.end, item(v.row(Zr, i), c), v.row(I, c, p, q));
                }
                for (int c = q; c <= v.words; ++c) {
                    v.add(c, v.end, left_of(v, q, c), v.row(Qi, i, p, c));
                    v.add(c, v.end, item(v.row(Ji, i, p, q), c), v.row(Fe, c + 1, c));
                }
                break;
            case I1:
                for (int x = i + 1; x <= p; ++x) v.add(q, v.end, filled(v, x + 1, p, i), v.row(I0, i, x, q));
                break;
            case I2:
                for (int y = q; y <= v.words; ++y) v.add(y, v.end, filled(v, q, y - 1, i), v.row(I1, i, p, y));
                break;
            case I:
                for (int b = q; b <= v.words; ++b) v.add(b, v.end, item(v.row(I2, i, p, q), b), v.row(Fe, b + 1, i));
                break;

            case Pq:
                v.link(arc(v, q, p));
                for (int y = q + 1; y <= v.words; ++y) v.add(y, v.end, right_of(v, q, y - 1), v.row(P, i, p, y));
                break;
            case Iq:
                v.link(arc(v, q, i));
                for (int y = q + 1; y <= v.words; ++y) v.add(y, v.end, right_of(v, q, y - 1), v.row(I, i, p, y));
                break;
            case Jq:
                v.link(v.row(arcs_from, q));
                for (int y = q + 1; y <= v.words; ++y) v.add(y, v.end, right_of(v, q, y - 1), v.row(J, i, p, y));
                break;
            case Q0:
                for (int c = q + 1; c <= v.words; ++c) {
                    v.add(c, v.end, item(v.row(Zr, q), c), v.row(Q, i, p, c));
                    v.add(c, v.end, item(v.row(Jq, i, p, q), c), v.row(Fe, c + 1, c));
                }
                for (int c = i; c <= p; ++c) {
                    v.add(q, v.end, right_of(v, c, p), v.row(Pq, i, c, q));
                    v.add(q, v.end, left_of(v, i, c), v.row(Iq, c, p, q));
                }
                break;
            case Q1:
                for (int b = q + 1; b <= v.words; ++b)
                    v.add(b, v.end, item(v.row(Q0, i, p, q), b), v.row(Fe, b + 1, q));
                break;
            case Q2:
                for (int x = i; x <= p; ++x) v.add(q, v.end, filled(v, x + 1, p, q), v.row(Q1, i, x, q));
                break;
            case Q:
                v.add(q, v.end, filled(v, i, p, q), v.row(Fe, q + 1, q));
                for (int a = i; a <= p; ++a) v.add(q, v.end, filled(v, i, a - 1, q), v.row(Q2, a, p, q));
                break;

            case Qj:
                v.link(v.row(arcs_into, q));
                for (int b = q; b < v.words; ++b) v.add(b + 1, v.end, item(v.row(Q, i, p, q), b), v.row(Lrow, b));
                break;
            case Pj:
                v.link(v.row(arcs_into, p));
                for (int b = q; b < v.words; ++b) v.add(b + 1, v.end, item(v.row(P, i, p, q), b), v.row(Lrow, b));
                break;
            case Ij:
                v.link(v.row(arcs_into, i));
                for (int b = q; b < v.words; ++b) v.add(b + 1, v.end, item(v.row(I, i, p, q), b), v.row(Lrow, b));
                break;
            case J0b:
                for (int c = q; c < v.words; ++c) v.add(c + 1, v.end, left_of(v, q, c), v.row(Qj, i, p, c));
                for (int c = i; c <= p; ++c) {
                    v.add(q, v.end, right_of(v, c, p), v.row(Pj, i, c, q));
                    v.add(q, v.end, left_of(v, i, c), v.row(Ij, c, p, q));
                }
                break;
            case J1b:
                for (int y = q + 1; y <= v.words; ++y) v.add(y, v.end, v.row(F_, q, y - 1), v.row(J0, i, p, y));
                break;
            case J2b:
                for (int x = i; x < p; ++x) v.add(q, v.end, v.row(F_, x + 1, p), v.row(J1, i, x, q));
                break;
            case Jb:
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, v.row(F_, i, a - 1), v.row(J2, a, p, q));
                break;
            case J0:
                v.add(q, v.end, v.row(J0b, i, p, q));
                v.lanes([&](int h) NONPROJ_INLINE_LAMBDA { v.inner(h, v.row(Zl, h), v.row(J, i, p, q), q, h); });
                break;
            case J1:
                v.add(q, v.end, v.row(J1b, i, p, q));
                v.add(q, v.end, v.row(J0, i, p, q));
                break;
            case J2:
                v.add(q, v.end, v.row(J2b, i, p, q));
                v.add(q, v.end, v.row(J1, i, p, q));
                break;
            case J:
                v.add(q, v.end, v.row(Jb, i, p, q));
                v.add(q, v.end, v.row(J2, i, p, q));
                break;
        }
    }
};

}  // namespace nonproj::nested
