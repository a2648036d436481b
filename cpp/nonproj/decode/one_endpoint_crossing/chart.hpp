// The chart: every item's value in every state, O(n^3) space; `passes.hpp` fills it.
//
// A table with a third point x keeps blocks of neighbouring x, each block having all the states: [state][lane]. The
// blocks lie in the order in which the rules read them: those of one i (or one j) and one pack of x side by side, so
// that k runs over them.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/algebra/pack_algebra.hpp"
#include "nonproj/decode/base/workspace.hpp"
#include "nonproj/decode/one_endpoint_crossing/grammar.hpp"

namespace nonproj::one_endpoint_crossing {

// The points of a rule while it is applied; where packs are meant, x is the first of a pack.
struct Points {
    int i, j, x, k;
    constexpr int operator[](Letter letter) const {
        return letter == Letter::i ? i : letter == Letter::j ? j : letter == Letter::x ? x : k;
    }
};

enum class Order : std::int8_t { by_i, by_j };  // the end of the cell that comes first in memory

// How many blocks there are: one for each cell and each pack of x in which some x stands in its place.
class BlockCounts {
  public:
    BlockCounts(int words, int lanes) {
        const std::size_t packs = words / lanes + 1;
        std::size_t inner_of_later = 0;  // sum over j of the packs that begin before j
        for (int i = words; i >= 0; --i) {
            const std::size_t cells = words - i;
            const std::size_t left = (i + lanes - 1) / lanes, first_inner = (i + 1) / lanes;
            if (i + 2 <= words) inner_of_later += (i + 1) / lanes + 1;
            const std::size_t inner = i + 2 <= words ? inner_of_later - (cells - 1) * first_inner : 0;
            const std::size_t right = i < words ? packs - (i + 1) / lanes : 0;  // of a cell that ends in i
            all_[int(Place::left)] += left * cells;
            all_[int(Place::inner)] += inner;
            all_[int(Place::right)] += right * i;
            if (i > 0) root_[int(Place::right)] += right;
            if (i == 0) root_[int(Place::inner)] = inner;
        }
    }
    std::size_t blocks(Place place, bool root_only) const { return (root_only ? root_ : all_)[int(place)]; }

  private:
    std::array<std::size_t, 4> all_{}, root_{};
};

// Where the blocks are.
class Geometry {
  public:
    Geometry(int words, int lanes) : words_(words), lanes_(lanes), packs_(words / lanes + 1) {
        lay_out(Place::inner, Order::by_i);
        for (const Order order : {Order::by_i, Order::by_j}) {
            lay_out(Place::left, order);
            lay_out(Place::right, order);
        }
    }

    int packs() const { return packs_; }
    std::size_t index(int a, int b) const { return std::size_t(a) * (words_ + 1) + b; }

    // The packs of x that a cell has: those from first up to end.
    int first(Place place, int i, int j) const {
        return place == Place::left ? 0 : place == Place::right ? (j + 1) / lanes_ : (i + 1) / lanes_;
    }
    int end(Place place, int i, int j) const {
        if (place == Place::left) return (i + lanes_ - 1) / lanes_;
        if (place == Place::right) return j == words_ ? first(place, i, j) : packs_;
        return j == i + 1 ? first(place, i, j) : (j - 1) / lanes_ + 1;
    }
    // The number of the block of a cell is this plus the cell's other end.
    std::ptrdiff_t start(Place place, Order order, int end, int pack) const {
        return start_[slice(place, order)][std::size_t(end) * packs_ + pack];
    }

  private:
    int words_, lanes_, packs_;
    std::array<std::vector<std::ptrdiff_t>, 8> start_;

    static int slice(Place place, Order order) { return 2 * int(place) + int(order); }

