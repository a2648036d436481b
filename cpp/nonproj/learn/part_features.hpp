// Features of parts larger than an arc (after Koo & Collins 2010 and Martins et al. 2013): a word with its head and
//   - the sibling before it on the same side, or none: s; past the last one, the end of the side
//   - its grandparent: g
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/memo.hpp"
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

    // The parts of a family: a head, its own head (-1 above the root), and its children in order of position.
    // visit(key, name) has the key of a part, and name(at, take) names its features.
    template <class Visit>
    void each_of_family(const PartKinds& kinds, int head, int above, std::span<const int> children,
                        const Visit& visit) const {
        std::size_t left = 0;
        while (left < children.size() && children[left] < head) ++left;
        each_of_side(kinds, head, above, children.first(left).rbegin(), children.first(left).rend(), false, visit);
        each_of_side(kinds, head, above, children.subspan(left).begin(), children.end(), true, visit);
    }

  private:
    enum Kind { of_sibling = 1, of_grandparent };

    template <class Iterator, class Visit>
    void each_of_side(const PartKinds& kinds, int head, int above, Iterator child, Iterator end, bool is_right,
                      const Visit& visit) const {
        int previous = -1;
        const auto visit_sibling = [&](int word, int side) {
            visit(Memo::key(of_sibling, head, previous, word, side),
                  [&](const Addressing& at, const auto& take) { sibling(head, previous, word, is_right, at, take); });
        };
        for (; child != end; ++child) {
            if (kinds.siblings) visit_sibling(*child, -1);
            if (kinds.grandparents && above >= 0)
                visit(Memo::key(of_grandparent, above, head, *child, -1),
                      [&](const Addressing& at, const auto& take) { grandparent(above, head, *child, at, take); });
            previous = *child;
        }
        if (kinds.siblings) visit_sibling(-1, is_right);
    }

    static int sides(int grandparent, int head, int word) {
        return (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
    }

    Templates<feature_templates::sibling_triples, 500> sibling_;
    Templates<feature_templates::grandparent_triples, 600> grandparent_;
};

}  // namespace nonproj::learn
