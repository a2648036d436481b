// How the chances of arcs change with the scores, over all spanning trees: Kirchhoff's matrix L of the weights A, as Koo,
// Globerson, Carreras & Collins (2007), "Structured prediction models via the matrix-tree theorem", have it.
//
//   log Z = log det L           chance (h, d) = A(h, d) (sum of the entries of the inverse at the places of A(h, d) in L)
//   d(inverse) = - inverse dL inverse
//
// The weight of h -> d stands in L at (d, d), and with a minus at (h, d). For a single root the first row is that of the
// weights from the root, which then stand nowhere else. In long doubles, since the chances are differences.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/algebra/scaled_scores.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/error.hpp"

namespace nonproj::spanning {

class MarginalChanges {
  public:
    MarginalChanges(const ArcScores<double>& scores, bool single_root)
        : n_(scores.words()), single_root_(single_root), scaled_(scores) {}

    void find(std::span<const double> direction, std::span<const double> chance, std::span<double> change) const {
        const Matrix inverse = inverted(filled([](std::size_t) { return Real(1); }));
        const Matrix moved = filled([&](std::size_t arc) { return Real(direction[arc]); });
        Matrix turned = times(times(inverse, moved), inverse);
        for (int h = 0; h <= n_; ++h)
            for (int d = 1; d <= n_; ++d) {
                const std::size_t arc = at_arc(h, d);
                if (h == d || weight(h, d) == 0) continue;
                Real share = 0, turn = 0;
                for_each_place(h, d, [&](int row, int column, int sign) {
                    share += sign * inverse[place(column, row)];
                    turn -= sign * turned[place(column, row)];
                });
                share *= weight(h, d);
                // The chances are known exactly by another road: where this one lost them, its changes are lost too.
                if (!(std::abs(share - Real(chance[arc])) < 1e-8L))
                    throw Error("these scores lie too far apart for second derivatives over spanning trees");
                change[arc] = static_cast<double>(share * Real(direction[arc]) + weight(h, d) * turn);
            }
    }

  private:
    using Real = long double;
    using Matrix = std::vector<Real>;

    std::size_t place(int row, int column) const { return static_cast<std::size_t>(row - 1) * n_ + (column - 1); }
    std::size_t at_arc(int h, int d) const { return static_cast<std::size_t>(h) * (n_ + 1) + d; }
    Real weight(int h, int d) const { return std::exp(Real(scaled_(h, d))); }

    // Calls use(row, column, sign) for the places of an arc in L.
    template <class Use>
    void for_each_place(int h, int d, const Use& use) const {
        if (single_root_ && h == 0) {
            use(1, d, 1);
            return;
        }
        if (!single_root_ || d != 1) use(d, d, 1);
        if (h > 0 && (!single_root_ || h != 1)) use(h, d, -1);
    }
    template <class Factor>
    Matrix filled(const Factor& factor) const {
        Matrix matrix(static_cast<std::size_t>(n_) * n_, 0);
        for (int h = 0; h <= n_; ++h)
            for (int d = 1; d <= n_; ++d)
                if (h != d && weight(h, d) > 0)
                    for_each_place(h, d, [&](int row, int column, int sign) {
                        matrix[place(row, column)] += sign * weight(h, d) * factor(at_arc(h, d));
                    });
        return matrix;
    }
    Matrix times(const Matrix& a, const Matrix& b) const {
        Matrix product(a.size(), 0);
        for (int i = 1; i <= n_; ++i)
            for (int k = 1; k <= n_; ++k)
                for (int j = 1; j <= n_; ++j) product[place(i, j)] += a[place(i, k)] * b[place(k, j)];
        return product;
    }
    // By Gauss and Jordan, with the largest pivot of each column.
    Matrix inverted(Matrix a) const {
        Matrix inverse(a.size(), 0);
        for (int i = 1; i <= n_; ++i) inverse[place(i, i)] = 1;
        const auto add_row = [&](Matrix& m, int to, int from, Real factor) {
            for (int j = 1; j <= n_; ++j) m[place(to, j)] += factor * m[place(from, j)];
        };
        for (int column = 1; column <= n_; ++column) {
            int pivot = column;
            for (int row = column + 1; row <= n_; ++row)
                if (std::abs(a[place(row, column)]) > std::abs(a[place(pivot, column)])) pivot = row;
            for (Matrix* m : {&a, &inverse})
                if (pivot != column)
                    std::swap_ranges(m->begin() + place(column, 1), m->begin() + place(column, 1) + n_,
                                     m->begin() + place(pivot, 1));
            const Real scale = 1 / a[place(column, column)];
            for (Matrix* m : {&a, &inverse})
                for (int j = 1; j <= n_; ++j) (*m)[place(column, j)] *= scale;
            for (int row = 1; row <= n_; ++row) {
                if (row == column) continue;
                const Real factor = -a[place(row, column)];
                if (factor == 0) continue;
                add_row(inverse, row, column, factor);
                add_row(a, row, column, factor);
            }
        }
        return inverse;
    }

    int n_;
    bool single_root_;
    ScaledScores scaled_;
};

}  // namespace nonproj::spanning
