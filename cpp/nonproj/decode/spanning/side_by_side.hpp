// The chance of every arc in a random spanning tree, of several sentences at once: one in each lane of a vector, so that
// nothing is left to do one by one. O(n^3), from the walk of head_walk.hpp and as accurate: nothing is subtracted.
//
//   chance of h -> d   is proportional to   P(h, d) x F(h, d)
//   F(h, d) = chance that the walk from h reaches the root before d         F(root, d) = 1,  F(d, d) = 0
//
// Halving, as in halving.hpp, but in tables that shrink. Of a block of words and the root, with all others eliminated, F
// within the block is found so: split it into E and K; eliminate E, which leaves a table of K; find F within K in the same
// way; put the words of E back, last eliminated first. Then with E and K exchanged.
//   escape(v) = sum_r P(r, v)           S(r, v) = P(r, v) / escape(v)       r: not eliminated before v
//   P(r, h) += sum_v S(r, v) P(v, h)                                        when the v of E are eliminated
//   F(v, d) = sum_r S(r, v) F(r, d)                                         for d in K
// A block of m words takes 23/24 m^3 multiplications, all blocks together 23/18 n^3.
//
// A sentence that is shorter than its neighbours gets words whose only head is the first word: they are leaves of every
// tree, with escape 1, and change nothing. What doubles do not settle (see `is_reliable`), and sentences without a tree or
// with a word that has no head but the root, are left to MatrixTree.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "nonproj/decode/algebra/exponential.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/decode/spanning/head_walk.hpp"
#include "nonproj/decode/sums/sums.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template <int Bytes>
class SideBySide {
  public:
    static constexpr int lanes = Bytes / 8;
    static constexpr int longest = 128;  // longer sentences have enough to do by themselves

    // Writes chances and log-partition of each sentence, of which there are 1 to `lanes`, none longer than `longest`; bit
    // l of the answer is set where those of sentence l are to be relied on. Places of the padding are not written.
    template <class Real>
    [[gnu::noinline]] unsigned marginals(const Padded<Real>* sentences, int count, std::size_t width,
                                         bool single_root) {
        words_ = 0;
        for (int l = 0; l < count; ++l) words_ = std::max(words_, sentences[l].words);
        if (words_ == 0) return 0;
        first_exit_ = single_root ? 1 : 0;
        const std::size_t size = static_cast<std::size_t>(words_ + 1) * words_;
        walk_ = room(walk_memory_, size);
        reach_ = room(reach_memory_, size);
        within_target([&]() NONPROJ_INLINE_LAMBDA { weigh(sentences, count, width); });
        Interrupt::check();
        tables_[0] = walk_;
        Escapes one;
        one.fill(1.0);
        block(0, 0, words_, one);
        within_target([&]() NONPROJ_INLINE_LAMBDA { heads(sentences, count, width); });
        unsigned sound = 0;
        for (int l = 0; l < count; ++l) {
            if (is_unsound_[l] != 0 || sentences[l].words == 0) continue;
            sound |= 1U << l;
            *sentences[l].log_partition = std::log(z_[l]) + norm_[l];
        }
        return sound;
    }

  private:
    using Pack = Lanes<double, Bytes>;
    using Vector = typename Pack::Vector;
    using Escapes = std::array<double, lanes>;
    static constexpr int max_levels = 16;

    // Compiled for vectors of so many bytes.
    template <class Loop>
    static void within_target(const Loop& loop) {
        if constexpr (Bytes == 64)
            with_widest_vectors([&]<int>() NONPROJ_INLINE_LAMBDA { loop(); });
        else if constexpr (Bytes == 32)
            with_wide_vectors([&]<int>() NONPROJ_INLINE_LAMBDA { loop(); });
        else
            loop();
    }

    // Plain vectors are not returned: compilers warn that it matters for what vectors the caller was compiled.
    static NONPROJ_INLINE Pack load(const double* from) { return Pack::load(from); }
    static NONPROJ_INLINE void store(double* to, const Vector& value) { Pack{value}.store(to); }
    static NONPROJ_INLINE Pack all(double value) { return Pack::all(value); }

