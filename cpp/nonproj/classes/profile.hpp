// The structural profile of a tree: the numbers from which membership in every class follows.
//
//   Pr    core = 0                    k-P   planes <= k             1EC   one_endpoint_crossing
//   WG_k  well_nested, gap_degree <= k                              k-C   crossing_interval <= k
//   M0I, M1I   WG_1, inheritance_degree <= 0, 1      WG1S, M1IS   WG_1, M1I and head_split
//   MG_k  mg <= k                     MH_k  mh <= k                 AD_d  ad <= d
//   DD_d  drop_distance <= d
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>

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
    ad,
    drop_distance
};
}

inline constexpr int number_of_properties = property::drop_distance + 1;

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
                                                                                 "ad",
                                                                                 "drop_distance"};

// Stands for a value that could not be settled: a core of too many words, or a search past its work limit. Of planes that
// could not be settled it is known that they are at least so many, b: the value is -b.
inline constexpr std::int32_t undetermined = -1;

using Profile = std::array<std::int32_t, number_of_properties>;
using PropertySet = std::uint32_t;  // bit p asks for property p
inline constexpr PropertySet every_property = (PropertySet{1} << number_of_properties) - 1;

// Measures trees, one after the other.
class Profiler {
  public:
    Profiler();
    ~Profiler();
    Profiler(const Profiler&) = delete;
    Profiler& operator=(const Profiler&) = delete;

    static const int max_core_words;

    Profile measure(std::span<const int> heads, PropertySet wanted = every_property);

  private:
    struct Workspace;
    std::unique_ptr<Workspace> workspace_;
};

}  // namespace nonproj
