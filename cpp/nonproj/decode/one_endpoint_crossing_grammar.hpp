// From the text of the rules to tables of joins, all at compile time: which state of which table, times which state of
// which other table, adds to which state of the table being built. Only states that can arise and that can still
// become part of a tree are kept, so the chart stores and multiplies nothing else.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "nonproj/decode/one_endpoint_crossing_rules.hpp"

namespace nonproj::one_endpoint_crossing {

// The points a rule speaks of: the cell i < j, the third point x, the split point k.
enum Letter : std::int8_t { i_, j_, x_, k_ };

// Where the third point of a table stands: nowhere, inside the cell, to its left, to its right. Arcs and the like are
// no tables of items: they are read from the scores.
enum class Place : std::int8_t { span, inner, left, right };

// The state of an item maps each of its points to the root of its tree: idempotent maps of two or three points.
inline constexpr int most_states = 10;
struct State {
    std::array<std::int8_t, 3> root{};
};
inline constexpr std::array<State, 3> pair_states{{{{0, 0}}, {{0, 1}}, {{1, 1}}}};
inline constexpr std::array<State, most_states> triple_states{{{{0, 0, 0}},
                                                               {{0, 0, 2}},
                                                               {{0, 1, 0}},
                                                               {{0, 1, 1}},
                                                               {{0, 1, 2}},
                                                               {{0, 2, 2}},
                                                               {{1, 1, 1}},
                                                               {{1, 1, 2}},
                                                               {{2, 1, 2}},
                                                               {{2, 2, 2}}}};
inline constexpr int first_roots_second = 0, apart = 1, second_roots_first = 2;  // in pair_states

using Item = std::int8_t;
inline constexpr Item no_item = -1, arc_item = 0, top_item = 1, unit_item = 2;  // unit: a cell of two neighbours

struct Operand {
    Item item = no_item;
    std::int8_t points = 0;
    std::array<Letter, 3> at{};
    std::int16_t table = -1;

    constexpr bool exists() const { return item != no_item; }
    constexpr int states() const { return points == 2 ? 3 : most_states; }
    constexpr State state(int code) const { return points == 2 ? pair_states[code] : triple_states[code]; }
    constexpr bool has(Letter letter) const {
        for (int p = 0; p < points; ++p)
            if (at[p] == letter) return true;
        return false;
    }
};

// States of the two operands and of the result: codes while the rules are studied, then slots of the tables.
struct Join {
    std::int8_t left = 0, right = 0, out = 0;
    bool first = false;  // the first to write to this state
};

struct Rule {
    Operand out, left, right;  // right may be absent
    bool top = false;          // only for the root's cells, when a single root is asked for
    int joins = 0;
    std::array<Join, 36> join{};

    constexpr bool has(Letter letter) const { return left.has(letter) || right.has(letter); }
};

struct Table {
    Place place = Place::span;
    bool by_i = false, by_j = false;  // read from other cells: with the same i and another j, or the other way round
    bool by_cell = false;             // read by the rules of another place, in the same cell
    bool top = false;
    bool given = false;  // arcs and the like
    int states = 0;
    std::array<std::int8_t, most_states> code{};  // of each slot
    std::array<std::int8_t, most_states> slot{};  // of each code, or -1

