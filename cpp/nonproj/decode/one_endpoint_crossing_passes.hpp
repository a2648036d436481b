// How the rules are carried out with packs: one pass over the packs of a cell for each place that a third point can
// have, forwards for the values and backwards for their derivatives. `one_endpoint_crossing_plain.hpp` does the same
// one value at a time, and is easier to read.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "nonproj/decode/one_endpoint_crossing_chart.hpp"

namespace nonproj::one_endpoint_crossing {

template <class Chart, Place place, bool top>
class Pass {
  public:
    NONPROJ_PACKED_ENTRY static void compute(const Chart& chart, int i, int j) {
        if constexpr (place == Place::span) {
            compute_spans(chart, i, j, every_rule());
        } else {
            if constexpr (place == Place::inner) clear_live(chart, every_table());
            const int end = chart.at().end(place, i, j);
            for (int pack = chart.at().first(place, i, j); pack < end; ++pack) {
                Pack computed[size];
                compute_pack(chart, i, j, pack, computed, every_rule());
                store(chart, i, j, pack, computed, every_table());
            }
        }
    }

    // Adds what the values of this cell contribute to the goal, per unit, to the derivatives by the values that they
    // were computed from. The derivatives lie in a chart of the same shape.
    NONPROJ_PACKED_ENTRY static void derive(const Chart& chart, const Chart& derivatives, int i, int j) {
        if constexpr (place == Place::span) {
            derive_spans(chart, derivatives, i, j, every_rule());
        } else {
            const int end = chart.at().end(place, i, j);
            for (int pack = chart.at().first(place, i, j); pack < end; ++pack) {
                Pack computed[size], derived[size];
                compute_pack(chart, i, j, pack, computed, every_rule());
                load_derivatives(derivatives, i, j, pack, derived, every_table());
                derive_pack(chart, derivatives, i, j, pack, computed, derived, every_rule());
            }
        }
    }

  private:
    static constexpr const Grammar& G = Chart::grammar;
    static constexpr int lanes = Chart::lanes;
    using S = typename Chart::Semiring;
    using P = Lanes<S>;
    using Value = typename P::Value;
    using Pack = typename P::Pack;
    using every_rule = std::make_index_sequence<G.rules>;
    using every_table = std::make_index_sequence<G.tables>;

    static constexpr bool computes(const Table& table) { return table.place == place && table.top == top; }
    static constexpr bool computes(const Rule& rule) { return G.place(rule.out) == place && rule.top == top; }
    // Where the packs of a table stand among those computed in this pass.
    static constexpr int before(int table) {
        int states = 0;
        for (int t = 0; t < table; ++t)
            if (computes(G.table[t])) states += G.table[t].states;
        return states;
    }
    static constexpr int size = before(G.tables);

    // How an operand is read: not at all, as a pack of x, as one value for all x, from the packs just computed, or as
    // one value for each x, when x is an end of the operand's cell.
    enum class Reading { none, pack, one, computed, each };
    static constexpr Reading reading(const Operand& part) {
        if (!part.exists()) return Reading::none;
        if (part.item == arc_item && part.at[1] == x_) return Reading::pack;
        if (part.at[0] == x_ || part.at[1] == x_) return Reading::each;
        if (part.points == 2 || part.at[2] != x_) return Reading::one;
        const bool same_cell = part.at[0] == i_ && part.at[1] == j_;
        return same_cell && computes(G.table[part.table]) ? Reading::computed : Reading::pack;
    }
    static constexpr Order order(const Operand& part) { return part.at[0] == i_ ? Order::by_i : Order::by_j; }
    // The distance between two states of an operand that is not read in packs.
    static constexpr int step(const Operand& part) { return part.points == 3 ? lanes : 1; }

    template <Operand part>
    NONPROJ_PACKED static Value* one(const Chart& chart, const Points& p) {
        const int a = p[part.at[0]], b = p[part.at[1]];
        if constexpr (part.points == 2 && order(part) == Order::by_i)
            return chart.span(part.table, a, b);
        else if constexpr (part.points == 2)
            return chart.span_by_end(part.table, a, b);
        else {
            const unsigned third = p[part.at[2]];
            return chart.block(part.table, order(part), a, b, third / lanes) + third % lanes;
        }
    }
    template <Operand part>
    NONPROJ_PACKED static Value* pack(const Chart& chart, const Points& p) {
        const unsigned pack = unsigned(p.x) / lanes;
        if constexpr (part.points == 2)
            return chart.arcs(p[part.at[0]], pack);
        else
            return chart.block(part.table, order(part), p[part.at[0]], p[part.at[1]], pack);
    }

