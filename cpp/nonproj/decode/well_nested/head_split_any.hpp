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
//   The tables with m, of the heads at j and at q, are mirror images of these.
#pragma once
#include "nonproj/decode/well_nested/head_split.hpp"

namespace nonproj::nested {

struct HeadSplitAny : HeadSplit {
    // clang-format off
    enum : std::int16_t {
        Ki = first_own, Kx, Kp, N, Nx, Np, I0, I1, R, Rx, Rp, Y, Yx, Yp, P0, P1,
        Rm, Rxm, Rpm, Ym, Yxm, Ypm, Q0, Q1, Km, Kxm, Kpm, Nm, Nxm, Npm, J0b, J1b, Jb, J0, J1, tables
    };
    // clang-format on
    static constexpr Shapes<tables> shapes{};
    // In a cell; the rest of J follows lane by lane.
    static constexpr std::int16_t order[] = {Ki, Kx,  Kp,  N,  Nx,  Np,  I0, I1,  I,   R,   Rx,  Rp,
                                             Y,  P0,  P1,  P,  Yx,  Yp,  Rm, Ym,  Yxm, Ypm, Q0,  Q1,
                                             Q,  Rxm, Rpm, Km, Kxm, Kpm, Nm, Nxm, Npm, J0b, J1b, Jb};

