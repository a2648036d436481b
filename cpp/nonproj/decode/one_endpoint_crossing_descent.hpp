// From the goal of a filled chart down to a tree, without back-pointers: at each item the terms that its value was
// summed from are computed once more, and one is chosen: the largest, for the best tree, or one by lot. Tables that the
// chart does not keep are summed again when they are asked for. O(n^3) time.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing_chart.hpp"

namespace nonproj::one_endpoint_crossing {

template <class Chart>
class Descent {
  public:
    using S = typename Chart::Semiring;
    using Value = typename Chart::Value;

    explicit Descent(const Chart& chart) : chart_(chart) {}

    // Choice: start(value) for each item, then take(term) for each of its terms until finished(); the last one that
    // was taken is it.
    template <class Choice>
    void run(Choice& choice, std::int32_t* heads) {
        pending_.push_back({chart_.goal_table(), Chart::goal_slot, {0, chart_.words(), 0, 0}});
        while (!pending_.empty()) {
            const Node node = pending_.back();
            pending_.pop_back();
            expand(node, choice, heads, std::make_index_sequence<G.table.size()>{});
        }
    }

  private:
    static constexpr const Grammar& G = Chart::grammar;
    using every_rule = std::make_index_sequence<G.rules>;

    struct Points {
        std::array<int, 4> at;
        int operator[](Letter letter) const { return at[letter]; }
        int& operator[](Letter letter) { return at[letter]; }
    };
    struct Node {
        int table, slot;
        Points points;
    };
    struct Term {
        int rule = -1, join = 0;
        Points points{};
    };

    const Chart& chart_;
    std::vector<Node> pending_;

    template <class Choice, std::size_t... t>
    void expand(const Node& node, Choice& choice, std::int32_t* heads, std::index_sequence<t...>) {
        using Expand = void (Descent::*)(const Node&, Choice&, std::int32_t*);
        static constexpr std::array<Expand, sizeof...(t)> expand_table{&Descent::expand_one<t, Choice>...};
        (this->*expand_table[node.table])(node, choice, heads);
    }
    template <int t, class Choice>
    void expand_one(const Node& node, Choice& choice, std::int32_t* heads) {
        choice.start(value<t>(node.slot, node.points));
        Term chosen;
        for_each_term<t>(node, every_rule{}, [&](Value value, const Term& term) {
            if (value != S::zero() && choice.take(value)) chosen = term;
            return choice.finished();
        });
        follow<t>(chosen, heads, every_rule{});
    }

    // Calls visit(value, term) for each term of an item, until it returns true.
    template <int t, class Visit, std::size_t... R>
    bool for_each_term(const Node& node, std::index_sequence<R...>, const Visit& visit) const {
        return (for_each_term<t, R>(node, visit) || ...);
    }
    template <int t, int R, class Visit>
    bool for_each_term(const Node& node, const Visit& visit) const {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (rule.out.table == t) {
            Points p = node.points;
            const auto here = [&] {
                for (int n = 0; n < rule.joins; ++n)
                    if (rule.join[n].out == node.slot && visit(product<R>(rule.join[n], p), Term{R, n, p}))
                        return true;
                return false;
            };
            if constexpr (!rule.has(k_)) return here();
            else {
                for (p[k_] = p[i_] + 1; p[k_] < p[j_]; ++p[k_]) {
                    if constexpr (rule.out.points == 2 && rule.has(x_)) {
                        for (p[x_] = p[i_] + 1; p[x_] < p[k_]; ++p[x_])
                            if (here()) return true;
                    } else if (here()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
    template <int R>
    Value product(const Join& join, const Points& p) const {
        constexpr const Rule& rule = G.rule[R];
        const Value left = value<rule.left>(join.left, p);
        if constexpr (!rule.right.exists()) return left;
        else return left == S::zero() ? left : S::times(left, value<rule.right>(join.right, p));
    }

    template <Operand part>
    Value value(int slot, const Points& p) const {
        return value<part.table>(slot, points_of(part, p));
    }
    static Points points_of(const Operand& part, const Points& p) {
        return {{p[part.at[0]], p[part.at[1]], part.points == 3 ? p[part.at[2]] : 0, 0}};
    }
    template <int t>
    Value value(int slot, const Points& p) const {
        if constexpr (G.table[t].place == Place::span) return chart_.span(t, p[i_], p[j_])[slot];
        else if constexpr (G.table[t].stored()) return chart_.template value<t>(slot, p[i_], p[j_], p[x_]);
        else {
            Value sum = S::zero();
            for_each_term<t>({t, slot, p}, every_rule{}, [&](Value value, const Term&) {
                sum = S::plus(sum, value);
                return false;
            });
            return sum;
        }
    }

    template <int t, std::size_t... R>
    void follow(const Term& term, std::int32_t* heads, std::index_sequence<R...>) {
        (follow<t, R>(term, heads), ...);
    }
    template <int t, int R>
    void follow(const Term& term, std::int32_t* heads) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (rule.out.table == t) {
            if (term.rule != R) return;
            follow<rule.left>(rule.join[term.join].left, term.points, heads);
            if constexpr (rule.right.exists()) follow<rule.right>(rule.join[term.join].right, term.points, heads);
        }
    }
    template <Operand part>
    void follow(int slot, const Points& p, std::int32_t* heads) {
        const int a = p[part.at[0]], b = p[part.at[1]];
        if constexpr (part.item == arc_item || part.item == top_item) {
            if (slot == 0) heads[b - 1] = a;
            else heads[a - 1] = b;
        } else if constexpr (part.item != unit_item) {
            pending_.push_back({part.table, slot, points_of(part, p)});
        }
    }
};

}  // namespace nonproj::one_endpoint_crossing
