// Sums over the trees of AD_2, for the machine of chart.hpp: the push computations of best.hpp, restricted so that
// each tree has exactly one derivation. O(n^7) time, O(n^5) space.
//
// The canonical sequence of a tree reduces as soon as it can, and takes la_1 before la_2. So a reduction is *late*, and
// forbidden, when it was possible before the last shift, or when la_2 was taken in its place. To know that, the top of the
// stack carries its *status*, the reductions with it that are late, and each other word two facts since it was last the top:
// m = how many words were removed from below it (2 stands for two or more), g = whether it gained a dependent.
//
//   shift   the new top: nothing is late; the old one, now below it: m = 0, g = 0
//   la_1    the top: la_1 is late if la_2 was
//   la_2    the top: la_1 is late; the word that is now below it: m + 1
//   ra_1    the new top: la_1 is late if m < 2, la_2 if m = 0
//   ra_2    the new top: la_2 is late if m = 0, ra_1 if m < 2 and not g, ra_2 if m = 0 and not g; the head: g = 1
//
// For a word at distance e below a top was at distance e + m when that was last the top, and so in reach if e + m <= 2; it
// was complete if it has gained nothing since.
//
//   item  [h1, i | h2 h3, e]   as in best.hpp, i..e are the words read; with m and g of h2 and the status of h3
//         (i, h3, e | h1)      h2 = h1, which was not removed; m = 0, since nothing below h1 is touched
//         (i, h2, h3, e | h1)  h2 >= i, since h1 was removed from below it, so that m > 0
//
// Antecedents [h1, i | h2 h3, k-1] and [h3, k | h4 h5, e]. The first is summed over the statuses of h3, which a shift makes
// the word below. One index leaves in each rule, and is summed away first:
//
//   linked(k, x, e | h3)        la_1, x = h5, and ra_1, x = h4 >= k, by the new status of x
//   covered(h3, k, x, e | h2)   ra_2, x = h4 >= k
//   linked_back(k, e | h3), covered_back(h3, k, e | h2)      the same for x = h4 = h3
//   leaving(i, h3, k-1, h5 | h1)                              la_2, summed over h2
//
// At the bottom, ends(i) sums the ways from the stack [0] with i first in the buffer to the end; the last word to be
// removed before the stack is [0] again is h3:
//
//   ends(i) = (+)_{e, h3}  [0, i | 0 h3, e] (x) s(0, h3) (x) ends(e+1)          ra_1 is not late
#pragma once
#include <array>

#include "nonproj/decode/machine/chart.hpp"

namespace nonproj::nested {

struct PushComputations {
    bool single_root;

    // The reductions with the top that are late. The last three follow ra_2, so that g = 1 for the word below.
    enum Status { none, la1, la1_la2, la2, ra1, la2_ra1_ra2, statuses };
    static constexpr int any = 2;  // either g

    enum : std::int16_t {
        goal_table = first_own_table,
        ends,                           // (i | 0)
        ends_by_root,                   // (i | h3)     one summand of ends
        roots,                          // (i, e | h3)  the same without ends(e+1)
        linked_back,                    //
        covered_back,                   // + g of h4
        linked = covered_back + 2,      // + the new status of x: none, la1
        covered = linked + 2,           // + whether ra_1 will be late
        leaving = covered + 2,          //
        kept,                           // + place(g, status): items with h2 = h1
        buried = kept + 9,              // + 9 (m - 1) + place(g, status): the others
        first_kept = buried + 18,       // + g: as first antecedents
        first_buried = first_kept + 3,  // + 3 (m - 1) + g
        la2_kept = first_buried + 6,    // + g: la_2 is not late
        la2_buried = la2_kept + 2,      // + g, for either m
        ra2_kept = la2_buried + 2,      // ra_2 is not late, g = 1
        ra2_buried,                     // ra_2 is not late; not m = 1 and g = 0
        tables
    };

    static constexpr std::array<Packing, tables> packings = [] {
        std::array<Packing, tables> packings{};
        const auto set = [&](int from, int to, Packing packing) {
            for (int table = from; table < to; ++table) packings[table] = packing;
        };
        set(0, roots, Packing::word);
        set(roots, covered_back, Packing::span);
        set(covered_back, covered, Packing::triple);
        set(covered, tables, Packing::stack);
        for (const auto& [from, to] : {std::pair<int, int>{kept, buried},
                                       {first_kept, first_buried},
                                       {la2_kept, la2_buried},
                                       {ra2_kept, ra2_buried}})
            set(from, to, Packing::triple);
        return packings;
    }();

