// Sums over all spanning trees, weighted by exp(score): log-partition, marginals and entropy, with several
// roots or one (Kirchhoff, Tutte; Koo, Globerson, Carreras & Collins 2007), from the walk of head_walk.hpp:
// O(n^3), accurate for any scores because nothing is subtracted.
//
// Log-partition: eliminate the words n..1; the product of the escapes is Z.
//
// Marginals. The head of d in a random tree is the word or root to which the walk from d goes when it leaves
// d for the last time (start Wilson's algorithm at d). Hence
//   chance of h -> d   is proportional to   P(h, d) x (chance that the walk from h reaches the root before d)
// which also makes each column sum to 1. Eliminating all words but d leaves the second factor in the root's
// row. To do so for every d, halve: eliminate one half of the words and go on with the other half, and vice
// versa. A block of m words takes 3/4 m^2 row operations of length n, all blocks together 3/2 n^3.
//
// Entropy: log Z - sum over arcs of (chance of the arc) x log P(arc).
#pragma once
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/head_walk.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/decode/watch.hpp"
#include "nonproj/decode/wide.hpp"

namespace nonproj {

// The table of the walk with all words eliminated: for r, d < v, to(r, v) is P(r, v) / escape(v) and to(v, d)
// is P(v, d), both as they were when v was eliminated.
template <class Number>
class Elimination {
  public:
    // Returns Z; not to be used unless it is positive and reliable.
    Number eliminate(const HeadWalk<Number>& walk) {
        width_ = walk.words() + 1;
        table_.assign(walk.row(0), walk.row(0) + static_cast<std::size_t>(width_) * width_);
        Number z(1.0);
        for (int v = walk.words(); v > 0; --v) {
            Watch::ask();
            Number escape{};
            for (int r = v > 1 ? walk.first_exit() : 0; r < v; ++r) escape += row(r)[v];
            z = z * escape;
            if (!is_positive(z) || !is_reliable(z)) break;
            for (int r = 0; r < v; ++r) {
                Number* const target = row(r);
                const Number* const source = row(v);
                const Number share = target[v] / escape;
                for (int d = 1; d < v; ++d) target[d] += share * source[d];
                target[v] = share;
            }
        }
        return z;
    }
    const Number& to(int head, int dependent) const {
        return table_[static_cast<std::size_t>(head) * width_ + dependent];
    }

  private:
    Number* row(int head) { return table_.data() + static_cast<std::size_t>(head) * width_; }

    int width_ = 0;
    std::vector<Number> table_;
};

// Marginals by halving.
template <class Number>
class Halving {
  public:
    // Writes the chance of h -> d to chance[h * (n + 1) + d] and returns Z; 0 when there is no tree or Z
    // cannot be relied on, with the chances unspecified.
    Number marginals(const HeadWalk<Number>& walk, std::span<double> chance) {
        walk_ = &walk;
        chance_ = chance;
        width_ = walk.words() + 1;
        column_.resize(width_);
        z_ = Number(1.0);
        is_sound_ = true;
        levels_[0].assign(walk.row(0), walk.row(0) + static_cast<std::size_t>(width_) * width_);
        if (width_ > 1) block(0, levels_[0].data(), levels_[0].data() + width_, 1, width_, Number(1.0));
        return is_sound_ ? z_ : Number();
    }

  private:
    // `rows` are those of the words begin..end-1; all others are eliminated, with escapes of product z.
    void block(int level, Number* root, Number* rows, int begin, int end, Number z) {
        if (end - begin == 1) return heads_of(begin, root, z);
        const int middle = begin + (end - begin) / 2;
        std::vector<Number>& copy = levels_[level + 1];
        copy.assign(root, root + width_);
        copy.insert(copy.end(), rows, rows + static_cast<std::size_t>(end - begin) * width_);
        Number* const copied = copy.data() + width_;

        Number left = z;
        for (int v = end; v-- > middle;)
            if (!eliminate(v, copy.data(), copied, begin, begin, v, left)) return;
        block(level + 1, copy.data(), copied, begin, middle, left);

        Number right = z;
        for (int v = begin; v < middle; ++v)
            if (!eliminate(v, root, rows, begin, v + 1, end, right)) return;
        block(level + 1, root, rows + static_cast<std::size_t>(middle - begin) * width_, middle, end, right);
    }

