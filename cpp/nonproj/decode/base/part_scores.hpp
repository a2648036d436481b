// Scores of pairs of arcs, added to those of single arcs.
//
//   grandparent (g, h, d)   g -> h and h -> d
//   sibling (h, s, d)       h -> s and h -> d on the same side of h, s the next child between h and d; s = h when there is
//                           no child of h between h and d
//
// Both are tables of (n + 1)^3 numbers, or absent. What no tree can hold is not read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

struct SecondOrderScores {
    ArcScores<double> arcs;
    const double* siblings = nullptr;
    const double* grandparents = nullptr;

    int words() const { return arcs.words(); }
    double sibling(int h, int s, int d) const { return siblings == nullptr ? 0 : siblings[place(h, s, d)]; }
    double grandparent(int g, int h, int d) const {
        return grandparents == nullptr || h == 0 ? 0 : grandparents[place(g, h, d)];
    }

    // The score of any tree.
    double of_tree(const std::int32_t* heads) const {
        double sum = 0;
        for (int d = 1; d <= words(); ++d) {
            const int h = heads[d - 1], step = d < h ? 1 : -1;
            int s = d + step;
            while (s != h && heads[s - 1] != h) s += step;
            sum += arcs(h, d) + sibling(h, s, d) + (h > 0 ? grandparent(heads[h - 1], h, d) : 0);
        }
        return sum;
    }

  private:
    std::size_t place(int a, int b, int c) const {
        const std::size_t side = static_cast<std::size_t>(words()) + 1;
        return (a * side + b) * side + c;
    }
};

}  // namespace nonproj
