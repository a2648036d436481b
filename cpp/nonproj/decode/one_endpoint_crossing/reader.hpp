// Reads the text of the rules, at compile time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nonproj::one_endpoint_crossing {

// The points a rule speaks of: the cell i < j, the third point x, the split point k.
enum class Letter : std::int8_t { i, j, x, k };
inline constexpr int letters = 4;

// Where the third point of an item stands: nowhere, inside the cell, to its left, to its right.
enum class Place : std::int8_t { span, inner, left, right };

// An item has two tables: the second is for x on the right.
using ItemName = std::int8_t;
inline constexpr ItemName no_item = -1, arc_item = 0, top_item = 1, unit_item = 2;  // unit: a cell of two neighbours
inline constexpr int max_items = 52, max_tables = 2 * max_items, max_rules = 104;
inline constexpr int max_states = 10, max_joins = 34;

// An item, or an arc, with its points.
struct Operand {
    ItemName item = no_item;
    std::int8_t points = 0;
    Letter at[3] = {};
    std::int16_t table = -1;

    constexpr bool exists() const { return item != no_item; }
    constexpr bool has(Letter letter) const {
        for (int p = 0; p < points; ++p)
            if (at[p] == letter) return true;
        return false;
    }
    constexpr bool is_in_cell() const { return at[0] == Letter::i && at[1] == Letter::j; }
};

// States of the two operands of a rule and of the result: codes at first, then slots of their tables.
struct Join {
    std::int8_t left = 0, right = 0, out = 0;
    bool first = false;  // the first to write to this state of the result
};

struct Rule {
    Operand out, left, right;  // right may be absent
    bool top = false;          // only for the root's cells, when a single root is asked for
    int joins = 0;
    Join join[max_joins] = {};

    constexpr bool has(Letter letter) const { return left.has(letter) || right.has(letter); }
};

// The rules of a text, each alternative by itself, and one for x on either side where both exist.
struct RuleList {
    int rules = 0;
    Rule rule[max_rules] = {};
    Place place[max_tables] = {};
    std::string_view name[max_items] = {};
    int items = 0;

    constexpr explicit RuleList(std::string_view text) {
        for (const std::string_view given : {"(arc)", "(arc)!", "Unit"}) intern(given);
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            read_line(text.substr(0, end));
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
        }
    }
    constexpr int table_of(std::string_view span_item) const { return 2 * find(span_item); }

  private:
    bool inner_[max_items] = {}, left_[max_items] = {}, right_[max_items] = {}, top_[max_items] = {};

    static constexpr void expect(bool holds) {
        if (!holds) throw "the text of the rules is malformed";
    }
    constexpr ItemName find(std::string_view wanted) const {
        for (int item = 0; item < items; ++item)
            if (name[item] == wanted) return ItemName(item);
        return no_item;
    }
    constexpr ItemName intern(std::string_view wanted) {
        if (const ItemName known = find(wanted); known != no_item) return known;
        expect(items < max_items);
        name[items] = wanted;
        return ItemName(items++);
    }

    // Words and signs; `take` skips blanks.
    static constexpr bool take(std::string_view& rest, std::string_view sign) {
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        if (!rest.starts_with(sign)) return false;
        rest.remove_prefix(sign.size());
        return true;
    }
    static constexpr std::string_view take_name(std::string_view& rest) {
        const std::size_t end = rest.find_first_of(" [");
        const std::string_view taken = rest.substr(0, end);
        expect(!taken.empty());
        rest.remove_prefix(taken.size());
        return taken;
    }
    static constexpr Letter take_letter(std::string_view& rest) {
        for (int letter = 0; letter < letters; ++letter)
            if (take(rest, std::string_view("ijxk").substr(letter, 1))) return Letter(letter);
        throw "a point must be one of i, j, x, k";
    }

    constexpr void read_line(std::string_view line) {
        line = line.substr(0, line.find('#'));
        line = line.substr(0, line.find_last_not_of(' ') + 1);
        if (take(line, "inner:")) return read_names(line, inner_);
        if (take(line, "left:")) return read_names(line, left_);
        if (take(line, "right:")) return read_names(line, right_);
        if (!line.empty()) read_rules(line);
    }
    constexpr void read_names(std::string_view line, bool (&flag)[max_items]) {
        while (take(line, " "), !line.empty()) flag[intern(take_name(line))] = true;
    }
    constexpr void read_rules(std::string_view line) {
        const Operand out = take_operand(line);
        expect(take(line, "<-"));
        do {
            Rule rule_read;
            rule_read.out = out;
            rule_read.left = take_operand(line);
            if (!line.empty() && !line.starts_with(" |")) {
                const Rule alone = rule_read;
                rule_read.right = take_operand(line);
                if (take(line, "?")) add(alone);
            }
            add(rule_read);
        } while (take(line, "|"));
        expect(line.empty());
    }
    constexpr Operand take_operand(std::string_view& rest) {
        Operand operand;
        const bool is_arc = take(rest, "(");
        if (!is_arc) {
            take(rest, "");
            operand.item = intern(take_name(rest));
            expect(take(rest, "["));
        }
        do operand.at[operand.points++] = take_letter(rest);
        while (take(rest, ","));
        expect(take(rest, is_arc ? ")" : "]"));
        if (is_arc) operand.item = take(rest, "!") ? top_item : arc_item;
        const ItemName item = operand.item;
        expect(operand.points == (inner_[item] || left_[item] || right_[item] ? 3 : 2));
        return operand;
    }

    constexpr void add(Rule added) {
        const auto is_top = [&](const Operand& part) {
            return part.exists() && (part.item == top_item || top_[part.item]);
        };
        const ItemName item = added.out.item;
        added.top = top_[item] = is_top(added.left) || is_top(added.right);
        if (!left_[item] && !right_[item]) {
            expect(find_places(added, 2));
            rule[rules++] = added;
            return;
        }
        bool found = false;
        for (const int order_of_x : {0, 5}) {
            if (!find_places(added, order_of_x)) continue;
            rule[rules++] = added;
            found = true;
        }
        expect(found && rules < max_rules);
    }
    // Which tables a rule speaks of when the points stand in the order (0) i=1 (2) k=3 j=4 (5), with x in a gap;
    // false if some item does not have its third point there.
    constexpr bool find_places(Rule& of, int order_of_x) {
        for (Operand* part : {&of.out, &of.left, &of.right}) {
            if (!part->exists()) continue;
            part->table = std::int16_t(2 * part->item);
            if (part->points == 2) continue;
            const auto order = [&](int p) {
                return part->at[p] == Letter::i   ? 1
                       : part->at[p] == Letter::k ? 3
                       : part->at[p] == Letter::j ? 4
                                                  : order_of_x;
            };
            const Place found = order(2) < order(0) ? Place::left : order(2) < order(1) ? Place::inner : Place::right;
            const bool* has = found == Place::left ? left_ : found == Place::inner ? inner_ : right_;
            if (!has[part->item]) return false;
            if (found == Place::right) ++part->table;
            place[part->table] = found;
        }
        return true;
    }
};

}  // namespace nonproj::one_endpoint_crossing
