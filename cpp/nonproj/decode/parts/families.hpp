// The scores of families, sorted by the possible arcs. The family of h is its head g and its children C; its score is
//
//   F(g, C) = sum over the children i of h, read away from h on each side, of
//                 sib(j, i) + gsib(g, j, i) + gp(g, i) + three(l, j, i)         j the child before i, l the one before j
//           + the ends of both sides + valency(h, children on the left, on the right)
//
// Children are named by their positions on their side: 1 for the possible child nearest to h, 0 for none. The scores that
// lead to a child lie in a *row* of entries by rising position before; what has no entry scores 0. A *set* of rows serves
// all children of h; the heads g that have grand-siblings have a set of their own, with siblings added in.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/part_scores.hpp"
#include "nonproj/decode/parts/arc_list.hpp"

namespace nonproj::parts {

class Families {
  public:
    struct Entry {
        int before;  // position
        double score;
    };
    struct ThreeEntry {
        int before, first;  // positions of s and t
        double score;
    };
    struct ChildEntry {
        int arc;
        double score;
    };

    void assign(const ArcList& arcs, const PartScores& scores) {
        clear(arcs);
        scores_ = &scores;
        valency_ = scores.valency;
        max_left_ = scores.max_left;
        max_right_ = scores.max_right;
        const int width = arcs.words() + 1;
        for (int h = 0; h < width; ++h) is_scored_[h] = has_valency(h);
        for (int h = 0; h < width; ++h) {
            if (scores.siblings != nullptr) add_siblings(h);
            if (!scores.three_siblings.empty()) add_three_siblings(h);
        }
        add_grandparents();
        if (!scores.grand_siblings.empty()) add_grand_siblings();
        if (scores.ends != nullptr)
            for (int arc = 0; arc < arcs.size(); ++arc) {
                end_[arc] = scores.ends[static_cast<std::size_t>(arcs.head(arc)) * width + arcs.dependent(arc)];
                if (end_[arc] != 0) is_scored_[arcs.head(arc)] = true;
            }
    }

    // All siblings or grandparents or both, with a score of 0 each, to be set.
    void lay_out(const ArcList& arcs, bool siblings, bool grandparents) {
        clear(arcs);
        are_rows_whole_ = true;
        const int width = arcs.words() + 1;
        first_child_.assign(arcs.size() + 1, 0);
        for (int h = 0; h < width; ++h) {
            if (arcs.begin(h) == arcs.end(h)) continue;
            is_scored_[h] = true;
            if (siblings) set_of_head_[h] = add_whole_set(h);
        }
        for (int above = 0; above < arcs.size(); ++above) {
            const int h = arcs.dependent(above);
            if (is_scored_[h] && grandparents) own(above);
            if (grandparents)
                for (int arc = arcs.begin(h); arc < arcs.end(h); ++arc) children_.push_back({arc, 0});
            first_child_[above + 1] = static_cast<std::uint32_t>(children_.size());
        }
    }
    // The child of an arc with the one before it on its side, both by position.
    double& sibling(int arc, int before) { return entries_[place(set_of_head_[arcs_->head(arc)], arc) + before].score; }
    double& grandparent(int above, int arc) {
        return children_[first_child_[above] + (arc - arcs_->begin(arcs_->head(arc)))].score;
    }

    const ArcList& arcs() const { return *arcs_; }
    // Whether any part is scored in the family of h, and whether any depends on the head of h.
    bool is_scored(int h) const { return is_scored_[h]; }
    bool sees_head(int h) const { return sees_head_[h]; }
    // Whether the head of this arc makes a difference to the family of its dependent.
    bool is_own(int arc) const { return is_own_[arc]; }

    // The set for h under the head of `above`; none when there is no sibling part. `above` is none for any other head.
    int set(int h, int above) const {
        return above != none && set_of_arc_[above] != none ? set_of_arc_[above] : set_of_head_[h];
    }
    std::span<const Entry> row(int set, int arc) const {
        if (set == none) return {};
        const std::size_t row = set + (arc - arcs_->begin(arcs_->head(arc)));
        return {entries_.data() + rows_[row], entries_.data() + rows_[row + 1]};
    }
    // Whether the rows of a set have an entry for every position before.
    bool has_whole_rows(int set) const { return set != none && are_rows_whole_; }
    bool has_three(int h) const { return three_of_head_[h] != none; }
    std::span<const ThreeEntry> three_row(int arc) const {
        const int h = arcs_->head(arc);
        const std::size_t row = three_of_head_[h] + (arc - arcs_->begin(h));
        return {three_entries_.data() + three_rows_[row], three_entries_.data() + three_rows_[row + 1]};
    }
    // gp(g, i) under the head of `above`, by rising arc.
    std::span<const ChildEntry> grandparents(int above) const {
        return {children_.data() + first_child_[above], children_.data() + first_child_[above + 1]};
    }
    double end(int arc) const { return end_[arc]; }
    // The score of a child with the one before it on its side, by position, and under the head of `above`.
    double sibling_score(int set, int arc, int before) const { return found(row(set, arc), before); }
    double grandparent_score(int above, int arc) const { return found(grandparents(above), arc); }

