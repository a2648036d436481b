// The chart: every item's value in every state, O(n^3) space; `one_endpoint_crossing_passes.hpp` fills it.
//
// A table with a third point x keeps blocks of neighbouring x, each block having all the states: [state][lane]. The
// blocks lie in the order in which the rules read them: those of one i (or one j) and one pack of x side by side, so
// that k runs over them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing_grammar.hpp"
#include "nonproj/decode/one_endpoint_crossing_lanes.hpp"
#include "nonproj/decode/one_endpoint_crossing_workspace.hpp"

namespace nonproj::one_endpoint_crossing {

enum class Order : std::int8_t { by_i, by_j };  // the end of the cell that comes first in memory

// Which blocks there are, and where.
class Geometry {
  public:
    Geometry(int words, int lanes) : words_(words), lanes_(lanes), packs_(words / lanes + 1) {
        for (const Place place : {Place::inner, Place::left, Place::right})
            for (const Order order : {Order::by_i, Order::by_j}) lay_out(place, order);
    }

    int words() const { return words_; }
    int packs() const { return packs_; }
    std::size_t index(int a, int b) const { return std::size_t(a) * (words_ + 1) + b; }

    // The packs of x that a cell has: those from first up to end.
    int first(Place place, int i, int j) const {
        return place == Place::left ? 0 : place == Place::right ? (j + 1) / lanes_ : (i + 1) / lanes_;
    }
    int end(Place place, int i, int j) const {
        if (place == Place::left) return (i + lanes_ - 1) / lanes_;
        if (place == Place::right) return j == words_ ? first(place, i, j) : packs();
        return j == i + 1 ? first(place, i, j) : (j - 1) / lanes_ + 1;
    }
    // The number of the block of a cell is this plus the cell's other end.
    std::ptrdiff_t start(Place place, Order order, int end, int pack) const {
        return start_[slice(place, order)][std::size_t(end) * packs() + pack];
    }
    std::size_t blocks(Place place, Order order, bool root_only) const {
        return root_only ? root_blocks_[slice(place, order)] : blocks_[slice(place, order)];
    }

  private:
    int words_, lanes_, packs_;
    std::array<std::vector<std::ptrdiff_t>, 8> start_;
    std::array<std::size_t, 8> blocks_{}, root_blocks_{};

    static int slice(Place place, Order order) { return 2 * int(place) + int(order); }

    void lay_out(Place place, Order order) {
        auto& start = start_[slice(place, order)];
        start.resize(std::size_t(words_ + 1) * packs());
        std::ptrdiff_t used = 0;
        for (int fixed = 0; fixed <= words_; ++fixed) {
            for (int pack = 0; pack < packs(); ++pack) {
                const auto [from, to] = order == Order::by_i ? ends_right_of(place, fixed, pack)
                                                             : ends_left_of(place, fixed, pack);
                start[std::size_t(fixed) * packs() + pack] = used - from;
                if (from < to) used += to - from;
            }
            if (fixed == 0) root_blocks_[slice(place, order)] = used;
        }
        blocks_[slice(place, order)] = used;
    }
    struct Range {
        int from, to;
    };
    // All j with a block for this pack in the cell [i,j], and the same for i.
    Range ends_right_of(Place place, int i, int pack) const {
        const int least = pack * lanes_, most = least + lanes_ - 1;
        if (place == Place::left) return {i + 1, least < i ? words_ + 1 : 0};
        if (place == Place::right) return {i + 1, most < words_ ? most : words_};
        return {least + 1 > i + 2 ? least + 1 : i + 2, most > i ? words_ + 1 : 0};
    }
    Range ends_left_of(Place place, int j, int pack) const {
        const int least = pack * lanes_, most = least + lanes_ - 1;
        if (place == Place::left) return {least + 1, j};
        if (place == Place::right) return {0, most > j && j < words_ ? j : 0};
        return {0, 0};  // no item with an inner point is read in this order
    }
};

template <const Grammar& G, Semiring S>
class Chart {
  public:
    using Semiring = S;
    using Value = typename S::Value;
    static constexpr const Grammar& grammar = G;
    static constexpr int lanes = Lanes<S>::count;