    static void steps(StepList& list, int words, int i) {
        shared_steps(list, words, i, [&](int p, int q) {
            for (const int table : order) list.row(table, i, p, q, 0, q, words + 1);
            steps_by_lane(list, words, i, p, q, {J0, J1, J});
        });
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, const Row& out, bool) const {
        if (shared_rule<false>(v, out)) return;
        const auto [i, p, q, unused] = out.key;
        const auto sum_of_two = [&](int a, int b) NONPROJ_INLINE_LAMBDA {
            v.add(q, v.end, v.row(a, i, p, q));
            v.add(q, v.end, v.row(b, i, p, q));
        };
        switch (out.table) {
            case Ki:
                v.link(arc(v, i, p));
                join_with_I(v, P, i, p, q);
                break;
            case Kx:
                v.link(arc(v, i, p));
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, left_of(v, a, p), v.row(I, i, a - 1, q));
                break;
            case Kp:
                sum_of_two(Ki, Kx);
                break;
            case N:
                v.link(arc(v, i, q));
                join_with_I(v, Q, i, p, q);
                break;
            case Nx:
                v.link(arc(v, i, q));
                v.add(q, v.end, right_of(v, i, p), v.row(Fe, q + 1, q));
                for (int b = q; b < v.words; ++b) v.add(b + 1, v.end, right_of(v, q, b), v.row(I, i, p, b + 1));
                break;
            case Np:
                sum_of_two(N, Nx);
                break;
            case I0:
                for (int c = i + 1; c <= p; ++c) {
                    v.add(q, v.end, right_of(v, c, p), v.row(Ki, i, c, q));
                    v.add(q, v.end, item(v.row(Zr, i), c), v.row(I, c, p, q));
                    for (int z = q + 1; z <= v.words; ++z)
                        v.add(z, v.end, item(v.row(I, c, p, q), z - 1), v.row(Kp, i, c, z));
                }
                for (int c = q; c <= v.words && p > i; ++c) {
                    v.add(c, v.end, left_of(v, q, c), v.row(N, i, p, c));
                    for (int z = i; z < p; ++z) v.add(c, v.end, item(v.row(J, z + 1, p, q), c), v.row(Np, i, z, c));
                }
                break;
            case I1:
                for (int x = i + 1; x <= p; ++x) v.add(q, v.end, filled(v, x + 1, p, i), v.row(I0, i, x, q));
                break;
            case I:
                v.add(q, v.end, right_of(v, i, p), v.row(Fe, q, i));
                for (int y = q; y <= v.words; ++y) v.add(y, v.end, filled(v, q, y - 1, i), v.row(I1, i, p, y));
                break;

            case R:
                v.link(arc(v, p, i));
                join_with_P(v, I, i, p, q);
                break;
            case Rx:
                v.link(arc(v, p, i));
                for (int x = i; x < p; ++x) v.add(q, v.end, right_of(v, i, x), v.row(P, x + 1, p, q));
                break;
            case Rp:
                sum_of_two(R, Rx);
                break;
            case Y:
                v.link(v.row(arcs_from, p));
                join_with_P(v, J, i, p, q);
                break;
            case Yx:
                v.link(v.row(arcs_from, p));
                v.add(q, v.end, left_of(v, i, p), v.row(Lrow, q - 1));
                for (int y = q + 1; y <= v.words; ++y)
                    v.add(y, v.end, item(v.row(P, i, p, q), y - 1), v.row(Lrow, y - 1));
                break;
            case Yp:
                sum_of_two(Y, Yx);
                break;
            case P0:
                for (int c = i; c < p; ++c) {
                    v.add(q, v.end, left_of(v, i, c), v.row(R, c, p, q));
                    v.add(q, v.end, item(v.row(Zl, p), c), v.row(P, i, c, q));
                    for (int z = q + 1; z <= v.words; ++z)
                        v.add(z, v.end, item(v.row(Rp, c, p, q), z - 1), v.row(P, i, c, z));
                }
                for (int c = q; c <= v.words; ++c) {
                    v.add(c, v.end, item(v.row(Y, i, p, q), c), v.row(Fe, c + 1, c));
                    for (int z = i; z < p; ++z) v.add(c, v.end, item(v.row(Yp, z + 1, p, q), c), v.row(Q, i, z, c));
                }
                break;
            case P1:
                for (int a = i; a < p; ++a) v.add(q, v.end, filled(v, i, a - 1, p), v.row(P0, a, p, q));
                break;
            case P:
                for (int b = q; b <= v.words; ++b) v.add(b, v.end, item(v.row(P1, i, p, q), b), v.row(Fe, b + 1, p));
                break;

            case Rm:
                v.link(v.row(arcs_from, q));
                join_with_Q(v, J, i, p, q);
                break;
            case Rxm:
                v.link(v.row(arcs_from, q));
                for (int y = q + 1; y <= v.words; ++y)
                    v.add(y, v.end, item(v.row(Q, i, p, q), y - 1), v.row(Lrow, y - 1));
                break;
            case Rpm:
                sum_of_two(Rm, Rxm);
                break;
            case Ym:
                v.link(arc(v, q, i));
                join_with_Q(v, I, i, p, q);
                break;
            case Yxm:
                v.link(arc(v, q, i));
                v.add(q, v.end, right_of(v, i, p), v.row(Fe, q + 1, q));
                for (int x = i; x < p; ++x) v.add(q, v.end, right_of(v, i, x), v.row(Q, x + 1, p, q));
                break;
            case Ypm:
                sum_of_two(Ym, Yxm);
                break;
            case Q0:
                for (int c = q + 1; c <= v.words; ++c) {
                    v.add(c, v.end, item(v.row(Rm, i, p, q), c), v.row(Fe, c + 1, c));
                    v.add(c, v.end, item(v.row(Zr, q), c), v.row(Q, i, p, c));
                    for (int z = i; z < p; ++z) v.add(c, v.end, item(v.row(Rpm, z + 1, p, q), c), v.row(Q, i, z, c));
                }
                for (int c = i; c <= p; ++c) {
                    v.add(q, v.end, left_of(v, i, c), v.row(Ym, c, p, q));
                    for (int z = q + 1; z <= v.words; ++z)
                        v.add(z, v.end, item(v.row(Ypm, c, p, q), z - 1), v.row(P, i, c, z));
                }
                break;
            case Q1:
                for (int b = q + 1; b <= v.words; ++b)
                    v.add(b, v.end, item(v.row(Q0, i, p, q), b), v.row(Fe, b + 1, q));
                break;
            case Q:
                for (int a = i; a <= p; ++a) v.add(q, v.end, filled(v, i, a - 1, q), v.row(Q1, a, p, q));
                break;

            case Km:
                v.link(v.row(arcs_into, q));
                join_with_J(v, Q, i, p, q);
                break;
            case Kxm:
                v.link(v.row(arcs_into, q));
                for (int b = q; b < v.words; ++b) v.add(b + 1, v.end, right_of(v, q, b), v.row(J, i, p, b + 1));
                break;
            case Kpm:
                sum_of_two(Km, Kxm);
                break;
            case Nm:
                v.link(v.row(arcs_into, p));
                join_with_J(v, P, i, p, q);
                break;
            case Nxm:
                v.link(v.row(arcs_into, p));
                v.add(q, v.end, left_of(v, i, p), v.row(Lrow, q - 1));
                for (int a = i + 1; a <= p; ++a) v.add(q, v.end, left_of(v, a, p), v.row(J, i, a - 1, q));
                break;
            case Npm:
                sum_of_two(Nm, Nxm);
                break;
            case J0b:
                for (int c = q; c < v.words; ++c) {
                    v.add(c + 1, v.end, left_of(v, q, c), v.row(Km, i, p, c));
                    for (int z = i; z < p; ++z)
                        v.add(c + 1, v.end, item(v.row(J, z + 1, p, q), c), v.row(Kpm, i, z, c));
                }
                for (int c = i; c <= p; ++c) {
                    v.add(q, v.end, right_of(v, c, p), v.row(Nm, i, c, q));
                    for (int z = q + 1; z <= v.words; ++z)
                        v.add(z, v.end, item(v.row(I, c, p, q), z - 1), v.row(Npm, i, c, z));
                }
                break;
            case J1b:
                for (int y = q + 1; y <= v.words; ++y) v.add(y, v.end, v.row(F_, q, y - 1), v.row(J0, i, p, y));
                break;
            case Jb:
                v.add(q, v.end, v.row(F_, i, p), v.row(Lrow, q - 1));
                for (int x = i; x < p; ++x) v.add(q, v.end, v.row(F_, x + 1, p), v.row(J1, i, x, q));
                break;
            case J0:
                v.add(q, v.end, v.row(J0b, i, p, q));
                v.lanes([&](int h) NONPROJ_INLINE_LAMBDA { v.inner(h, v.row(Zl, h), v.row(J, i, p, q), q, h); });
                break;
            case J1:
                sum_of_two(J1b, J0);
                break;
            case J:
                sum_of_two(Jb, J1);
                break;
        }
    }