    void lay_out(Place place, Order order) {
        auto& start = start_[slice(place, order)];
        start.resize(std::size_t(words_ + 1) * packs_);
        std::ptrdiff_t used = 0;
        for (int fixed = 0; fixed <= words_; ++fixed)
            for (int pack = 0; pack < packs_; ++pack) {
                const auto [from, to] =
                    order == Order::by_i ? ends_right_of(place, fixed, pack) : ends_left_of(place, fixed, pack);
                start[std::size_t(fixed) * packs_ + pack] = used - from;
                if (from < to) used += to - from;
            }
    }
    struct Range {
        int from, to;
    };
    // All j with a block for this pack in the cell [i,j], and the same for i.
    Range ends_right_of(Place place, int i, int pack) const {
        const int least = pack * lanes_, most = least + lanes_ - 1;
        if (place == Place::left) return {i + 1, least < i ? words_ + 1 : 0};
        if (place == Place::right) return {i + 1, std::min(most, words_)};
        return {std::max(least + 1, i + 2), most > i ? words_ + 1 : 0};
    }
    Range ends_left_of(Place place, int j, int pack) const {
        const int least = pack * lanes_, most = least + lanes_ - 1;
        if (place == Place::left) return {least + 1, j};
        return {0, most > j && j < words_ ? j : 0};
    }
};

// For each order of each table, the place of the first value, or of the first bit set.
using Starts = std::array<std::array<std::size_t, Grammar::tables>, 2>;
inline constexpr int arc_rows = 2 * arc_item + 1;  // arcs have no right side: that table holds their rows

// Where the tables of a chart begin. Returns how many values there are.
[[gnu::noinline]] inline std::size_t lay_out_values(const Grammar& G, int words, int lanes, Starts& starts) {
    const BlockCounts counts(words, lanes);
    std::size_t used = 0;
    const auto take = [&](Order order, int table, std::size_t size) {
        starts[int(order)][table] = used;
        used += (size + 15) / 16 * 16;
    };
    const std::size_t points = words + 1, packs = words / lanes + 1;
    for (int t = 0; t < G.tables; ++t) {
        const TableFacts& table = G.table[t];
        const std::size_t block = std::size_t(table.states) * lanes;
        if (t == arc_rows) {
            take(Order::by_i, t, points * packs * 2 * lanes);
        } else if (table.place == Place::span) {
            for (const Order order : {Order::by_i, Order::by_j}) take(order, t, points * points * table.states);
        } else {
            if (table.by_i) take(Order::by_i, t, counts.blocks(table.place, table.top) * block);
            if (table.by_j) take(Order::by_j, t, counts.blocks(table.place, table.top) * block);
            if (table.by_cell) take(Order::by_i, t, packs * block);
        }
    }
    return used;
}
// The same for the sets that say what is not zero, each of a bit for every point.
[[gnu::noinline]] inline std::size_t lay_out_sets(const Grammar& G, int words, int lanes, Starts& starts) {
    std::size_t used = 0;
    const auto take = [&](Order order, int table, std::size_t sets) {
        starts[int(order)][table] = used;
        used += sets;
    };
    const std::size_t points = words + 1, packs = words / lanes + 1;
    for (int t = 0; t < G.tables; ++t) {
        const TableFacts& table = G.table[t];
        const std::size_t ends = table.top ? 1 : points;
        const std::size_t of_end = table.place == Place::span ? 1 : packs;
        if (t == arc_rows)
            take(Order::by_i, t, packs);
        else if (table.by_cell)
            take(Order::by_i, t, 1);
        if (table.by_i) take(Order::by_i, t, ends * of_end);
        if (table.by_j) take(Order::by_j, t, points * of_end);
    }
    return used;
}

// Values that stand side by side in memory and are added and multiplied together.
template <Semiring S>
inline constexpr int lanes_of = PackAlgebra<S>::exists ? 32 / sizeof(typename S::Value) : 1;

template <const Grammar& G, Semiring S, int lanes_together = lanes_of<S>>
class Chart {
  public:
    using Semiring = S;
    using Value = typename S::Value;
    static constexpr const Grammar& grammar = G;
    static constexpr int lanes = lanes_together;

    // weight(h, d) is the value of the arc h -> d.
    template <class Weight>
    Chart(int words, bool single_root, const Weight& weight) : Chart(words, single_root) {
        const std::size_t width = std::size_t(words) + 1;
        std::vector<Value> weights(width * width, S::zero());
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent) weights[head * width + dependent] = weight(head, dependent);
        set_arcs(weights.data());
    }
    // A chart for the derivatives of the goal by each value, of which that by the goal itself is known.
    struct Derivatives {};
    Chart(Derivatives, const Chart& of) : Chart(of.words_, of.single_root_) {
        std::fill_n(static_cast<Value*>(memory_.data()), bytes(words_) / sizeof(Value), S::zero());
        span(goal_table(), 0, words_)[goal_slot] = S::one();
    }

    static std::size_t bytes(int words) {
        Starts starts;
        return lay_out_values(G, words, lanes, starts) * sizeof(Value);
    }
    int words() const { return words_; }
    std::size_t bit_words() const { return bit_words_; }
    bool has_top(int i) const { return single_root_ && i == 0; }
    const Geometry& at() const { return at_; }
    int goal_table() const { return single_root_ ? G.single_root_goal : G.every_graph; }
    static constexpr int goal_slot = G.table[G.every_graph].slot[first_roots_second];
    static_assert(goal_slot == G.table[G.single_root_goal].slot[first_roots_second]);
    Value goal() const { return span(goal_table(), 0, words_)[goal_slot]; }