    // weight(h, d) is the value of the arc h -> d.
    template <class Weight>
    Chart(int words, bool single_root, const Weight& weight)
        : words_(words), single_root_(single_root), at_(words, lanes) {
        lay_out(static_cast<Value*>(Workspace::take(lay_out(nullptr) * sizeof(Value))));
        set_arcs(weight);
        zeros_.fill(S::zero());
    }

    int words() const { return words_; }
    bool has_top(int i) const { return single_root_ && i == 0; }
    const Value* zeros() const { return zeros_.data(); }  // of a block in which nothing is possible
    const Geometry& at() const { return at_; }
    Value goal() const {
        const int table = single_root_ ? G.span("Goal") : G.span("Int");
        return span(table, 0, words_)[G.table[table].slot[first_roots_second]];
    }

    // Tables of spans are kept twice, so that either end may run.
    Value* span(int table, int i, int j) const { return data_[0][table] + at_.index(i, j) * G.table[table].states; }
    Value* span_by_end(int table, int i, int j) const {
        return data_[1][table] + at_.index(j, i) * G.table[table].states;
    }
    // The arcs between a point and those of a pack: first out of the point, then into it.
    Value* arcs(int point, int pack) const {
        return data_[0][2 * arc_item + 1] + (std::size_t(point) * at_.packs() + pack) * 2 * lanes;
    }
    template <int table, Order order>
    Value* block(int i, int j, int pack) const {
        constexpr int size = G.table[table].states * lanes;
        if constexpr (!G.table[table].stored()) return data_[0][table] + pack * size;
        constexpr Place place = G.table[table].place;
        if constexpr (order == Order::by_i)
            return data_[0][table] + (at_.start(place, order, i, pack) + j) * size;
        else return data_[1][table] + (at_.start(place, order, j, pack) + i) * size;
    }

  private:
    int words_;
    bool single_root_;
    Geometry at_;
    std::array<Value, most_states * lanes> zeros_;
    std::array<std::array<Value*, G.table.size()>, 2> data_{};

    std::size_t lay_out(Value* start) {
        std::size_t used = 0;
        const auto take = [&](Value*& data, std::size_t size) {
            data = start ? start + used : nullptr;
            used += (size + 15) / 16 * 16;
        };
        for (std::size_t t = 0; t < G.table.size(); ++t) {
            const Table& table = G.table[t];
            const std::size_t size = std::size_t(table.states) * lanes;
            if (t == 2 * arc_item + 1) {
                take(data_[0][t], std::size_t(words_ + 1) * at_.packs() * 2 * lanes);
            } else if (table.place == Place::span) {
                for (auto& data : data_) take(data[t], std::size_t(words_ + 1) * (words_ + 1) * table.states);
            } else {
                if (table.by_cell && !table.stored()) take(data_[0][t], at_.packs() * size);
                if (table.by_i) take(data_[0][t], at_.blocks(table.place, Order::by_i, table.top) * size);
                if (table.by_j) take(data_[1][t], at_.blocks(table.place, Order::by_j, table.top) * size);
            }
        }
        return used;
    }

    template <class Weight>
    void set_arcs(const Weight& weight) {
        const auto arc = [&](int head, int dependent) {
            if (head == dependent || dependent == 0 || dependent > words_ || head > words_) return S::zero();
            return head == 0 && single_root_ ? S::zero() : weight(head, dependent);
        };
        for (int a = 0; a <= words_; ++a) {
            for (int b = 0; b <= words_; ++b) {
                span(2 * arc_item, a, b)[0] = arc(a, b);
                span(2 * arc_item, a, b)[1] = arc(b, a);
                *span(2 * unit_item, a, b) = b == a + 1 ? S::one() : S::zero();
            }
            for (int x = 0; x < at_.packs() * lanes; ++x) {
                arcs(a, x / lanes)[x % lanes] = arc(a, x);
                arcs(a, x / lanes)[x % lanes + lanes] = arc(x, a);
            }
        }
        for (int b = 1; b <= words_; ++b) *span(2 * top_item, 0, b) = weight(0, b);
    }
};

}  // namespace nonproj::one_endpoint_crossing
