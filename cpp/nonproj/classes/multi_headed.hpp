// The smallest k for which a tree is in MH_k (Gomez-Rodriguez 2016, Figure 2), in O(n^3) for all k at once.
//
// In an item with ends i, j a word x between them can be linked away as soon as all of Y(x) lies between i
// and j and the head of x lies in [i, j]; doing so at once never hurts. So an item is settled by its ends:
// what is left of it is
//   R(i, j) = { x : i < x < j, and not ( i <= a(x) and b(x) <= j ) },
//   a(x) = min(first Y(x) - 1, head x),   b(x) = max(last Y(x) + 1, head x),
// and combining [i .. k] with [k .. j] makes an item of |R(i, k)| + |R(k, j)| + 3 nodes. The smallest k is
// then
//   cost(i, i + 1) = 2,   cost(i, j) = min_k max(cost(i, k), cost(k, j), |R(i, k)| + |R(k, j)| + 3)
// at (0, n + 1), and at least 3.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "nonproj/classes/shape.hpp"

namespace nonproj {

class MultiHeaded {
  public:
    template <int W>
    int smallest_k(const Shape<W>& shape) {
        places_ = shape.words() + 2;
        count_links(shape);
        const std::size_t area = static_cast<std::size_t>(places_) * places_;
        left_.resize(area);
        cost_.resize(area);
        for (int i = 0; i < places_; ++i)
            for (int j = i + 1; j < places_; ++j)
                left_[at(i, j)] = left_[at(j, i)] = static_cast<std::int16_t>(j - i - 1 - linked_[at(i, j)]);
        for (int width = 1; width < places_; ++width)
            for (int i = 0, j = width; j < places_; ++i, ++j) cost_[at(i, j)] = cost_[at(j, i)] = cheapest(i, j);
        return std::max<int>(3, cost_[at(0, places_ - 1)]);
    }

  private:
    std::size_t at(int i, int j) const { return static_cast<std::size_t>(i) * places_ + j; }

    // linked(i, j) = number of x with i <= a(x) and b(x) <= j, by sums over growing intervals.
    template <int W>
    void count_links(const Shape<W>& shape) {
        linked_.assign(static_cast<std::size_t>(places_) * places_, 0);
        for (int x = 1; x <= shape.words(); ++x) {
            const int head = shape.tree().head(x);
            ++linked_[at(std::min(shape.first(x) - 1, head), std::max(shape.last(x) + 1, head))];
        }
        for (int i = places_ - 2; i >= 0; --i)
            for (int j = i + 1; j < places_; ++j) {
                const int inner = i + 1 <= j - 1 ? linked_[at(i + 1, j - 1)] : 0;
                linked_[at(i, j)] += linked_[at(i + 1, j)] + linked_[at(i, j - 1)] - inner;
            }
    }

    std::int16_t cheapest(int i, int j) const {
        if (j == i + 1) return 2;
        const std::int16_t *left_i = &left_[at(i, 0)], *left_j = &left_[at(j, 0)];
        const std::int16_t *cost_i = &cost_[at(i, 0)], *cost_j = &cost_[at(j, 0)];
        std::int16_t best = std::numeric_limits<std::int16_t>::max();
        for (int k = i + 1; k < j; ++k) {
            const auto nodes = static_cast<std::int16_t>(left_i[k] + left_j[k] + 3);
            best = std::min(best, std::max(nodes, std::max(cost_i[k], cost_j[k])));
        }
        return best;
    }

    int places_ = 0;
    std::vector<std::int16_t> linked_, left_,
        cost_;  // left_ and cost_ are kept at [i][j] and at [j][i], to be read in rows
};

}  // namespace nonproj
