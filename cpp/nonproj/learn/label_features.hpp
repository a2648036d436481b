// Features of the relation of a word to its head, given the tree: the pair itself, what hangs on the word, and what
// stands beside and above it. A feature has a weight for every relation, one after the other.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "nonproj/learn/arc_features.hpp"
#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/tree/child_lists.hpp"

namespace nonproj::learn {

namespace feature_templates {

using enum View;

// (head, word)
inline constexpr View label_pairs[][2] = {
    {none, F},        {none, LP},      {none, P},        {none, M},
    {none, S},        {P, none},       {LP, none},       {none, before_P_P_after_P},
    {P, P},           {X, X},          {M, M},           {L, L},
    {LP, P},          {P, LP},         {LP, M},          {M, P},
    {P, M},           {P, F},          {P, S},           {F, P},
    {P, before_P_P},  {P, P_after_P},  {P, before_L},    {P, after_L},
    {LP, before_P_P}, {LP, P_after_P}, {none, before_M}, {none, after_M},
    {P_after_P, P},   {before_P_P, P},
};

}  // namespace feature_templates

class LabelFeatures {
  public:
    void assign(const Views& views, std::span<const std::int32_t> heads) {
        views_ = &views;
        heads_ = heads;
        children_.assign(heads);
    }

    // Calls take(hash) for every feature of the word's relation.
    template <class Take>
    void each(int m, const Take& take) const {
        const int h = heads_[m - 1], g = h == 0 ? 0 : heads_[h - 1];
        each_of_pair(*views_, m, h, take);
        above(m, h, g, take);
        beside(m, h, take);
        below(m, h, take);
    }

    // Those of the word and its head alone.
    template <class Take>
    static void each_of_pair(const Views& v, int m, int h, const Take& take) {
        using enum View;
        const Hash direction = h < m, distance = 2 + direction + 2 * distance_bucket(std::abs(h - m));
        Hash seed = 0;
        for (const auto& [of_head, of_word] : feature_templates::label_pairs)
            take(hashed(seed++, v(h, of_head), v(m, of_word), direction));
        take(hashed(40, v(h, P), v(m, P), distance));
        for (const Trait& trait : v.traits(m)) {
            take(hashed(41, v(h, P), trait.value, direction));
            take(hashed(42, v(h, LP), combined(trait.value, v(m, P)), 0));
        }
        for (const Trait& trait : v.traits(h)) take(hashed(43, v(m, M), trait.value, direction));
    }

  private:
    template <class Take>
    void above(int m, int h, int g, const Take& take) const {
        using enum View;
        const Views& v = *views_;
        const Hash sides = (h < m) + 2 * (g < h);
        take(hashed(50, combined(v(g, P), v(h, P)), v(m, P), sides));
        take(hashed(51, v(g, P), v(m, M), sides));
        take(hashed(52, combined(v(g, P), v(h, P)), v(m, LP), sides));
    }
    template <class Take>
    void beside(int m, int h, const Take& take) const {
        using enum View;
        const Views& v = *views_;
        const auto& family = children_[h];
        const auto own = std::lower_bound(family.begin(), family.end(), m);
        const Hash direction = h < m;
        const int before = own == family.begin() ? -1 : *(own - 1), after = own + 1 == family.end() ? -1 : *(own + 1);
        take(hashed(60, combined(v(h, P), v(m, P)), before < 0 ? 1 : v(before, P), direction));
        take(hashed(61, combined(v(h, P), v(m, P)), after < 0 ? 1 : v(after, P), direction));
        take(hashed(62, combined(v(h, P), v(m, M)), before < 0 ? 1 : v(before, M), direction));
        take(hashed(63, combined(v(h, P), v(m, M)), after < 0 ? 1 : v(after, M), direction));
        for (const int other : family) {
            if (other == m) continue;
            take(hashed(64, combined(v(h, P), v(m, M)), v(other, P), direction));
            take(hashed(65, v(m, M), v(other, M), direction));
            take(hashed(66, v(m, M), v(other, LP), direction));
        }
        take(hashed(67, v(m, M), static_cast<Hash>(own - family.begin()), direction));
    }
    template <class Take>
    void below(int m, int h, const Take& take) const {
        using enum View;
        const Views& v = *views_;
        const auto& own = children_[m];
        const Hash direction = h < m, pair = combined(v(h, P), v(m, P));
        take(hashed(70, pair, std::min<std::size_t>(own.size(), 4), direction));
        take(hashed(71, pair, own.empty() ? 1 : v(own.front(), LP), direction));
        for (const int child : own) {
            take(hashed(72, pair, v(child, LP), child < m));
            take(hashed(73, v(m, P), v(child, M), child < m));
            take(hashed(74, v(h, LP), combined(v(child, LP), v(m, P)), child < m));
            take(hashed(75, v(m, M), v(child, LP), child < m));
        }
    }

    const Views* views_ = nullptr;
    std::span<const std::int32_t> heads_;
    ChildLists children_;
};

}  // namespace nonproj::learn
