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

namespace feature_templates {

using enum View;

// (head, sibling, word)
inline constexpr View sibling_triples[][3] = {
    {P, P, P},  {none, P, P}, {M, M, M}, {none, M, M}, {none, LP, P}, {none, P, LP}, {none, LP, LP}, {P, LP, P},
    {P, P, LP}, {LP, P, P},   {P, M, M}, {LP, LP, P},  {LP, P, LP},   {LP, M, M},    {P, LP, LP},    {M, P, P},
};
// (grandparent, head, word)
inline constexpr View grandparent_triples[][3] = {
    {P, P, P},  {P, none, P}, {M, M, M}, {M, none, M}, {LP, none, P}, {P, none, LP}, {LP, none, LP}, {P, LP, P},
    {P, P, LP}, {LP, P, P},   {M, P, M}, {P, LP, LP},  {LP, LP, P},   {M, P, P},     {P, P, M},      {P, M, M},
};
// (head, sibling before, sibling, word)
inline constexpr View two_siblings_views[][4] = {{P, P, P, P}, {none, P, P, P}, {none, LP, LP, LP}};
// (grandparent, head, sibling, word)
inline constexpr View grand_sibling_views[][4] = {{P, P, P, P}, {P, none, P, P}, {P, LP, P, P}, {P, P, P, LP}};

}  // namespace feature_templates

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
        sibling_.lines(at, [&](auto lines) { take.lines(lines, slot, plain); }, head, sibling, word);
    }
    template <class Take>
    void grandparent(int grandparent, int head, int word, const Addressing& at, const Take& take) const {
        const int slot = sides(grandparent, head, word);
        const int nearness = 8 + (slot & 6) + (std::abs(head - word) == 1);
        grandparent_.lines(at, [&](auto lines) { take.lines(lines, slot, nearness); }, grandparent, head, word);
    }
    template <class Take>
    void two_siblings(int head, int before, int sibling, int word, bool is_right, const Addressing& at,
                      const Take& take) const {
        two_siblings_.lines(at, [&](auto lines) { take.lines(lines, is_right); }, head, before, sibling, word);
    }
    template <class Take>
    void grand_sibling(int grandparent, int head, int sibling, int word, const Addressing& at, const Take& take) const {
        const int slot = sides(grandparent, head, word);
        grand_sibling_.lines(at, [&](auto lines) { take.lines(lines, slot); }, grandparent, head, sibling, word);
    }

    // How many words a head takes on each side.
    template <class Take>
    void valency(int head, int left, int right, const Addressing& at, const Take& take) const {
        const Hash counts = static_cast<Hash>(std::min(left, 4)) * 8 + std::min(right, 4);
        for (const View view : {View::P, View::LP, View::M}) {
            const Hash kind = static_cast<Hash>(view), seen = (*views_)(head, view);
            const std::size_t line = at.line(hashed(900, seen, kind, 0));
            take.place(line + std::min(left, 4));
            take.place(line + 5 + std::min(right, 4));
            take.place(at.line(hashed(901, seen, kind, counts)));
        }
    }

  private:
    static int sides(int grandparent, int head, int word) {
        return (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
    }

    const Views* views_ = nullptr;
    Templates<feature_templates::sibling_triples, 500> sibling_;
    Templates<feature_templates::grandparent_triples, 600> grandparent_;
    Templates<feature_templates::two_siblings_views, 700> two_siblings_;
    Templates<feature_templates::grand_sibling_views, 800> grand_sibling_;
};

}  // namespace nonproj::learn
