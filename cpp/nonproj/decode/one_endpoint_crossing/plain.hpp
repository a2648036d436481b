// How the rules are carried out, one value at a time: for semirings that have no packs, for processors that have none,
// and to see what `passes.hpp` does without its machinery.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "nonproj/decode/one_endpoint_crossing/chart.hpp"

namespace nonproj::one_endpoint_crossing {

// Calls visit(points) for all the points that a rule runs over, none, k, or k and a point x left of it, until it
// returns true.
template <class Visit>
bool any_split(const Rule& rule, const Points& p, const Visit& visit) {
    const bool k_runs = rule.has(Letter::k), x_runs = k_runs && rule.out.points == 2 && rule.has(Letter::x);
    for (int k = k_runs ? p.i + 1 : p.k, end = k_runs ? p.j : p.k + 1; k < end; ++k)
        for (int x = x_runs ? p.i + 1 : p.x, last = x_runs ? k - 1 : p.x; x <= last; ++x)
            if (visit(Points{p.i, p.j, x, k})) return true;
    return false;
}
template <class Visit>
void for_each_split(const Rule& rule, const Points& p, const Visit& visit) {
    any_split(rule, p, [&](const Points& split) {
        visit(split);
        return false;
    });
}

// Computes the tables of one place in one cell.
template <class Chart>
class Plain {
    static_assert(Chart::lanes == 1);
    static constexpr const Grammar& G = Chart::grammar;
    using S = typename Chart::Semiring;
    using Value = typename Chart::Value;

  public:
    explicit Plain(const Chart& chart) : chart_(chart) {}

    // By calls, which compile once for all places.
    template <Place place, bool top>
    void compute(int i, int j) {
        compute(place, top, i, j);
    }
    // Adds to the derivatives by what the values of this cell were computed from.
    template <Place place, bool top>
    void derive(const Chart& derivatives, int i, int j) {
        derive(derivatives, place, top, i, j);
    }

  private:
    const Chart& chart_;
    Place place_ = Place::span;  // the tables that are computed now
    bool top_ = false;
    using States = std::array<Value, max_states>;
    std::array<States, G.tables> computed_{}, derived_{};  // for one x

    [[gnu::noinline]] void compute(Place place, bool top, int i, int j) {
        place_ = place;
        top_ = top;
        for_each_x(i, j, [&](const Points& p) {
            compute(p);
            store(p);
        });
    }
    [[gnu::noinline]] void derive(const Chart& derivatives, Place place, bool top, int i, int j) {
        place_ = place;
        top_ = top;
        for_each_x(i, j, [&](const Points& p) {
            compute(p);
            load_derivatives(derivatives, p);
            for (int r = G.rules; r-- > 0;)
                if (computes(G.rule[r])) derive(derivatives, G.rule[r], p);
        });
    }

    bool computes(const TableFacts& table) const {
        return table.states && table.place == place_ && table.top == top_ && !table.given;
    }
    bool computes(const Rule& rule) const { return computes(G.table[rule.out.table]); }

    template <class Visit>
    void for_each_x(int i, int j, const Visit& visit) {
        const int from = place_ == Place::inner ? i + 1 : place_ == Place::right ? j + 1 : 0;
        const int to = place_ == Place::inner ? j : place_ == Place::right ? chart_.words() + 1 : i;
        if (place_ == Place::span)
            visit(Points{i, j, 0, 0});
        else
            for (int x = from; x < to; ++x) visit(Points{i, j, x, 0});
    }

