// Scores of parts larger than an arc, added to those of single arcs.
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
// Grandparents and siblings are tables of (n + 1)^3 numbers, or lists of those that are not 0; so are, as lists alone,
// grand-siblings and three siblings. Any of them may be absent. What no tree can hold is not read.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

struct Triple {
    std::int32_t a, b, c;
    double score;
};
struct Quadruple {
    std::int32_t a, b, c, d;
    double score;
};

class TripleScores {
  public:
    struct Entry {
        std::int32_t word;
        double score;
    };
    enum class Rows { first_and_second, first_and_third };  // what is looked up together

    // A table that must outlive this.
    TripleScores(const double* table, int words) : side_(words + 1), table_(table) {}
    // Of equal triples the last one counts; a row is entered by two of the words, which are in range.
    TripleScores(std::span<const Triple> triples, int words, Rows rows) : side_(words + 1), rows_(rows) {
        begin_.assign(side_ * side_ + 1, 0);
        for (const Triple& triple : triples) ++begin_[place(triple) + 1];
        for (std::size_t row = 1; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
        entries_.resize(triples.size());
        auto next = begin_;
        for (const Triple& triple : triples)
            entries_[next[place(triple)]++] = {rows == Rows::first_and_second ? triple.c : triple.b, triple.score};
        std::size_t kept = 0;
        for (std::size_t row = 0; row + 1 < begin_.size(); ++row) {
            const auto first = entries_.begin() + begin_[row], last = entries_.begin() + begin_[row + 1];
            std::stable_sort(first, last, [](const Entry& x, const Entry& y) { return x.word < y.word; });
            begin_[row] = static_cast<std::uint32_t>(kept);
            for (auto entry = first; entry != last; ++entry)
                if (entry + 1 == last || entry->word != (entry + 1)->word) entries_[kept++] = *entry;
        }
        begin_.back() = static_cast<std::uint32_t>(kept);
        entries_.resize(kept);
    }

    bool is_table() const { return table_ != nullptr; }
    // Of a list: the entries of a row by rising word.
    std::span<const Entry> row(int a, int other) const {
        const std::size_t row = a * side_ + other;
        return {entries_.data() + begin_[row], entries_.data() + begin_[row + 1]};
    }
    double operator()(int a, int b, int c) const {
        if (is_table()) return table_[(a * side_ + b) * side_ + c];
        const bool ends_in_c = rows_ == Rows::first_and_second;
        const auto entries = row(a, ends_in_c ? b : c);
        const int word = ends_in_c ? c : b;
        const auto found = std::lower_bound(entries.begin(), entries.end(), word,
                                            [](const Entry& entry, int sought) { return entry.word < sought; });
        return found == entries.end() || found->word != word ? 0 : found->score;
    }
    std::size_t size() const { return entries_.size(); }

  private:
    std::size_t place(const Triple& triple) const {
        return triple.a * side_ + (rows_ == Rows::first_and_second ? triple.b : triple.c);
    }

    std::size_t side_;
    const double* table_ = nullptr;
    Rows rows_ = Rows::first_and_second;
    std::vector<std::uint32_t> begin_;
    std::vector<Entry> entries_;
};

// What charts take.
struct SecondOrderScores {
    ArcScores<double> arcs{nullptr, 0};
    const TripleScores* siblings = nullptr;      // rows of the first and third word
    const TripleScores* grandparents = nullptr;  // rows of the first and second

    int words() const { return arcs.words(); }
    double sibling(int h, int s, int d) const { return siblings == nullptr ? 0 : (*siblings)(h, s, d); }
    double grandparent(int g, int h, int d) const {
        return grandparents == nullptr || h == 0 ? 0 : (*grandparents)(g, h, d);
    }

    // The score of any tree.
    double of_tree(const std::int32_t* heads) const {
        double sum = 0;
        for (int d = 1; d <= words(); ++d) {
            const int h = heads[d - 1], s = nearer_sibling(heads, d);
            sum += arcs(h, d) + sibling(h, s, d) + (h > 0 ? grandparent(heads[h - 1], h, d) : 0);
        }
        return sum;
    }

  protected:
    // The next child of d's head between them, or that head.
    static int nearer_sibling(const std::int32_t* heads, int d) {
        const int h = heads[d - 1], step = d < h ? 1 : -1;
        int s = d + step;
        while (s != h && heads[s - 1] != h) s += step;
        return s;
    }
};

// All parts.
struct PartScores : SecondOrderScores {
    std::span<const Quadruple> grand_siblings;  // (g, h, s, d) by rising (g, h, d, s)
    std::span<const Quadruple> three_siblings;  // (h, t, s, d) by rising (h, d, s, t)
    const double* ends = nullptr;               // a table of n + 1 rows
    const double* valency = nullptr;            // [h][l][r] for l <= max_left, r <= max_right
    int max_left = 0, max_right = 0;

    bool has_more_than_pairs() const {
        return !grand_siblings.empty() || !three_siblings.empty() || ends != nullptr || valency != nullptr;
    }

    // The score of any tree.
    double of_tree(const std::int32_t* heads) const {
        double sum = SecondOrderScores::of_tree(heads);
        if (!has_more_than_pairs()) return sum;
        for (int h = 0; h <= words(); ++h) {
            for (int d = 1, s, t; d <= words(); ++d) {
                if (heads[d - 1] != h) continue;
                s = nearer_sibling(heads, d);
                t = s == h ? h : nearer_sibling(heads, s);
                if (h > 0) sum += of_part(grand_siblings, {heads[h - 1], h, s, d, 0}, by_grand_sibling);
                if (s != h) sum += of_part(three_siblings, {h, t, s, d, 0}, by_three_siblings);
            }
            sum += of_sides(heads, h);
        }
        return sum;
    }

    // The orders of the lists.
    static bool by_grand_sibling(const Quadruple& x, const Quadruple& y) {
        return std::tie(x.a, x.b, x.d, x.c) < std::tie(y.a, y.b, y.d, y.c);
    }
    static bool by_three_siblings(const Quadruple& x, const Quadruple& y) {
        return std::tie(x.a, x.d, x.c, x.b) < std::tie(y.a, y.d, y.c, y.b);
    }

  private:
    template <class Order>
    static double of_part(std::span<const Quadruple> parts, const Quadruple& part, const Order& order) {
        const auto found = std::lower_bound(parts.begin(), parts.end(), part, order);
        return found == parts.end() || order(part, *found) ? 0 : found->score;
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
