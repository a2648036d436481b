// Which trees a class holds, as a rule over the profile of a tree.
#pragma once
#include "nonproj/classes/profile.hpp"

namespace nonproj {

enum class Family {
    spanning,               // every tree
    projective,             // Pr
    planar,                 // k-P
    one_endpoint_crossing,  // 1EC
    crossing_interval,      // k-C
    well_nested,            // WG_k; with an inheritance bound M0I, M1I; with head_split WG1S, M1IS
    mildly_ill_nested,      // MG_k
    multi_headed,           // MH_k
    attardi                 // AD_k
};

struct ClassRule {
    static constexpr int unbounded = std::numeric_limits<std::int32_t>::max();

    Family family = Family::spanning;
    int k = 0;
    int inheritance = unbounded;
    bool head_split = false;

    // The properties that decide membership.
    PropertySet needs() const {
        auto bits = [](auto... p) { return ((PropertySet{1} << static_cast<int>(p)) | ...); };
        switch (family) {
            case Family::spanning:
                return 0;
            case Family::projective:
                return bits(property::core);
            case Family::planar:
                return bits(property::planes);
            case Family::one_endpoint_crossing:
                return bits(property::one_endpoint_crossing);
            case Family::crossing_interval:
                return bits(property::crossing_interval);
            case Family::well_nested:
                return bits(property::gap_degree, property::well_nested) |
                       (inheritance != unbounded ? bits(property::inheritance_degree) : 0) |
                       (head_split ? bits(property::head_split) : 0);
            case Family::mildly_ill_nested:
                return bits(property::mg);
            case Family::multi_headed:
                return bits(property::mh);
            case Family::attardi:
                return bits(property::ad);
        }
        return every_property;
    }

    // 1 inside, 0 outside, -1 when a property it needs could not be settled.
    template <class Values>
    int holds(const Values& profile) const {
        const PropertySet wanted = needs();
        for (int p = 0; p < number_of_properties; ++p)
            if ((wanted >> p & 1) != 0 && profile[p] == undetermined) return -1;
        switch (family) {
            case Family::spanning:
                return 1;
            case Family::projective:
                return profile[property::core] == 0;
            case Family::planar:
                return profile[property::planes] <= k;
            case Family::one_endpoint_crossing:
                return profile[property::one_endpoint_crossing] != 0;
            case Family::crossing_interval:
                return profile[property::crossing_interval] <= k;
            case Family::well_nested:
                return profile[property::well_nested] != 0 && profile[property::gap_degree] <= k &&
                       (inheritance == unbounded || profile[property::inheritance_degree] <= inheritance) &&
                       (!head_split || profile[property::head_split] != 0);
            case Family::mildly_ill_nested:
                return profile[property::mg] <= k;
            case Family::multi_headed:
                return profile[property::mh] <= k;
            case Family::attardi:
                return profile[property::ad] <= k;
        }
        return -1;
    }
};

}  // namespace nonproj
