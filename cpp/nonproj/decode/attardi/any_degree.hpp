// The best tree of AD_d for any d: push computations as in best.hpp, which has d = 2, with d symbols where that has two.
// O(n^(3d+1)) time, O(n^(2d+1)) space.
//
//   item  [A, i | C, j]     A: d - 1 symbols, all below i;  C: d symbols, the last of them in i .. j-1
//         with A on top of the stack and i first in the buffer, a computation that begins with a shift and is never lower
//         again than one symbol above A, and ends so high, with C for A and one more symbol, and j first in the buffer
//
// A reduction looks at d + 1 symbols. In such a computation the lowest one starts two above A and reaches the lowest
// symbol of A, no deeper. The stack rises from bottom to top, so C is a part of A and words from i .. j-1.
//
//   [A, i | A i, i+1]                                      a shift
//   [A, i | b B, k]  [B, k | C c, j]                       the stack ends with b C c, d + 1 symbols; one reduction follows:
//       c -> x, x of C,       gives [A, i | b C\x c, j]    c -> b         gives [A, i | C c, j]
//       x -> c, x of b C,     gives [A, i | b C, j]
//
// Complete: the last step of a longer computation is a reduction to its final height. At the last moment before that it
// was so low it had b B and k; from there on it shifted, and looked no deeper than B. In each rule one symbol leaves, and
// is maximised away first, so that d - 1 + d - 1 + d - 1 symbols and b or c, and i, k, j are left:
//
//   T(b B, k, X, j) = max_x  [B, k | X + x, j] + the best arc between x and the top or b that takes x away
//   L(A, i, B, k, c) = max_b  [A, i | b B, k] + s(c, b)
//   [A, i | b X, j]   = max_{k, B}  [A, i | b B, k] + T(b B, k, X, j)
//   [A, i | C c, j]   = max_{k, B}  L(A, i, B, k, c) + [B, k | C c, j]
//
// Below the dummy lie d - 2 symbols that take part in no arc, so that A always exists. F(j), the best way to the dummy
// alone on its stack Z with j first in the buffer: F(1) = 0, F(j) = max_{i, h} F(i) + [Z, i | Z h, j] + s(0, h). For a
// single root no other arc leaves 0, and the sentence is one such step.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::attardi {

class AnyDegreeChart {
  public:
    static constexpr int max_degree = 6;

    AnyDegreeChart(const ArcScores<double>& scores, int degree, bool single_root)
        : degree_(degree), root_(degree - 2), words_(scores.words()), end_(root_ + 1 + words_) {
        read(scores, single_root);
        choose_.assign((end_ + degree_ + 1) * (degree_ + 1), 0);
        for (int from = 0; from <= end_ + degree_; ++from)
            for (int take = 0; take <= degree_ && take <= from; ++take)
                choose_[from * (degree_ + 1) + take] =
                    take == 0 || take == from ? 1 : choose(from - 1, take - 1) + choose(from - 1, take);
        make_room();
        for (int j = first() + 1; j <= end_; ++j) {
            start_tops(j);
            for (int i = j - 1; i >= first(); --i) {
                if (j == i + 1) shift(i);
                for (int k = i + 1; k < j; ++k) combine(i, k, j);
                prepare_right(i, j);
            }
        }
        reach_goal(single_root);
    }

