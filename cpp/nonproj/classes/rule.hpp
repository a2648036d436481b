// Which class of trees is meant. What the class holds and what can be asked of it stands in its row of solver/table.cpp.
#pragma once
#include <cstdint>
#include <limits>

namespace nonproj {

class CustomClass;

enum class Family {
    spanning,               // every tree
    projective,             // Pr
    planar,                 // k-P
    one_endpoint_crossing,  // 1EC
    crossing_interval,      // k-C
    well_nested,            // WG_k; with an inheritance bound M0I, M1I; with head_split WG1S, M1IS
    mildly_ill_nested,      // MG_k
    multi_headed,           // MH_k
    attardi,                // AD_k
    attardi_variant,        // AV_k
    drop_distance,          // DD_k
    custom                  // whatever a caller's own test says (solver/custom_class.hpp)
};

struct ClassRule {
    static constexpr int unbounded = std::numeric_limits<std::int32_t>::max();

    Family family = Family::spanning;
    int k = 0;
    int inheritance = unbounded;
    bool head_split = false;
    const CustomClass* custom = nullptr;  // of Family::custom alone

    bool operator==(const ClassRule&) const = default;
};

}  // namespace nonproj