    // The states of an operand as packs.
    template <Operand part, Reading>
    struct View {};
    template <Operand part>
    struct View<part, Reading::pack> {
        const Value* from;
        NONPROJ_PACKED Pack operator[](int slot) const { return P::load(from + slot * lanes); }
    };
    template <Operand part>
    struct View<part, Reading::one> {
        const Value* from;
        NONPROJ_PACKED Pack operator[](int slot) const { return P::all(from[slot * step(part)]); }
    };
    template <Operand part>
    struct View<part, Reading::computed> {
        const Pack* from;
        NONPROJ_PACKED Pack operator[](int slot) const { return from[slot]; }
    };
    template <Operand part>
    struct View<part, Reading::each> {
        std::array<const Value*, lanes> from;
        NONPROJ_PACKED Pack operator[](int slot) const {
            alignas(32) Value values[lanes];
            for (int lane = 0; lane < lanes; ++lane) values[lane] = from[lane][slot * step(part)];
            return P::load(values);
        }
    };
    template <Operand part>
    NONPROJ_PACKED static auto view(const Chart& chart, const Points& p, [[maybe_unused]] const Pack* computed) {
        constexpr Reading how = reading(part);
        if constexpr (how == Reading::none)
            return View<part, how>{};
        else if constexpr (how == Reading::pack)
            return View<part, how>{pack<part>(chart, p)};
        else if constexpr (how == Reading::one)
            return View<part, how>{one<part>(chart, p)};
        else if constexpr (how == Reading::computed)
            return View<part, how>{computed + before(part.table)};
        else {
            constexpr int states = G.table[part.table].states;
            constexpr int distance = part.points == 3 ? states * lanes : states;  // from one x to the next
            const Value* first = one<part>(chart, p);
            const unsigned live = live_each<part>(chart, p);
            View<part, how> each;
            for (int lane = 0; lane < lanes; ++lane)
                each.from[lane] = live >> lane & 1 ? first + lane * distance : chart.zeros();
            return each;
        }
    }
    // The x of a pack, inside the cell, for which an operand whose cell ends in x has values. Blocks that have none
    // are not even stored.
    template <Operand part>
    NONPROJ_PACKED static unsigned live_each(const Chart& chart, const Points& p) {
        const int before_first = std::max(p.i + 1 - p.x, 0), up_to_last = std::min(p.j - p.x, lanes);
        const unsigned inside = (1u << up_to_last) - (1u << before_first);
        if constexpr (part.points == 2) return inside;
        constexpr bool by_i = order(part) == Order::by_i;
        const std::uint64_t* bits =
            chart.live_blocks(part.table, order(part), by_i ? p.i : p.j, unsigned(by_i ? p.j : p.i) / lanes);
        return inside & unsigned(bits[unsigned(p.x) / 64] >> unsigned(p.x) % 64);
    }

    template <int R, std::size_t... n>
    NONPROJ_PACKED static void combine(const Chart& chart, const Points& p, const Pack* computed, Pack* out,
                                       std::index_sequence<n...>) {
        constexpr const Rule& rule = G.rule[R];
        const auto left = view<rule.left>(chart, p, computed);
        [[maybe_unused]] const auto right = view<rule.right>(chart, p, computed);
        if constexpr (!rule.right.exists())
            (add<R, n>(out, left[rule.join[n].left]), ...);
        else
            (add<R, n>(out, P::times(left[rule.join[n].left], right[rule.join[n].right])), ...);
    }
    template <int R, int n>
    NONPROJ_PACKED static void add(Pack* out, Pack term) {
        constexpr const Join& join = G.rule[R].join[n];
        if constexpr (join.first && !runs<R>())
            out[join.out] = term;
        else
            out[join.out] = P::plus(out[join.out], term);
    }
    template <int R>
    NONPROJ_PACKED static void combine(const Chart& chart, const Points& p, const Pack* computed, Pack* out) {
        combine<R>(chart, p, computed, out, std::make_index_sequence<G.rule[R].joins>{});
    }
    // Whether a rule adds up several terms, so that its result must be cleared first.
    template <int R>
    static constexpr bool runs() {
        return G.rule[R].has(k_);
    }
    template <int R>
    NONPROJ_PACKED static void clear(Pack* out) {
        for (int n = 0; n < G.rule[R].joins; ++n)
            if (G.rule[R].join[n].first) out[G.rule[R].join[n].out] = P::all(S::zero());
    }

