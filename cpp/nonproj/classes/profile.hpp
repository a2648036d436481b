// The structural profile of a tree: the numbers from which membership in every class follows.
//
//   Pr    core = 0                    k-P   planes <= k             1EC   one_endpoint_crossing
//   WG_k  well_nested, gap_degree <= k                              k-C   crossing_interval <= k
//   M0I, M1I   WG_1, inheritance_degree <= 0, 1      WG1S, M1IS   WG_1, M1I and head_split
//   MG_k  mg <= k                     MH_k  mh <= k                 AD_d  ad <= d
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "nonproj/classes/attardi.hpp"
#include "nonproj/classes/crossing_interval.hpp"
#include "nonproj/classes/crossings.hpp"
#include "nonproj/classes/mildly_ill_nested.hpp"
#include "nonproj/classes/multi_headed.hpp"
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/yields.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

namespace property {
enum Name : int {
    words,
    roots,
    core,  // words left in the core: 0 for projective trees alone
    crossings,
    planes,
    gap_degree,
    edge_degree,
    well_nested,
    inheritance_degree,
    head_split,
    one_endpoint_crossing,
    crossing_interval,
    mg,
    mh,
    ad
};
}

inline constexpr int number_of_properties = property::ad + 1;

inline constexpr std::array<const char*, number_of_properties> property_names = {"words",
                                                                                 "roots",
                                                                                 "core",
                                                                                 "crossings",
                                                                                 "planes",
                                                                                 "gap_degree",
                                                                                 "edge_degree",
                                                                                 "well_nested",
                                                                                 "inheritance_degree",
                                                                                 "head_split",
                                                                                 "one_endpoint_crossing",
                                                                                 "crossing_interval",
                                                                                 "mg",
                                                                                 "mh",
                                                                                 "ad"};

// Stands for a value that could not be settled: a core of too many words, or a search past its work limit.
inline constexpr std::int32_t undetermined = -1;

using Profile = std::array<std::int32_t, number_of_properties>;
using PropertySet = std::uint32_t;  // bit p asks for property p
inline constexpr PropertySet every_property = (PropertySet{1} << number_of_properties) - 1;

// The property tests for cores of up to 64 W - 1 words.
template <int W>
class CoreProfiler {
  public:
    void measure(const Tree& core, PropertySet wanted, Profile& profile) {
        auto asked = [&](property::Name p) { return (wanted >> p & 1) != 0; };
        shape_.assign(core);
        if (asked(property::crossings)) profile[property::crossings] = count_crossings(shape_);
        if (asked(property::planes)) {
            graph_.assign(core);
            profile[property::planes] = count_planes(graph_, colouring_).value_or(undetermined);
        }
        if (asked(property::gap_degree) || asked(property::mg)) profile[property::gap_degree] = gap_degree(shape_);
        if (asked(property::edge_degree)) profile[property::edge_degree] = edge_degree(shape_);
        if (asked(property::well_nested)) profile[property::well_nested] = is_well_nested(shape_);
        if (asked(property::inheritance_degree)) profile[property::inheritance_degree] = inheritance_degree(shape_);
        if (asked(property::head_split)) profile[property::head_split] = is_head_split(shape_);
        if (asked(property::one_endpoint_crossing))
            profile[property::one_endpoint_crossing] = is_one_endpoint_crossing(shape_);
        if (asked(property::crossing_interval)) profile[property::crossing_interval] = crossing_interval(arcs_of(core));
        if (asked(property::mg))
            profile[property::mg] = nesting_.smallest_k(shape_, profile[property::gap_degree]).value_or(undetermined);
        if (asked(property::mh)) profile[property::mh] = multi_headed_.smallest_k(shape_);
        if (asked(property::ad)) profile[property::ad] = attardi_.smallest_degree(core);
    }

  private:
    Shape<W> shape_;
    CrossingGraph<W> graph_;
    PlaneColouring<W> colouring_;
    MildlyIllNested<W> nesting_;
    MultiHeaded multi_headed_;
    Attardi attardi_;
};

class Profiler {
  public:
    static constexpr int max_core_words = Shape<32>::max_words;

    template <class Index>
    Profile measure(std::span<const Index> heads, PropertySet wanted = every_property) {
        Profile profile = projective();
        profile[property::words] = static_cast<std::int32_t>(heads.size());
        profile[property::roots] = static_cast<std::int32_t>(std::count(heads.begin(), heads.end(), 0));
        core_.assign(heads);
        const int left = core_.tree().words();
        profile[property::core] = left;
        if (left == 0) return profile;
        if (left <= Shape<1>::max_words) {
            small_.measure(core_.tree(), wanted, profile);
        } else if (left <= Shape<4>::max_words) {
            if (!medium_) medium_ = std::make_unique<CoreProfiler<4>>();
            medium_->measure(core_.tree(), wanted, profile);
        } else if (left <= max_core_words) {
            if (!large_) large_ = std::make_unique<CoreProfiler<32>>();
            large_->measure(core_.tree(), wanted, profile);
        } else {
            std::fill(profile.begin() + property::crossings, profile.end(), undetermined);
        }
        return profile;
    }

  private:
    static Profile projective() {
        Profile profile{};
        profile[property::planes] = profile[property::well_nested] = profile[property::head_split] =
            profile[property::one_endpoint_crossing] = 1;
        profile[property::crossing_interval] = profile[property::ad] = 1;
        profile[property::mh] = 3;
        return profile;
    }

    Core core_;
    CoreProfiler<1> small_;
    std::unique_ptr<CoreProfiler<4>> medium_;
    std::unique_ptr<CoreProfiler<32>> large_;
};

}  // namespace nonproj
