// Whether a tree is in a class, for decoders that ask it of many trees: 1 or 0, or -1 when that could not be settled.
#pragma once
#include <span>

#include "nonproj/classes/rule.hpp"

namespace nonproj {

class Membership {
  public:
    int settle(std::span<const int> heads, const ClassRule& rule) {
        return rule.family == Family::spanning ? 1 : rule.holds(profiler_.measure(heads, rule.needs()));
    }

  private:
    Profiler profiler_;
};

// MH_3, AD_1 and 1-C are the projective trees, which are told most cheaply.
inline ClassRule simplest(const ClassRule& rule) {
    const bool is_projective = (rule.family == Family::multi_headed && rule.k == 3) ||
                               (rule.family == Family::attardi && rule.k == 1) ||
                               (rule.family == Family::crossing_interval && rule.k == 1);
    return is_projective ? ClassRule{Family::projective} : rule;
}

}  // namespace nonproj
