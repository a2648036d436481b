// What follows from the rules, worked out at compile time: which state of which table, times which state of which other
// table, adds to which state of the table being built. Only states that can arise and that can still become part of a
// tree are kept, so the chart stores and multiplies nothing else.
#pragma once
#include "nonproj/decode/one_endpoint_crossing/reader.hpp"
#include "nonproj/decode/one_endpoint_crossing/rules.hpp"

namespace nonproj::one_endpoint_crossing {

// The state of an item maps each of its points to the root of its tree: idempotent maps of two or three points.
struct State {
    std::int8_t root[3];
};
inline constexpr State pair_states[] = {{0, 0}, {0, 1}, {1, 1}};
inline constexpr State triple_states[max_states] = {{0, 0, 0}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2},
                                                    {0, 2, 2}, {1, 1, 1}, {1, 1, 2}, {2, 1, 2}, {2, 2, 2}};
inline constexpr int first_roots_second = 0, apart = 1;  // in pair_states

constexpr int states_of(const Operand& part) { return part.points == 2 ? 3 : max_states; }
constexpr const State& state_of(const Operand& part, int code) {
    return part.points == 2 ? pair_states[code] : triple_states[code];
}
constexpr bool is_possible(const Operand& part, int code) {
    if (part.item == arc_item) return code != apart;
    if (part.item == top_item) return code == first_roots_second;
    return part.item != unit_item || code == apart;
}

// For each point of a rule the point that heads it in the parts seen so far.
class Heads {
  public:
    // False when a point would have two heads.
    constexpr bool add(const Operand& part, int code) {
        const State& state = state_of(part, code);
        for (int p = 0; p < part.points; ++p) {
            if (state.root[p] == p) continue;
            std::int8_t& head = head_[int(part.at[p])];
            if (head != none) return false;
            head = std::int8_t(part.at[state.root[p]]);
        }
        return true;
    }
    // The code of the state of all the parts together, or -1 when a cycle has closed, or when a point that the result
    // leaves behind has no head.
    constexpr int state(const Rule& rule) const {
        int root[letters] = {};
        for (int point = 0; point < letters; ++point) {
            const bool closed = rule.has(Letter(point)) && !rule.out.has(Letter(point));
            if (closed && head_[point] == none) return -1;
            root[point] = point;
            for (int steps = 0; head_[root[point]] != none; ++steps) {
                if (steps == letters) return -1;
                root[point] = head_[root[point]];
            }
        }
        const Operand& out = rule.out;
        for (int code = 0; code < states_of(out); ++code) {
            const State& state = state_of(out, code);
            bool same = true;
            for (int p = 0; p < out.points && same; ++p) same = root[int(out.at[p])] == int(out.at[state.root[p]]);
            if (same) return code;
        }
        return -1;
    }

  private:
    static constexpr std::int8_t none = -1;
    std::int8_t head_[letters] = {none, none, none, none};
};

// Every pair of states that the parts of a rule can have together.
constexpr RuleList joined(RuleList list) {
    for (int r = 0; r < list.rules; ++r) {
        Rule& rule = list.rule[r];
        for (int left = 0; left < states_of(rule.left); ++left) {
            Heads of_left;
            if (!is_possible(rule.left, left) || !of_left.add(rule.left, left)) continue;
            for (int right = 0; right < (rule.right.exists() ? states_of(rule.right) : 1); ++right) {
                Heads heads = of_left;
                if (!is_possible(rule.right, right)) continue;
                if (rule.right.exists() && !heads.add(rule.right, right)) continue;
                const int out = heads.state(rule);
                if (out != -1) rule.join[rule.joins++] = {std::int8_t(left), std::int8_t(right), std::int8_t(out)};
            }
        }
    }
    return list;
}

struct TableFacts {
    Place place = Place::span;
    bool given = false;               // arcs and the like: no rule writes to it
    bool top = false;                 // only for the root's cells, when a single root is asked for
    bool by_i = false, by_j = false;  // read from other cells: with the same i and another j, or the other way round
    bool by_cell = false;             // read by the rules of another place, in the same cell
    int states = 0;
    std::int8_t slot[max_states] = {};   // of the code of a state
    int rules_begin = 0, rules_end = 0;  // the rules that write to it, in Grammar::by_table

    constexpr bool stored() const { return by_i || by_j; }
};

class Grammar {
  public:
    static constexpr int tables = max_tables;
    int rules = 0;
    Rule rule[max_rules] = {};
    TableFacts table[tables] = {};
    std::int16_t by_table[max_rules] = {};      // the rules again, in the order of the tables they write to
    int every_graph = 0, single_root_goal = 0;  // the tables in which the results are found