    // In tables of words columns are words, and rows words with the root behind them.
    NONPROJ_INLINE double* at(double* table, int row, int column) const {
        return table + (static_cast<std::size_t>(row) * words_ + column) * lanes;
    }

    // Row h of the scores of all sentences, the root's last, with -inf for arcs that are not allowed.
    template <class Real>
    NONPROJ_INLINE void read_row(const Padded<Real>* sentences, int count, std::size_t width, int h) {
        constexpr double none = minus_infinity<double>;
        double* const row = at(walk_, h, 0);
        for (int l = 0; l < lanes; ++l) {
            const Padded<Real>& sentence = sentences[std::min(l, count - 1)];
            const bool is_padding = h < words_ && h >= sentence.words;
            const int words = is_padding ? 0 : sentence.words;
            const Real* const from = sentence.scores + (h == words_ ? 0 : (h + 1) * width) + 1;
            for (int d = 0; d < words; ++d) row[d * lanes + l] = from[d];
            for (int d = words; d < words_; ++d) row[d * lanes + l] = h == 0 && d >= sentence.words ? 0.0 : none;
        }
        if (h < words_) std::fill_n(row + h * lanes, lanes, none);
    }

    // From scores to weights, exp of the difference to the best head of the word (or, with a single root, the best that is
    // a word; the root's are then relative to the best of the root's). They are not divided by their sum D(d): that only
    // scales the columns, and so Z. It is the product of all D that Z must be compared with.
    template <class Real>
    NONPROJ_INLINE void weigh(const Padded<Real>* sentences, int count, std::size_t width) {
        const Vector none = all(minus_infinity<double>).lane, nothing = all(0.0).lane, one = all(1.0).lane;
        const int words = words_, exits = words + 1 - first_exit_;  // rows that count
        double *const highest = of_words(0), *const sum = of_words(1);
        for (int d = 0; d < words; ++d) {
            store(highest + d * lanes, none);
            store(sum + d * lanes, nothing);
        }
        double* row = walk_;
        for (int h = 0; h <= words; ++h, row += words * lanes) {
            read_row(sentences, count, width, h);
            for (int d = 0; d < words && h < exits; ++d)
                store(highest + d * lanes, higher(load(highest + d * lanes).lane, load(row + d * lanes).lane).lane);
        }
        row = walk_;
        for (int h = 0; h < exits; ++h, row += words * lanes)
            for (int d = 0; d < words; ++d) {
                const Vector weight = weight_of(load(row + d * lanes).lane - load(highest + d * lanes).lane).lane;
                store(row + d * lanes, weight);
                store(sum + d * lanes, load(sum + d * lanes).lane + weight);
            }
        Vector unsound = nothing, product = one, norm = nothing, root_norm = none;
        for (int d = 0; d < words; ++d) {
            const Vector best = load(highest + d * lanes).lane;
            unsound = best > none ? unsound : one;
            product *= load(sum + d * lanes).lane;
            norm += best;
            if (first_exit_ > 0) root_norm = higher(root_norm, load(row + d * lanes).lane - best).lane;
        }
        if (first_exit_ > 0) {
            unsound = root_norm > none ? unsound : one;
            norm += root_norm;
            for (int d = 0; d < words; ++d)
                store(row + d * lanes,
                      weight_of(load(row + d * lanes).lane - load(highest + d * lanes).lane - root_norm).lane);
        }
        store(is_unsound_.data(), unsound);
        store(sums_.data(), product);
        store(norm_.data(), norm);
    }
    // What is not a number counts as -inf.
    static NONPROJ_INLINE Pack weight_of(const Vector& below) {
        const Vector nothing = all(0.0).lane, none = all(minus_infinity<double>).lane;
        return exp_of_negative<Bytes>(Pack{below <= nothing ? below : none});
    }
    static NONPROJ_INLINE Pack higher(const Vector& a, const Vector& b) { return {a < b ? b : a}; }
    NONPROJ_INLINE double* of_words(int row) {
        return of_words_.data() + static_cast<std::size_t>(row) * longest * lanes;
    }

