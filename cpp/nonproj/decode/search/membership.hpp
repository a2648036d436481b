// Whether a tree is in a class, for decoders that ask it of many trees: 1 or 0, or -1 when that could not be
// settled.
#pragma once
#include <span>

#include "nonproj/classes/rule.hpp"

namespace nonproj {

// A class that holds the rule's class and is told sooner, to look at first; else every tree. 2-C lies within 1EC: of two
// vertices u, v that touch all crossed arcs of a group, a crossed arc has just one, say u, since those that cross it
// share no end with it; so they all have v.
inline ClassRule cheaper_and_wider(const ClassRule& rule) {
    return {rule.family == Family::crossing_interval && rule.k == 2 ? Family::one_endpoint_crossing : Family::spanning};
}

class Membership {
  public:
    int settle(std::span<const int> heads, const ClassRule& rule) {
        if (rule.family == Family::spanning) return 1;
        if (rule.family == Family::planar && rule.k == 1) return is_planar(heads);
        if (settle(heads, cheaper_and_wider(rule)) == 0) return 0;
        return rule.holds(profiler_.measure(heads, rule.needs()));
    }

  private:
    // The profile would go on to count the planes.
    bool is_planar(std::span<const int> heads) {
        core_.assign(heads);
        const Tree& core = core_.tree();
        for (int a = 1; a <= core.words(); ++a)
            for (int b = a + 1; b <= core.words() && core.head(a) != 0; ++b)
                if (core.head(b) != 0 && cross(core.arc(a), core.arc(b))) return false;
        return true;
    }

    Profiler profiler_;
    Core core_;
};

// MH_3, AD_1 and 1-C are the projective trees, which are told most cheaply.
inline ClassRule simplest(const ClassRule& rule) {
    const bool is_projective = (rule.family == Family::multi_headed && rule.k == 3) ||
                               (rule.family == Family::attardi && rule.k == 1) ||
                               (rule.family == Family::crossing_interval && rule.k == 1);
    return is_projective ? ClassRule{Family::projective} : rule;
}

}  // namespace nonproj