    // The points k, from the given one up to j, for which both operands have values, 64 at a time.
    template <int R>
    struct Splits {
        const std::uint64_t *left, *right;
        int from, to;
        NONPROJ_PACKED Splits(const Chart& chart, int i, int j, int pack, int first)
            : left(live<G.rule[R].left>(chart, i, j, pack)),
              right(live<G.rule[R].right>(chart, i, j, pack)),
              from(first),
              to(j) {}
        NONPROJ_PACKED std::uint64_t operator[](int word) const {
            std::uint64_t bits = left[word] & right[word];
            if (from > 64 * word) bits &= ~std::uint64_t(0) << (from - 64 * word);
            if (to < 64 * word + 64) bits &= (std::uint64_t(1) << (to - 64 * word)) - 1;
            return bits;
        }
    };
    template <Operand part>
    NONPROJ_PACKED static const std::uint64_t* live(const Chart& chart, int i, int j, int pack) {
        const int end = order(part) == Order::by_i ? i : j;
        if constexpr (part.points == 2 && part.at[1] == x_)
            return chart.live_arcs(pack);
        else if constexpr (part.points == 2)
            return chart.live_spans(part.table, order(part), end);
        else if constexpr (part.at[2] == k_)
            return chart.live_in_cell(part.table);
        else
            return chart.live_blocks(part.table, order(part), end, part.at[2] == x_ ? pack : unsigned(j) / lanes);
    }
    template <int R>
    NONPROJ_PACKED static void combine_splits(const Chart& chart, int i, int j, int pack, int from,
                                              const Pack* computed, Pack* out) {
        const Splits<R> splits(chart, i, j, pack, from);
        for (int word = from / 64; 64 * word < j; ++word)
            for (std::uint64_t bits = splits[word]; bits; bits &= bits - 1)
                combine<R>(chart, {i, j, pack * lanes, 64 * word + std::countr_zero(bits)}, computed, out);
    }

    // Packs of x.