    // F within the words begin..begin+count-1, whose table is that of the level; z is the product of the escapes so far.
    void block(int depth, int begin, int count, const Escapes& z) {
        if (count <= 2)
            return within_target([&]() NONPROJ_INLINE_LAMBDA { last(depth, begin, count, load(z.data()).lane); });
        const int first = count <= 8 ? count / 2 : (count / 2 + 3) / 4 * 4;
        half(depth, begin, count, first, count - first, 0, first, z);
        half(depth, begin, count, 0, first, first, count - first, z);
    }
    // One word, or two.
    NONPROJ_INLINE void last(int depth, int begin, int count, const Vector& z) {
        double *const before = of_words(2) + begin * lanes, *const table = tables_[depth];
        store(at(reach_, begin, begin), all(0.0).lane);
        store(before, z);
        if (count == 1) return;
        const Vector root0 = load(table + 4 * lanes).lane, root1 = load(table + 5 * lanes).lane;
        Vector escape0 = load(table + 2 * lanes).lane, escape1 = load(table + lanes).lane;
        if (first_exit_ == 0) escape0 += root0, escape1 += root1;
        store(at(reach_, begin, begin + 1), root0 / escape0);
        store(at(reach_, begin + 1, begin), root1 / escape1);
        store(at(reach_, begin + 1, begin + 1), all(0.0).lane);
        store(before, z * escape1);
        store(before + lanes, z * escape0);
    }
    // E and K begin at their places within the block.
    void half(int depth, int begin, int count, int e_begin, int e, int k_begin, int k, Escapes z) {
        const double* const from = tables_[depth];
        // The second half may spoil the table of the block, but not that of the sentence.
        double* const work = e_begin == 0 && depth > 0 ? tables_[depth] : working(depth, count);
        double* const next = table(depth + 1, k);
        within_target([&]() NONPROJ_INLINE_LAMBDA {
            if (work != from) reorder(from, count, e_begin, e, k_begin, k, work);
            eliminate(work, count, e, k, next, z);
        });
        block(depth + 1, begin + k_begin, k, z);
        within_target([&]() NONPROJ_INLINE_LAMBDA { put_back(work, begin + e_begin, e, begin + k_begin, k); });
    }

    // The table of a block in the order E, K, root.
    static NONPROJ_INLINE void reorder(const double* from, int count, int e_begin, int e, int k_begin, int k,
                                       double* to) {
        const int stride = count * lanes;
        for (int r = 0; r <= count; ++r, to += stride) {
            const double* const source = from + (r < e ? e_begin + r : r < count ? k_begin + r - e : count) * stride;
            for (int c = 0; c < e; ++c) store(to + c * lanes, load(source + (e_begin + c) * lanes).lane);
            for (int c = 0; c < k; ++c) store(to + (e + c) * lanes, load(source + (k_begin + c) * lanes).lane);
        }
    }
    // Leaves the table of K in `next`.
    NONPROJ_INLINE void eliminate(double* work, int count, int e, int k, double* next, Escapes& z) const {
        const int stride = count * lanes;
        const bool is_root_exit = first_exit_ == 0;
        Vector product = load(z.data()).lane;
        for (int v = 0; v < e; ++v) {
            double* const column = work + v * lanes;
            double* const below = column + (v + 1) * stride;
            add_products<8, 1>({below, stride, 0}, {below, stride}, {work + (v + 1) * stride, stride, lanes},
                               {column, stride}, count - v, 1, v);
            Vector escape = is_root_exit ? load(column + count * stride).lane : all(0.0).lane, other = all(0.0).lane;
            int r = v + 1;
            for (; r + 1 < count; r += 2) {
                escape += load(column + r * stride).lane;
                other += load(column + (r + 1) * stride).lane;
            }
            if (r < count) escape += load(column + r * stride).lane;
            escape += other;
            product *= escape;
            const Vector inverse = 1.0 / escape;
            for (r = v + 1; r <= count; ++r) store(column + r * stride, load(column + r * stride).lane * inverse);
            double* const right = work + v * stride + (v + 1) * lanes;
            add_products<1, 8>({right, 0, lanes}, {right, 0}, {work + v * stride, 0, lanes},
                               {work + (v + 1) * lanes, stride}, 1, count - v - 1, v);
        }
        store(z.data(), product);
        add_products<tile_rows, 4>({work + e * stride + e * lanes, stride, lanes}, {next, k * lanes},
                                   {work + e * stride, stride, lanes}, {work + e * lanes, stride}, k + 1, k, e);
    }