    int max_left() const { return max_left_; }
    int max_right() const { return max_right_; }
    double valency(int h, int left, int right) const {
        if (valency_ == nullptr) return 0;
        const std::size_t rows = max_left_ + 1, columns = max_right_ + 1;
        return valency_[(h * rows + std::min(left, max_left())) * columns + std::min(right, max_right())];
    }

    // The score of a family; `children` by rising word, all by possible arcs, and so is `above`.
    double score(int h, int above, std::span<const int> children) const {
        if (!is_scored(h)) return 0;
        const auto middle = std::lower_bound(children.begin(), children.end(), h);
        const std::size_t left = middle - children.begin();
        return score_of_side(h, above, children.first(left).rbegin(), children.first(left).rend()) +
               score_of_side(h, above, children.subspan(left).begin(), children.end()) +
               valency(h, static_cast<int>(left), static_cast<int>(children.size() - left));
    }

    std::size_t size() const { return entries_.size() + three_entries_.size() + children_.size(); }

  private:
    void clear(const ArcList& arcs) {
        arcs_ = &arcs;
        scores_ = nullptr;
        valency_ = nullptr;
        are_rows_whole_ = false;
        max_left_ = max_right_ = 0;
        const int width = arcs.words() + 1;
        set_of_head_.assign(width, none);
        three_of_head_.assign(width, none);
        is_scored_.assign(width, false);
        sees_head_.assign(width, false);
        set_of_arc_.assign(arcs.size(), none);
        is_own_.assign(arcs.size(), false);
        end_.assign(arcs.size(), 0);
        rows_.clear();
        entries_.clear();
        three_rows_.clear();
        three_entries_.clear();
        children_.clear();
    }
    // Where the entries begin that lead to a child.
    std::size_t place(int set, int arc) const { return rows_[set + (arc - arcs_->begin(arcs_->head(arc)))]; }

    int add_whole_set(int h) {
        const auto set = static_cast<int>(rows_.size());
        for (int arc = arcs_->begin(h); arc < arcs_->end(h); ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            for (int before = 0; before < arcs_->position(arc); ++before) entries_.push_back({before, 0});
        }
        rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
        return set;
    }

    template <class Iterator>
    double score_of_side(int h, int above, Iterator child, Iterator end) const {
        double sum = 0;
        int before = 0, first = 0, arc = none;
        const bool is_own_head = above != none && is_own_[above];
        for (; child != end; ++child) {
            arc = arcs_->number(h, *child);
            sum += found(row(set(h, above), arc), before);
            if (is_own_head) sum += found(grandparents(above), arc);
            if (before > 0 && has_three(h)) sum += found(three_row(arc), before, first);
            first = before;
            before = arcs_->position(arc);
        }
        return arc == none ? 0 : sum + end_[arc];
    }
    // Where a row has all entries, they are found at once.
    static double found(std::span<const Entry> row, int before) {
        if (static_cast<std::size_t>(before) < row.size() && row[before].before == before) return row[before].score;
        const auto at = std::lower_bound(row.begin(), row.end(), before,
                                         [](const Entry& entry, int sought) { return entry.before < sought; });
        return at == row.end() || at->before != before ? 0 : at->score;
    }
    static double found(std::span<const ChildEntry> row, int arc) {
        if (!row.empty() && arc >= row.front().arc) {
            const std::size_t guess = arc - row.front().arc;
            if (guess < row.size() && row[guess].arc == arc) return row[guess].score;
        }
        const auto at = std::lower_bound(row.begin(), row.end(), arc,
                                         [](const ChildEntry& entry, int sought) { return entry.arc < sought; });
        return at == row.end() || at->arc != arc ? 0 : at->score;
    }
    static double found(std::span<const ThreeEntry> row, int before, int first) {
        for (const ThreeEntry& entry : row)
            if (entry.before == before && entry.first == first) return entry.score;
        return 0;
    }