    double best() const { return reached_[end_]; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const {
        std::vector<std::int32_t> heads(words_);
        std::vector<Item> open;
        Tuple bottom{};
        for (int t = 0; t < degree_ - 1; ++t) bottom[t] = t;
        for (int j = end_; j > first();) {
            const auto [i, h] = last_[j];
            heads[h - first()] = 0;
            Tuple whole = bottom;
            whole[degree_ - 1] = h;
            open.push_back({bottom, i, whole, j});
            j = i;
        }
        while (!open.empty()) {
            const Item item = open.back();
            open.pop_back();
            if (item.j > item.i + 1) undo(item, open, heads);
        }
        return heads;
    }

    static double bytes(int words, int degree) {
        // The sums over all i, k, j of products of binomials are binomials again.
        const double places = words + degree - 1;
        double items = 1, tops = 1;
        for (int t = 1; t <= 2 * degree + 1; ++t) items *= (places + degree + 1 - t + 1) / t;
        for (int t = 1; t <= 2 * degree; ++t) tops *= (places + degree - t + 1) / t;
        return sizeof(double) * (items + tops);
    }

  private:
    static constexpr double none = minus_infinity<double>;
    using Tuple = std::array<int, max_degree>;  // of symbols, from bottom to top
    struct Item {
        Tuple below;
        int i;
        Tuple stack;
        int j;
    };

    // Symbols are places: those below the dummy, the dummy at root_, the words.
    int degree_, root_, words_, end_;
    std::vector<double> arc_;  // [h][d], none where there is no such arc
    std::vector<double> from_root_;
    std::vector<std::ptrdiff_t> choose_, items_at_, tops_at_;
    std::vector<std::vector<std::ptrdiff_t>> place_of_mask_[2];     // [0][m]: in blocks of d symbols; [1][m]: of d - 1
    std::vector<std::vector<std::vector<std::uint16_t>>> last_of_;  // [m][q]: the last of each q numbers below m
    std::optional<ChartCells<double>> room_, tops_;
    std::vector<double> leaving_;            // L of one A
    std::vector<char> has_leaving_;          // whether L has anything for a B
    std::vector<double> reached_;            // F
    std::vector<std::pair<int, int>> last_;  // the i and h of the last step to F(j)

    int first() const { return root_ + 1; }
    int masks() const { return 1 << (degree_ - 1); }
    std::ptrdiff_t choose(int from, int take) const { return choose_[from * (degree_ + 1) + take]; }
    double arc(int head, int dependent) const { return arc_[head * end_ + dependent]; }
    static int count(unsigned mask) { return __builtin_popcount(mask); }

    void read(const ArcScores<double>& scores, bool single_root) {
        arc_.assign(static_cast<std::size_t>(end_) * end_, none);
        from_root_.assign(end_, none);
        for (int h = 0; h <= words_; ++h)
            for (int d = 1; d <= words_; ++d) {
                if (h == d) continue;
                if (h == 0) from_root_[root_ + d] = scores(h, d);
                if (h != 0 || !single_root) arc_[(root_ + h) * end_ + root_ + d] = scores(h, d);
            }
    }

    // A block: for each part of the lower symbols that is kept (a mask), the other symbols as combinations of m places, in
    // lexicographic order.
    void make_room() {
        for (int less : {0, 1}) {
            place_of_mask_[less].assign(words_ + 1, {});
            for (int m = 0; m <= words_; ++m) {
                std::ptrdiff_t at = 0;
                for (int mask = 0; mask < masks(); ++mask) {
                    place_of_mask_[less][m].push_back(at);
                    at += choose(m, degree_ - less - count(mask));
                }
                place_of_mask_[less][m].push_back(at);
            }
        }
        last_of_.assign(words_ + 1, {});
        for (int m = 1; m <= words_; ++m) {
            last_of_[m].resize(degree_ + 1);
            for (int q = 1; q <= degree_; ++q)
                for_each_combination(
                    0, m, q, [&](const Tuple& c) { last_of_[m][q].push_back(static_cast<std::uint16_t>(c[q - 1])); });
        }
        items_at_.assign(static_cast<std::size_t>(end_) * (end_ + 1), 0);
        std::ptrdiff_t items = 0;
        for (int i = first(); i < end_; ++i)
            for (int j = i + 1; j <= end_; ++j) {
                items_at_[i * (end_ + 1) + j] = items;
                items += choose(i, degree_ - 1) * block(0, j - i);
            }
        room_.emplace(items, none);
        tops_at_.assign(end_ + 1, 0);
        std::ptrdiff_t most = 0;
        for (int j = first() + 1; j <= end_; ++j) most = std::max(most, place_tops(j));
        tops_.emplace(most, none);
        reached_.assign(end_ + 1, none);
        last_.resize(end_ + 1);
    }
    std::ptrdiff_t place_tops(int j) {
        std::ptrdiff_t size = 0;
        for (int k = first(); k < j; ++k) {
            tops_at_[k] = size;
            size += choose(k, degree_) * block(1, j - k);
        }
        return size;
    }
    void start_tops(int j) { std::fill_n(tops_->data(), place_tops(j), none); }

    std::ptrdiff_t block(int less, int m) const { return place_of_mask_[less][m].back(); }

    // visit(c) for each q numbers from .. to-1, in lexicographic order.
    template <class Visit>
    static void for_each_combination(int from, int to, int q, Visit visit) {
        Tuple c{};
        if (q > to - from) return;
        for (int t = 0; t < q; ++t) c[t] = from + t;
        while (true) {
            visit(std::as_const(c));
            int t = q - 1;
            while (t >= 0 && c[t] == to - q + t) --t;
            if (t < 0) return;
            ++c[t];
            for (int u = t + 1; u < q; ++u) c[u] = c[u - 1] + 1;
        }
    }
    // Where in lexicographic order the combinations of q of m numbers start that begin with these, and then have none
    // below `next`.
    std::ptrdiff_t rank(const int* begin, int size, int q, int m, int next, int shift) const {
        std::ptrdiff_t before = 0;
        int previous = -1;
        for (int t = 0; t <= size; ++t) {
            const int at = t < size ? begin[t] - shift : next;
            before += choose(m - 1 - previous, q - t) - choose(m - at, q - t);
            previous = at;
        }
        return before;
    }
    // The place of a set of symbols among all of its size.
    std::ptrdiff_t place(const int* symbols, int size) const {
        std::ptrdiff_t at = 0;
        for (int t = 0; t < size; ++t) at += choose(symbols[t], t + 1);
        return at;
    }
    // Where in a block over `below` and i .. j-1 the stacks start that begin with these symbols, and then have size - known
    // from `next` on; -1 where a symbol below i is not of `below`.
    std::ptrdiff_t within_block(const Tuple& below, int i, int j, const int* symbols, int known, int size,
                                int next) const {
        unsigned mask = 0;
        int t = 0;
        for (int a = 0; t < known && symbols[t] < i; ++t, ++a) {
            while (a < degree_ - 1 && below[a] != symbols[t]) ++a;
            if (a == degree_ - 1) return -1;
            mask |= 1U << a;
        }
        return place_of_mask_[degree_ - size][j - i][mask] + rank(symbols + t, known - t, size - t, j - i, next - i, i);
    }
    double value(const Tuple& below, int i, const Tuple& stack, int j) const {
        if (stack[degree_ - 1] < i || stack[degree_ - 1] >= j) return none;
        const std::ptrdiff_t at = within_block(below, i, j, stack.data(), degree_, degree_, j);
        return at < 0 ? none : items(below, i, j)[at];
    }
    const double* items(const Tuple& below, int i, int j) const {
        return room_->data() + items_at_[i * (end_ + 1) + j] + place(below.data(), degree_ - 1) * block(0, j - i);
    }
    double* items(const Tuple& below, int i, int j) {
        return const_cast<double*>(std::as_const(*this).items(below, i, j));
    }
    // What lies on a stack: whole from the dummy down to the lowest symbol that belongs to the dummy or lies below it.
    bool is_possible(const Tuple& symbols, int size) const {
        for (int t = 0; t < size && symbols[t] < root_; ++t)
            if (t + 1 == size || symbols[t + 1] != symbols[t] + 1) return false;
        return true;
    }
    template <class Visit>
    void for_each_below(int i, Visit visit) const {
        for_each_combination(0, i, degree_ - 1, [&](const Tuple& below) {
            if (is_possible(below, degree_ - 1)) visit(below);
        });
    }
    // visit(stack, kept, at) for each stack of `size` symbols over `below` and i .. j-1, with its place in the block.
    template <class Visit>
    void for_each_stack(const Tuple& below, int i, int j, int size, Visit visit) const {
        for (unsigned mask = 0; mask < static_cast<unsigned>(masks()); ++mask) {
            const int kept = count(mask);
            if (kept >= size) continue;  // the top is new
            Tuple stack{};
            for (int a = 0, t = 0; a < degree_ - 1; ++a)
                if ((mask >> a & 1) != 0) stack[t++] = below[a];
            std::ptrdiff_t at = place_of_mask_[degree_ - size][j - i][mask];
            for_each_combination(i, j, size - kept, [&](const Tuple& fresh) {
                std::copy_n(fresh.begin(), size - kept, stack.begin() + kept);
                visit(std::as_const(stack), at++);
            });
        }
    }

    void shift(int i) {
        for_each_below(i, [&](const Tuple& below) {
            Tuple stack = below;
            stack[degree_ - 1] = i;
            items(below, i, i + 1)[within_block(below, i, i + 1, stack.data(), degree_, degree_, i + 1)] = 0;
        });
    }

    void combine(int i, int k, int j) {
        const int right = j - k;
        const std::ptrdiff_t size = block(1, k - i);
        leaving_.resize(size * right);
        has_leaving_.resize(size);
        for_each_below(i, [&](const Tuple& below) {
            Interrupt::check();
            std::fill_n(leaving_.begin(), size * right, none);
            std::fill_n(has_leaving_.begin(), size, 0);
            const double* left = items(below, i, k);
            double* to = items(below, i, j);
            for_each_stack(below, i, k, degree_, [&](const Tuple& stack, std::ptrdiff_t at) {
                if (left[at] == none) return;
                keep_lowest(below, i, k, j, stack, left[at], to);
                if (stack[0] > root_) let_lowest_go(below, i, k, j, stack, left[at]);
            });
            for_each_stack(below, i, k, degree_ - 1, [&](const Tuple& middle, std::ptrdiff_t at) {
                if (has_leaving_[at] != 0) lose_lowest(below, i, k, j, middle, &leaving_[at * right], to);
            });
        });
    }
    // [A, i | b X, j]
    void keep_lowest(const Tuple& below, int i, int k, int j, const Tuple& stack, double sum, double* to) const {
        const double* from = tops_->data() + tops_at_[k] + place(stack.data(), degree_) * block(1, j - k);
        Tuple kept{};
        kept[0] = stack[0];
        for (unsigned mask = 0; mask < static_cast<unsigned>(masks()); ++mask) {
            int known = 1;
            for (int t = 1; t < degree_; ++t)
                if ((mask >> (t - 1) & 1) != 0) kept[known++] = stack[t];
            const std::ptrdiff_t length = choose(j - k, degree_ - known);
            double* onto = to + within_block(below, i, j, kept.data(), known, degree_, k);
            for (std::ptrdiff_t x = 0; x < length; ++x) onto[x] = std::max(onto[x], sum + from[x]);
            from += length;
        }
    }
    // L
    void let_lowest_go(const Tuple& below, int i, int k, int j, const Tuple& stack, double sum) {
        const std::ptrdiff_t at = within_block(below, i, k, stack.data() + 1, degree_ - 1, degree_ - 1, k);
        has_leaving_[at] = 1;
        double* to = &leaving_[at * (j - k)];
        for (int c = k; c < j; ++c) to[c - k] = std::max(to[c - k], sum + arc(c, stack[0]));
    }
    // [A, i | C c, j]
    void lose_lowest(const Tuple& below, int i, int k, int j, const Tuple& middle, const double* leaving,
                     double* to) const {
        const double* from = items(middle, k, j);
        Tuple kept{};
        for (unsigned mask = 0; mask < static_cast<unsigned>(masks()); ++mask) {
            int known = 0;
            for (int t = 0; t < degree_ - 1; ++t)
                if ((mask >> t & 1) != 0) kept[known++] = middle[t];
            const std::ptrdiff_t length = choose(j - k, degree_ - known);
            if (length == 0) continue;
            double* onto = to + within_block(below, i, j, kept.data(), known, degree_, k);
            const std::uint16_t* top = last_of_[j - k][degree_ - known].data();
            for (std::ptrdiff_t x = 0; x < length; ++x) onto[x] = std::max(onto[x], from[x] + leaving[top[x]]);
            from += length;
        }
    }

    // T, of the items of k .. j as second antecedents.
    void prepare_right(int k, int j) {
        const std::ptrdiff_t width = block(1, j - k);
        std::vector<double> any(width);  // the terms that do not look at b
        for_each_below(k, [&](const Tuple& middle) {
            Interrupt::check();
            const double* from = items(middle, k, j);
            Tuple lower{};
            std::copy_n(middle.begin(), degree_ - 1, lower.begin() + 1);
            std::vector<std::pair<int, double*>> rows;  // b, and its row
            for (int b = 0; b < middle[0]; ++b) {
                lower[0] = b;
                if (is_possible(lower, degree_))
                    rows.emplace_back(b, tops_->data() + tops_at_[k] + place(lower.data(), degree_) * width);
            }
            std::fill(any.begin(), any.end(), none);
            for_each_stack(middle, k, j, degree_, [&](const Tuple& stack, std::ptrdiff_t at) {
                if (from[at] == none) return;
                const int top = stack[degree_ - 1];
                Tuple rest{};
                const auto without = [&](int leaves) {
                    for (int t = 0, u = 0; t < degree_; ++t)
                        if (t != leaves) rest[u++] = stack[t];
                    return within_block(middle, k, j, rest.data(), degree_ - 1, degree_ - 1, j);
                };
                double best = none;
                for (int t = 0; t < degree_ - 1; ++t) {
                    best = std::max(best, arc(stack[t], top));
                    if (stack[t] <= root_) continue;
                    double& to = any[without(t)];
                    to = std::max(to, from[at] + arc(top, stack[t]));
                }
                const std::ptrdiff_t lower_ones = without(degree_ - 1);
                any[lower_ones] = std::max(any[lower_ones], from[at] + best);
                for (const auto& [b, row] : rows) row[lower_ones] = std::max(row[lower_ones], from[at] + arc(b, top));
            });
            for (const auto& [b, row] : rows)
                for (std::ptrdiff_t x = 0; x < width; ++x) row[x] = std::max(row[x], any[x]);
        });
    }

    void reach_goal(bool single_root) {
        Tuple stack{};
        for (int t = 0; t < degree_ - 1; ++t) stack[t] = t;
        const Tuple bottom = stack;
        reached_[first()] = 0;
        for (int j = first() + 1; j <= end_; ++j)
            for (int i = first(); i < j; ++i) {
                if (single_root && (i > first() || j < end_)) continue;
                for (int h = i; h < j; ++h) {
                    stack[degree_ - 1] = h;
                    const double sum = reached_[i] + value(bottom, i, stack, j) + from_root_[h];
                    if (sum > reached_[j]) reached_[j] = sum, last_[j] = {i, h};
                }
            }
    }

    // The best antecedents of an item, and the arc between them.
    void undo(const Item& item, std::vector<Item>& open, std::vector<std::int32_t>& heads) const {
        double best = none;
        Item left{}, right{};
        int head = 0, dependent = 0;
        const auto offer = [&](int k, const Tuple& first, double sum, const Tuple& second, int from, int to) {
            Tuple middle{};
            std::copy_n(first.begin() + 1, degree_ - 1, middle.begin());
            sum += value(middle, k, second, item.j);
            sum += arc(from, to);
            if (!(sum > best)) return;
            best = sum;
            left = {item.below, item.i, first, k};
            right = {middle, k, second, item.j};
            head = from;
            dependent = to;
        };
        const int top = item.stack[degree_ - 1];
        for (int k = item.i + 1; k < item.j; ++k) {
            const double* values = items(item.below, item.i, k);
            for_each_stack(item.below, item.i, k, degree_, [&](const Tuple& stack, std::ptrdiff_t at) {
                if (values[at] == none) return;
                if (stack[0] > root_) offer(k, stack, values[at], item.stack, top, stack[0]);
                if (stack[0] != item.stack[0]) return;
                for (int x = stack[1]; x < item.j; ++x) {  // the symbol that left
                    if (std::find(item.stack.begin(), item.stack.begin() + degree_, x) != item.stack.begin() + degree_)
                        continue;
                    Tuple second{};
                    std::copy_n(item.stack.begin() + 1, degree_ - 1, second.begin());
                    second[degree_ - 1] = x;
                    std::sort(second.begin(), second.begin() + degree_);
                    if (x < top) {
                        offer(k, stack, values[at], second, top, x);
                    } else {
                        for (int t = 0; t < degree_; ++t) offer(k, stack, values[at], second, item.stack[t], x);
                    }
                }
            });
        }
        heads[dependent - first()] = head - root_;
        open.push_back(left);
        open.push_back(right);
    }
};

}  // namespace nonproj::attardi
