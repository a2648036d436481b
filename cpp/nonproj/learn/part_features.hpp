// Features of parts larger than an arc (after Koo & Collins 2010 and Martins et al. 2013): a word with its head and
//   - the sibling before it on the same side, or none: s; past the last one, the end of the side
//   - its grandparent: g
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

}  // namespace feature_templates

class PartFeatures {
  public:
    void assign(const Views& views) {
        sibling_.assign(views);
        grandparent_.assign(views);
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

  private:
    static int sides(int grandparent, int head, int word) {
        return (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
    }

    Templates<feature_templates::sibling_triples, 500> sibling_;
    Templates<feature_templates::grandparent_triples, 600> grandparent_;
};

}  // namespace nonproj::learn
