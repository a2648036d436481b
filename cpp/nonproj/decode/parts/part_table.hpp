// Scores of arcs and larger parts, laid out by the possible arcs: those of a PartList, or all siblings and grandparents that
// a model scores. The family of h is its head g and its children C; its score is
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

#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/parts/arc_list.hpp"

namespace nonproj::parts {

class PartTable {
  public:
    struct Entry {
        int place;  // the position before; or the arc to a grandchild
        double score;
    };
    struct ThreeEntry {
        int before, first;  // positions of s and t
        double score;
    };

    // What is given for the arcs with a score above -inf. It must outlive this.
    void assign(const PartList& given) {
        clear(given.arcs);
        given_ = &given;
        for (int h = 0; h <= words(); ++h) {
            is_scored_[h] = has_valency(h);
            if (given.has_siblings()) add_siblings(h);
            if (!given.three_siblings.is_empty()) add_three_siblings(h);
        }
        add_grandparents();
        if (!given.grand_siblings.is_empty()) add_grand_siblings();
        if (given.ends == nullptr) return;
        for (int arc = 0; arc < arcs_.size(); ++arc) {
            end_[arc] = given.ends[arcs_.head(arc) * (words() + std::size_t{1}) + arcs_.dependent(arc)];
            if (end_[arc] != 0) is_scored_[arcs_.head(arc)] = true;
        }
    }

    // All siblings or grandparents or both of the arcs with a score above -inf, with a score of 0 each, to be set.
    void lay_out(const ArcScores<float>& arc_scores, bool siblings, bool grandparents) {
        clear(arc_scores);
        has_siblings_ = siblings;
        has_grandparents_ = grandparents;
        for (int h = 0; h <= words(); ++h) {
            if (arcs_.begin(h) == arcs_.end(h)) continue;
            is_scored_[h] = true;
            if (siblings) set_of_head_[h] = add_whole_set(h);
        }
        for (int above = 0; above < arcs_.size() && grandparents; ++above) {
            const int h = arcs_.dependent(above);
            if (is_scored_[h]) own(above);
            for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) children_.push_back({arc, 0});
            first_child_[above + 1] = static_cast<std::uint32_t>(children_.size());
        }
    }
    double& arc_score(int arc) { return arc_score_[arc]; }
    // The child of an arc with the one before it on its side, both by position.
    double& sibling(int arc, int before) { return entries_[place(set_of_head_[arcs_.head(arc)], arc) + before].score; }
    double& grandparent(int above, int arc) {
        return children_[first_child_[above] + (arc - arcs_.begin(arcs_.head(arc)))].score;
    }

    // What was laid out whole: visit(h, s, d, score) of siblings, visit(g, h, d, score) of grandparents.
    template <class Visit>
    void each_sibling(const Visit& visit) const {
        for (int arc = 0; arc < arcs_.size(); ++arc)
            for (const Entry& entry : row(set_of_head_[arcs_.head(arc)], arc)) {
                const int h = arcs_.head(arc), s = entry.place == 0 ? h : child_before(arc, entry.place);
                visit(h, s, arcs_.dependent(arc), entry.score);
            }
    }
    template <class Visit>
    void each_grandparent(const Visit& visit) const {
        for (int above = 0; above < arcs_.size(); ++above)
            for (const Entry& child : grandparents(above)) {
                const int g = arcs_.head(above), h = arcs_.dependent(above), d = arcs_.dependent(child.place);
                if (d != g) visit(g, h, d, child.score);  // no tree has both
            }
    }
    // The list of the same arcs with their parts.
    PartList listed(const ArcScores<double>& arc_scores) const {
        PartList list(arc_scores);
        std::vector<Part> made;
        const auto add = [&](int a, int b, int c, double score) { made.push_back({a, b, c, 0, score}); };
        each_sibling(add);
        if (has_siblings_) list.list_siblings(made);
        made.clear();
        each_grandparent(add);
        if (has_grandparents_) list.list_grandparents(made);
        return list;
    }
    // The scores of arcs as a table of words + 1 rows.
    std::vector<double> arc_table() const {
        const std::size_t width = static_cast<std::size_t>(words()) + 1;
        std::vector<double> table(width * width, minus_infinity<double>);
        for (int arc = 0; arc < arcs_.size(); ++arc)
            table[arcs_.head(arc) * width + arcs_.dependent(arc)] = arc_score_[arc];
        return table;
    }

