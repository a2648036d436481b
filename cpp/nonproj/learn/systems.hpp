// The transition systems that a parser can be trained for, by name.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/transition/arc_eager.hpp"
#include "nonproj/transition/arc_hybrid.hpp"
#include "nonproj/transition/arc_standard.hpp"
#include "nonproj/transition/swap.hpp"

namespace nonproj::learn {

using AnySystem = std::variant<ArcStandard, ArcHybrid, ArcEager, Swap>;

struct NamedSystem {
    std::string name;
    AnySystem several_roots, single_root;
};

inline const std::vector<NamedSystem>& trainable_systems() {
    static const std::vector<NamedSystem> systems = {
        {"arc-standard", ArcStandard{}, ArcStandard{.single_root = true}},
        {"arc-hybrid", ArcHybrid{}, ArcHybrid{.single_root = true}},
        {"arc-eager", ArcEager{}, ArcEager{.single_root = true}},
        {"swap", Swap{.lazy = true}, Swap{.lazy = true, .single_root = true}},
        {"swap-eager", Swap{}, Swap{.single_root = true}},
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