    constexpr bool stored() const { return by_i || by_j; }
};

// For each point of a rule the point that heads it, or no_head.
inline constexpr std::int8_t no_head = -1;
using Heads = std::array<std::int8_t, 4>;

// The heads that a part in a state gives to its points.
constexpr Heads heads_in(const Operand& part, int code) {
    Heads heads{no_head, no_head, no_head, no_head};
    for (int p = 0; p < part.points; ++p) {
        const int root = part.state(code).root[p];
        if (root != p) heads[part.at[p]] = part.at[root];
    }
    return heads;
}

// The state of the union of parts that share no arc, or -1 when a point would have two heads, a cycle would close, or
// a point that the result leaves behind would have no head.
constexpr int join(const Operand& out, unsigned points, const Heads& left, const Heads& right) {
    Heads head{};
    for (int point = 0; point < 4; ++point) {
        if (left[point] != no_head && right[point] != no_head) return -1;
        head[point] = left[point] != no_head ? left[point] : right[point];
        const bool closed = (points >> point & 1) && !out.has(Letter(point));
        if (closed && head[point] == no_head) return -1;
    }
    Heads root{};
    for (int point = 0; point < 4; ++point) {
        int top = point;
        for (int steps = 0; head[top] != no_head; ++steps) {
            if (steps == 4) return -1;
            top = head[top];
        }
        root[point] = std::int8_t(top);
    }
    for (int code = 0; code < out.states(); ++code) {
        const State state = out.state(code);
        bool same = true;
        for (int p = 0; p < out.points && same; ++p) same = root[out.at[p]] == out.at[state.root[p]];
        if (same) return code;
    }
    return -1;
}

class Grammar {
  public:
    static constexpr int most_items = 56, most_rules = 128;

    std::array<Rule, most_rules> rule{};
    int rules = 0;
    std::array<Table, 2 * most_items>
        table{};  // two for each item: one for x on the left, or inside, and one for x on the right

    constexpr explicit Grammar(std::string_view text) {
        name_ = {"(arc)", "(top)", "Unit"};
        items_ = 3;
        read(text);
        find_joins();
        keep_useful_states();
        lay_out();
    }

    constexpr int span(std::string_view name) const { return 2 * find(name); }
    constexpr Place place(const Operand& operand) const {
        return operand.points == 2 ? Place::span : table[operand.table].place;
    }

  private:
    std::array<std::string_view, most_items> name_{};
    std::array<bool, most_items> inner_{}, left_{}, right_{}, top_{};
    int items_ = 0;
    std::array<std::array<bool, most_states>, 2 * most_items> useful_{};

    constexpr Item find(std::string_view name) const {
        for (int item = 0; item < items_; ++item)
            if (name_[item] == name) return Item(item);
        return no_item;
    }
    constexpr Item intern(std::string_view name) {
        if (const Item known = find(name); known != no_item) return known;
        name_[items_] = name;
        return Item(items_++);
    }

    // Reading.

    static constexpr bool in_name(char c) {
        return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '\'';
    }
    static constexpr std::string_view take_name(std::string_view& rest) {
        std::size_t length = 0;
        while (length < rest.size() && in_name(rest[length])) ++length;
        const std::string_view name = rest.substr(0, length);
        rest.remove_prefix(length);
        return name;
    }
    static constexpr bool take(std::string_view& rest, std::string_view word) {
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        if (!rest.starts_with(word)) return false;
        rest.remove_prefix(word.size());
        return true;
    }
    static constexpr void expect(bool holds) {
        if (!holds) throw "the text of the rules is malformed";
    }
    static constexpr Letter take_letter(std::string_view& rest) {
        for (const auto& [word, letter] : {std::pair{"i", i_}, {"j", j_}, {"x", x_}, {"k", k_}})
            if (take(rest, word)) return letter;
        throw "a point must be one of i, j, x, k";
    }