    const ArcList& arcs() const { return arcs_; }
    int words() const { return arcs_.words(); }
    double arc_score(int arc) const { return arc_score_[arc]; }
    // The dependent of the arc at a position on the side of another.
    int child_before(int arc, int position) const { return arcs_.dependent(arc - arcs_.position(arc) + position); }
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
        const std::size_t row = set + (arc - arcs_.begin(arcs_.head(arc)));
        return {entries_.data() + rows_[row], entries_.data() + rows_[row + 1]};
    }
    // Whether the rows of a set have an entry for every position before.
    bool has_whole_rows(int set) const { return set != none && given_ == nullptr; }
    bool has_three(int h) const { return three_of_head_[h] != none; }
    std::span<const ThreeEntry> three_row(int arc) const {
        const int h = arcs_.head(arc);
        const std::size_t row = three_of_head_[h] + (arc - arcs_.begin(h));
        return {three_entries_.data() + three_rows_[row], three_entries_.data() + three_rows_[row + 1]};
    }
    // gp(g, i) under the head of `above`, by rising arc.
    std::span<const Entry> grandparents(int above) const {
        return {children_.data() + first_child_[above], children_.data() + first_child_[above + 1]};
    }
    double end(int arc) const { return end_[arc]; }
    // The score of a child with the one before it on its side, by position, and under the head of `above`.
    double sibling_score(int set, int arc, int before) const { return found(row(set, arc), before); }
    double grandparent_score(int above, int arc) const { return found(grandparents(above), arc); }

    int max_left() const { return given_ == nullptr ? 0 : given_->max_left; }
    int max_right() const { return given_ == nullptr ? 0 : given_->max_right; }
    double valency(int h, int left, int right) const {
        if (given_ == nullptr || given_->valency == nullptr) return 0;
        const std::size_t rows = max_left() + 1, columns = max_right() + 1;
        return given_->valency[(h * rows + std::min(left, max_left())) * columns + std::min(right, max_right())];
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

    // What climbing asks for (climb.hpp). Forbidden parts are very bad, but can be told from each other.
    static constexpr double forbidden = -1e100;
    static double possible(double score) { return score > forbidden / 2 ? score : minus_infinity<double>; }
    std::span<const int> heads(int word) const { return arcs_.heads(word); }
    bool allows(int head, int word) const { return arcs_.number(head, word) != none; }
    double arc(int head, int word) const { return arc_score_[arcs_.number(head, word)]; }
    void ask(int h, int above, std::span<const int> children, std::vector<double>& answers) const {
        answers.push_back(std::max(forbidden, score(h, h == 0 ? none : arcs_.number(above, h), children)));
    }
    void settle(std::vector<double>&) const {}

  private:
    template <class Real>
    void clear(const ArcScores<Real>& arc_scores) {
        arcs_.assign(arc_scores);
        given_ = nullptr;
        const int width = words() + 1;
        set_of_head_.assign(width, none);
        three_of_head_.assign(width, none);
        arc_score_.resize(arcs_.size());
        for (int arc = 0; arc < arcs_.size(); ++arc)
            arc_score_[arc] = arc_scores(arcs_.head(arc), arcs_.dependent(arc));
        first_child_.assign(arcs_.size() + 1, 0);
        is_scored_.assign(width, false);
        sees_head_.assign(width, false);
        set_of_arc_.assign(arcs_.size(), none);
        is_own_.assign(arcs_.size(), false);
        end_.assign(arcs_.size(), 0);
        rows_.clear();
        entries_.clear();
        three_rows_.clear();
        three_entries_.clear();
        children_.clear();
    }
    // Where the entries begin that lead to a child.
    std::size_t place(int set, int arc) const { return rows_[set + (arc - arcs_.begin(arcs_.head(arc)))]; }

    int add_whole_set(int h) {
        const auto set = static_cast<int>(rows_.size());
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            for (int before = 0; before < arcs_.position(arc); ++before) entries_.push_back({before, 0});
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
            arc = arcs_.number(h, *child);
            sum += found(row(set(h, above), arc), before);
            if (is_own_head) sum += found(grandparents(above), arc);
            if (before > 0 && has_three(h)) sum += found(three_row(arc), before, first);
            first = before;
            before = arcs_.position(arc);
        }
        return arc == none ? 0 : sum + end_[arc];
    }
    // In rows that leave nothing out, an entry stands where it is looked for first.
    static double found(std::span<const Entry> row, int place) {
        if (row.empty() || place < row.front().place) return 0;
        const std::size_t guess = place - row.front().place;
        if (guess < row.size() && row[guess].place == place) return row[guess].score;
        const auto at = std::lower_bound(row.begin(), row.end(), place,
                                         [](const Entry& entry, int sought) { return entry.place < sought; });
        return at == row.end() || at->place != place ? 0 : at->score;
    }
    static double found(std::span<const ThreeEntry> row, int before, int first) {
        for (const ThreeEntry& entry : row)
            if (entry.before == before && entry.first == first) return entry.score;
        return 0;
    }

    bool has_valency(int h) const {
        if (given_->valency == nullptr) return false;
        const std::size_t size = static_cast<std::size_t>(max_left() + 1) * (max_right() + 1);
        const double* const first = given_->valency + h * size;
        return std::any_of(first, first + size, [](double score) { return score != 0; });
    }

    // The position of s as the child of h before `arc`: 0 for s = h, none when it cannot be.
    int position_before(int s, int arc) const {
        const int h = arcs_.head(arc), d = arcs_.dependent(arc);
        if (s == h) return 0;
        if (d < h ? s <= d || s > h : s >= d || s < h) return none;
        const int other = arcs_.number(h, s);
        return other == none ? none : arcs_.position(other);
    }

    // Entries of a list by rising s, read away from h.
    void add_row(int arc, std::span<const PartRows::Entry> parts) {
        const auto add = [&](const PartRows::Entry& part) {
            const int position = position_before(part.third(), arc);
            if (position != none) entries_.push_back({position, part.score});
        };
        if (arcs_.is_left(arc))
            std::for_each(parts.rbegin(), parts.rend(), add);
        else
            std::for_each(parts.begin(), parts.end(), add);
    }
    void add_siblings(int h) {
        const int begin = arcs_.begin(h), end = arcs_.end(h);
        const std::size_t before = entries_.size();
        const auto set = static_cast<int>(rows_.size());
        bool is_any = false;
        for (int arc = begin; arc < end; ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            const int d = arcs_.dependent(arc);
            if (given_->sibling_table != nullptr) {
                for (int j = 0; j < arcs_.position(arc); ++j)
                    entries_.push_back({j, given_->sibling(h, j == 0 ? h : child_before(arc, j), d)});
            } else {
                add_row(arc, given_->siblings.row(h, d));
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
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            three_rows_.push_back(static_cast<std::uint32_t>(three_entries_.size()));
            for (const auto& part : given_->three_siblings.row(h, arcs_.dependent(arc))) {
                const int s = position_before(part.third(), arc);
                if (s <= 0) continue;
                const int t = position_before(part.fourth(), arcs_.number(h, part.third()));
                if (t != none) three_entries_.push_back({s, t, part.score});
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
        for (int above = 0; above < arcs_.size(); ++above) {
            first_child_[above] = static_cast<std::uint32_t>(children_.size());
            const int g = arcs_.head(above), h = arcs_.dependent(above);
            const auto add = [&](int arc, double score) {
                if (arc == none || score == 0) return;
                children_.push_back({arc, score});
                own(above);
            };
            if (given_->grandparent_table != nullptr) {
                for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc)
                    add(arc, given_->grandparent(g, h, arcs_.dependent(arc)));
            } else {
                for (const auto& part : given_->grandparents.row(g, h)) add(arcs_.number(h, part.third()), part.score);
                std::sort(children_.begin() + first_child_[above], children_.end(),
                          [](const Entry& x, const Entry& y) { return x.place < y.place; });
            }
        }
        first_child_[arcs_.size()] = static_cast<std::uint32_t>(children_.size());
    }

    void add_grand_siblings() {
        for (int above = 0; above < arcs_.size(); ++above)
            if (const auto parts = given_->grand_siblings.row(arcs_.head(above), arcs_.dependent(above));
                !parts.empty())
                add_set(above, parts);
    }
    // The parts are those of the two words of the arc `above`, by rising (d, s).
    void add_set(int above, std::span<const PartRows::Entry> parts) {
        const int h = arcs_.dependent(above);
        const auto set = static_cast<int>(rows_.size());
        for (int arc = arcs_.begin(h); arc < arcs_.end(h); ++arc) {
            rows_.push_back(static_cast<std::uint32_t>(entries_.size()));
            const auto first = std::lower_bound(parts.begin(), parts.end(), arcs_.dependent(arc),
                                                [](const PartRows::Entry& part, int d) { return part.third() < d; });
            merged_.clear();
            for (auto part = first; part != parts.end() && part->third() == arcs_.dependent(arc); ++part) {
                const int position = position_before(part->fourth(), arc);
                if (position != none) merged_.push_back({position, part->score});
            }
            if (arcs_.is_left(arc)) std::reverse(merged_.begin(), merged_.end());
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
            if (sibling != nullptr && (j == merged_.size() || sibling->place < merged_[j].place)) {
                const Entry copy = *sibling;
                entries_.push_back(copy);
                ++i;
            } else if (sibling != nullptr && sibling->place == merged_[j].place) {
                const Entry sum{sibling->place, sibling->score + merged_[j].score};
                entries_.push_back(sum);
                ++i, ++j;
            } else {
                entries_.push_back(merged_[j++]);
            }
        }
    }

    void own(int above) {
        is_own_[above] = true;
        sees_head_[arcs_.dependent(above)] = true;
        is_scored_[arcs_.dependent(above)] = true;
    }

    ArcList arcs_;
    const PartList* given_ = nullptr;
    bool has_siblings_ = false, has_grandparents_ = false;  // where they were laid out whole
    std::vector<char> is_scored_, sees_head_, is_own_;
    std::vector<int> set_of_head_, set_of_arc_, three_of_head_;  // where their rows begin
    std::vector<std::uint32_t> rows_, three_rows_, first_child_;
    std::vector<Entry> entries_, merged_;
    std::vector<ThreeEntry> three_entries_;
    std::vector<Entry> children_;
    std::vector<double> arc_score_, end_;
};

}  // namespace nonproj::parts