    void steps(StepList& list, int words, int i) const {
        for (int e = i; e <= words && i > 0; ++e) {
            for (int h3 = i; h3 <= e; ++h3) {
                for (int table = kept; table < buried; ++table) list.row(table, i, h3, e, 0, 0, i);
                for (const auto& [from, to] :
                     {std::pair<int, int>{first_kept, first_buried}, {la2_kept, la2_buried}, {ra2_kept, ra2_buried}})
                    for (int table = from; table < to; ++table) list.row(table, i, h3, e, 0, 0, i);
                for (int h2 = i; h2 < h3; ++h2) {
                    for (int table = buried; table < first_kept; ++table) list.row(table, i, h2, h3, e, 0, i);
                    for (const auto& [from, to] :
                         {std::pair<int, int>{first_buried, la2_kept}, {la2_buried, ra2_kept}, {ra2_buried, tables}})
                        for (int table = from; table < to; ++table) list.row(table, i, h2, h3, e, 0, i);
                }
            }
            sum_steps(list, words, i, e);
        }
        end_steps(list, words, i);
    }

    template <class Visitor>
    NONPROJ_INLINE void rule(Visitor& v, Row out, bool) const {
        const int table = out.table();
        const auto [w, x, y, z] = out.keys();
        if (table >= buried && table < first_kept) {
            const int m = 1 + (table - buried) / 9;
            buried_rule(v, m, (table - buried) % 9, w, x, y, z);
        } else if (table >= kept && table < buried) {
            kept_rule(v, table - kept, w, x, y);
        } else if (table >= first_kept) {
            sum_rule(v, table, w, x, y, z);
        } else if (table >= linked_back) {
            reduction_rule(v, table, w, x, y, z);
        } else {
            end_rule(v, table, w, x);
        }
    }

  private:
    // Items by g and status.
    static constexpr int place(int g, int status) { return g == 0 ? status : la1_la2 + 1 + status; }
    static constexpr int g_of(int place) { return place > la1_la2; }
    static constexpr int status_of(int place) { return g_of(place) ? place - la1_la2 - 1 : place; }
    static constexpr bool is_late_la1(int status) { return status == la1 || status == la1_la2; }
    static constexpr bool is_late_la2(int status) {
        return status == la1_la2 || status == la2 || status == la2_ra1_ra2;
    }
    static constexpr bool is_late_ra1(int status) { return status == ra1 || status == la2_ra1_ra2; }
    static constexpr bool is_late_ra2(int status) { return status == la2_ra1_ra2; }

    template <class Visitor>
    static NONPROJ_INLINE Row of_stack(const Visitor& v, int table, int w, int x, int y, int z) {
        return v.template row_packed<Packing::stack>(table, w, x, y, z);
    }
    template <class Visitor>
    static NONPROJ_INLINE Row of_triple(const Visitor& v, int table, int x, int y, int z) {
        return v.template row_packed<Packing::triple>(table, x, y, z);
    }

    // What is summed up once the items of i..e are known.
    void sum_steps(StepList& list, int words, int i, int e) const {
        list.row(linked_back, i, e, 0, 0, 1, i);
        const int first = single_root ? 1 : 0;  // the root takes its one dependent at the end
        for (int h3 = 1; h3 < i; ++h3)
            for (int g = 0; g < 2; ++g) list.row(covered_back + g, h3, i, e, 0, first, h3);
        for (int x = i; x <= e; ++x)
            for (int late = 0; late < 2; ++late) {
                list.row(linked + late, i, x, e, 0, 1, i);
                for (int h3 = 1; h3 < i && x < e; ++h3) list.row(covered + late, h3, i, x, e, first, h3);
            }
        for (int h3 = i; h3 <= e; ++h3)
            for (int h5 = e + 1; h5 <= words; ++h5) list.row(leaving, i, h3, e, h5, 0, i);
    }
    void end_steps(StepList& list, int words, int i) const {
        if (i == 0) return list.row(goal_table, 0, 0, 0, 0, 0, 1);
        for (int e = i; e <= words; ++e)
            if (!single_root || (i == 1 && e == words)) list.row(roots, i, e, 0, 0, i, e + 1);
        list.row(ends_by_root, i, 0, 0, 0, i, words + 1);
        list.row(ends, i, 0, 0, 0, 0, 1);
    }