    [[gnu::noinline]] void compute(const Points& cell) {
        for (int t = 0; t < G.tables; ++t)
            if (computes(G.table[t])) computed_[t].fill(S::zero());
        for (int r = 0; r < G.rules; ++r) {
            const Rule& rule = G.rule[r];
            if (!computes(rule)) continue;
            std::array<Sum<S>, max_states> sum;
            for_each_split(rule, cell, [&](const Points& p) {
                const Value* left = read(rule.left, p);
                const Value* right = rule.right.exists() ? read(rule.right, p) : nullptr;
                for (int n = 0; n < rule.joins; ++n) {
                    const Join& join = rule.join[n];
                    if (right)
                        sum[join.out].add_product(left[join.left], right[join.right]);
                    else
                        sum[join.out].add(left[join.left]);
                }
            });
            States& out = computed_[rule.out.table];
            for (int s = 0; s < G.table[rule.out.table].states; ++s) out[s] = S::plus(out[s], sum[s].value());
        }
    }
    const Value* read(const Operand& part, const Points& p) const {
        if (is_computed(part)) return computed_[part.table].data();
        const int a = p[part.at[0]], b = p[part.at[1]];
        if (part.points == 2) return chart_.span(part.table, a, b);
        if (G.table[part.table].stored()) return chart_.states(part.table, a, b, p[part.at[2]]);
        return chart_.block(part.table, Order::by_i, a, b, p[part.at[2]]);
    }
    bool is_computed(const Operand& part) const {
        return computes(G.table[part.table]) && part.is_in_cell() && (part.points == 2 || part.at[2] == Letter::x);
    }
    void store(const Points& p) {
        for (int t = 0; t < G.tables; ++t) {
            const TableFacts& table = G.table[t];
            if (!computes(table)) continue;
            const auto copy = [&](Value* to) { std::copy_n(computed_[t].data(), table.states, to); };
            const auto mark = [](std::uint64_t* bits, int at) { bits[at / 64] |= std::uint64_t(1) << at % 64; };
            if (place_ == Place::span) {
                copy(chart_.span(t, p.i, p.j));
                copy(chart_.span_by_end(t, p.i, p.j));
                continue;
            }
            if (table.by_cell) copy(chart_.block(t, Order::by_i, p.i, p.j, p.x));
            if (table.by_i) {
                copy(chart_.block(t, Order::by_i, p.i, p.j, p.x));
                mark(chart_.live_blocks(t, Order::by_i, p.i, p.x), p.j);
            }
            if (table.by_j) {
                copy(chart_.block(t, Order::by_j, p.i, p.j, p.x));
                mark(chart_.live_blocks(t, Order::by_j, p.j, p.x), p.i);
            }
        }
    }

    void load_derivatives(const Chart& from, const Points& p) {
        for (int t = 0; t < G.tables; ++t) {
            const TableFacts& table = G.table[t];
            if (!computes(table)) continue;
            derived_[t].fill(S::zero());
            const auto add = [&](Value* values) {
                for (int s = 0; s < table.states; ++s) {
                    derived_[t][s] = S::plus(derived_[t][s], values[s]);
                    if (table.by_cell) values[s] = S::zero();  // for the next cell
                }
            };
            if (place_ == Place::span)
                add(from.span(t, p.i, p.j));
            else if (table.by_cell || table.by_i)
                add(from.block(t, Order::by_i, p.i, p.j, p.x));
            else if (table.by_j)
                add(from.block(t, Order::by_j, p.i, p.j, p.x));
        }
    }
    void derive(const Chart& derivatives, const Rule& rule, const Points& cell) {
        const States& out = derived_[rule.out.table];
        for_each_split(rule, cell, [&](const Points& p) {
            const Value* left = read(rule.left, p);
            const Value* right = rule.right.exists() ? read(rule.right, p) : nullptr;
            Value* by_left = write(derivatives, rule.left, p);
            Value* by_right = right ? write(derivatives, rule.right, p) : nullptr;
            const auto add = [](Value& to, Value term) { to = S::plus(to, term); };
            for (int n = 0; n < rule.joins; ++n) {
                const Join& join = rule.join[n];
                const Value derivative = out[join.out];
                add(by_left[join.left], right ? S::times(derivative, right[join.right]) : derivative);
                if (right) add(by_right[join.right], S::times(derivative, left[join.left]));
            }
        });
    }
    Value* write(const Chart& derivatives, const Operand& part, const Points& p) {
        if (is_computed(part)) return derived_[part.table].data();
        const int a = p[part.at[0]], b = p[part.at[1]];
        if (part.points == 2) return derivatives.span(part.table, a, b);
        const Order order = G.table[part.table].by_i || G.table[part.table].by_cell ? Order::by_i : Order::by_j;
        return derivatives.block(part.table, order, a, b, p[part.at[2]]);
    }
};

}  // namespace nonproj::one_endpoint_crossing
