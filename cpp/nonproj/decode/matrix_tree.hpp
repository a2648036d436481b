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
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/head_walk.hpp"
#include "nonproj/decode/scores.hpp"
#include "nonproj/decode/vectorised.hpp"
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
            vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
                for (int r = 0; r < v; ++r) move_share(row(r), v, escape, row(v));
            });
        }
        return z;
    }
    const Number& to(int head, int dependent) const {
        return table_[static_cast<std::size_t>(head) * width_ + dependent];
    }

  private:
    NONPROJ_INLINE static void move_share(Number* __restrict target, int v, Number escape,
                                          const Number* __restrict source) {
        const Number share = target[v] / escape;
        for (int d = 1; d < v; ++d) target[d] += share * source[d];
        target[v] = share;
    }
    NONPROJ_INLINE Number* row(int head) { return table_.data() + static_cast<std::size_t>(head) * width_; }

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
        stride_ = (width_ + aligned - 1) / aligned * aligned;
        column_.resize(width_);
        for (int h = 0; h < width_; ++h) chance[static_cast<std::size_t>(h) * width_] = 0;
        z_ = Number(1.0);
        is_sound_ = true;
        Number* const rows = level(0, width_);
        for (int h = 0; h < width_; ++h) {
            Number* const end = std::copy(walk.row(h) + 1, walk.row(h) + width_, row(rows, h) + 1);
            *row(rows, h) = Number();
            std::fill(end, row(rows, h + 1), Number());
        }
        if (width_ > 1) block(0, rows, row(rows, 1), 1, width_, Number(1.0));
        return is_sound_ ? z_ : Number();
    }

  private:
    // `rows` are those of the words begin..end-1; all others are eliminated, with escapes of product z.
    void block(int depth, Number* root, Number* rows, int begin, int end, Number z) {
        if (end - begin == 1) return heads_of(begin, root, z);
        const int middle = begin + (end - begin) / 2;
        Number* const copy = level(depth + 1, 1 + end - begin);
        Number* const copied = std::copy(root, root + stride_, copy);
        std::copy(rows, row(rows, end - begin), copied);

        Number left = z;
        if (!eliminate({copy, copied, begin, end}, middle, end, left)) return;
        block(depth + 1, copy, copied, begin, middle, left);

        Number right = z;
        if (!eliminate({root, rows, begin, end}, begin, middle, right)) return;
        block(depth + 1, root, row(rows, middle - begin), middle, end, right);
    }

    // The rows of the words begin..end-1 and the root's.
    struct Rows {
        Number *root, *rows;
        int begin, end;
    };

    // Eliminates the words from..to-1 and multiplies z by their escapes; a few words at a time, because the time goes
    // into loading and storing rows.
    bool eliminate(const Rows& block, int from, int to, Number& z) {
        for (int first = from; first < to; first += together) {
            Watch::ask();
            const int last = std::min(first + together, to);
            targets_.clear();
            for (int r = block.begin; r < from; ++r) targets_.push_back(row(block, r));
            for (int r = last; r < block.end; ++r) targets_.push_back(row(block, r));
            vectorised([&]<int>() NONPROJ_INLINE_LAMBDA { eliminate_together(block, first, last, z); });
            if (!is_sound_) return false;
        }
        return true;
    }

    // What each target owes to the words first..last-1, one word after the other, then all of it at once.
    NONPROJ_INLINE void eliminate_together(const Rows& block, int first, int last, Number& z) {
        const int count = last - first;
        Number* share[together];
        Number root_share[together] = {};
        const std::size_t padded = (targets_.size() + aligned - 1) / aligned * aligned;
        shares_.assign(together * padded, Number());
        for (int k = 0; k < together; ++k) share[k] = shares_.data() + k * padded;
        for (int k = 0; k < count; ++k) {
            root_share[k] = block.root[first + k];
            for (std::size_t t = 0; t < targets_.size(); ++t) share[k][t] = targets_[t][first + k];
        }
        for (int k = 0; k < count; ++k) {
            const Number* const source = row(block, first + k);
            Number escape = sum(share[k], padded);
            if (walk_->first_exit() == 0) escape += root_share[k];
            for (int later = k + 1; later < count; ++later) escape += row(block, first + later)[first + k];
            z = z * escape;
            if (!check(z)) return;
            const Number inverse = Number(1.0) / escape;
            root_share[k] = root_share[k] * inverse;
            for (std::size_t t = 0; t < padded; ++t) share[k][t] = share[k][t] * inverse;
            for (int later = k + 1; later < count; ++later) {
                const Number onward = source[first + later];
                root_share[later] += root_share[k] * onward;
                for (std::size_t t = 0; t < padded; ++t) share[later][t] += share[k][t] * onward;
                Number* const target = row(block, first + later);
                const Number own = target[first + k] * inverse;
                for (int h = 0; h < stride_; ++h) target[h] += own * source[h];
            }
        }
        const Number* source[together];
        for (int k = 0; k < together; ++k) source[k] = row(block, std::min(first + k, last - 1));
        add_shares(block.root, root_share, source);
        for (std::size_t t = 0; t < targets_.size(); ++t) {
            const Number of_target[together] = {share[0][t], share[1][t], share[2][t], share[3][t]};
            add_shares(targets_[t], of_target, source);
        }
    }

    static constexpr int together = 4;

    NONPROJ_INLINE void add_shares(Number* __restrict target, const Number* share, const Number* const* source) const {
        const Number s0 = share[0], s1 = share[1], s2 = share[2], s3 = share[3];
        const Number *const a = source[0], *const b = source[1], *const c = source[2], *const d = source[3];
        for (int h = 0; h < stride_; ++h) target[h] += (s0 * a[h] + s1 * b[h]) + (s2 * c[h] + s3 * d[h]);
    }

    // Several partial sums, so that no addition waits for the one before.
    NONPROJ_INLINE static Number sum(const Number* values, std::size_t padded) {
        Number part[aligned] = {};
        for (std::size_t t = 0; t < padded; t += aligned)
            for (int l = 0; l < aligned; ++l) part[l] += values[t + l];
        return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }

    NONPROJ_INLINE Number* row(Number* rows, int number) const {
        return rows + static_cast<std::size_t>(number) * stride_;
    }
    NONPROJ_INLINE Number* row(const Rows& block, int word) const { return row(block.rows, word - block.begin); }

    // Room for so many rows, each beginning where vectors like to.
    Number* level(int depth, int rows) {
        std::vector<Number>& memory = levels_[depth];
        memory.resize(static_cast<std::size_t>(rows) * stride_ + aligned);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (sizeof(Number) == 8 ? (64 - address % 64) % 64 / 8 : 0);
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
        const Number inverse = Number(1.0) / total;
        for (int h = 0; h < width_; ++h)
            chance_[static_cast<std::size_t>(h) * width_ + d] = to_double(column_[h] * inverse);
    }

    bool check(Number z) { return is_sound_ = is_sound_ && is_positive(z) && is_reliable(z); }

    static constexpr int max_levels = 32;

    const HeadWalk<Number>* walk_ = nullptr;
    std::span<double> chance_;
    static constexpr int aligned = 8;  // rows are a multiple of so many numbers, zeros at the end
    int width_ = 0, stride_ = 0;
    bool is_sound_ = true;
    Number z_;
    std::vector<Number> column_;
    std::vector<Number*> targets_;
    std::vector<Number> shares_;
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
            double log_sum = minus_infinity<double>;
            if (sums.walk.read(scores, single_root)) {
                const auto z = sums.halving.marginals(sums.walk, chance);
                if (!is_reliable(z)) return std::nullopt;
                log_sum = sums.walk.log_partition(z);
            }
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
                if (h != d && chance > 0) sum += chance * walk.log(h, d);
            }
        return sum;
    }

    Sums<double> doubles_;
    Sums<Wide> wides_;
    std::vector<double> chance_;
};

}  // namespace nonproj
