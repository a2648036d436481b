// The transition systems that a parser can be trained for, by name.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/transition/arc_eager.hpp"
#include "nonproj/transition/arc_hybrid.hpp"
#include "nonproj/transition/arc_standard.hpp"
#include "nonproj/transition/attardi.hpp"
#include "nonproj/transition/covington.hpp"
#include "nonproj/transition/multi_headed.hpp"
#include "nonproj/transition/planar.hpp"
#include "nonproj/transition/sort_parse.hpp"
#include "nonproj/transition/swap.hpp"
#include "nonproj/transition/two_register.hpp"

namespace nonproj::learn {

using AnySystem = std::variant<ArcStandard, ArcHybrid, ArcEager, Swap, SortParse, AttardiSystem, Planar, TwoRegister,
                               Covington, MultiHeadedSystem>;

struct NamedSystem {
    std::string name;
    AnySystem several_roots, single_root;
};

inline const std::vector<NamedSystem>& trainable_systems() {
    static const std::vector<NamedSystem> systems = {
        {"arc-standard", ArcStandard{}, ArcStandard{true}},
        {"arc-hybrid", ArcHybrid{}, ArcHybrid{true}},
        {"arc-eager", ArcEager{}, ArcEager{true}},
        {"swap", Swap{true, false}, Swap{true, true}},
        {"swap-eager", Swap{false, false}, Swap{false, true}},
        {"sort-parse", SortParse{SortParse::Oracle::eager, false}, SortParse{SortParse::Oracle::eager, true}},
        {"attardi-2", AttardiSystem{2, false}, AttardiSystem{2, true}},
        {"attardi-3", AttardiSystem{3, false}, AttardiSystem{3, true}},
        {"2-planar", Planar{2, false}, Planar{2, true}},
        {"two-register", TwoRegister{}, TwoRegister{true}},
        {"covington", Covington{}, Covington{true}},
        {"mh4", MultiHeadedSystem{4, false}, MultiHeadedSystem{4, true}},
        {"mh5", MultiHeadedSystem{5, false}, MultiHeadedSystem{5, true}},
    };
    return systems;
}

inline const AnySystem& system_named(const std::string& name, bool single_root) {
    std::string known;
    for (const NamedSystem& system : trainable_systems()) {
        if (system.name == name) return single_root ? system.single_root : system.several_roots;
        known += (known.empty() ? "" : ", ") + system.name;
    }
    throw Error("no parser can be trained for the system '" + name + "': there are " + known);
}

}  // namespace nonproj::learn
