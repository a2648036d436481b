// Features of parts larger than an arc (after Koo & Collins 2010 and Martins et al. 2013): a word with its head and
//   - the sibling before it on the same side, or none: s; past the last one, the end of the side
//   - the sibling before that: t
//   - its grandparent: g
//   - both: (g, h, s, m)
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/templates.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// (head, sibling, word)
inline constexpr View sibling_triples[][3] = {
    {P, P, P},          {none, P, P},       {X, X, X},         {M, M, M},         {none, M, M}, {none, LP, P},
    {none, P, LP},      {none, LP, LP},     {P, LP, P},        {P, P, LP},        {LP, P, P},   {P, M, M},
    {LP, LP, P},        {LP, P, LP},        {LP, M, M},        {P, LP, LP},       {none, F, F}, {M, P, P},
    {P, before_P_P, P}, {P, P, before_P_P}, {P, P_after_P, P}, {P, P, P_after_P},
};
// (grandparent, head, word)
inline constexpr View grandparent_triples[][3] = {
    {P, P, P},          {P, none, P},       {X, X, X},         {M, M, M},         {M, none, M}, {LP, none, P},
    {P, none, LP},      {LP, none, LP},     {P, LP, P},        {P, P, LP},        {LP, P, P},   {M, P, M},
    {P, LP, LP},        {LP, LP, P},        {M, P, P},         {P, P, M},         {P, M, M},    {none, LP, LP},
    {P, before_P_P, P}, {P, P, before_P_P}, {P, P_after_P, P}, {P, P, P_after_P},
};

// (head, sibling before, sibling, word)
inline constexpr View two_siblings_views[][4] = {{P, P, P, P}, {none, P, P, P}, {none, LP, LP, LP}};
// (grandparent, head, sibling, word)
inline constexpr View grand_sibling_views[][4] = {{P, P, P, P}, {P, none, P, P}, {P, LP, P, P}, {P, P, P, LP}};

class PartFeatures {
  public:
    void assign(const Views& views) {
        views_ = &views;
        sibling_.assign(views);
        grandparent_.assign(views);
        two_siblings_.assign(views);
        grand_sibling_.assign(views);
    }

    // `word` is -1 for the end of a side, `sibling` is -1 for none.
    template <class Take>
    void sibling(int head, int sibling, int word, bool is_right, const Addressing& at, const Take& take) const {
        const int gap = sibling < 0 || word < 0 ? 0 : std::min(3, std::abs(word - sibling));
        const int slot = is_right + 2 * gap, plain = 8 + is_right;
        const auto take_both = [&](std::size_t line) {
            take(line + slot);
            take(line + plain);
        };
        sibling_.each_line(at, take_both, head, sibling, word);
    }
    template <class Take>
    void grandparent(int grandparent, int head, int word, const Addressing& at, const Take& take) const {
        const int slot = sides(grandparent, head, word);
        const bool is_near = std::abs(head - word) == 1;
        const auto take_both = [&](std::size_t line) {
            take(line + slot);
            take(line + 8 + (slot & 6) + is_near);
        };
        grandparent_.each_line(at, take_both, grandparent, head, word);
    }
    template <class Take>
    void two_siblings(int head, int before, int sibling, int word, bool is_right, const Addressing& at,
                      const Take& take) const {
        two_siblings_.each_line(at, [&](std::size_t line) { take(line + is_right); }, head, before, sibling, word);
    }
    template <class Take>
    void grand_sibling(int grandparent, int head, int sibling, int word, const Addressing& at, const Take& take) const {
        const int slot = sides(grandparent, head, word);
        grand_sibling_.each_line(at, [&](std::size_t line) { take(line + slot); }, grandparent, head, sibling, word);
    }

    // How many words a head takes on each side.
    template <class Take>
    void valency(int head, int left, int right, const Addressing& at, const Take& take) const {
        const Hash counts = static_cast<Hash>(std::min(left, 4)) * 8 + std::min(right, 4);
        for (const View v : {P, LP, M}) {
            const std::size_t line = at.line(hashed(900, (*views_)(head, v), v, 0));
            take(line + std::min(left, 4));
            take(line + 5 + std::min(right, 4));
            take(at.line(hashed(901, (*views_)(head, v), v, counts)));
        }
    }

  private:
    static int sides(int grandparent, int head, int word) {
        return (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
    }

    const Views* views_ = nullptr;
    Templates<sibling_triples, 500> sibling_;
    Templates<grandparent_triples, 600> grandparent_;
    Templates<two_siblings_views, 700> two_siblings_;
    Templates<grand_sibling_views, 800> grand_sibling_;
};

}  // namespace nonproj::learn