    bool has_valency(int h) const {
        if (valency_ == nullptr) return false;
        const std::size_t size = static_cast<std::size_t>(max_left() + 1) * (max_right() + 1);
        const double* const first = valency_ + h * size;
        return std::any_of(first, first + size, [](double score) { return score != 0; });
    }

    // The position of s as the child of h before `arc`: 0 for s = h, none when it cannot be.
    int position_before(int s, int arc) const {
        const int h = arcs_->head(arc), d = arcs_->dependent(arc);
        if (s == h) return 0;
        if (d < h ? s <= d || s > h : s >= d || s < h) return none;
        const int other = arcs_->number(h, s);
        return other == none ? none : arcs_->position(other);
    }

    void add_siblings(int h) {
        const int begin = arcs_->begin(h), end = arcs_->end(h);
        const std::size_t before = entries_.size();
        const auto set = static_cast<int>(rows_.size());
        bool is_any = false;
        for (int arc = begin; arc < end; ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            const int d = arcs_->dependent(arc);
            if (scores_->siblings->is_table()) {
                const int first = arc - arcs_->position(arc) + 1;
                for (int j = 0; first + j <= arc; ++j)
                    entries_.push_back({j, (*scores_->siblings)(h, j == 0 ? h : arcs_->dependent(first + j - 1), d)});
            } else {
                const auto row = scores_->siblings->row(h, d);
                const auto add = [&](const TripleScores::Entry& entry) {
                    const int position = position_before(entry.word, arc);
                    if (position != none) entries_.push_back({position, entry.score});
                };
                if (arcs_->is_left(arc))
                    std::for_each(row.rbegin(), row.rend(), add);
                else
                    std::for_each(row.begin(), row.end(), add);
            }
        }
        rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
        for (std::size_t i = before; i < entries_.size(); ++i) is_any |= entries_[i].score != 0;
        if (is_any) {
            set_of_head_[h] = set;
            is_scored_[h] = true;
        } else {
            rows_.resize(set);
            entries_.resize(before);
        }
    }

    void add_three_siblings(int h) {
        const std::size_t before = three_entries_.size(), set = three_rows_.size();
        for (int arc = arcs_->begin(h); arc < arcs_->end(h); ++arc) {
            three_rows_.push_back(static_cast<std::uint32_t>(three_entries_.size()));
            const Quadruple least{h, none, none, arcs_->dependent(arc), 0};
            const auto all = scores_->three_siblings;
            const auto key = [](const Quadruple& part) { return std::pair(part.a, part.d); };
            const auto comes_before = [&](const Quadruple& x, const Quadruple& y) { return key(x) < key(y); };
            const auto [first, last] = std::equal_range(all.begin(), all.end(), least, comes_before);
            for (auto part = first; part != last; ++part) {
                const int s = position_before(part->c, arc);
                if (s <= 0) continue;
                const int t = position_before(part->b, arcs_->number(h, part->c));
                if (t != none) three_entries_.push_back({s, t, part->score});
            }
            std::sort(three_entries_.begin() + three_rows_.back(), three_entries_.end(),
                      [](const ThreeEntry& x, const ThreeEntry& y) {
                          return std::pair(x.before, x.first) < std::pair(y.before, y.first);
                      });
        }
        three_rows_.push_back(static_cast<std::uint32_t>(three_entries_.size()));
        if (three_entries_.size() == before) {
            three_rows_.resize(set);
        } else {
            three_of_head_[h] = static_cast<int>(set);
            is_scored_[h] = true;
        }
    }

    void add_grandparents() {
        first_child_.assign(arcs_->size() + 1, 0);
        for (int above = 0; above < arcs_->size(); ++above) {
            first_child_[above] = static_cast<std::uint32_t>(children_.size());
            if (scores_->grandparents == nullptr) continue;
            const int g = arcs_->head(above), h = arcs_->dependent(above);
            const auto add = [&](int arc, double score) {
                if (arc == none || score == 0) return;
                children_.push_back({arc, score});
                own(above);
            };
            if (scores_->grandparents->is_table()) {
                for (int arc = arcs_->begin(h); arc < arcs_->end(h); ++arc)
                    add(arc, (*scores_->grandparents)(g, h, arcs_->dependent(arc)));
            } else {
                for (const auto& entry : scores_->grandparents->row(g, h))
                    add(arcs_->number(h, entry.word), entry.score);
                std::sort(children_.begin() + first_child_[above], children_.end(),
                          [](const ChildEntry& x, const ChildEntry& y) { return x.arc < y.arc; });
            }
        }
        first_child_[arcs_->size()] = static_cast<std::uint32_t>(children_.size());
    }