    template <class Visitor>
    NONPROJ_INLINE void kept_rule(Visitor& v, int place, int i, int top, int e) const {
        const int g = g_of(place), status = status_of(place);
        if (place == 0 && e == i) v.one(0, i);
        switch (status) {
            case la1_la2:
                for (int k = top + 1; k <= e; ++k)
                    v.add(0, i, item(v.row(linked_back, k, e), top), of_triple(v, first_kept + g, i, top, k - 1));
                return;
            case la2:
            case la2_ra1_ra2:
                for (int k = top + 1; k <= e; ++k)
                    v.add(0, i, of_triple(v, covered_back + (status == la2), top, k, e),
                          of_triple(v, first_kept + any, i, top, k - 1));
                return;
            default:
                for (int k = i + 1; k <= top; ++k)
                    for (int h3 = i; h3 < k; ++h3) {
                        if (status != ra1)
                            v.add(0, i, item(of_triple(v, linked + status, k, top, e), h3),
                                  of_triple(v, first_kept + g, i, h3, k - 1));
                        if (g == 1 && status != la1)
                            v.add(0, i, of_stack(v, covered + (status == ra1), h3, k, top, e),
                                  of_triple(v, first_kept + any, i, h3, k - 1));
                    }
        }
    }
    template <class Visitor>
    NONPROJ_INLINE void buried_rule(Visitor& v, int m, int place, int i, int h2, int top, int e) const {
        const int g = g_of(place), status = status_of(place), first = first_buried + 3 * (m - 1);
        switch (status) {
            case la1_la2:
                for (int k = top + 1; k <= e; ++k)
                    v.add(0, i, item(v.row(linked_back, k, e), top), of_stack(v, first + g, i, h2, top, k - 1));
                return;
            case la2:
            case la2_ra1_ra2:
                for (int k = top + 1; k <= e; ++k)
                    v.add(0, i, item(of_triple(v, covered_back + (status == la2), top, k, e), h2),
                          of_stack(v, first + any, i, h2, top, k - 1));
                return;
            case la1:
                remove_h1(v, m, g, i, h2, top, e);
                break;
        }
        for (int k = h2 + 2; k <= top; ++k)
            for (int h3 = h2 + 1; h3 < k; ++h3) {
                if (status != ra1)
                    v.add(0, i, item(of_triple(v, linked + status, k, top, e), h3),
                          of_stack(v, first + g, i, h2, h3, k - 1));
                if (g == 1 && status != la1)
                    v.add(0, i, item(of_stack(v, covered + (status == ra1), h3, k, top, e), h2),
                          of_stack(v, first + any, i, h2, h3, k - 1));
            }
    }
    // la_2, after which h4 is the word below the top.
    template <class Visitor>
    NONPROJ_INLINE void remove_h1(Visitor& v, int m, int g, int i, int h4, int top, int e) const {
        if (m == 1) {
            for (int k = h4 + 1; k <= top; ++k)
                v.add(0, i, item(of_triple(v, la2_kept + g, k, top, e), h4), of_stack(v, leaving, i, h4, k - 1, top));
            return;
        }
        for (int k = i + 1; k <= h4; ++k)
            for (int h3 = i; h3 < k; ++h3)
                v.add(0, i, item(of_stack(v, la2_buried + g, k, h4, top, e), h3),
                      of_stack(v, leaving, i, h3, k - 1, top));
    }

    // Sums of items that go the same way.
    template <class Visitor>
    NONPROJ_INLINE void sum_rule(Visitor& v, int table, int w, int x, int y, int z) const {
        const auto add_kept = [&](int g, const auto& is_right) NONPROJ_INLINE_LAMBDA {
            for (int s = none; s < (g == 0 ? la2 : statuses); ++s)
                if (is_right(s)) v.add(0, w, of_triple(v, kept + place(g, s), w, x, y));
        };
        const auto add_buried = [&](int m, int g, const auto& is_right) NONPROJ_INLINE_LAMBDA {
            for (int s = none; s < (g == 0 ? la2 : statuses); ++s)
                if (is_right(s)) v.add(0, w, of_stack(v, buried + 9 * (m - 1) + place(g, s), w, x, y, z));
        };
        const auto all = [](int) { return true; };
        const auto by_la2 = [](int s) { return !is_late_la2(s); };
        const auto by_ra2 = [](int s) { return !is_late_ra2(s); };
        if (table < first_buried) {
            for (int g = 0; g < 2; ++g)
                if (table - first_kept == g || table - first_kept == any) add_kept(g, all);
        } else if (table < la2_kept) {
            const int m = 1 + (table - first_buried) / 3, which = (table - first_buried) % 3;
            for (int g = 0; g < 2; ++g)
                if (which == g || which == any) add_buried(m, g, all);
        } else if (table < la2_buried) {
            add_kept(table - la2_kept, by_la2);
        } else if (table < ra2_kept) {
            for (int m = 1; m <= 2; ++m) add_buried(m, table - la2_buried, by_la2);
        } else if (table == ra2_kept) {
            add_kept(1, by_ra2);
        } else {
            add_buried(1, 1, by_ra2);
            for (int g = 0; g < 2; ++g) add_buried(2, g, by_ra2);
        }
    }