    // F from the words of E to those of K, places in the sentence.
    NONPROJ_INLINE void put_back(const double* work, int e_begin, int e, int k_begin, int k) const {
        const int stride = (e + k) * lanes, reach_stride = words_ * lanes;
        double* const reach = at(reach_, e_begin, k_begin);
        add_products<tile_rows, 4>({work + (e + k) * stride, lanes, 0}, {reach, reach_stride},
                                   {work + e * stride, lanes, stride}, {at(reach_, k_begin, k_begin), reach_stride}, e,
                                   k, k);
        for (int v = e - 2; v >= 0; --v) {
            double* const row = reach + v * reach_stride;
            add_products<1, 8>({row, 0, lanes}, {row, 0}, {work + (v + 1) * stride + v * lanes, 0, stride},
                               {row + reach_stride, reach_stride}, 1, k, e - 1 - v);
        }
    }

    // Tables of vectors, and how far apart their rows are, and their columns where these are not next to each other.
    struct Left {
        const double* data;
        int row, column;
    };
    struct Right {
        const double* data;
        int row;
    };
    struct Out {
        double* data;
        int row;
    };
    static constexpr int tile_rows = Bytes == 64 ? 4 : 2;  // as many sums as there are registers for

    // out(r, c) = start(r, c) + sum_j a(r, j) b(j, c), in tiles of Rows x Columns.
    template <int Rows, int Columns>
    static NONPROJ_INLINE void add_products(Left start, Out out, Left a, Right b, int rows, int columns, int steps) {
        int r = 0;
        for (; r + Rows <= rows; r += Rows)
            add_to_rows<Rows, Columns>(from_row(start, r), {out.data + r * out.row, out.row}, from_row(a, r), b,
                                       columns, steps);
        if constexpr (Rows > 1)
            rest_of_rows<Rows - 1, Columns>(from_row(start, r), {out.data + r * out.row, out.row}, from_row(a, r), b,
                                            rows - r, columns, steps);
    }
    template <int Rows, int Columns>
    static NONPROJ_INLINE void rest_of_rows(Left start, Out out, Left a, Right b, int rows, int columns, int steps) {
        if (rows == Rows)
            add_to_rows<Rows, Columns>(start, out, a, b, columns, steps);
        else if constexpr (Rows > 1)
            rest_of_rows<Rows - 1, Columns>(start, out, a, b, rows, columns, steps);
    }
    template <int Rows, int Columns>
    static NONPROJ_INLINE void add_to_rows(Left start, Out out, Left a, Right b, int columns, int steps) {
        int c = 0;
        for (; c + Columns <= columns; c += Columns)
            tile<Rows, Columns>(from_column(start, c), {out.data + c * lanes, out.row}, a, {b.data + c * lanes, b.row},
                                steps);
        if constexpr (Columns > 1)
            rest_of_columns<Rows, Columns - 1>(from_column(start, c), {out.data + c * lanes, out.row}, a,
                                               {b.data + c * lanes, b.row}, columns - c, steps);
    }
    template <int Rows, int Columns>
    static NONPROJ_INLINE void rest_of_columns(Left start, Out out, Left a, Right b, int columns, int steps) {
        if (columns == Columns)
            tile<Rows, Columns>(start, out, a, b, steps);
        else if constexpr (Columns > 1)
            rest_of_columns<Rows, Columns - 1>(start, out, a, b, columns, steps);
    }
    static NONPROJ_INLINE Left from_row(Left a, int row) { return {a.data + row * a.row, a.row, a.column}; }
    static NONPROJ_INLINE Left from_column(Left a, int column) { return {a.data + column * a.column, a.row, a.column}; }
    template <int Rows, int Columns>
    static NONPROJ_INLINE void tile(Left start, Out out, Left a, Right b, int steps) {
        Vector sum[Rows][Columns];
        for (int r = 0; r < Rows; ++r)
            for (int c = 0; c < Columns; ++c) sum[r][c] = load(start.data + r * start.row + c * start.column).lane;
        for (int j = 0; j < steps; ++j) {
            Vector right[Columns];
            for (int c = 0; c < Columns; ++c) right[c] = load(b.data + c * lanes).lane;
            for (int r = 0; r < Rows; ++r) {
                const Vector left = load(a.data + r * a.row).lane;
                for (int c = 0; c < Columns; ++c) sum[r][c] += left * right[c];
            }
            a.data += a.column;
            b.data += b.row;
        }
        for (int r = 0; r < Rows; ++r)
            for (int c = 0; c < Columns; ++c) store(out.data + r * out.row + c * lanes, sum[r][c]);
    }