    constexpr void read(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
            if (line.empty()) continue;
            if (take(line, "inner:"))
                read_names(line, inner_);
            else if (take(line, "left:"))
                read_names(line, left_);
            else if (take(line, "right:"))
                read_names(line, right_);
            else
                read_rules(line);
        }
    }
    constexpr void read_names(std::string_view line, std::array<bool, most_items>& flag) {
        while (!take(line, "\n") && (take(line, " "), !line.empty())) flag[intern(take_name(line))] = true;
    }
    constexpr void read_rules(std::string_view line) {
        const Operand out = take_operand(line);
        expect(take(line, "<-"));
        do {
            Rule alternative;
            alternative.out = out;
            alternative.left = take_operand(line);
            const bool binary = !line.empty() && !std::string_view(line).starts_with(" |");
            if (binary) {
                Rule with = alternative;
                with.right = take_operand(line);
                if (take(line, "?")) add(alternative);
                add(with);
            } else {
                add(alternative);
            }
        } while (take(line, "|"));
        expect(line.empty());
    }
    constexpr Operand take_operand(std::string_view& rest) {
        Operand operand;
        if (take(rest, "(")) {
            operand.item = arc_item;
            operand.points = 2;
            operand.at[0] = take_letter(rest);
            expect(take(rest, ","));
            operand.at[1] = take_letter(rest);
            expect(take(rest, ")"));
            if (take(rest, "!")) operand.item = top_item;
            return operand;
        }
        take(rest, "");
        operand.item = intern(take_name(rest));
        expect(take(rest, "["));
        do operand.at[operand.points++] = take_letter(rest);
        while (take(rest, ","));
        expect(take(rest, "]"));
        expect((operand.points == 3) == (inner_[operand.item] || left_[operand.item] || right_[operand.item]));
        return operand;
    }

    // A rule for an item with x outside is two rules: x on the left and x on the right, where all its parts exist.
    constexpr void add(Rule alternative) {
        const Operand& out = alternative.out;
        const auto is_top = [&](const Operand& part) {
            return part.exists() && (part.item == top_item || top_[part.item]);
        };
        alternative.top = is_top(alternative.left) || is_top(alternative.right);
        top_[out.item] = alternative.top;
        const bool outside = left_[out.item] || right_[out.item];
        bool placed = false;
        for (const Place side : {Place::left, Place::right}) {
            if (!outside && side == Place::right) break;
            Rule placed_rule = alternative;
            if (!place_parts(placed_rule, outside ? side : Place::inner)) continue;
            rule[rules++] = placed_rule;
            placed = true;
        }
        expect(placed);
    }
    constexpr bool place_parts(Rule& placed, Place of_x) {
        const auto order = [&](Letter letter) {
            switch (letter) {
                case i_:
                    return 1;
                case k_:
                    return 3;
                case j_:
                    return 4;
                default:
                    return of_x == Place::left ? 0 : of_x == Place::right ? 5 : 2;
            }
        };
        const auto place = [&](Operand& part) {
            if (!part.exists()) return true;
            part.table = std::int16_t(2 * part.item);
            if (part.points == 2) return true;
            const int third = order(part.at[2]);
            if (third < order(part.at[0])) {
                table[part.table].place = Place::left;
                return left_[part.item];
            }
            if (third < order(part.at[1])) {
                table[part.table].place = Place::inner;
                return inner_[part.item];
            }
            if (!right_[part.item]) return false;
            ++part.table;
            table[part.table].place = Place::right;
            return true;
        };
        return place(placed.out) && place(placed.left) && place(placed.right);
    }

    // Joins and states.

