#include "nonproj/classes/profile.hpp"

#include <algorithm>

#include "nonproj/classes/attardi.hpp"
#include "nonproj/classes/crossing_interval.hpp"
#include "nonproj/classes/crossings.hpp"
#include "nonproj/classes/drop_distance.hpp"
#include "nonproj/classes/mildly_ill_nested.hpp"
#include "nonproj/classes/multi_headed.hpp"
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/two_planes.hpp"
#include "nonproj/classes/yields.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

namespace {

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
            profile[property::planes] = count_planes(core, graph_, colouring_);
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
        if (asked(property::drop_distance)) profile[property::drop_distance] = drop_distance_.of(core);
    }

  private:
    Shape<W> shape_;
    CrossingGraph<W> graph_;
    PlaneColouring<W> colouring_;
    MildlyIllNested<W> nesting_;
    MultiHeaded multi_headed_;
    Attardi attardi_;
    DropDistance drop_distance_;
};

// Of any number of words: as far as two planes.
std::int32_t planes_up_to_two(const Tree& core) {
    const auto plane = TwoPlanes().find(core);
    if (!plane) return -3;
    return std::find(plane->begin(), plane->end(), 1) == plane->end() ? 1 : 2;
}

Profile projective() {
    Profile profile{};
    profile[property::planes] = profile[property::well_nested] = profile[property::head_split] =
        profile[property::one_endpoint_crossing] = 1;
    profile[property::crossing_interval] = profile[property::ad] = profile[property::drop_distance] = 1;
    profile[property::mh] = 3;
    return profile;
}

}  // namespace

struct Profiler::Workspace {
    Core core;
    CoreProfiler<1> small;
    std::unique_ptr<CoreProfiler<4>> medium;
    std::unique_ptr<CoreProfiler<32>> large;
};

const int Profiler::max_core_words = Shape<32>::max_words;

Profiler::Profiler() : workspace_(std::make_unique<Workspace>()) {}
Profiler::~Profiler() = default;

Profile Profiler::measure(std::span<const int> heads, PropertySet wanted) {
    Profile profile = projective();
    profile[property::words] = static_cast<std::int32_t>(heads.size());
    profile[property::roots] = static_cast<std::int32_t>(std::count(heads.begin(), heads.end(), 0));
    auto& [core, small, medium, large] = *workspace_;
    core.assign(heads);
    const int left = core.tree().words();
    profile[property::core] = left;
    if (left == 0) return profile;
    if (left <= Shape<1>::max_words) {
        small.measure(core.tree(), wanted, profile);
    } else if (left <= Shape<4>::max_words) {
        if (!medium) medium = std::make_unique<CoreProfiler<4>>();
        medium->measure(core.tree(), wanted, profile);
    } else if (left <= max_core_words) {
        if (!large) large = std::make_unique<CoreProfiler<32>>();
        large->measure(core.tree(), wanted, profile);
    } else {
        std::fill(profile.begin() + property::crossings, profile.end(), undetermined);
        if ((wanted >> property::planes & 1) != 0) profile[property::planes] = planes_up_to_two(core.tree());
    }
    return profile;
}

}  // namespace nonproj
