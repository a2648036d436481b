// The best tree of WG_k and MG_k for any k, all items in packed tables: the items and steps of sparse_gaps.hpp, from small
// items to large ones. O(n^(5+2k)) and O(n^(4+3k)) time, O(n^(3+2k)) space, whatever the scores.
//
//   points   0 .. n: point p lies behind p words. Blocks are the words between the 1st and 2nd, 3rd and 4th, ... of an
//            increasing tuple of points, which the combinatorial number system ranks:  C(p1, 1) + C(p2, 2) + ...
//   T(blocks | h)    children of h fill the blocks; points are counted without h, so that only h = 0 reaches point n
//   L(blocks | h)    the same with one child, and points counted with h
//
//   L(Y | h) = max over c in Y of  s(h, c) + T(Y without c | c)                                          Link
//   T(x | h) = L(x with the place of h | h)  and max over strings of  T(a | h) + T(b | h)                Combine
//
// Rows hold all h side by side. All c in one block of Y have the same points without c, and all h between two blocks of Y
// the same points without h: Link reads and writes parts of rows. In a string, points that are cut between a letter a and a
// letter b are what a step maximises over; each adds one term to the rank of a and one to that of b.
#pragma once
#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/gaps/blocks.hpp"
#include "nonproj/decode/gaps/gap_strings.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class PackedGapChart {
  public:
    static constexpr int max_gaps = gaps::max_gaps;

    PackedGapChart(const ArcScores<double>& scores, int k, bool well_nested, bool single_root)
        : words_(scores.words()), k_(k), width_(rounded(words_ + 1)), single_root_(single_root) {
        read(scores);
        make_room();
        for (const std::string& letters : GapStrings::all(k, well_nested, words_)) add_step(letters);
        const int last = single_root ? words_ - 1 : words_;
        for (int size = 1; size <= words_; ++size) {
            for (int blocks = 1; blocks <= k + 1; ++blocks)
                for_each_set(downwards(2 * blocks), size, words_, [&](const Blocks& yield) { link(yield); });
            for (const Pass& pass : passes_)
                for_each_set(pass.order, size, last, [&](const Blocks& blocks) { combine(pass, blocks); });
        }
    }

    double best() const { return single_root_ ? best_under_root_ : row(whole())[0]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<Item> open;
        if (single_root_)
            undo_link(0, best_under_root_, whole(), open, heads);
        else
            open.push_back({0, whole()});
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            if (item.blocks.count > 0) undo(item, open, heads);
        }
        return heads;
    }

    static double bytes(int words, int k) {
        double rows = 0, single = 0;
        for (int blocks = 1; blocks <= k + 1; ++blocks) {
            rows += subsets(words, 2 * blocks);
            single += subsets(words, 2 * blocks - 1);
        }
        return sizeof(double) * (rows * rounded(words + 1) + single);
    }

  private:
    static constexpr double none = minus_infinity<double>;
    static constexpr int max_cuts = 3 * max_gaps + 2;
    static constexpr int rounding = 8;    // rows have a multiple of so many lanes
    static constexpr int max_pairs = 64;  // collected before they are added
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    using Blocks = gaps::Blocks;
    struct Item {
        int head;
        Blocks blocks;
    };
    // What a point adds to the ranks of both items: it is number a of the one and number b of the other, or 0 of neither.
    struct Bound {
        int a, b;
    };
    struct Cut {
        Bound bound;
        int block;      // of the result, that it cuts
        bool is_first;  // in this block
        int followers;  // cuts behind it in the block
    };
    struct Step {
        std::string letters;
        int a_blocks = 0, b_blocks = 0;
        std::vector<Bound> bounds;  // of the result's own points
        std::vector<Cut> cuts;
    };
    // Steps for which the sets are listed with their points in the same order. For a step with several cuts the points that
    // the result shares with the larger item come first, so that its rows are met again while they are in the cache.
    struct Pass {
        int blocks;
        std::vector<int> order;
        std::vector<Step> steps;
    };
    struct Ranks {
        std::size_t a, b;
    };
    struct Pair {
        const double *a, *b;
    };
    using Cuts = std::array<int, max_cuts>;

    static int rounded(int lanes) { return (lanes + rounding - 1) / rounding * rounding; }
    static double subsets(int points, int size) {
        double count = 1;
        for (int p = 0; p < size; ++p) count *= std::max(0.0, 1.0 * points - p) / (p + 1);
        return count;
    }

    int words_, k_, width_;
    bool single_root_;
    std::vector<double> scores_;                    // [d][h]
    std::vector<std::vector<std::size_t>> choose_;  // [i][p] = C(p, i); [0] is all 0
    std::vector<std::vector<double>> tables_;       // by the number of blocks
    std::vector<Pass> passes_;
    std::vector<double> linked_;  // L of one set
    std::array<Pair, max_pairs> pairs_;
    double best_under_root_ = none;
    std::size_t asked_ = 0;

    Blocks whole() const {
        Blocks all;
        all.add(0, words_);
        return all;
    }
    const double* scores_of(int dependent) const {
        return scores_.data() + static_cast<std::size_t>(dependent) * width_;
    }

    void read(const ArcScores<double>& scores) {
        scores_.assign(static_cast<std::size_t>(words_ + 1) * width_ + nested::row_padding, none);
        for (int d = 1; d <= words_; ++d)
            for (int h = 0; h <= words_; ++h)
                if (h != d) scores_[static_cast<std::size_t>(d) * width_ + h] = std::max(none, scores(h, d));
    }

    void make_room() {
        choose_.assign(2 * (k_ + 1) + 1, std::vector<std::size_t>(words_ + 2, 0));
        for (int p = 0; p <= words_ + 1; ++p) choose_[1][p] = p;
        for (std::size_t i = 2; i < choose_.size(); ++i)
            for (int p = 1; p <= words_ + 1; ++p) choose_[i][p] = choose_[i][p - 1] + choose_[i - 1][p - 1];
        tables_.resize(k_ + 2);
        tables_[0].assign(width_, 0.0);
        for (int blocks = 1; blocks <= k_ + 1; ++blocks)
            tables_[blocks].assign(place(blocks, choose_[2 * blocks][words_ + 1]) + nested::row_padding, none);
        linked_.resize(width_ + nested::row_padding);
    }

    // Behind the rows for all heads come those that end with the sentence, where 0 is alone.
    std::size_t place(int blocks, std::size_t rank) const {
        const std::size_t rows = choose_[2 * blocks][words_];
        if (rank <= rows) return rank * width_;
        return rows * width_ + (single_root_ ? 0 : rank - rows);
    }
    std::size_t rank(const Blocks& blocks) const {
        std::size_t sum = 0;
        for (int p = 0; p < 2 * blocks.count; ++p) sum += choose_[p + 1][blocks.point[p]];
        return sum;
    }
    const double* row(const Blocks& blocks) const {
        return tables_[blocks.count].data() + (blocks.count == 0 ? 0 : place(blocks.count, rank(blocks)));
    }
    double* row(const Blocks& blocks) { return const_cast<double*>(std::as_const(*this).row(blocks)); }

    void add_step(const std::string& letters) {
        Step step;
        step.letters = letters;
        int a = 0, b = 0, block = 0;
        for (std::size_t t = 0; t <= letters.size(); ++t) {
            const char before = t > 0 ? letters[t - 1] : 'g', after = t < letters.size() ? letters[t] : 'g';
            const Bound bound{before == 'a' || after == 'a' ? ++a : 0, before == 'b' || after == 'b' ? ++b : 0};
            if (before == 'g' || after == 'g') {
                step.bounds.push_back(bound);
                block += after == 'g';
            } else {
                const bool is_first = step.cuts.empty() || step.cuts.back().block != block;
                step.cuts.push_back({bound, block, is_first, 0});
                for (Cut& cut : step.cuts) cut.followers += cut.block == block && &cut != &step.cuts.back();
            }
        }
        step.a_blocks = a / 2;
        step.b_blocks = b / 2;
        std::vector<int> order;
        const auto comes_first = [&](int p) {
            return step.cuts.size() < 2 || (a < b ? step.bounds[p].b : step.bounds[p].a) > 0;
        };
        for (const bool first : {true, false})
            for (const int p : downwards(2 * block))
                if (comes_first(p) == first) order.push_back(p);
        for (Pass& pass : passes_)
            if (pass.order == order) return pass.steps.push_back(std::move(step));
        passes_.push_back({block, order, {step}});
    }

    static std::vector<int> downwards(int points) {
        std::vector<int> order;
        for (int p = points - 1; p >= 0; --p) order.push_back(p);
        return order;
    }
    // All sets of that many words in blocks of points up to `last`, which are chosen in the order given.
    template <class Visit>
    void for_each_set(const std::vector<int>& order, int size, int last, const Visit& visit) {
        Blocks blocks;
        blocks.count = static_cast<int>(order.size()) / 2;
        choose_point(order, 0, size, last, blocks, visit);
    }
    template <class Visit>
    void choose_point(const std::vector<int>& order, int at, int size, int last, Blocks& blocks, const Visit& visit) {
        const int points = static_cast<int>(order.size()), p = order[at];
        int lowest = p, highest = last - (points - 1 - p);
        for (int t = 0; t < at; ++t) {
            const int other = order[t], limit = blocks.point[other] + p - other;
            if (other < p)
                lowest = std::max(lowest, limit);
            else
                highest = std::min(highest, limit);
        }
        const int sign = p % 2 == 0 ? -1 : 1;
        if (at + 1 < points) {
            for (int point = lowest; point <= highest; ++point) {
                blocks.point[p] = point;
                choose_point(order, at + 1, size - sign * point, last, blocks, visit);
            }
        } else if (lowest <= sign * size && sign * size <= highest) {  // it follows from the others
            if (++asked_ % 64 == 0) Interrupt::check();
            blocks.point[p] = sign * size;
            visit(std::as_const(blocks));
        }
    }

    void link(const Blocks& yield) {
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            double* const linked = linked_.data();
            std::fill_n(linked, width_, none);
            for (int block = 0; block < yield.count; ++block) {
                const double* const below = row(yield.without_word_before(2 * block + 1));
                for (int c = yield.first(block) + 1; c <= yield.last(block); ++c)
                    if (below[c] > none) Math<Bytes>::add_scaled(linked, below[c], scores_of(c), 0, width_);
            }
            for (int block = 0; block <= yield.count; ++block) {
                const int before = block == 0 ? 0 : yield.last(block - 1);
                const int behind = block == yield.count ? words_ : yield.first(block);
                if (before < behind)
                    std::copy(linked + before + 1, linked + behind + 1,
                              row(yield.without_word_before(2 * block)) + before + 1);
            }
            if (!single_root_)
                row(yield)[0] = linked[0];
            else if (yield.count == 1 && yield.last(0) - yield.first(0) == words_)
                best_under_root_ = linked[0];
        });
    }

    void combine(const Pass& pass, const Blocks& blocks) {
        const int lanes = blocks.last(blocks.count - 1) == words_ ? 1 : width_;
        double* const to = row(blocks);
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            int pairs = 0;
            for (const Step& step : pass.steps)
                for_each_pair(step, blocks, [&](const double* a, const double* b, const Cuts&) NONPROJ_INLINE_LAMBDA {
                    prefetch(a, lanes), prefetch(b, lanes);
                    pairs_[pairs++] = {a, b};
                    if (pairs == max_pairs) add_products<Bytes>(to, lanes, std::exchange(pairs, 0));
                });
            add_products<Bytes>(to, lanes, pairs);
        });
    }
    // Rows lie far apart in memory: they are asked for before they are needed.
    static NONPROJ_INLINE void prefetch(const double* row, int lanes) {
        for (int lane = 0; lane < lanes; lane += 8) __builtin_prefetch(row + lane);
    }
    // to[h] = max of to[h] and a[h] + b[h] for all pairs of rows.
    template <int Bytes>
    NONPROJ_INLINE void add_products(double* to, int lanes, int pairs) const {
        if (lanes < rounding) {
            for (int p = 0; p < pairs; ++p) Math<Bytes>::add_product(to, pairs_[p].a, pairs_[p].b, 0, lanes);
            return;
        }
        using Pack = Lanes<double, Bytes>;
        constexpr int packs = rounding / Pack::count;
        for (int h = 0; h < lanes; h += rounding) {
            Pack best[packs];
            for (int t = 0; t < packs; ++t) best[t] = Pack::load(to + h + t * Pack::count);
            for (int p = 0; p < pairs; ++p)
                for (int t = 0, l = h; t < packs; ++t, l += Pack::count)
                    best[t] = higher(best[t], Pack::load(pairs_[p].a + l) + Pack::load(pairs_[p].b + l));
            for (int t = 0; t < packs; ++t) best[t].store(to + h + t * Pack::count);
        }
    }

    // visit(row of a, row of b, cuts) for all ways to cut the blocks as the string says.
    template <class Visit>
    NONPROJ_INLINE void for_each_pair(const Step& step, const Blocks& blocks, const Visit& visit) const {
        const int cuts = static_cast<int>(step.cuts.size());
        const double* const a = tables_[step.a_blocks].data();
        const double* const b = tables_[step.b_blocks].data();
        std::array<Ranks, max_cuts + 1> ranks;
        Cuts cut;
        ranks[0] = {0, 0};
        for (int p = 0; p < 2 * blocks.count; ++p) ranks[0] = added(ranks[0], step.bounds[p], blocks.point[p]);
        const auto first = [&](int t) NONPROJ_INLINE_LAMBDA {
            return 1 + (t == 0 || step.cuts[t].is_first ? blocks.first(step.cuts[t].block) : cut[t - 1]);
        };
        int t = 0;
        if (cuts > 0) cut[0] = first(0);
        while (t >= 0) {
            if (t == cuts) {
                visit(a + place(step.a_blocks, ranks[t].a), b + place(step.b_blocks, ranks[t].b), cut);
                if (--t >= 0) ++cut[t];
            } else if (cut[t] + step.cuts[t].followers >= blocks.last(step.cuts[t].block)) {
                if (--t >= 0) ++cut[t];
            } else {
                ranks[t + 1] = added(ranks[t], step.cuts[t].bound, cut[t]);
                if (++t < cuts) cut[t] = first(t);
            }
        }
    }
    NONPROJ_INLINE Ranks added(const Ranks& ranks, const Bound& bound, int point) const {
        return {ranks.a + choose_[bound.a][point], ranks.b + choose_[bound.b][point]};
    }

    // What is linked or combined into an item.
    void undo(const Item& item, std::vector<Item>& open, std::vector<std::int32_t>& heads) const {
        const double value = row(item.blocks)[item.head];
        if (undo_link(item.head, value, with_place_of(item), open, heads)) return;
        bool is_found = false;
        for (const Pass& pass : passes_)
            for (std::size_t t = 0; t < pass.steps.size() && !is_found && pass.blocks == item.blocks.count; ++t)
                for_each_pair(pass.steps[t], item.blocks, [&](const double* a, const double* b, const Cuts& cuts) {
                    if (is_found || a[item.head] + b[item.head] != value) return;
                    is_found = true;
                    take_apart(pass.steps[t], item, cuts, open);
                });
        assert(is_found);
    }
    bool undo_link(int h, double value, const Blocks& yield, std::vector<Item>& open,
                   std::vector<std::int32_t>& heads) const {
        if (yield.count > k_ + 1) return false;
        for (int block = 0; block < yield.count; ++block) {
            const Blocks below = yield.without_word_before(2 * block + 1);
            for (int c = yield.first(block) + 1; c <= yield.last(block); ++c)
                if (row(below)[c] + scores_of(c)[h] == value) {
                    heads[c - 1] = h;
                    open.push_back({c, below});
                    return true;
                }
        }
        return false;
    }
    // The blocks among all words; with k + 2 of them when the head stands inside one of k + 1.
    static Blocks with_place_of(const Item& item) {
        if (item.head == 0) return item.blocks;
        Blocks whole;
        const int before = item.head - 1;
        for (int block = 0; block < item.blocks.count; ++block) {
            const int first = item.blocks.first(block), last = item.blocks.last(block);
            if (first < before && before < last) {
                whole.add(first, before);
                whole.add(item.head, last + 1);
            } else {
                whole.add(first + (first >= before), last + (last > before));
            }
        }
        return whole;
    }
    static void take_apart(const Step& step, const Item& item, const Cuts& cuts, std::vector<Item>& open) {
        Item a{item.head, {}}, b{item.head, {}};
        int block = 0, cut = 0;
        int from = item.blocks.first(0);
        for (std::size_t t = 0; t < step.letters.size(); ++t) {
            if (step.letters[t] == 'g') {
                from = item.blocks.first(++block);
                continue;
            }
            const bool ends = t + 1 == step.letters.size() || step.letters[t + 1] == 'g';
            const int to = ends ? item.blocks.last(block) : cuts[cut++];
            (step.letters[t] == 'a' ? a : b).blocks.add(from, to);
            from = to;
        }
        open.push_back(a);
        open.push_back(b);
    }
};

}  // namespace nonproj
