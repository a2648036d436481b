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
        std::uint64_t words;  // the third and the fourth
        double score;
        int third() const { return static_cast<int>(words >> 32); }
        int fourth() const { return static_cast<int>(words & 0xffffffff); }
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
            entries_[next[row_of(part)]++] = {both(part.c, part.d), part.score};
        }
        std::size_t kept = 0;
        for (std::size_t row = 0; row + 1 < begin_.size(); ++row) {
            const auto first = entries_.begin() + begin_[row], last = entries_.begin() + begin_[row + 1];
            std::stable_sort(first, last, [](const Entry& x, const Entry& y) { return x.words < y.words; });
            begin_[row] = static_cast<std::uint32_t>(kept);
            for (auto entry = first; entry != last; ++entry)
                if (entry + 1 == last || entry->words != (entry + 1)->words) entries_[kept++] = *entry;
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
        const std::uint64_t words = both(third, fourth);
        const auto found =
            std::lower_bound(entries.begin(), entries.end(), words,
                             [](const Entry& entry, std::uint64_t sought) { return entry.words < sought; });
        return found == entries.end() || found->words != words ? 0 : found->score;
    }

  private:
    static std::uint64_t both(int third, int fourth) { return static_cast<std::uint64_t>(third) << 32 | fourth; }

    std::size_t side_ = 0;
    std::vector<std::uint32_t> begin_;
    std::vector<Entry> entries_;
};

struct PartList {
    // The arcs, and all tables, must outlive this; the words of lists are in range.
    explicit PartList(const ArcScores<double>& arc_scores) : arcs(arc_scores) {}

    ArcScores<double> arcs;
    const double *sibling_table = nullptr, *grandparent_table = nullptr;
    const double* ends = nullptr;     // words + 1 rows
    const double* valency = nullptr;  // [h][l][r] for l <= max_left, r <= max_right
    int max_left = 0, max_right = 0;
    // Looked up by the words before the bar: h, d | s      g, h | d      g, h | d, s      h, d | s, t
    PartRows siblings, grandparents, grand_siblings, three_siblings;

    void list_siblings(std::span<const Part> parts) {
        siblings.assign(parts, words(), [](const Part& p) { return Part{p.a, p.c, p.b, 0, p.score}; });
    }
    void list_grandparents(std::span<const Part> parts) {
        grandparents.assign(parts, words(), [](const Part& p) { return p; });
    }
    void list_grand_siblings(std::span<const Part> parts) {
        grand_siblings.assign(parts, words(), [](const Part& p) { return Part{p.a, p.b, p.d, p.c, p.score}; });
    }
    void list_three_siblings(std::span<const Part> parts) {
        three_siblings.assign(parts, words(), [](const Part& p) { return Part{p.a, p.d, p.c, p.b, p.score}; });
    }

    int words() const { return arcs.words(); }
    bool has_siblings() const { return sibling_table != nullptr || siblings.is_given(); }
    bool has_grandparents() const { return grandparent_table != nullptr || grandparents.is_given(); }
    bool has_more_than_pairs() const {
        return !grand_siblings.is_empty() || !three_siblings.is_empty() || ends != nullptr || valency != nullptr;
    }
    double sibling(int h, int s, int d) const {
        return sibling_table != nullptr ? sibling_table[place(h, s, d)] : siblings.score(h, d, s, 0);
    }
    double grandparent(int g, int h, int d) const {
        if (h == 0) return 0;
        return grandparent_table != nullptr ? grandparent_table[place(g, h, d)] : grandparents.score(g, h, d, 0);
    }
    // How many arcs have a score above -inf.
    int possible_arcs() const {
        int count = 0;
        for (int d = 1; d <= words(); ++d)
            for (int h = 0; h <= words(); ++h) count += h != d && arcs(h, d) > minus_infinity<double>;
        return count;
    }

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
                if (h > 0) sum += grand_siblings.score(heads[h - 1], h, d, s);
                if (s != h) sum += three_siblings.score(h, d, s, t);
            }
            sum += of_sides(heads, h);
        }
        return sum;
    }

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
        const std::size_t side = words() + 1, columns = max_right + 1;
        if (ends != nullptr) sum += (left > 0 ? ends[h * side + first] : 0) + (right > 0 ? ends[h * side + last] : 0);
        if (valency != nullptr)
            sum += valency[(h * (max_left + std::size_t{1}) + std::min(left, max_left)) * columns +
                           std::min(right, max_right)];
        return sum;
    }
};

}  // namespace nonproj