    constexpr explicit Grammar(const RuleList& list)
        : every_graph(list.table_of("Int")), single_root_goal(list.table_of("Goal")) {
        bool useful[tables][max_states] = {};
        find_useful(list, useful);
        for (int t = 0; t < tables; ++t) {
            table[t].place = list.place[t];
            table[t].given = t / 2 <= unit_item;
            for (int code = 0; code < max_states; ++code)
                table[t].slot[code] = useful[t][code] ? std::int8_t(table[t].states++) : std::int8_t(-1);
        }
        for (int r = 0; r < list.rules; ++r) keep_useful(list.rule[r]);
        for (int r = 0; r < rules; ++r) note_readers(rule[r]);
        int sorted = 0;
        for (int t = 0; t < tables; ++t) {
            table[t].rules_begin = sorted;
            for (int r = 0; r < rules && table[t].states; ++r)
                if (rule[r].out.table == t) by_table[sorted++] = std::int16_t(r);
            table[t].rules_end = sorted;
            if (table[t].states && !table[t].given && table[t].rules_begin == table[t].rules_end)
                throw "an item is read but no rule writes to it";
            if (table[t].by_cell && table[t].stored()) throw "a table is read from its own cell and from others";
        }
    }
    constexpr Place place(const Operand& part) const { return table[part.table].place; }

  private:
    bool written_[tables][max_states] = {};

    // A state arises if the states of some join arise, and is useful if some useful state is made of it.
    static constexpr void find_useful(const RuleList& list, bool (&useful)[tables][max_states]) {
        bool arises[tables][max_states] = {};
        const auto both_arise = [&](const Rule& rule, const Join& join) {
            const auto one_arises = [&](const Operand& part, int code) {
                return !part.exists() || part.item <= unit_item || arises[part.table][code];
            };
            return one_arises(rule.left, join.left) && one_arises(rule.right, join.right);
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (int r = 0; r < list.rules; ++r) {
                const Rule& rule = list.rule[r];
                for (int n = 0; n < rule.joins; ++n) {
                    bool& known = arises[rule.out.table][rule.join[n].out];
                    if (known || !both_arise(rule, rule.join[n])) continue;
                    known = changed = true;
                }
            }
        }
        useful[list.table_of("Int")][first_roots_second] = true;
        useful[list.table_of("Goal")][first_roots_second] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (int r = list.rules; r-- > 0;) {
                const Rule& rule = list.rule[r];
                for (int n = 0; n < rule.joins; ++n) {
                    const Join& join = rule.join[n];
                    if (!useful[rule.out.table][join.out] || !both_arise(rule, join)) continue;
                    bool& left = useful[rule.left.table][join.left];
                    changed = changed || !left;
                    left = true;
                    if (!rule.right.exists()) continue;
                    bool& right = useful[rule.right.table][join.right];
                    changed = changed || !right;
                    right = true;
                }
            }
        }
        for (int t = 0; t < tables; ++t)
            for (int code = 0; code < max_states; ++code)
                useful[t][code] = useful[t][code] && (t / 2 <= unit_item || arises[t][code]);
    }
    // A rule without the joins that are of no use, and with slots for codes.
    constexpr void keep_useful(const Rule& read) {
        Rule& kept = rule[rules];
        kept = read;
        kept.joins = 0;
        for (int n = 0; n < read.joins; ++n) {
            const auto slot = [&](const Operand& part, int code) {
                return part.exists() ? table[part.table].slot[code] : std::int8_t(0);
            };
            Join join{slot(read.left, read.join[n].left), slot(read.right, read.join[n].right),
                      slot(read.out, read.join[n].out)};
            if (join.left < 0 || join.right < 0 || join.out < 0) continue;
            join.first = !written_[read.out.table][join.out];
            written_[read.out.table][join.out] = true;
            kept.join[kept.joins++] = join;
        }
        table[read.out.table].top = read.top;
        if (kept.joins) ++rules;
    }
    constexpr void note_readers(const Rule& reader) {
        for (const Operand* part : {&reader.left, &reader.right}) {
            if (!part->exists()) continue;
            TableFacts& read = table[part->table];
            if (part->at[0] == Letter::i && part->at[1] != Letter::j) read.by_i = true;
            if (part->at[0] != Letter::i && part->at[1] == Letter::j) read.by_j = true;
            const bool elsewhere = read.place != place(reader.out) || read.top != reader.top;
            if (part->points == 3 && part->is_in_cell() && elsewhere) read.by_cell = true;
        }
    }
};

// In steps, since compilers count how much they do at a time.
inline constexpr RuleList overlapping_list{overlapping_rules}, unique_list{unique_rules};
inline constexpr RuleList overlapping_joined = joined(overlapping_list), unique_joined = joined(unique_list);
inline constexpr Grammar overlapping{overlapping_joined};  // for the best tree
inline constexpr Grammar unique{unique_joined};            // for sums

}  // namespace nonproj::one_endpoint_crossing