    template <std::size_t... R>
    NONPROJ_PACKED static void compute_pack(const Chart& chart, int i, int j, int pack, Pack* computed,
                                            std::index_sequence<R...>) {
        (compute_pack<R>(chart, i, j, pack, computed), ...);
    }
    template <int R>
    NONPROJ_PACKED static void compute_pack(const Chart& chart, int i, int j, int pack, Pack* computed) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            Pack* out = computed + before(rule.out.table);
            if constexpr (runs<R>()) {
                clear<R>(out);
                combine_splits<R>(chart, i, j, pack, i + 1, computed, out);
            } else {
                combine<R>(chart, {i, j, pack * lanes, 0}, computed, out);
            }
        }
    }
    template <std::size_t... t>
    NONPROJ_PACKED static void store(const Chart& chart, int i, int j, int pack, const Pack* computed,
                                     std::index_sequence<t...>) {
        (store<t>(chart, i, j, pack, computed + before(t)), ...);
    }
    template <int t>
    NONPROJ_PACKED static void store(const Chart& chart, int i, int j, int pack, const Pack* computed) {
        constexpr const Table& table = G.table[t];
        if constexpr (computes(table) && (table.stored() || table.by_cell)) {
            Pack sum = computed[0];  // of values that are never negative: it vanishes only if they all do
            for (int s = 1; s < table.states; ++s) sum = P::plus(sum, computed[s]);
            const std::uint64_t live = P::live(sum);
            if constexpr (table.by_cell) {
                if constexpr (place == Place::inner) set(chart.live_in_cell(t), pack * lanes, live);
                store(chart.block(t, Order::by_i, i, j, pack), computed, table.states);
            }
            if (!live) return;
            if constexpr (table.by_i) {
                set(chart.live_blocks(t, Order::by_i, i, pack), j, 1);
                store(chart.block(t, Order::by_i, i, j, pack), computed, table.states);
            }
            if constexpr (table.by_j) {
                set(chart.live_blocks(t, Order::by_j, j, pack), i, 1);
                store(chart.block(t, Order::by_j, i, j, pack), computed, table.states);
            }
        }
    }
    NONPROJ_PACKED static void store(Value* to, const Pack* computed, int states) {
        for (int s = 0; s < states; ++s) P::store(to + s * lanes, computed[s]);
    }
    NONPROJ_PACKED static void set(std::uint64_t* bits, unsigned at, std::uint64_t value) {
        bits[at / 64] |= value << at % 64;
    }
    template <std::size_t... t>
    NONPROJ_PACKED static void clear_live(const Chart& chart, std::index_sequence<t...>) {
        (clear_live<t>(chart), ...);
    }
    template <int t>
    NONPROJ_PACKED static void clear_live(const Chart& chart) {
        if constexpr (computes(G.table[t]) && G.table[t].by_cell)
            std::fill_n(chart.live_in_cell(t), chart.words() / 64 + 1, 0);
    }

    // Spans: the first lane of a pack, or the total of packs that x runs over.

    template <std::size_t... R>
    NONPROJ_PACKED static void compute_spans(const Chart& chart, int i, int j, std::index_sequence<R...>) {
        (compute_span<R>(chart, i, j), ...);
    }
    template <int R>
    NONPROJ_PACKED static void compute_span(const Chart& chart, int i, int j) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            constexpr int states = G.table[rule.out.table].states;
            Pack sum[states];
            for (Pack& pack : sum) pack = P::all(S::zero());
            if constexpr (rule.has(x_)) {
                const int end = chart.at().end(Place::inner, i, j - 1);
                for (int pack = chart.at().first(Place::inner, i, j - 1); pack < end; ++pack)
                    combine_splits<R>(chart, i, j, pack, std::max(i + 2, pack * lanes + 1), nullptr, sum);
            } else if constexpr (rule.has(k_)) {
                combine_splits<R>(chart, i, j, 0, i + 1, nullptr, sum);
            } else {
                combine<R>(chart, {i, j, 0, 0}, nullptr, sum);
            }
            for (int n = 0; n < rule.joins; ++n)
                if (rule.join[n].first) chart.span(rule.out.table, i, j)[rule.join[n].out] = S::zero();
            for (int s = 0; s < states; ++s)
                add_to_span<rule.out.table>(chart, i, j, s, rule.has(x_) ? P::total(sum[s]) : sum[s][0]);
        }
    }
    template <int t>
    NONPROJ_PACKED static void add_to_span(const Chart& chart, int i, int j, int slot, Value term) {
        Value& value = chart.span(t, i, j)[slot];
        value = S::plus(value, term);
        chart.span_by_end(t, i, j)[slot] = value;
        const bool live = !is_zero<S>(value);
        if constexpr (G.table[t].by_i) set(chart.live_spans(t, Order::by_i, i), j, live);
        if constexpr (G.table[t].by_j) set(chart.live_spans(t, Order::by_j, j), i, live);
    }

    // Derivatives. A product a b with derivative d adds d b to the derivative by a, and d a to the one by b; the
    // rules are undone in the reverse order.

    template <Operand part>
    struct Gradient {
        static constexpr int states = part.exists() ? G.table[part.table].states : 0;
        Pack sum[states ? states : 1];
        NONPROJ_PACKED Gradient() {
            for (int s = 0; s < states; ++s) sum[s] = P::all(S::zero());
        }
        NONPROJ_PACKED void add(int slot, Pack term) { sum[slot] = P::plus(sum[slot], term); }

        NONPROJ_PACKED void flush(const Chart& to, const Points& p, Pack* derived) const {
            if constexpr (reading(part) == Reading::computed) {
                for (int s = 0; s < states; ++s)
                    derived[before(part.table) + s] = P::plus(derived[before(part.table) + s], sum[s]);
            } else if constexpr (reading(part) == Reading::pack) {
                Value* at = pack<part>(to, p);
                for (int s = 0; s < states; ++s) P::store(at + s * lanes, P::plus(P::load(at + s * lanes), sum[s]));
            } else if constexpr (reading(part) == Reading::one) {
                Value* at = one<part>(to, p);
                for (int s = 0; s < states; ++s) at[s * step(part)] = S::plus(at[s * step(part)], P::total(sum[s]));
            } else if constexpr (reading(part) == Reading::each) {
                for (int lane = 0; lane < lanes; ++lane) {
                    const int x = p.x + lane;
                    if (x <= p.i || p.j <= x) continue;
                    Value* at = one<part>(to, {p.i, p.j, x, 0});
                    for (int s = 0; s < states; ++s) at[s * step(part)] = S::plus(at[s * step(part)], sum[s][lane]);
                }
            }
        }
    };
    template <int R, std::size_t... n>
    NONPROJ_PACKED static void derive(const Chart& chart, const Chart& derivatives, const Points& p,
                                      const Pack* computed, Pack* derived, const Pack* out, std::index_sequence<n...>) {
        constexpr const Rule& rule = G.rule[R];
        const auto left = view<rule.left>(chart, p, computed);
        [[maybe_unused]] const auto right = view<rule.right>(chart, p, computed);
        Gradient<rule.left> by_left;
        Gradient<rule.right> by_right;
        if constexpr (!rule.right.exists()) {
            (by_left.add(rule.join[n].left, out[rule.join[n].out]), ...);
        } else {
            (by_left.add(rule.join[n].left, P::times(out[rule.join[n].out], right[rule.join[n].right])), ...);
            (by_right.add(rule.join[n].right, P::times(out[rule.join[n].out], left[rule.join[n].left])), ...);
        }
        by_left.flush(derivatives, p, derived);
        by_right.flush(derivatives, p, derived);
    }
    template <int R>
    NONPROJ_PACKED static void derive(const Chart& chart, const Chart& derivatives, const Points& p,
                                      const Pack* computed, Pack* derived, const Pack* out) {
        derive<R>(chart, derivatives, p, computed, derived, out, std::make_index_sequence<G.rule[R].joins>{});
    }
    template <int R>
    NONPROJ_PACKED static void derive_splits(const Chart& chart, const Chart& derivatives, int i, int j, int pack,
                                             int from, const Pack* computed, Pack* derived, const Pack* out) {
        const Splits<R> splits(chart, i, j, pack, from);
        for (int word = from / 64; 64 * word < j; ++word)
            for (std::uint64_t bits = splits[word]; bits; bits &= bits - 1)
                derive<R>(chart, derivatives, {i, j, pack * lanes, 64 * word + std::countr_zero(bits)}, computed,
                          derived, out);
    }

    template <std::size_t... t>
    NONPROJ_PACKED static void load_derivatives(const Chart& from, int i, int j, int pack, Pack* derived,
                                                std::index_sequence<t...>) {
        (load_derivatives<t>(from, i, j, pack, derived + before(t)), ...);
    }
    template <int t>
    NONPROJ_PACKED static void load_derivatives(const Chart& from, int i, int j, int pack, Pack* derived) {
        constexpr const Table& table = G.table[t];
        if constexpr (computes(table)) {
            for (int s = 0; s < table.states; ++s) {
                derived[s] = P::all(S::zero());
                if constexpr (table.by_i || table.by_cell) {
                    Value* at = from.block(t, Order::by_i, i, j, pack) + s * lanes;
                    derived[s] = P::load(at);
                    if constexpr (!table.by_i) P::store(at, P::all(S::zero()));  // for the next cell
                }
                if constexpr (table.by_j) {
                    const Value* at = from.block(t, Order::by_j, i, j, pack) + s * lanes;
                    derived[s] = P::plus(derived[s], P::load(at));
                }
            }
        }
    }
    template <std::size_t... r>
    NONPROJ_PACKED static void derive_pack(const Chart& chart, const Chart& derivatives, int i, int j, int pack,
                                           const Pack* computed, Pack* derived, std::index_sequence<r...>) {
        (derive_pack<G.rules - 1 - r>(chart, derivatives, i, j, pack, computed, derived), ...);
    }
    template <int R>
    NONPROJ_PACKED static void derive_pack(const Chart& chart, const Chart& derivatives, int i, int j, int pack,
                                           const Pack* computed, Pack* derived) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            const Pack* out = derived + before(rule.out.table);
            if constexpr (runs<R>())
                derive_splits<R>(chart, derivatives, i, j, pack, i + 1, computed, derived, out);
            else
                derive<R>(chart, derivatives, {i, j, pack * lanes, 0}, computed, derived, out);
        }
    }

    template <std::size_t... r>
    NONPROJ_PACKED static void derive_spans(const Chart& chart, const Chart& derivatives, int i, int j,
                                            std::index_sequence<r...>) {
        (derive_span<G.rules - 1 - r>(chart, derivatives, i, j), ...);
    }
    template <int R>
    NONPROJ_PACKED static void derive_span(const Chart& chart, const Chart& derivatives, int i, int j) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            constexpr int states = G.table[rule.out.table].states;
            Pack out[states];
            for (int s = 0; s < states; ++s) {
                const Value derivative = S::plus(derivatives.span(rule.out.table, i, j)[s],
                                                 derivatives.span_by_end(rule.out.table, i, j)[s]);
                out[s] = rule.has(x_) ? P::all(derivative) : P::first(derivative);
            }
            if constexpr (rule.has(x_)) {
                const int end = chart.at().end(Place::inner, i, j - 1);
                for (int pack = chart.at().first(Place::inner, i, j - 1); pack < end; ++pack)
                    derive_splits<R>(chart, derivatives, i, j, pack, std::max(i + 2, pack * lanes + 1), nullptr,
                                     nullptr, out);
            } else if constexpr (rule.has(k_)) {
                derive_splits<R>(chart, derivatives, i, j, 0, i + 1, nullptr, nullptr, out);
            } else {
                derive<R>(chart, derivatives, {i, j, 0, 0}, nullptr, nullptr, out);
            }
        }
    }
};

}  // namespace nonproj::one_endpoint_crossing