    void add_grand_siblings() {
        const auto all = scores_->grand_siblings;
        const auto key = [](const Quadruple& part) { return std::pair(part.a, part.b); };
        for (int above = 0; above < arcs_->size(); ++above) {
            const int g = arcs_->head(above), h = arcs_->dependent(above);
            const Quadruple least{g, h, none, none, 0};
            const auto [first, last] = std::equal_range(
                all.begin(), all.end(), least, [&](const Quadruple& x, const Quadruple& y) { return key(x) < key(y); });
            if (first != last) add_set(above, {first, last});
        }
    }
    // The parts are those of the two words of the arc `above`, by rising (d, s).
    void add_set(int above, std::span<const Quadruple> parts) {
        const int h = arcs_->dependent(above);
        const auto set = static_cast<int>(rows_.size());
        for (int arc = arcs_->begin(h); arc < arcs_->end(h); ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            const auto first = std::lower_bound(parts.begin(), parts.end(), arcs_->dependent(arc),
                                                [](const Quadruple& part, int d) { return part.d < d; });
            merged_.clear();
            for (auto part = first; part != parts.end() && part->d == arcs_->dependent(arc); ++part) {
                const int position = position_before(part->c, arc);
                if (position != none) merged_.push_back({position, part->score});
            }
            if (arcs_->is_left(arc)) std::reverse(merged_.begin(), merged_.end());
            merge(row(set_of_head_[h], arc));
        }
        rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
        set_of_arc_[above] = set;
        own(above);
    }
    // Adds a row that has merged_ and the entries of another row, which may lie in the same list.
    void merge(std::span<const Entry> siblings) {
        const std::size_t count = siblings.size(), from = count == 0 ? 0 : siblings.data() - entries_.data();
        std::size_t i = 0, j = 0;
        while (i < count || j < merged_.size()) {
            const Entry* const sibling = i < count ? &entries_[from + i] : nullptr;
            if (sibling != nullptr && (j == merged_.size() || sibling->before < merged_[j].before)) {
                const Entry copy = *sibling;
                entries_.push_back(copy);
                ++i;
            } else if (sibling != nullptr && sibling->before == merged_[j].before) {
                const Entry sum{sibling->before, sibling->score + merged_[j].score};
                entries_.push_back(sum);
                ++i, ++j;
            } else {
                entries_.push_back(merged_[j++]);
            }
        }
    }

    void own(int above) {
        is_own_[above] = true;
        sees_head_[arcs_->dependent(above)] = true;
        is_scored_[arcs_->dependent(above)] = true;
    }

    const ArcList* arcs_ = nullptr;
    const PartScores* scores_ = nullptr;
    const double* valency_ = nullptr;
    int max_left_ = 0, max_right_ = 0;
    bool are_rows_whole_ = false;
    std::vector<char> is_scored_, sees_head_, is_own_;
    std::vector<int> set_of_head_, set_of_arc_, three_of_head_;  // where their rows begin
    std::vector<std::uint32_t> rows_, three_rows_, first_child_;
    std::vector<Entry> entries_, merged_;
    std::vector<ThreeEntry> three_entries_;
    std::vector<ChildEntry> children_;
    std::vector<double> end_;
};

// What climbing asks for.
class FamilyScores {
  public:
    // Forbidden parts are very bad, but can be told from each other.
    static constexpr double forbidden = -1e100;
    static double possible(double score) { return score > forbidden / 2 ? score : minus_infinity<double>; }

    void assign(const Families& families, const ArcScores<double>& arcs) {
        families_ = &families;
        arcs_ = arcs;
        answers_.clear();
    }

    const ArcScores<double>& arcs() const { return arcs_; }
    int words() const { return arcs_.words(); }
    std::span<const int> heads(int word) const { return families_->arcs().heads(word); }
    bool allows(int head, int word) const { return families_->arcs().number(head, word) != none; }
    double arc(int head, int word) const { return arcs_(head, word); }
    void ask(int h, int above, std::span<const int> children) {
        if (is_answered_) answers_.clear(), is_answered_ = false;
        const int arc = h == 0 ? none : families_->arcs().number(above, h);
        answers_.push_back(std::max(forbidden, families_->score(h, arc, children)));
    }
    std::span<const double> answers() {
        if (is_answered_) answers_.clear();
        is_answered_ = true;
        return answers_;
    }

  private:
    const Families* families_ = nullptr;
    ArcScores<double> arcs_{nullptr, 0};
    std::vector<double> answers_;
    bool is_answered_ = false;
};

}  // namespace nonproj::parts
