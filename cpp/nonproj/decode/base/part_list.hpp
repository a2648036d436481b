// Scores of arcs and of parts larger than an arc, as a caller gives them.
//
//   grandparent (g, h, d)         g -> h and h -> d
//   sibling (h, s, d)             h -> s and h -> d on the same side of h, s the next child between h and d; s = h when
//                                 there is no child of h between h and d
//   grand-sibling (g, h, s, d)    the same under the head g of h
//   three siblings (h, t, s, d)   t the next child between h and s; t = h when there is none
//   end (h, d)                    d is the outermost child of h on its side
//   valency (h, l, r)             h has l children on its left and r on its right; the last l and r of the table stand
//                                 for that many or more
//
// Grandparents and siblings are tables of (n + 1)^3 numbers, or lists of those that are not 0, in any order; so are, as
// lists alone, grand-siblings and three siblings. Any of them may be absent. What no tree can hold is not read.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

struct Part {
    std::int32_t a, b, c, d;  // its words in the order above; the fourth of three is 0
    double score;
};

// The parts of one kind in a list, looked up by two of their words.
class PartRows {
  public:
    struct Entry {
        std::int32_t third, fourth;
        double score;
        std::pair<std::int32_t, std::int32_t> words() const { return {third, fourth}; }
    };

    // The words of a part are a and b, by which it is looked up, then the others. Of equal parts the last one counts.
    template <class Words>
    void assign(std::span<const Part> parts, int words, const Words& words_of) {
        side_ = static_cast<std::size_t>(words) + 1;
        begin_.assign(side_ * side_ + 1, 0);
        const auto row_of = [&](const Part& part) { return part.a * side_ + part.b; };
        for (const Part& part : parts) ++begin_[row_of(words_of(part)) + 1];
        for (std::size_t row = 1; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
        entries_.resize(parts.size());
        auto next = begin_;
        for (const Part& each : parts) {
            const Part part = words_of(each);
            entries_[next[row_of(part)]++] = {part.c, part.d, part.score};
        }
        std::size_t kept = 0;
        for (std::size_t row = 0; row + 1 < begin_.size(); ++row) {
            const auto first = entries_.begin() + begin_[row], last = entries_.begin() + begin_[row + 1];
            std::stable_sort(first, last, [](const Entry& x, const Entry& y) { return x.words() < y.words(); });
            begin_[row] = static_cast<std::uint32_t>(kept);
            for (auto entry = first; entry != last; ++entry)
                if (entry + 1 == last || entry->words() != (entry + 1)->words()) entries_[kept++] = *entry;
        }
        begin_.back() = static_cast<std::uint32_t>(kept);
        entries_.resize(kept);
    }

    bool is_given() const { return !begin_.empty(); }
    bool is_empty() const { return entries_.empty(); }
    // By rising third and fourth word.
    std::span<const Entry> row(int first, int second) const {
        if (is_empty()) return {};
        const std::size_t row = first * side_ + second;
        return {entries_.data() + begin_[row], entries_.data() + begin_[row + 1]};
    }
    double score(int first, int second, int third, int fourth) const {
        const auto entries = row(first, second);
        const std::pair words(third, fourth);
        const auto found =
            std::lower_bound(entries.begin(), entries.end(), words,
                             [](const Entry& entry, const auto& sought) { return entry.words() < sought; });
        return found == entries.end() || found->words() != words ? 0 : found->score;
    }

  private:
    std::size_t side_ = 0;
    std::vector<std::uint32_t> begin_;
    std::vector<Entry> entries_;
};

class PartList {
  public:
    // The arcs, and all tables, must outlive this; the words of lists are in range.
    explicit PartList(const ArcScores<double>& arc_scores) : arcs(arc_scores) {}

    void set_siblings(const double* table) { sibling_table_ = table; }
    void set_grandparents(const double* table) { grandparent_table_ = table; }
    void set_ends(const double* table) { ends_ = table; }  // words + 1 rows
    // [h][l][r] for l <= max_left, r <= max_right
    void set_valency(const double* table, int max_left, int max_right) {
        valency_ = table;
        max_left_ = max_left;
        max_right_ = max_right;
    }
    void list_siblings(std::span<const Part> parts) {
        siblings_.assign(parts, words(), [](const Part& p) { return Part{p.a, p.c, p.b, 0, p.score}; });
    }
    void list_grandparents(std::span<const Part> parts) {
        grandparents_.assign(parts, words(), [](const Part& p) { return p; });
    }
    void list_grand_siblings(std::span<const Part> parts) {
        grand_siblings_.assign(parts, words(), [](const Part& p) { return Part{p.a, p.b, p.d, p.c, p.score}; });
    }
    void list_three_siblings(std::span<const Part> parts) {
        three_siblings_.assign(parts, words(), [](const Part& p) { return Part{p.a, p.d, p.c, p.b, p.score}; });
    }