    static constexpr bool allowed(const Operand& part, int code) {
        if (!part.exists()) return code == 0;
        switch (part.item) {
            case arc_item:
                return code != apart;
            case top_item:
                return code == first_roots_second;
            case unit_item:
                return code == apart;
            default:
                return true;
        }
    }
    constexpr void find_joins() {
        for (int r = 0; r < rules; ++r) {
            Rule& at = rule[r];
            const int right_states = at.right.exists() ? at.right.states() : 1;
            unsigned points = 0;
            for (int letter = 0; letter < 4; ++letter) points |= unsigned(at.has(Letter(letter))) << letter;
            std::array<Heads, most_states> right_heads{};
            for (int b = 0; b < right_states; ++b) right_heads[b] = heads_in(at.right, b);
            for (int a = 0; a < at.left.states(); ++a) {
                if (!allowed(at.left, a)) continue;
                const Heads left_heads = heads_in(at.left, a);
                for (int b = 0; b < right_states; ++b) {
                    if (!allowed(at.right, b)) continue;
                    const int out = join(at.out, points, left_heads, right_heads[b]);
                    if (out != -1) at.join[at.joins++] = {std::int8_t(a), std::int8_t(b), std::int8_t(out)};
                }
            }
        }
    }
    constexpr void keep_useful_states() {
        std::array<std::array<bool, most_states>, 2 * most_items> arises{};
        for (const Item given : {arc_item, top_item, unit_item})
            for (int code = 0; code < 3; ++code) {
                Operand part;
                part.item = given;
                arises[2 * given][code] = allowed(part, code);
            }
        const auto both_arise = [&](const Rule& at, const Join& states) {
            return arises[at.left.table][states.left] && (!at.right.exists() || arises[at.right.table][states.right]);
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (int r = 0; r < rules; ++r)
                for (int n = 0; n < rule[r].joins; ++n) {
                    const Join& states = rule[r].join[n];
                    bool& known = arises[rule[r].out.table][states.out];
                    if (known || !both_arise(rule[r], states)) continue;
                    known = changed = true;
                }
        }
        useful_[span("Int")][first_roots_second] = useful_[span("Goal")][first_roots_second] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (int r = rules; r-- > 0;)
                for (int n = 0; n < rule[r].joins; ++n) {
                    const Join& states = rule[r].join[n];
                    if (!useful_[rule[r].out.table][states.out] || !both_arise(rule[r], states)) continue;
                    const auto mark = [&](bool& known) {
                        changed = changed || !known;
                        known = true;
                    };
                    mark(useful_[rule[r].left.table][states.left]);
                    if (rule[r].right.exists()) mark(useful_[rule[r].right.table][states.right]);
                }
        }
        for (int r = 0; r < rules; ++r) {
            int kept = 0;
            for (int n = 0; n < rule[r].joins; ++n) {
                const Join states = rule[r].join[n];
                if (useful_[rule[r].out.table][states.out] && both_arise(rule[r], states))
                    rule[r].join[kept++] = states;
            }
            rule[r].joins = kept;
        }
    }

    // Slots of the states in each table, and which tables must be kept when their cell is done.
    constexpr void lay_out() {
        std::array<std::array<bool, most_states>, 2 * most_items> written{};
        int kept = 0;
        for (int r = 0; r < rules; ++r)
            if (rule[r].joins) rule[kept++] = rule[r];
        rules = kept;
        for (int t = 0; t < 2 * most_items; ++t)
            for (int code = 0; code < most_states; ++code) {
                table[t].slot[code] = useful_[t][code] ? std::int8_t(table[t].states) : -1;
                if (useful_[t][code]) table[t].code[table[t].states++] = std::int8_t(code);
            }
        for (int r = 0; r < rules; ++r) {
            Rule& at = rule[r];
            table[at.out.table].top = at.top;
            for (const Operand& part : {at.left, at.right}) {
                if (!part.exists()) continue;
                const bool same_i = part.at[0] == i_, same_j = part.at[1] == j_;
                if (same_i && !same_j) table[part.table].by_i = true;
                if (same_j && !same_i) table[part.table].by_j = true;
                if (same_i && same_j && part.points == 3 && (place(part) != place(at.out) || top_[part.item] != at.top))
                    table[part.table].by_cell = true;
            }
            for (int n = 0; n < at.joins; ++n) {
                Join& states = at.join[n];
                states.left = table[at.left.table].slot[states.left];
                if (at.right.exists()) states.right = table[at.right.table].slot[states.right];
                states.out = table[at.out.table].slot[states.out];
                states.first = !written[at.out.table][states.out];
                written[at.out.table][states.out] = true;
            }
        }
        for (const Item item : {arc_item, top_item, unit_item}) table[2 * item].given = true;
        for (const Table& at : table) expect(!at.by_cell || !at.stored());
        for (int r = 0; r < rules; ++r)
            for (const Operand& part : {rule[r].left, rule[r].right})
                expect(!part.exists() || part.item <= unit_item || written[part.table][0]);
    }
};

inline constexpr Grammar overlapping{overlapping_rules};  // for the best tree
inline constexpr Grammar unique{unique_rules};            // for sums

}  // namespace nonproj::one_endpoint_crossing