    // Spans are kept twice, so that either end may run.
    Value* span(int table, int i, int j) const { return data_[0][table] + at_.index(i, j) * G.table[table].states; }
    Value* span_by_end(int table, int i, int j) const {
        return data_[1][table] + at_.index(j, i) * G.table[table].states;
    }
    // The arcs between a point and those of a pack: first out of the point, then into it.
    NONPROJ_INLINE Value* arcs(int point, int pack) const {
        return data_[0][arc_rows] + (std::size_t(point) * at_.packs() + pack) * 2 * lanes;
    }
    // The value of an arc, and, in a chart of derivatives, the sum of those by every place the arc is read from.
    Value arc(int head, int dependent) const {
        return has_top(head) ? *span(2 * top_item, 0, dependent) : span(2 * arc_item, head, dependent)[0];
    }
    Value arc_total(int head, int dependent) const {
        if (has_top(head)) return *span(2 * top_item, 0, dependent);
        const auto row = [&](int a, int b) { return arcs(a, b / lanes) + b % lanes; };
        const Value between = S::plus(span(2 * arc_item, head, dependent)[0], span(2 * arc_item, dependent, head)[1]);
        return S::plus(between, S::plus(row(head, dependent)[0], row(dependent, head)[lanes]));
    }
    // The block of a cell; a table that is not stored has only those of the cell being computed.
    NONPROJ_INLINE Value* block(int table, Order order, int i, int j, int pack) const {
        const TableFacts& of = G.table[table];
        const int size = of.states * lanes;
        if (!of.stored()) return data_[0][table] + pack * size;
        if (order == Order::by_i) return data_[0][table] + (at_.start(of.place, order, i, pack) + j) * size;
        return data_[1][table] + (at_.start(of.place, order, j, pack) + i) * size;
    }
    // Of a stored table, the values for one x, a block's lanes apart. Blocks without values are not written.
    const Value* states(int table, int i, int j, int x) const {
        const bool by_i = G.table[table].by_i;
        const Order order = by_i ? Order::by_i : Order::by_j;
        const unsigned pack = unsigned(x) / lanes, other = by_i ? j : i;
        const std::uint64_t* live = live_blocks(table, order, by_i ? i : j, pack);
        if (!(live[other / 64] >> other % 64 & 1)) return zeros();
        return block(table, order, i, j, pack) + unsigned(x) % lanes;
    }
    const Value* zeros() const { return zeros_.data(); }  // stands for a block in which nothing is possible

    // Which cells with this end have any value but zero, a bit for the other end: in their span, in their block of a
    // pack; which x have one in the cell being computed; which points have an arc to or from the pack.
    std::uint64_t* live_spans(int table, Order order, int end) const {
        return live_[int(order)][table] + std::size_t(end) * bit_words_;
    }
    std::uint64_t* live_blocks(int table, Order order, int end, int pack) const {
        return live_[int(order)][table] + (std::size_t(end) * at_.packs() + pack) * bit_words_;
    }
    std::uint64_t* live_in_cell(int table) const { return live_[0][table]; }
    std::uint64_t* live_arcs(int pack) const { return live_[0][arc_rows] + std::size_t(pack) * bit_words_; }

  private:
    int words_;
    std::size_t bit_words_;  // of 64 bits, for a set of points
    bool single_root_;
    Geometry at_;
    Workspace memory_;
    std::vector<std::uint64_t> bits_;
    std::array<std::array<Value*, G.tables>, 2> data_{};
    std::array<std::array<std::uint64_t*, G.tables>, 2> live_{};
    std::array<Value, max_states * lanes> zeros_;

    [[gnu::noinline]] Chart(int words, bool single_root)
        : words_(words),
          bit_words_(words / 64 + 1),
          single_root_(single_root),
          at_(words, lanes),
          memory_(bytes(words)) {
        Starts starts{};
        lay_out_values(G, words, lanes, starts);
        for (int t = 0; t < 2 * G.tables; ++t)
            data_[t / G.tables][t % G.tables] =
                static_cast<Value*>(memory_.data()) + starts[t / G.tables][t % G.tables];
    }

    [[gnu::noinline]] void set_arcs(const Value* weights) {
        Starts starts{};
        bits_.resize(lay_out_sets(G, words_, lanes, starts) * bit_words_);
        for (int t = 0; t < 2 * G.tables; ++t)
            live_[t / G.tables][t % G.tables] = bits_.data() + starts[t / G.tables][t % G.tables] * bit_words_;
        zeros_.fill(S::zero());
        const auto arc = [&](int head, int dependent) {
            if (dependent > words_ || head > words_ || has_top(head)) return S::zero();
            return weights[at_.index(head, dependent)];
        };
        constexpr int arcs_between = 2 * arc_item, unit = 2 * unit_item, top = 2 * top_item;
        for (int a = 0; a <= words_; ++a) {
            for (int b = 0; b <= words_; ++b) {
                span(arcs_between, a, b)[0] = arc(a, b);
                span(arcs_between, a, b)[1] = arc(b, a);
                if constexpr (G.table[unit].states) *span(unit, a, b) = b == a + 1 ? S::one() : S::zero();
            }
            if constexpr (G.table[unit].by_i)
                if (a < words_) live_spans(unit, Order::by_i, a)[(a + 1) / 64] |= std::uint64_t(1) << (a + 1) % 64;
            for (int x = 0; x < at_.packs() * lanes; ++x) {
                const Value out = arc(a, x), in = arc(x, a);
                arcs(a, x / lanes)[x % lanes] = out;
                arcs(a, x / lanes)[x % lanes + lanes] = in;
                if (!is_zero<S>(out) || !is_zero<S>(in)) live_arcs(x / lanes)[a / 64] |= std::uint64_t(1) << a % 64;
            }
        }
        for (int b = 1; b <= words_; ++b) *span(top, 0, b) = weights[b];
    }
};

}  // namespace nonproj::one_endpoint_crossing
