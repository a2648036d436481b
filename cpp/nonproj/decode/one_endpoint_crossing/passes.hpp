// How the rules are carried out with packs: one pass over the packs of a cell for each place that a third point can
// have, forwards for the values and backwards for their derivatives. `plain.hpp` does the same
// one value at a time, and is easier to read.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "nonproj/decode/one_endpoint_crossing/chart.hpp"

// Packs are passed by value, but only between functions that are inlined into one another.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace nonproj::one_endpoint_crossing {

// A pack of 32 bytes and what is done with it. Everything here is NONPROJ_WIDE down to the single operation, unlike Lanes,
// which the baseline shares: the rules, with thousands of operations, compile faster so.
template <Semiring S>
struct WidePack {
    using Value = typename S::Value;
    static constexpr int count = lanes_of<S>;
    typedef Value Pack __attribute__((vector_size(32), may_alias));

    NONPROJ_WIDE NONPROJ_INLINE static Pack load(const Value* from) { return *reinterpret_cast<const Pack*>(from); }
    NONPROJ_WIDE NONPROJ_INLINE static void store(Value* to, Pack a) { *reinterpret_cast<Pack*>(to) = a; }
    NONPROJ_WIDE NONPROJ_INLINE static Pack all(Value a) { return a - Pack{}; }
    NONPROJ_WIDE NONPROJ_INLINE static Pack first(Value a) {
        Pack pack = all(S::zero());
        pack[0] = a;
        return pack;
    }
    NONPROJ_WIDE NONPROJ_INLINE static Pack plus(Pack a, Pack b) {
        if constexpr (std::is_same_v<S, Linear>)
            return a + b;
        else
            return a > b ? a : b;
    }
    NONPROJ_WIDE NONPROJ_INLINE static Pack times(Pack a, Pack b) {
        if constexpr (std::is_same_v<S, Linear>)
            return a * b;
        else
            return a + b;
    }
    NONPROJ_WIDE NONPROJ_INLINE static Value total(Pack a) {
        Value sum = a[0];
        for (int lane = 1; lane < count; ++lane) sum = S::plus(sum, a[lane]);
        return sum;
    }
    // The lanes that are not zero, as bits.
    NONPROJ_WIDE NONPROJ_INLINE static unsigned live(Pack a) {
#if defined(__x86_64__)
        return __builtin_ia32_movmskpd256(Pack(a != all(S::zero())));
#else
        unsigned bits = 0;
        for (int lane = 0; lane < count; ++lane) bits |= unsigned(a[lane] != S::zero()) << lane;
        return bits;
#endif
    }
    static_assert(sizeof(Value) == 8);
};

template <class Chart, Place place, bool top>
class Pass {
  public:
    NONPROJ_WIDE static void compute(const Chart& chart, int i, int j) {
        const Pass pass{chart, i, j};
        if constexpr (place == Place::inner) pass.clear_live(every_table());
        if constexpr (place == Place::span)
            pass.compute_spans(every_rule());
        else
            for (int pack = chart.at().first(place, i, j), end = chart.at().end(place, i, j); pack < end; ++pack) {
                Pack computed[size];
                pass.compute_packs(pack, computed, every_rule());
                pass.store(pack, computed, every_table());
            }
    }
    // Adds what the values of this cell contribute to the goal, per unit, to the derivatives by the values that they
    // were computed from. The derivatives lie in a chart of the same shape.
    NONPROJ_WIDE static void derive(const Chart& chart, const Chart& derivatives, int i, int j) {
        const Pass pass{chart, i, j};
        if constexpr (place == Place::span)
            pass.derive_spans(derivatives, every_rule());
        else
            for (int pack = chart.at().first(place, i, j), end = chart.at().end(place, i, j); pack < end; ++pack) {
                Pack computed[size], derived[size];
                pass.compute_packs(pack, computed, every_rule());
                pass.load_derivatives(derivatives, pack, derived, every_table());
                pass.derive_packs(derivatives, pack, computed, derived, every_rule());
            }
    }