    // Eliminates v from the root's row and those of the words from..to-1, and multiplies z by its escape.
    bool eliminate(int v, Number* root, Number* rows, int begin, int from, int to, Number& z) {
        Watch::ask();
        const auto row = [&](int r) { return rows + static_cast<std::size_t>(r - begin) * width_; };
        Number escape = walk_->first_exit() == 0 ? root[v] : Number();
        for (int r = from; r < to; ++r) escape += row(r)[v];
        z = z * escape;
        if (!check(z)) return false;
        const Number* const source = row(v);
        const Number inverse = Number(1.0) / escape;
        const auto add = [&](Number* target) {
            const Number share = target[v] * inverse;
            for (int h = 1; h < width_; ++h) target[h] += share * source[h];
        };
        add(root);
        for (int r = from; r < to; ++r) add(row(r));
        return true;
    }

    void heads_of(int d, const Number* root, Number z) {
        column_[0] = walk_->row(0)[d];
        Number total = column_[0];
        for (int h = 1; h < width_; ++h) {
            column_[h] = walk_->row(h)[d] * root[h];
            total += column_[h];
        }
        z_ = z * total;
        if (!check(z_)) return;
        for (int h = 0; h < width_; ++h)
            chance_[static_cast<std::size_t>(h) * width_ + d] = to_double(column_[h] / total);
    }

    bool check(Number z) { return is_sound_ = is_sound_ && is_positive(z) && is_reliable(z); }

    static constexpr int max_levels = 32;

    const HeadWalk<Number>* walk_ = nullptr;
    std::span<double> chance_;
    int width_ = 0;
    bool is_sound_ = true;
    Number z_;
    std::vector<Number> column_;
    std::array<std::vector<Number>, max_levels> levels_;
};

// A workspace for the three questions. Each is answered with doubles where reliable, else with Wide numbers.
class MatrixTree {
  public:
    // -inf when there is no tree.
    template <class Real>
    double log_partition(const ArcScores<Real>& scores, bool single_root) {
        return first_reliable([&](auto& sums) -> std::optional<double> {
            if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
            const auto z = sums.elimination.eliminate(sums.walk);
            if (!is_reliable(z)) return std::nullopt;
            return sums.walk.log_partition(z);
        });
    }

    // Writes the chance of h -> d to chance[h * (n + 1) + d], 0 elsewhere, and returns the log-partition.
    // When there is no tree, returns -inf and writes 0 everywhere.
    template <class Real>
    double marginals(const ArcScores<Real>& scores, bool single_root, std::span<double> chance) {
        assert(chance.size() == static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
        return first_reliable([&](auto& sums) -> std::optional<double> {
            std::fill(chance.begin(), chance.end(), 0.0);
            if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
            const auto z = sums.halving.marginals(sums.walk, chance);
            if (!is_reliable(z)) return std::nullopt;
            const double log_sum = sums.walk.log_partition(z);
            if (log_sum == minus_infinity<double>) std::fill(chance.begin(), chance.end(), 0.0);
            return log_sum;
        });
    }

    // In nats; -inf when there is no tree.
    template <class Real>
    double entropy(const ArcScores<Real>& scores, bool single_root) {
        chance_.resize(static_cast<std::size_t>(scores.words() + 1) * (scores.words() + 1));
        return first_reliable([&](auto& sums) -> std::optional<double> {
            if (!sums.walk.read(scores, single_root)) return minus_infinity<double>;
            const auto z = sums.halving.marginals(sums.walk, chance_);
            if (!is_reliable(z)) return std::nullopt;
            if (sums.walk.log_partition(z) == minus_infinity<double>) return minus_infinity<double>;
            return std::max(0.0, sums.walk.log_normalised(z) - expected_log_weight(sums.walk));
        });
    }

  private:
    template <class Number>
    struct Sums {
        HeadWalk<Number> walk;
        Elimination<Number> elimination;
        Halving<Number> halving;
    };

    template <class Question>
    double first_reliable(Question question) {
        if (const std::optional<double> answer = question(doubles_)) return *answer;
        return question(wides_).value();
    }

    // Sum of chance(h, d) log P(h, d).
    template <class Number>
    double expected_log_weight(const HeadWalk<Number>& walk) const {
        const int width = walk.words() + 1;
        double sum = 0;
        for (int h = 0; h < width; ++h)
            for (int d = 1; d < width; ++d) {
                const double chance = chance_[static_cast<std::size_t>(h) * width + d];
                if (h != d && chance > 0) sum += chance * walk.log_row(h)[d];
            }
        return sum;
    }

    Sums<double> doubles_;
    Sums<Wide> wides_;
    std::vector<double> chance_;
};

}  // namespace nonproj
