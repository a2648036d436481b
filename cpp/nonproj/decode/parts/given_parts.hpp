// Scores of larger parts as a caller gives them, in any order; of equal parts the last one counts.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/base/part_scores.hpp"

namespace nonproj {

class GivenParts {
  public:
    explicit GivenParts(int words) : words_(words) {}

    int words() const { return words_; }
    // Tables of (n + 1)^3 numbers, which must outlive this.
    void set_siblings(const double* table) { siblings_.emplace(table, words_); }
    void set_grandparents(const double* table) { grandparents_.emplace(table, words_); }
    void list_siblings(std::span<const Triple> triples) {
        siblings_.emplace(triples, words_, TripleScores::Rows::first_and_third);
    }
    void list_grandparents(std::span<const Triple> triples) {
        grandparents_.emplace(triples, words_, TripleScores::Rows::first_and_second);
    }
    void list_grand_siblings(std::vector<Quadruple> parts) {
        grand_siblings_ = sorted(std::move(parts), PartScores::by_grand_sibling);
    }
    void list_three_siblings(std::vector<Quadruple> parts) {
        three_siblings_ = sorted(std::move(parts), PartScores::by_three_siblings);
    }
    void set_ends(std::vector<double> table) { ends_ = std::move(table); }
    void set_valency(std::vector<double> table, int max_left, int max_right) {
        valency_ = std::move(table);
        max_left_ = max_left;
        max_right_ = max_right;
    }

    // Valid as long as this and the arcs are.
    PartScores with(const ArcScores<double>& arcs) const {
        PartScores scores;
        scores.arcs = arcs;
        scores.siblings = siblings_ ? &*siblings_ : nullptr;
        scores.grandparents = grandparents_ ? &*grandparents_ : nullptr;
        scores.grand_siblings = grand_siblings_;
        scores.three_siblings = three_siblings_;
        scores.ends = ends_.empty() ? nullptr : ends_.data();
        scores.valency = valency_.empty() ? nullptr : valency_.data();
        scores.max_left = max_left_;
        scores.max_right = max_right_;
        return scores;
    }

  private:
    template <class Order>
    static std::vector<Quadruple> sorted(std::vector<Quadruple> parts, const Order& order) {
        std::stable_sort(parts.begin(), parts.end(), order);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (i + 1 == parts.size() || order(parts[i], parts[i + 1])) parts[kept++] = parts[i];
        parts.resize(kept);
        return parts;
    }

    int words_;
    std::optional<TripleScores> siblings_, grandparents_;
    std::vector<Quadruple> grand_siblings_, three_siblings_;
    std::vector<double> ends_, valency_;
    int max_left_ = 0, max_right_ = 0;
};

}  // namespace nonproj