  private:
    // (+)_{a, b}  I(i, a-1, b+1 | j) (x) T(a, p, q | b), where T is P or Q
    template <class Visitor>
    static NONPROJ_INLINE void join_with_I(Visitor& v, int T, int i, int p, int q) {
        for (int a = i + 1; a <= p; ++a) {
            v.add(q, v.end, right_of(v, i, a - 1), v.row(T, a, p, q));
            for (int b = q; b < v.words; ++b)
                v.add(b + 1, v.end, item(v.row(T, a, p, q), b), v.row(I, i, a - 1, b + 1));
        }
    }
    // (+)_{a, b}  J(i, a-1, b+1 | h) (x) T(a, p, q | b)
    template <class Visitor>
    static NONPROJ_INLINE void join_with_J(Visitor& v, int T, int i, int p, int q) {
        for (int b = q; b < v.words; ++b) {
            v.add(b + 1, v.end, item(v.row(T, i, p, q), b), v.row(Lrow, b));
            for (int a = i + 1; a <= p; ++a) v.add(b + 1, v.end, item(v.row(T, a, p, q), b), v.row(J, i, a - 1, b + 1));
        }
    }
    // (+)_{x, y}  T(i, x, y | z) (x) P(x+1, p, q | y-1), where T is I or J
    template <class Visitor>
    static NONPROJ_INLINE void join_with_P(Visitor& v, int T, int i, int p, int q) {
        for (int x = i; x < p; ++x) {
            v.add(q, v.end, left_of(v, x + 1, p), v.row(T, i, x, q));
            for (int y = q + 1; y <= v.words; ++y)
                v.add(y, v.end, item(v.row(P, x + 1, p, q), y - 1), v.row(T, i, x, y));
        }
    }
    // (+)_{x, y}  T(i, x, y | z) (x) Q(x+1, p, q | y-1)
    template <class Visitor>
    static NONPROJ_INLINE void join_with_Q(Visitor& v, int T, int i, int p, int q) {
        for (int y = q + 1; y <= v.words; ++y) {
            v.add(y, v.end, right_of(v, q, y - 1), v.row(T, i, p, y));
            for (int x = i; x < p; ++x) v.add(y, v.end, item(v.row(Q, x + 1, p, q), y - 1), v.row(T, i, x, y));
        }
    }
};

}  // namespace nonproj::nested
