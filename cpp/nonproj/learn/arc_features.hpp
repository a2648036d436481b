// Features of an arc (after McDonald, Crammer & Pereira 2005 and Martins et al. 2013): pairs of views of head and
// dependent, each alone with the direction and once more with the distance; the tags between them; and their
// morphology, attribute by attribute.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/templates.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

namespace feature_templates {

using enum View;

// (head, dependent): enough to tell likely arcs from unlikely ones.
inline constexpr View lean_pairs[][2] = {
    {P, none},
    {none, P},
    {none, LP},
    {LP, none},
    {P, P},
    {X, X},
    {M, M},
    {LP, P},
    {P, LP},
    {L, L},
    {M, P},
    {P, M},
    {P_after_P, before_P_P},
    {before_P_P, before_P_P},
    {P_after_P, P_after_P},
    {before_P_P, P_after_P},
};
inline constexpr View rich_pairs[][2] = {
    {F, none},
    {LP, none},
    {P, none},
    {M, none},
    {none, F},
    {none, LP},
    {none, P},
    {none, M},
    {before_P_P_after_P, none},
    {none, before_P_P_after_P},
    {none, S},
    {P, P},
    {X, X},
    {M, M},
    {L, L},
    {F, F},
    {LP, P},
    {P, LP},
    {LP, M},
    {M, LP},
    {M, P},
    {P, M},
    {L, X},
    {X, L},
    {F, P},
    {P, F},
    {S, P},
    {P, S},
    {S, S},
    {P_after_P, before_P_P},
    {before_P_P, before_P_P},
    {P_after_P, P_after_P},
    {before_P_P, P_after_P},
    {before_P_P_after_P, P},
    {P, before_P_P_after_P},
    {P_after_P, P},
    {P, before_P_P},
    {before_P_P, P},
    {P, P_after_P},
    {before_P_P_after_P, before_P_P_after_P},
    {X_after_X, before_X_X},
    {before_X_X, X_after_X},
    {before_before_P, P},
    {P, before_before_P},
    {after_after_P, P},
    {P, after_after_P},
    {LP, before_P_P},
    {LP, P_after_P},
    {before_P_P, LP},
    {P_after_P, LP},
    {LP, before_L},
    {LP, after_L},
    {before_L, LP},
    {after_L, LP},
    {M, before_M},
    {M, after_M},
    {before_M, M},
    {after_M, M},
};

}  // namespace feature_templates

inline int distance_bucket(int distance) { return distance <= 5 ? distance - 1 : distance <= 10 ? 5 : 6; }

// Slots 0 and 1 for the direction alone, 2 to 15 with one of seven distances.
struct ArcSlots {
    int direction, distance;
    ArcSlots(int head, int dependent)
        : direction(head < dependent), distance(2 + 7 * direction + distance_bucket(std::abs(head - dependent))) {}
};

// The few features by which arcs are pruned.
class LeanArcFeatures {
  public:
    void assign(const Views& views) { pairs_.assign(views); }
    template <class Take>
    void each(int head, int dependent, const Addressing& at, const Take& take) const {
        const ArcSlots slot(head, dependent);
        pairs_.lines(at, [&](auto lines) { take.lines(lines, slot.distance); }, head, dependent);
    }

  private:
    Templates<feature_templates::lean_pairs, 100> pairs_;
};

class RichArcFeatures {
  public:
    void assign(const Views& views) {
        views_ = &views;
        pairs_.assign(views);
        number_tags();
    }

    // Names every feature of the arc.
    template <class Take>
    void each(int head, int dependent, const Addressing& at, const Take& take) const {
        const ArcSlots slot(head, dependent);
        pairs_.lines(at, [&](auto lines) { take.lines(lines, slot.direction, slot.distance); }, head, dependent);
        between(head, dependent, at, slot, take);
        morphology(head, dependent, at, slot, take);
    }

  private:
    static constexpr int max_tags = 32;  // told apart between two words

    void number_tags() {
        const int n = views_->size();
        tags_.clear();
        number_.resize(static_cast<std::size_t>(n) + 1);
        for (int i = 1; i <= n; ++i) {
            const Hash tag = (*views_)(i, View::P);
            const auto found = std::find(tags_.begin(), tags_.end(), tag);
            number_[i] = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(found - tags_.begin(), max_tags - 1));
            if (found == tags_.end() && tags_.size() < max_tags) tags_.push_back(tag);
        }
    }

    // The tags between head and dependent, each once, and how many words of it there are.
    template <class Take>
    void between(int head, int dependent, const Addressing& at, const ArcSlots& slot, const Take& take) const {
        std::array<std::uint8_t, max_tags> count{};
        for (int i = std::min(head, dependent) + 1; i < std::max(head, dependent); ++i)
            if (count[number_[i]] < 3) ++count[number_[i]];
        const Hash ends = combined((*views_)(head, View::P), (*views_)(dependent, View::P) + 17);
        for (std::size_t tag = 0; tag < tags_.size(); ++tag) {
            if (count[tag] == 0) continue;
            const std::size_t line = at.line(combined(ends, tags_[tag]));
            take.place(line + slot.direction);
            take.place(line + 2 + 2 * count[tag] + slot.direction);
        }
    }

    template <class Take>
    void morphology(int head, int dependent, const Addressing& at, const ArcSlots& slot, const Take& take) const {
        const Hash tags = combined((*views_)(head, View::P), (*views_)(dependent, View::P) + 18);
        for (const Trait& of_dependent : views_->traits(dependent)) {
            take.place(at.line(combined(tags, of_dependent.value)) + slot.distance);
            for (const Trait& of_head : views_->traits(head)) {
                const Hash both = combined(of_head.value, of_dependent.value);
                take.place(at.line(both) + slot.direction);
                if (of_head.attribute == of_dependent.attribute)
                    take.place(at.line(combined(tags, both)) + slot.distance);
            }
        }
        for (const Trait& of_head : views_->traits(head))
            take.place(at.line(combined(tags, of_head.value + 1)) + slot.distance);
    }

    const Views* views_ = nullptr;
    Templates<feature_templates::rich_pairs, 200> pairs_;
    std::vector<Hash> tags_;
    std::vector<std::uint8_t> number_;
};

}  // namespace nonproj::learn
