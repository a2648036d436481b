// From the goal of a filled chart down to a tree, without back-pointers: at each item the terms that its value was
// summed from are computed once more, and one is chosen: the largest, for the best tree, or one by lot. Tables that the
// chart does not keep are summed again when they are asked for. O(n^3) time.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "nonproj/decode/one_endpoint_crossing/chart.hpp"
#include "nonproj/decode/one_endpoint_crossing/plain.hpp"
#include "nonproj/decode/sums/lot.hpp"
#include "nonproj/error.hpp"

namespace nonproj::one_endpoint_crossing {

template <class Chart>
class Descent {
  public:
    using S = typename Chart::Semiring;
    using Value = typename Chart::Value;

    explicit Descent(const Chart& chart) : chart_(chart) {}

    // Choice: start(value) for each item, then take(term) for its terms, until it is finished(); the last term that
    // it took is followed.
    template <class Choice>
    void run(Choice& choice, std::int32_t* heads) {
        pending_.push_back({chart_.goal_table(), Chart::goal_slot, {0, chart_.words(), 0, 0}});
        while (!pending_.empty()) {
            const Item item = pending_.back();
            pending_.pop_back();
            follow(choose(item, choice), heads);
        }
    }

  private:
    static constexpr const Grammar& G = Chart::grammar;
    struct Item {
        int table, slot;
        Points points;
    };
    struct Term {
        const Rule* rule = nullptr;
        Join join;
        Points points{};
    };
    // The values of all states of an item: in the chart, or summed here.
    struct States {
        const Value* from = nullptr;
        int step = 1;
        std::array<Value, max_states> summed;
        const Value& operator[](int slot) const { return from[slot * step]; }
    };

    const Chart& chart_;
    std::vector<Item> pending_;

    template <class Choice>
    Term choose(const Item& item, Choice& choice) const {
        States whole;
        read(item.table, item.points, whole);
        choice.start(whole[item.slot]);
        Term chosen;
        any_product(item.table, item.points, [&](const Rule& rule, const Points& p, const auto& product) {
            for (int n = 0; n < rule.joins; ++n) {
                if (rule.join[n].out != item.slot) continue;
                const Value term = product(rule.join[n]);
                if (is_zero<S>(term)) continue;
                if (choice.take(term)) chosen = {&rule, rule.join[n], p};
                if (choice.finished()) return true;
            }
            return false;
        });
        if (!chosen.rule) throw Error("scores must be numbers or -inf: they include NaN or +inf");
        return chosen;
    }
    void follow(const Term& term, std::int32_t* heads) {
        follow(term.rule->left, term.join.left, term.points, heads);
        if (term.rule->right.exists()) follow(term.rule->right, term.join.right, term.points, heads);
    }
    void follow(const Operand& part, int slot, const Points& p, std::int32_t* heads) {
        const Points points = points_of(part, p);
        if (part.item == unit_item) return;
        if (part.item != arc_item && part.item != top_item)
            pending_.push_back({part.table, slot, points});
        else if (slot == 0)
            heads[points.j - 1] = points.i;
        else
            heads[points.i - 1] = points.j;
    }

    // Calls visit(rule, points, product) for all the rules for an item and all the points they run over, until it
    // returns true; product(join) is the value of a term.
    template <class Visit>
    bool any_product(int table, const Points& item, const Visit& visit) const {
        for (int r = G.table[table].rules_begin; r < G.table[table].rules_end; ++r) {
            const Rule& rule = G.rule[G.by_table[r]];
            const bool stop = any_split(rule, item, [&](const Points& p) {
                States left, right;
                read(rule.left.table, points_of(rule.left, p), left);
                const bool is_pair = rule.right.exists();
                if (is_pair) read(rule.right.table, points_of(rule.right, p), right);
                return visit(rule, p, [&](const Join& join) {
                    return is_pair ? S::times(left[join.left], right[join.right]) : left[join.left];
                });
            });
            if (stop) return true;
        }
        return false;
    }
    static Points points_of(const Operand& part, const Points& p) {
        return {p[part.at[0]], p[part.at[1]], part.points == 3 ? p[part.at[2]] : 0, 0};
    }
    void read(int table, const Points& p, States& states) const {
        if (G.table[table].place == Place::span) {
            states.from = chart_.span(table, p.i, p.j);
        } else if (G.table[table].stored()) {
            states.from = chart_.states(table, p.i, p.j, p.x);
            states.step = Chart::lanes;
        } else {
            sum(table, p, states);
        }
    }
    [[gnu::noinline]] void sum(int table, const Points& item, States& states) const {
        states.from = states.summed.data();
        states.summed.fill(S::zero());
        any_product(table, item, [&](const Rule& rule, const Points&, const auto& product) {
            for (int n = 0; n < rule.joins; ++n) {
                Value& to = states.summed[rule.join[n].out];
                to = S::plus(to, product(rule.join[n]));
            }
            return false;
        });
    }
};

// The best tree of a filled chart; none without one.
template <class Chart>
DecodedTree best_tree(const Chart& chart, const ArcScores<double>& scores) {
    if (is_zero<typename Chart::Semiring>(chart.goal())) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<double> largest;
    Descent<Chart>(chart).run(largest, heads.data());
    return decoded(scores, std::move(heads));
}

}  // namespace nonproj::one_endpoint_crossing