    // What a second antecedent and its reduction give to a first one.
    template <class Visitor>
    NONPROJ_INLINE void reduction_rule(Visitor& v, int table, int w, int x, int y, int z) const {
        if (table == leaving) {
            const int i = w, h3 = x, e = y, h5 = z;
            v.add(0, i, of_triple(v, first_kept + any, i, h3, e), v.row(arcs_from, h5));
            for (int h2 = i; h2 < h3; ++h2)
                for (int m = 1; m <= 2; ++m)
                    v.add(0, i, item(v.row(arcs_from, h5), h2),
                          of_stack(v, first_buried + 3 * (m - 1) + any, i, h2, h3, e));
        } else if (table >= covered) {
            const int h3 = w, k = x, h4 = y, e = z;
            const int from = table == covered ? ra2_buried : first_buried;  // the latter with m = 1, g = 0
            for (int h5 = h4 + 1; h5 <= e; ++h5)
                v.add(0, h3, item(of_stack(v, from, k, h4, h5, e), h3), v.row(arcs_into, h5));
        } else if (table >= linked) {
            linked_rule(v, table == linked, w, x, y);
        } else if (table >= covered_back) {
            const int h3 = w, k = x, e = y;
            const int from = table == covered_back ? first_kept : ra2_kept;  // the former with g = 0
            for (int h5 = k; h5 <= e; ++h5) v.add(0, h3, item(of_triple(v, from, k, h5, e), h3), v.row(arcs_into, h5));
        } else {
            const int k = w, e = x;
            for (int h5 = k; h5 <= e; ++h5)
                for (int p = 0; p < 9; ++p)
                    if (!is_late_ra1(status_of(p))) v.add(1, k, of_triple(v, kept + p, k, h5, e), v.row(arcs_into, h5));
        }
    }
    // After la_1 nothing is late if la_2 was not, nor after ra_1 if m = 2; or else la_1.
    template <class Visitor>
    NONPROJ_INLINE void linked_rule(Visitor& v, bool is_none, int k, int x, int e) const {
        for (int p = 0; p < 9; ++p) {
            const int s = status_of(p);
            if (!is_late_la1(s) && is_late_la2(s) != is_none) {
                v.add(1, k, of_triple(v, kept + p, k, x, e), v.row(arcs_from, x));
                for (int h4 = k; h4 < x; ++h4)
                    for (int m = 1; m <= 2; ++m)
                        v.add(1, k, item(v.row(arcs_from, x), h4), of_stack(v, buried + 9 * (m - 1) + p, k, h4, x, e));
            }
            const int m = is_none ? 2 : 1;
            for (int h5 = x + 1; h5 <= e && !is_late_ra1(s); ++h5)
                v.add(1, k, item(v.row(arcs_from, x), h5), of_stack(v, buried + 9 * (m - 1) + p, k, x, h5, e));
        }
    }

    template <class Visitor>
    NONPROJ_INLINE void end_rule(Visitor& v, int table, int i, int e) const {
        switch (table) {
            case goal_table:
                return v.add(0, item(v.row(ends, 1), 0));
            case ends:
                if (i == v.end) return v.one(0, 1);
                for (int h3 = i; h3 <= v.words; ++h3) v.add(0, item(v.row(ends_by_root, i), h3));
                return;
            case ends_by_root:
                for (int last = i; last <= v.words; ++last)
                    v.add(i, last + 1, item(v.row(ends, last + 1), 0), v.row(roots, i, last));
                return;
            case roots:
                v.link(v.row(arcs_from, 0));
                v.lanes([&](int h3) NONPROJ_INLINE_LAMBDA {
                    for (int p = 0; p < 9; ++p)
                        if (!is_late_ra1(status_of(p))) v.add(h3, item(of_triple(v, kept + p, i, h3, e), 0));
                });
                return;
        }
    }
};

}  // namespace nonproj::nested
