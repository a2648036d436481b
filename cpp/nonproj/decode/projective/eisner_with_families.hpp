// The best projective tree by its arcs and families, where a word has few possible heads: the recurrences of
// eisner_with_parts.hpp, by the same letters, for the possible arcs alone. With c children and k heads that a word may have,
// O(n^2 c k + n c^2) time, and O(n^2 k) space.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/parts/part_table.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

// Families of siblings and grandparents.
class FamilyEisner {
  public:
    FamilyEisner(const parts::PartTable& table, bool single_root)
        : table_(table), arcs_(table.arcs()), words_(table.words()), single_root_(single_root) {
        lay_out();
        for (int width = 1; width <= words_; ++width) {
            Interrupt::check();
            for (int i = 0; i + width <= words_; ++i) {
                const int j = i + width;
                link(i, j);
                if (i > 0) link(j, i);
                if (i > 0 || !single_root_ || j == words_) complete(i, j);
                if (i > 0) complete(j, i);
            }
        }
    }

    double best() const { return half(0, words_)[0]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        open_half(0, words_, 0, heads);
        return heads;
    }

  private:
    static constexpr double lowest = minus_infinity<double>;

    // The possible heads of a word are told apart by their place among the arcs into it; the dummy has none, and one place.
    int heads_of(int word) const { return word == 0 ? 1 : static_cast<int>(arcs_.into(word).size()); }
    void lay_out() {
        place_.resize(arcs_.size());
        first_half_.resize(words_ + 1);
        first_linked_.resize(arcs_.size());
        std::size_t halves = 0, linked = 0;
        for (int h = 0; h <= words_; ++h) {
            if (h > 0)
                for (std::size_t i = 0; i < arcs_.into(h).size(); ++i) place_[arcs_.into(h)[i]] = static_cast<int>(i);
            first_half_[h] = halves;
            halves += static_cast<std::size_t>(words_ + 1) * heads_of(h);
            for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
                first_linked_[arc] = linked;
                linked += heads_of(h);
            }
        }
        half_.assign(halves, lowest);
        linked_.assign(linked, lowest);
        for (int h = 0; h <= words_; ++h) std::fill_n(half(h, h), heads_of(h), 0.0);
    }

    // I(h, d | g) of an arc, and C(h, e | g), for every g.
    double* linked(int arc) { return &linked_[first_linked_[arc]]; }
    const double* linked(int arc) const { return &linked_[first_linked_[arc]]; }
    double* half(int h, int e) { return &half_[first_half_[h] + static_cast<std::size_t>(e) * heads_of(h)]; }
    const double* half(int h, int e) const {
        return &half_[first_half_[h] + static_cast<std::size_t>(e) * heads_of(h)];
    }
    // C(m, e | h) of the dependent m of an arc from h.
    double half_below(int arc, int e) const { return half(arcs_.dependent(arc), e)[place_[arc]]; }

    double sibling(int arc, int before) const {
        return table_.sibling_score(table_.set(arcs_.head(arc), parts::none), arc, before);
    }
    bool takes_siblings(int h) const { return h > 0 || !single_root_; }
    // The arcs of h on the side of d.
    int first_beside(int h, int d) const { return d < h ? arcs_.begin(h) : arcs_.middle(h); }
    int end_beside(int h, int d) const { return d < h ? arcs_.middle(h) : arcs_.end(h); }

    double nearest(int arc) const {
        const int h = arcs_.head(arc), d = arcs_.dependent(arc);
        return half_below(arc, h < d ? h + 1 : h - 1) + sibling(arc, 0);
    }
    // S and the sibling's score; the arc `before` is to the sibling.
    double further(int before, int arc) const {
        double most = lowest;
        each_meeting(before, arc, [&](int, double sum) { most = std::max(most, sum); });
        return most + sibling(arc, arcs_.position(before));
    }
    // visit(r, C(i, r | h) + C(j, r + 1 | h)) of the dependents i < j of two arcs from h.
    template <class Visit>
    void each_meeting(int before, int arc, const Visit& visit) const {
        const bool is_left = arcs_.is_left(arc);
        const int of_i = is_left ? arc : before, of_j = is_left ? before : arc;
        for (int r = arcs_.dependent(of_i); r < arcs_.dependent(of_j); ++r)
            visit(r, half_below(of_i, r) + half_below(of_j, r + 1));
    }

    void link(int h, int d) {
        const int arc = arcs_.number(h, d);
        if (arc == parts::none) return;
        const int heads = heads_of(h);
        double* const to = linked(arc);
        std::fill_n(to, heads, nearest(arc));
        for (int before = first_beside(h, d); before < arc && takes_siblings(h); ++before) {
            const double sum = further(before, arc);
            if (sum == lowest) continue;
            const double* const from = linked(before);
            for (int g = 0; g < heads; ++g) to[g] = std::max(to[g], from[g] + sum);
        }
        const double score = table_.arc_score(arc);
        for (int g = 0; g < heads; ++g)
            to[g] += h == 0 ? score : score + table_.grandparent_score(arcs_.into(h)[g], arc);
    }
    void complete(int h, int e) {
        const int heads = heads_of(h);
        double* const to = half(h, e);
        for (int arc = first_beside(h, e); arc < end_beside(h, e) && reaches(e, arc); ++arc) {
            const double sum = half_below(arc, e);
            if (sum == lowest) continue;
            const double* const from = linked(arc);
            for (int g = 0; g < heads; ++g) to[g] = std::max(to[g], from[g] + sum);
        }
    }
    // Whether a half up to e takes in the dependent of an arc.
    bool reaches(int e, int arc) const {
        return arcs_.is_left(arc) ? arcs_.dependent(arc) >= e : arcs_.dependent(arc) <= e;
    }

    // `g` is the place of the head of h.
    void open_half(int h, int e, int g, std::vector<std::int32_t>& heads) const {
        if (h == e) return;
        int best = parts::none;
        double most = lowest;
        for (int arc = first_beside(h, e); arc < end_beside(h, e) && reaches(e, arc); ++arc)
            if (const double sum = linked(arc)[g] + half_below(arc, e); sum > most) most = sum, best = arc;
        open_half(arcs_.dependent(best), e, place_[best], heads);
        open_linked(best, g, heads);
    }
    // The children of a word from this one inwards.
    void open_linked(int arc, int g, std::vector<std::int32_t>& heads) const {
        const int h = arcs_.head(arc);
        for (;;) {
            const int d = arcs_.dependent(arc);
            heads[d - 1] = h;
            int best = parts::none;
            double most = nearest(arc);
            for (int before = first_beside(h, d); before < arc && takes_siblings(h); ++before)
                if (const double sum = linked(before)[g] + further(before, arc); sum > most) most = sum, best = before;
            if (best == parts::none) return open_half(d, h < d ? h + 1 : h - 1, place_[arc], heads);
            open_between(best, arc, heads);
            arc = best;
        }
    }
    void open_between(int before, int arc, std::vector<std::int32_t>& heads) const {
        int best = parts::none;
        double most = lowest;
        each_meeting(before, arc, [&](int r, double sum) {
            if (sum > most) most = sum, best = r;
        });
        const bool is_left = arcs_.is_left(arc);
        const int of_i = is_left ? arc : before, of_j = is_left ? before : arc;
        open_half(arcs_.dependent(of_i), best, place_[of_i], heads);
        open_half(arcs_.dependent(of_j), best + 1, place_[of_j], heads);
    }

    const parts::PartTable& table_;
    const parts::ArcList& arcs_;
    int words_;
    bool single_root_;
    std::vector<int> place_;                              // of the head of an arc, among those of its dependent
    std::vector<std::size_t> first_half_, first_linked_;  // where those of a word, or of an arc, begin
    std::vector<double> half_, linked_;
};

// The score is left to those who have the table.
inline std::vector<std::int32_t> best_of_table(const parts::PartTable& table, bool single_root) {
    const FamilyEisner chart(table, single_root);
    return chart.best() == minus_infinity<double> ? std::vector<std::int32_t>() : chart.heads();
}

}  // namespace nonproj