  private:
    static constexpr const Grammar& G = Chart::grammar;
    static constexpr int lanes = Chart::lanes;
    using S = typename Chart::Semiring;
    using P = WidePack<S>;
    using Value = typename P::Value;
    using Pack = typename P::Pack;
    using every_rule = std::make_index_sequence<G.rules>;
    using every_table = std::make_index_sequence<G.tables>;

    const Chart& chart;
    const int i, j;

    NONPROJ_WIDE NONPROJ_INLINE Pass(const Chart& of, int from, int to) : chart(of), i(from), j(to) {}

    static constexpr bool computes(const TableFacts& table) { return table.place == place && table.top == top; }
    static constexpr bool computes(const Rule& rule) { return G.place(rule.out) == place && rule.top == top; }
    // Where the packs of a table stand among those computed in this pass.
    static constexpr int before(int table) {
        int states = 0;
        for (int t = 0; t < table; ++t)
            if (computes(G.table[t])) states += G.table[t].states;
        return states;
    }
    static constexpr int size = before(G.tables);

    // Reading. An operand is read not at all, as a pack of x, as one value for all x, from the packs just computed, or
    // as one value for each x, when x is an end of the operand's cell.

    enum class Reading { none, pack, one, computed, each };
    static constexpr Reading reading(const Operand& part) {
        if (!part.exists()) return Reading::none;
        if (part.item == arc_item && part.at[1] == Letter::x) return Reading::pack;
        if (part.at[0] == Letter::x || part.at[1] == Letter::x) return Reading::each;
        if (part.points == 2 || part.at[2] != Letter::x) return Reading::one;
        return part.is_in_cell() && computes(G.table[part.table]) ? Reading::computed : Reading::pack;
    }
    static constexpr Order order(const Operand& part) { return part.at[0] == Letter::i ? Order::by_i : Order::by_j; }

    template <Operand part>
    NONPROJ_WIDE NONPROJ_INLINE static Value* pack(const Chart& chart, const Points& p) {
        const unsigned pack = unsigned(p.x) / lanes;
        if constexpr (part.points == 2)
            return chart.arcs(p[part.at[0]], pack);
        else
            return chart.block(part.table, order(part), p[part.at[0]], p[part.at[1]], pack);
    }
    // One value: its first state, and how far it is to the next.
    template <Operand part>
    NONPROJ_WIDE NONPROJ_INLINE static Value* one(const Chart& chart, const Points& p) {
        const int a = p[part.at[0]], b = p[part.at[1]];
        if constexpr (part.points == 3) {
            const unsigned third = p[part.at[2]];
            return chart.block(part.table, order(part), a, b, third / lanes) + third % lanes;
        } else if constexpr (order(part) == Order::by_i) {
            return chart.span(part.table, a, b);
        } else {
            return chart.span_by_end(part.table, a, b);
        }
    }
    static constexpr int step(const Operand& part) { return part.points == 3 ? lanes : 1; }

