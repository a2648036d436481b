#include "nonproj/classes/dummy.hpp"

#include <algorithm>

#include "nonproj/classes/crossing_interval.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

namespace {

constexpr PropertySet bit(property::Name name) { return PropertySet{1} << name; }

std::vector<int> read_backwards(std::span<const int> heads) {
    const int words = static_cast<int>(heads.size());
    std::vector<int> mirrored(heads.rbegin(), heads.rend());
    for (int& head : mirrored) head = head == 0 ? 0 : words + 1 - head;
    return mirrored;
}

void put_right(Profiler& profiler, std::span<const int> heads, PropertySet wanted, Profile& profile) {
    const bool has_one_root = profile[property::roots] == 1;
    const PropertySet changed = wanted & (bit(property::crossing_interval) | (has_one_root ? 0 : bit(property::ad)));
    if (changed != 0) {
        const Profile last = profiler.measure(with_last_word_for_dummy(heads), changed);
        for (int p : {property::crossing_interval, property::ad})
            if ((changed >> p & 1) != 0) profile[p] = last[p];
    }
    const PropertySet mirrored = has_one_root ? 0 : wanted & (bit(property::mh) | bit(property::drop_distance));
    if (mirrored != 0) {
        const Profile backwards = profiler.measure(read_backwards(heads), mirrored);
        for (int p : {property::mh, property::drop_distance})
            if ((mirrored >> p & 1) != 0) profile[p] = backwards[p];
    }
}

// Of the arcs that cross one arc, all share an end.
bool crossers_share_an_end(std::span<const Arc> arcs, const Arc& crossed) {
    std::vector<int> shared;
    bool is_first = true;
    for (const Arc& arc : arcs) {
        if (!cross(arc, crossed)) continue;
        if (is_first) shared = {arc.head, arc.dependent};
        is_first = false;
        std::erase_if(shared, [&](int v) { return v != arc.head && v != arc.dependent; });
        if (shared.empty()) return false;
    }
    return true;
}

void take_away(std::span<const int> heads, PropertySet wanted, Profile& profile) {
    constexpr PropertySet of_all_arcs =
        bit(property::crossings) | bit(property::one_endpoint_crossing) | bit(property::crossing_interval);
    for (int p : {property::mh, property::ad, property::drop_distance}) profile[p] = undetermined;
    if ((wanted & of_all_arcs) == 0 || profile[property::core] == 0 ||
        profile[property::core] > Profiler::max_core_words)
        return;
    Core core;
    core.assign(heads);
    std::vector<Arc> arcs = arcs_of(core.tree());
    std::erase_if(arcs, [](const Arc& arc) { return arc.head == 0; });
    int crossings = 0;
    for (const Arc& a : arcs)
        crossings += static_cast<int>(std::ranges::count_if(arcs, [&](const Arc& b) { return cross(a, b); }));
    profile[property::crossings] = crossings / 2;
    profile[property::one_endpoint_crossing] =
        std::ranges::all_of(arcs, [&](const Arc& arc) { return crossers_share_an_end(arcs, arc); });
    if ((wanted & bit(property::crossing_interval)) != 0)
        profile[property::crossing_interval] = crossing_interval(arcs);
}

}  // namespace

std::vector<int> with_last_word_for_dummy(std::span<const int> heads) {
    std::vector<int> longer(heads.begin(), heads.end());
    std::ranges::replace(longer, 0, static_cast<int>(heads.size()) + 1);
    longer.push_back(0);
    return longer;
}

Profile measure_with_dummy(Profiler& profiler, std::span<const int> heads, PropertySet wanted, Dummy dummy) {
    Profile profile = profiler.measure(heads, wanted);
    if (dummy == Dummy::right && profile[property::core] > 0) put_right(profiler, heads, wanted, profile);
    if (dummy == Dummy::none) take_away(heads, wanted, profile);
    return profile;
}

}  // namespace nonproj
