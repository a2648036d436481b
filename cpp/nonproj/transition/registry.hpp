// The transition systems by name: one row for each, or for each family of them with a number, which is all that the
// rest of the library knows about them. How to add one: its header in this folder, a row in registry.cpp, and what it is
// called in the papers in src/nonproj/transition/catalogue.py.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/transition/any_system.hpp"

namespace nonproj {

// The numbers of a family, such as degrees.
struct NumberRange {
    std::string_view what;  // "the degree"
    int least = 0, greatest = 0;
    int example = 0;  // stands for the family in lists
};

// Lists are written with blanks between their members.
struct SystemRow {
    std::string_view key;
    std::string_view names;    // `#` stands for the number; the first name is shown
    std::string_view derives;  // the class of the trees that it derives, `#` as in names
    std::string_view oracles;  // where there are several; the first is the default
    NumberRange numbers;       // greatest is 0 where there is no number
    bool has_arcs;             // without them there is nothing to derive, and no parser to be trained
    bool has_cost;
    std::shared_ptr<const AnySystem> (*factory)(int number, std::string_view oracle, bool single_root);

    bool has_number() const { return numbers.greatest > 0; }
    std::string name(int number) const;
    std::string class_name(int number) const;
    std::vector<std::string_view> oracle_list() const;
    // The empty oracle is the default; an error names the numbers and oracles that there are.
    std::shared_ptr<const AnySystem> make(int number, std::string_view oracle, bool single_root) const;
};

std::span<const SystemRow> transition_systems();

struct NamedSystem {
    const SystemRow& row;
    int number;
};
// Case, blanks, `-` and `_` do not matter; an error lists the names.
NamedSystem find_system(const std::string& name);

std::shared_ptr<const AnySystem> make_system(const std::string& name, const std::string& oracle = "",
                                             bool single_root = false);

// The most planes of a k-planar system and nodes of an mhk one.
inline constexpr int max_system_number = 64;

}  // namespace nonproj