    // The states of an operand, as packs.
    template <Operand part, Reading>
    struct View {};
    template <Operand part>
    struct View<part, Reading::pack> {
        const Value* from;
        NONPROJ_WIDE NONPROJ_INLINE Pack operator[](int slot) const { return P::load(from + slot * lanes); }
    };
    template <Operand part>
    struct View<part, Reading::one> {
        const Value* from;
        NONPROJ_WIDE NONPROJ_INLINE Pack operator[](int slot) const { return P::all(from[slot * step(part)]); }
    };
    template <Operand part>
    struct View<part, Reading::computed> {
        const Pack* from;
        NONPROJ_WIDE NONPROJ_INLINE Pack operator[](int slot) const { return from[slot]; }
    };
    template <Operand part>
    struct View<part, Reading::each> {
        std::array<const Value*, lanes> from;
        NONPROJ_WIDE NONPROJ_INLINE Pack operator[](int slot) const {
            alignas(32) Value values[lanes];
            for (int lane = 0; lane < lanes; ++lane) values[lane] = from[lane][slot * step(part)];
            return P::load(values);
        }
    };
    template <Operand part>
    NONPROJ_WIDE NONPROJ_INLINE auto view(const Points& p, [[maybe_unused]] const Pack* computed) const {
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
            constexpr int to_next_x = G.table[part.table].states * step(part);
            const Value* first = one<part>(chart, p);
            const unsigned live = live_each<part>(p.x);
            View<part, how> each;
            for (int lane = 0; lane < lanes; ++lane)
                each.from[lane] = live >> lane & 1 ? first + lane * to_next_x : chart.zeros();
            return each;
        }
    }
    // Which x of a pack are inside the cell and have values in an operand whose cell ends in x. Blocks that have none
    // are not even stored.
    template <Operand part>
    NONPROJ_WIDE NONPROJ_INLINE unsigned live_each(int x) const {
        const int first = std::max(i + 1 - x, 0), end = std::min(j - x, lanes);
        const unsigned inside = (1u << end) - (1u << first);
        if constexpr (part.points == 2) return inside;
        constexpr bool by_i = order(part) == Order::by_i;
        const std::uint64_t* bits =
            chart.live_blocks(part.table, order(part), by_i ? i : j, unsigned(by_i ? j : i) / lanes);
        return inside & unsigned(bits[unsigned(x) / 64] >> unsigned(x) % 64);
    }

    // Running. Calls visit(points) for all the points that a rule runs over and at which both its operands have values.

    template <int R, class Visit>
    NONPROJ_WIDE NONPROJ_INLINE void for_each_split(int pack, const Visit& visit) const {
        if constexpr (!runs<R>()) {
            visit(Points{i, j, pack * lanes, 0});
        } else if constexpr (place == Place::span && G.rule[R].has(Letter::x)) {
            const int end = chart.at().end(Place::inner, i, j - 1);
            for (int of_x = chart.at().first(Place::inner, i, j - 1); of_x < end; ++of_x)
                for_each_k<R>(of_x, std::max(i + 2, of_x * lanes + 1), visit);
        } else {
            for_each_k<R>(pack, i + 1, visit);
        }
    }
    template <int R>
    static constexpr bool runs() {
        return G.rule[R].has(Letter::k);
    }
    template <int R, class Visit>
    NONPROJ_WIDE NONPROJ_INLINE void for_each_k(int pack, int from, const Visit& visit) const {
        for (int word = from / 64; 64 * word < j; ++word) {
            std::uint64_t bits = live<G.rule[R].left>(pack)[word];
            if constexpr (G.rule[R].right.exists()) bits &= live<G.rule[R].right>(pack)[word];
            if (from > 64 * word) bits &= ~std::uint64_t(0) << (from - 64 * word);
            if (j < 64 * word + 64) bits &= (std::uint64_t(1) << (j - 64 * word)) - 1;
            for (; bits; bits &= bits - 1) visit(Points{i, j, pack * lanes, 64 * word + std::countr_zero(bits)});
        }
    }
    template <Operand part>
    NONPROJ_WIDE NONPROJ_INLINE const std::uint64_t* live(int pack) const {
        const int end = order(part) == Order::by_i ? i : j;
        if constexpr (part.points == 2 && part.at[1] == Letter::x)
            return chart.live_arcs(pack);
        else if constexpr (part.points == 2)
            return chart.live_spans(part.table, order(part), end);
        else if constexpr (part.at[2] == Letter::k)
            return chart.live_in_cell(part.table);
        else
            return chart.live_blocks(part.table, order(part), end,
                                     part.at[2] == Letter::x ? pack : unsigned(j) / lanes);
    }

    // Values. The states of the result stay in registers while k runs.

    template <std::size_t... R>
    NONPROJ_WIDE NONPROJ_INLINE void compute_packs(int pack, Pack* computed, std::index_sequence<R...>) const {
        (compute_rule<R>(pack, computed), ...);
    }
    template <int R>
    NONPROJ_WIDE NONPROJ_INLINE void compute_rule(int pack, Pack* computed) const {
        if constexpr (computes(G.rule[R])) {
            Pack* out = computed + before(G.rule[R].out.table);
            if constexpr (runs<R>())
                for (int n = 0; n < G.rule[R].joins; ++n)
                    if (G.rule[R].join[n].first) out[G.rule[R].join[n].out] = P::all(S::zero());
            for_each_split<R>(pack, [&](const Points& p) NONPROJ_WIDE NONPROJ_INLINE_LAMBDA {
                combine<R>(p, computed, out, std::make_index_sequence<G.rule[R].joins>());
            });
        }
    }
    template <int R, std::size_t... n>
    NONPROJ_WIDE NONPROJ_INLINE void combine(const Points& p, const Pack* computed, Pack* out,
                                             std::index_sequence<n...>) const {
        constexpr const Rule& rule = G.rule[R];
        const auto left = view<rule.left>(p, computed);
        [[maybe_unused]] const auto right = view<rule.right>(p, computed);
        if constexpr (!rule.right.exists())
            (add<R, n>(out, left[rule.join[n].left]), ...);
        else
            (add<R, n>(out, P::times(left[rule.join[n].left], right[rule.join[n].right])), ...);
    }
    template <int R, int n>
    NONPROJ_WIDE NONPROJ_INLINE static void add(Pack* out, Pack term) {
        constexpr const Join& join = G.rule[R].join[n];
        if constexpr (join.first && !runs<R>())
            out[join.out] = term;
        else
            out[join.out] = P::plus(out[join.out], term);
    }

    template <std::size_t... t>
    NONPROJ_WIDE NONPROJ_INLINE void store(int pack, const Pack* computed, std::index_sequence<t...>) const {
        (store_table<t>(pack, computed + before(t)), ...);
    }
    template <int t>
    NONPROJ_WIDE NONPROJ_INLINE void store_table(int pack, const Pack* computed) const {
        constexpr const TableFacts& table = G.table[t];
        if constexpr (computes(table) && (table.stored() || table.by_cell)) {
            Pack sum = computed[0];  // of values that are never negative: it vanishes only if they all do
            for (int s = 1; s < table.states; ++s) sum = P::plus(sum, computed[s]);
            const std::uint64_t live = P::live(sum);
            if constexpr (table.by_cell) {
                if constexpr (place == Place::inner) set(chart.live_in_cell(t), pack * lanes, live);
                copy(computed, table.states, chart.block(t, Order::by_i, i, j, pack));
            }
            if (!live) return;
            if constexpr (table.by_i) {
                set(chart.live_blocks(t, Order::by_i, i, pack), j, 1);
                copy(computed, table.states, chart.block(t, Order::by_i, i, j, pack));
            }
            if constexpr (table.by_j) {
                set(chart.live_blocks(t, Order::by_j, j, pack), i, 1);
                copy(computed, table.states, chart.block(t, Order::by_j, i, j, pack));
            }
        }
    }
    NONPROJ_WIDE NONPROJ_INLINE static void copy(const Pack* computed, int states, Value* to) {
        for (int s = 0; s < states; ++s) P::store(to + s * lanes, computed[s]);
    }
    NONPROJ_WIDE NONPROJ_INLINE static void set(std::uint64_t* bits, unsigned at, std::uint64_t value) {
        bits[at / 64] |= value << at % 64;
    }
    template <std::size_t... t>
    NONPROJ_WIDE NONPROJ_INLINE void clear_live(std::index_sequence<t...>) const {
        (clear_table<t>(), ...);
    }
    template <int t>
    NONPROJ_WIDE NONPROJ_INLINE void clear_table() const {
        if constexpr (computes(G.table[t]) && G.table[t].by_cell)
            for (std::size_t word = 0; word < chart.bit_words(); ++word) chart.live_in_cell(t)[word] = 0;
    }

    // A span is the first lane of a pack, or the total of all lanes where x runs.
    template <std::size_t... R>
    NONPROJ_WIDE NONPROJ_INLINE void compute_spans(std::index_sequence<R...>) const {
        (compute_span<R>(), ...);
    }
    template <int R>
    NONPROJ_WIDE NONPROJ_INLINE void compute_span() const {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            constexpr int t = rule.out.table, states = G.table[t].states;
            Pack out[states];
            for (Pack& state : out) state = P::all(S::zero());
            for_each_split<R>(0, [&](const Points& p) NONPROJ_WIDE NONPROJ_INLINE_LAMBDA {
                combine<R>(p, nullptr, out, std::make_index_sequence<G.rule[R].joins>());
            });
            Value* values = chart.span(t, i, j);
            for (int n = 0; n < rule.joins; ++n)
                if (rule.join[n].first) values[rule.join[n].out] = S::zero();
            for (int s = 0; s < states; ++s) {
                values[s] = S::plus(values[s], rule.has(Letter::x) ? P::total(out[s]) : out[s][0]);
                chart.span_by_end(t, i, j)[s] = values[s];
                if constexpr (G.table[t].by_i) set(chart.live_spans(t, Order::by_i, i), j, !is_zero<S>(values[s]));
                if constexpr (G.table[t].by_j) set(chart.live_spans(t, Order::by_j, j), i, !is_zero<S>(values[s]));
            }
        }
    }

    // Derivatives. A product a b with derivative d adds d b to the derivative by a, and d a to the one by b; the
    // rules are undone in the reverse order.

    template <std::size_t... R>
    NONPROJ_WIDE NONPROJ_INLINE void derive_packs(const Chart& derivatives, int pack, const Pack* computed,
                                                  Pack* derived, std::index_sequence<R...>) const {
        (derive_rule<G.rules - 1 - R>(derivatives, pack, computed, derived), ...);
    }
    template <int R>
    NONPROJ_WIDE NONPROJ_INLINE void derive_rule(const Chart& derivatives, int pack, const Pack* computed,
                                                 Pack* derived) const {
        if constexpr (computes(G.rule[R]))
            for_each_split<R>(pack, [&](const Points& p) NONPROJ_WIDE NONPROJ_INLINE_LAMBDA {
                separate<R>(derivatives, p, computed, derived, derived + before(G.rule[R].out.table),
                            std::make_index_sequence<G.rule[R].joins>());
            });
    }
    template <int R, std::size_t... n>
    NONPROJ_WIDE NONPROJ_INLINE void separate(const Chart& derivatives, const Points& p, const Pack* computed,
                                              Pack* derived, const Pack* out, std::index_sequence<n...>) const {
        constexpr const Rule& rule = G.rule[R];
        const auto left = view<rule.left>(p, computed);
        [[maybe_unused]] const auto right = view<rule.right>(p, computed);
        Gradient<rule.left> by_left;
        if constexpr (!rule.right.exists()) {
            (by_left.add(rule.join[n].left, out[rule.join[n].out]), ...);
        } else {
            Gradient<rule.right> by_right;
            (by_left.add(rule.join[n].left, P::times(out[rule.join[n].out], right[rule.join[n].right])), ...);
            (by_right.add(rule.join[n].right, P::times(out[rule.join[n].out], left[rule.join[n].left])), ...);
            by_right.add_to(derivatives, p, derived);
        }
        by_left.add_to(derivatives, p, derived);
    }
    template <Operand part>
    struct Gradient {
        static constexpr int states = G.table[part.table].states;
        Pack sum[states];

        NONPROJ_WIDE NONPROJ_INLINE Gradient() {
            for (Pack& state : sum) state = P::all(S::zero());
        }
        NONPROJ_WIDE NONPROJ_INLINE void add(int slot, Pack term) { sum[slot] = P::plus(sum[slot], term); }

        NONPROJ_WIDE NONPROJ_INLINE void add_to(const Chart& derivatives, const Points& p,
                                                [[maybe_unused]] Pack* derived) const {
            constexpr Reading how = reading(part);
            if constexpr (how == Reading::computed) {
                Pack* to = derived + before(part.table);
                for (int s = 0; s < states; ++s) to[s] = P::plus(to[s], sum[s]);
            } else if constexpr (how == Reading::pack) {
                Value* to = pack<part>(derivatives, p);
                for (int s = 0; s < states; ++s, to += lanes) P::store(to, P::plus(P::load(to), sum[s]));
            } else if constexpr (how == Reading::one) {
                Value* to = one<part>(derivatives, p);
                for (int s = 0; s < states; ++s, to += step(part)) *to = S::plus(*to, P::total(sum[s]));
            } else {
                for (int lane = 0; lane < lanes; ++lane) {
                    const int x = p.x + lane;
                    if (x <= p.i || p.j <= x) continue;
                    Value* to = one<part>(derivatives, {p.i, p.j, x, 0});
                    for (int s = 0; s < states; ++s, to += step(part)) *to = S::plus(*to, sum[s][lane]);
                }
            }
        }
    };

    template <std::size_t... t>
    NONPROJ_WIDE NONPROJ_INLINE void load_derivatives(const Chart& from, int pack, Pack* derived,
                                                      std::index_sequence<t...>) const {
        (load_table<t>(from, pack, derived + before(t)), ...);
    }
    template <int t>
    NONPROJ_WIDE NONPROJ_INLINE void load_table(const Chart& from, int pack, Pack* derived) const {
        constexpr const TableFacts& table = G.table[t];
        if constexpr (computes(table)) {
            for (int s = 0; s < table.states; ++s) {
                derived[s] = P::all(S::zero());
                if constexpr (table.by_i || table.by_cell) {
                    Value* at = from.block(t, Order::by_i, i, j, pack) + s * lanes;
                    derived[s] = P::load(at);
                    if constexpr (table.by_cell) P::store(at, P::all(S::zero()));  // for the next cell
                }
                if constexpr (table.by_j) {
                    const Value* at = from.block(t, Order::by_j, i, j, pack) + s * lanes;
                    derived[s] = P::plus(derived[s], P::load(at));
                }
            }
        }
    }

    template <std::size_t... R>
    NONPROJ_WIDE NONPROJ_INLINE void derive_spans(const Chart& derivatives, std::index_sequence<R...>) const {
        (derive_span<G.rules - 1 - R>(derivatives), ...);
    }
    template <int R>
    NONPROJ_WIDE NONPROJ_INLINE void derive_span(const Chart& derivatives) const {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            constexpr int t = rule.out.table, states = G.table[t].states;
            Pack out[states];
            for (int s = 0; s < states; ++s) {
                const Value sum = S::plus(derivatives.span(t, i, j)[s], derivatives.span_by_end(t, i, j)[s]);
                out[s] = rule.has(Letter::x) ? P::all(sum) : P::first(sum);
            }
            for_each_split<R>(0, [&](const Points& p) NONPROJ_WIDE NONPROJ_INLINE_LAMBDA {
                separate<R>(derivatives, p, nullptr, nullptr, out, std::make_index_sequence<G.rule[R].joins>());
            });
        }
    }
};

// Computes the tables of one place in one cell, as Plain does.
template <class Chart>
class Packed {
  public:
    explicit Packed(const Chart& chart) : chart_(chart) {}

    template <Place place, bool top>
    void compute(int i, int j) const {
        Pass<Chart, place, top>::compute(chart_, i, j);
    }
    template <Place place, bool top>
    void derive(const Chart& derivatives, int i, int j) const {
        Pass<Chart, place, top>::derive(chart_, derivatives, i, j);
    }

  private:
    const Chart& chart_;
};

}  // namespace nonproj::one_endpoint_crossing