    // From P and F to the chances, which are written at once.
    template <class Real>
    NONPROJ_INLINE void heads(const Padded<Real>* sentences, int count, std::size_t width) {
        double *const total = of_words(0), *const before = of_words(2), *const chance = of_words(1);
        const int words = words_, stride = words * lanes;
        const double *walk = walk_ + words * stride, *reach = reach_;
        for (int d = 0; d < words; ++d) store(total + d * lanes, load(walk + d * lanes).lane);
        walk = walk_;
        for (int h = 0; h < words; ++h, walk += stride, reach += stride)
            for (int d = 0; d < words; ++d)
                store(total + d * lanes,
                      load(total + d * lanes).lane + load(walk + d * lanes).lane * load(reach + d * lanes).lane);
        const Vector one = all(1.0).lane, limit = load(sums_.data()).lane * 1e-250;
        Vector unsound = load(is_unsound_.data()).lane, z = one;
        for (int d = 0; d < words; ++d) {
            z = load(before + d * lanes).lane * load(total + d * lanes).lane;
            unsound = load(before + d * lanes).lane >= limit ? unsound : one;
            unsound = z >= limit ? unsound : one;
            store(total + d * lanes, 1.0 / load(total + d * lanes).lane);
        }
        store(is_unsound_.data(), unsound);
        store(z_.data(), z);

        walk = walk_;
        reach = reach_;
        for (int h = 0; h <= words; ++h, walk += stride, reach += stride) {
            const bool is_root = h == words;
            for (int d = 0; d < words; ++d) {
                const Vector share = load(walk + d * lanes).lane * load(total + d * lanes).lane;
                store(chance + d * lanes, is_root ? share : share * load(reach + d * lanes).lane);
            }
            for (int l = 0; l < count; ++l) {
                const Padded<Real>& sentence = sentences[l];
                if (!is_root && h >= sentence.words) continue;
                Real* const to = sentence.chance + (is_root ? 0 : (h + 1) * width);
                to[0] = 0;
                for (int d = 0; d < sentence.words; ++d) to[d + 1] = static_cast<Real>(chance[d * lanes + l]);
            }
        }
    }

    // Room for so many vectors, beginning where they like to.
    static double* room(std::vector<double>& memory, std::size_t vectors) {
        if (memory.size() < vectors * lanes + 8) memory.resize(vectors * lanes + 8);
        const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (64 - address % 64) % 64 / 8;
    }
    double* table(int depth, int words) {
        return tables_[depth] = room(table_memory_[depth], static_cast<std::size_t>(words + 1) * words);
    }
    double* working(int depth, int words) {
        return room(work_memory_[depth], static_cast<std::size_t>(words + 1) * words);
    }

    int words_ = 0, first_exit_ = 0;
    double *walk_ = nullptr, *reach_ = nullptr;
    alignas(64) Escapes is_unsound_{}, z_{}, sums_{}, norm_{};
    alignas(64) std::array<double, static_cast<std::size_t>(3) * longest *
                                       lanes> of_words_{};  // the third row: escapes of all others
    std::array<double*, max_levels> tables_{};
    std::vector<double> walk_memory_, reach_memory_;
    std::array<std::vector<double>, max_levels> table_memory_, work_memory_;
};

extern template unsigned SideBySide<32>::marginals(const Padded<float>*, int, std::size_t, bool);
extern template unsigned SideBySide<32>::marginals(const Padded<double>*, int, std::size_t, bool);
extern template unsigned SideBySide<64>::marginals(const Padded<float>*, int, std::size_t, bool);
extern template unsigned SideBySide<64>::marginals(const Padded<double>*, int, std::size_t, bool);

}  // namespace nonproj
