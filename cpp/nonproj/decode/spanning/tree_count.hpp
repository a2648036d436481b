// The number of spanning trees over the arcs whose score is above -inf, modulo a prime: O(n^3). Counts
// outgrow 64 bits at 17 words; several primes and the Chinese remainder theorem give the exact number.
//
// Kirchhoff's and Tutte's theorem: with A(h, d) = -[h -> d is allowed] and A(d, d) = the number of heads that
// d may have, det A over the words counts the trees. For a single root, leave the root out of A(d, d) and
// replace the first row by [0 -> d is allowed] (Koo, Globerson, Carreras & Collins 2007).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class TreeCount {
  public:
    explicit TreeCount(std::uint64_t prime) : prime_(prime) {
        if (prime < 2 || prime >> 62 != 0)
            throw Error("the modulus must be a prime below 2^62; got " + std::to_string(prime));
    }

    template <class Real>
    std::uint64_t count(const ArcScores<Real>& scores, bool single_root) const {
        const int n = scores.words();
        std::vector<std::uint64_t> table(static_cast<std::size_t>(n) * n);
        const auto at = [&](int h, int d) -> std::uint64_t& {
            return table[static_cast<std::size_t>(h - 1) * n + d - 1];
        };
        for (int d = 1; d <= n; ++d) {
            std::uint64_t heads = 0;
            for (int h = single_root ? 1 : 0; h <= n; ++h) {
                if (h == d || !(scores(h, d) > minus_infinity<Real>)) continue;
                ++heads;
                if (h > 0) at(h, d) = prime_ - 1;
            }
            at(d, d) = heads % prime_;
            if (single_root) at(1, d) = scores(0, d) > minus_infinity<Real> ? 1 : 0;
        }
        return determinant(table, n);
    }

  private:
    __extension__ using Product = unsigned __int128;

    std::uint64_t times(std::uint64_t a, std::uint64_t b) const {
        return static_cast<std::uint64_t>(static_cast<Product>(a) * b % prime_);
    }
    std::uint64_t minus(std::uint64_t a, std::uint64_t b) const { return a >= b ? a - b : a + prime_ - b; }

    // a^(p - 2), which is 1 / a by Fermat's theorem; that is checked, for the sake of a modulus that is no
    // prime.
    std::uint64_t inverse(std::uint64_t a) const {
        std::uint64_t result = 1, power = a;
        for (std::uint64_t exponent = prime_ - 2; exponent > 0; exponent >>= 1) {
            if (exponent & 1) result = times(result, power);
            power = times(power, power);
        }
        if (times(result, a) != 1) throw Error("the modulus " + std::to_string(prime_) + " is not a prime");
        return result;
    }

    std::uint64_t determinant(std::vector<std::uint64_t>& table, int n) const {
        const auto row = [&](int i) { return table.begin() + static_cast<std::ptrdiff_t>(i) * n; };
        std::uint64_t product = 1;
        for (int pivot = 0; pivot < n; ++pivot) {
            Interrupt::check();
            int swap = pivot;
            while (swap < n && row(swap)[pivot] == 0) ++swap;
            if (swap == n) return 0;
            if (swap != pivot) {
                std::swap_ranges(row(swap), row(swap) + n, row(pivot));
                product = minus(0, product);
            }
            product = times(product, row(pivot)[pivot]);
            const std::uint64_t scale = inverse(row(pivot)[pivot]);
            for (int i = pivot + 1; i < n; ++i) {
                const std::uint64_t factor = times(row(i)[pivot], scale);
                if (factor == 0) continue;
                for (int j = pivot + 1; j < n; ++j) row(i)[j] = minus(row(i)[j], times(factor, row(pivot)[j]));
            }
        }
        return product;
    }

    std::uint64_t prime_;
};

}  // namespace nonproj
