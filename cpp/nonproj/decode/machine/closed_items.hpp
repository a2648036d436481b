// Items without a gap, which every chart of well-nested trees has. A child of h fills a set with its whole subtree; the
// position of h itself never counts as filled, wherever it stands.
//
//   F(i, j | h)   children of h fill i..j; h may be inside or outside
//   C(a, b | h)   the same, and a = b = h, or one child of h holds both a and b
//   H(a, b | h)   as C, and that child has a gap; each class has its own rule for it
//
//   F(i, i-1 | h) = 1
//   F(i, j | h)   = (+)_{i <= k <= j}  C(i, k | h) (x) F(k+1, j | h)
//   C(h, h | h)   = 1
//   C(a, b | h)   = [h not in a..b]  (+)_{a <= c <= b}  F(a, b | c) (x) s(h, c)    (+)    H(a, b | h)
//
// The whole sentence is F(1, n | 0), or (+)_r s(0, r) (x) F(1, n | r) for a single root.
#pragma once
#include "nonproj/decode/machine/chart.hpp"

namespace nonproj::nested {

struct ClosedItems {
    enum : std::int16_t { goal_table = first_own_table, F, C, H, first_table_of_class };

    bool single_root;

    // The rows of i..j once H(i, j) is known; what is inside first, since C reads it.
    static void close(StepList& list, int words, int i, int j) {
        const auto row = [&](int table, int lo, int hi) { list.row(table, i, j, 0, 0, lo, hi); };
        row(H, 0, words + 1);
        for (const int table : {C, F}) row(table, i, j + 1);
        for (const int table : {C, F}) {
            row(table, 0, i);
            row(table, j + 1, words + 1);
        }
    }
    static void close_empty(StepList& list, int words, int i) {
        if (i > 0) list.row(F, i, i - 1, 0, 0, 0, words + 1);
    }
    static void reach_goal(StepList& list, int i) {
        if (i == 0) list.row(goal_table, 0, 0, 0, 0, 0, 1);
    }

    // F(i, j | .), the row that is read most.
    template <class Visitor>
    static NONPROJ_INLINE Row filled(const Visitor& v, int i, int j) {
        return v.template row_packed<Packing::span>(F, i, j);
    }

    // False when the row is of a table that only the class knows.
    template <class Visitor>
    NONPROJ_INLINE bool closed_rule(Visitor& v, Row out) const {
        const auto [i, j, unused, none] = out.keys();
        switch (out.table()) {
            case goal_table:
                if (single_root)
                    v.inner(0, v.row(arcs_from, 0), filled(v, 1, v.words), 1, v.end);
                else
                    v.add(0, item(filled(v, 1, v.words), 0));
                return true;
            case F:
                if (j < i) v.one(0, v.end);
                for (int k = i; k <= j; ++k) v.add(0, v.end, v.row(C, i, k), filled(v, k + 1, j));
                return true;
            case C:
                if (i == j) v.one(i, i + 1);
                for (int c = i; c <= j; ++c) {
                    v.add(0, i, item(filled(v, i, j), c), v.row(arcs_into, c));
                    v.add(j + 1, v.end, item(filled(v, i, j), c), v.row(arcs_into, c));
                }
                if (j > i + 1) v.add(0, v.end, v.row(H, i, j));
                return true;
            default:
                return false;
        }
    }
};

}  // namespace nonproj::nested