    int words() const { return arcs.words(); }
    bool has_siblings() const { return has_sibling_table() || siblings_.is_given(); }
    bool has_sibling_table() const { return sibling_table_ != nullptr; }
    bool has_grandparents() const { return has_grandparent_table() || grandparents_.is_given(); }
    bool has_grandparent_table() const { return grandparent_table_ != nullptr; }
    bool has_more_than_pairs() const {
        return !grand_siblings_.is_empty() || !three_siblings_.is_empty() || ends_ != nullptr || valency_ != nullptr;
    }
    double sibling(int h, int s, int d) const {
        return has_sibling_table() ? sibling_table_[place(h, s, d)] : siblings_.score(h, d, s, 0);
    }
    double grandparent(int g, int h, int d) const {
        if (h == 0) return 0;
        return has_grandparent_table() ? grandparent_table_[place(g, h, d)] : grandparents_.score(g, h, d, 0);
    }
    // Of lists, by the words before the bar: h, d | s      g, h | d      g, h | d, s      h, d | s, t
    const PartRows& siblings() const { return siblings_; }
    const PartRows& grandparents() const { return grandparents_; }
    const PartRows& grand_siblings() const { return grand_siblings_; }
    const PartRows& three_siblings() const { return three_siblings_; }
    const double* ends() const { return ends_; }
    const double* valency() const { return valency_; }
    int max_left() const { return max_left_; }
    int max_right() const { return max_right_; }

    // The score of any tree.
    double of_tree(const std::int32_t* heads) const {
        double sum = 0;
        for (int d = 1; d <= words(); ++d) {
            const int h = heads[d - 1], s = nearer_sibling(heads, d);
            sum += arcs(h, d) + sibling(h, s, d) + (h > 0 ? grandparent(heads[h - 1], h, d) : 0);
        }
        if (!has_more_than_pairs()) return sum;
        for (int h = 0; h <= words(); ++h) {
            for (int d = 1, s, t; d <= words(); ++d) {
                if (heads[d - 1] != h) continue;
                s = nearer_sibling(heads, d);
                t = s == h ? h : nearer_sibling(heads, s);
                if (h > 0) sum += grand_siblings_.score(heads[h - 1], h, d, s);
                if (s != h) sum += three_siblings_.score(h, d, s, t);
            }
            sum += of_sides(heads, h);
        }
        return sum;
    }

    ArcScores<double> arcs;

  private:
    std::size_t place(int a, int b, int c) const {
        const std::size_t side = words() + 1;
        return (a * side + b) * side + c;
    }
    // The next child of d's head between them, or that head.
    static int nearer_sibling(const std::int32_t* heads, int d) {
        const int h = heads[d - 1], step = d < h ? 1 : -1;
        int s = d + step;
        while (s != h && heads[s - 1] != h) s += step;
        return s;
    }
    double of_sides(const std::int32_t* heads, int h) const {
        int left = 0, right = 0, first = 0, last = 0;
        for (int d = 1; d <= words(); ++d) {
            if (heads[d - 1] != h) continue;
            if (d < h && left++ == 0) first = d;
            if (d > h) ++right, last = d;
        }
        double sum = 0;
        const std::size_t side = words() + 1, columns = max_right_ + 1;
        if (ends_ != nullptr)
            sum += (left > 0 ? ends_[h * side + first] : 0) + (right > 0 ? ends_[h * side + last] : 0);
        if (valency_ != nullptr)
            sum += valency_[(h * (max_left_ + std::size_t{1}) + std::min(left, max_left_)) * columns +
                            std::min(right, max_right_)];
        return sum;
    }

    const double *sibling_table_ = nullptr, *grandparent_table_ = nullptr, *ends_ = nullptr, *valency_ = nullptr;
    int max_left_ = 0, max_right_ = 0;
    PartRows siblings_, grandparents_, grand_siblings_, three_siblings_;
};

}  // namespace nonproj
