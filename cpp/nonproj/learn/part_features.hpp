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
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

struct Triple {
    View first, second, third;
};

// (head, sibling, word)
inline constexpr Triple sibling_triples[] = {
    {P, P, P},          {none, P, P},       {X, X, X},         {M, M, M},         {none, M, M}, {none, LP, P},
    {none, P, LP},      {none, LP, LP},     {P, LP, P},        {P, P, LP},        {LP, P, P},   {P, M, M},
    {LP, LP, P},        {LP, P, LP},        {LP, M, M},        {P, LP, LP},       {none, F, F}, {M, P, P},
    {P, before_P_P, P}, {P, P, before_P_P}, {P, P_after_P, P}, {P, P, P_after_P},
};
// (grandparent, head, word)
inline constexpr Triple grandparent_triples[] = {
    {P, P, P},          {P, none, P},       {X, X, X},         {M, M, M},         {M, none, M}, {LP, none, P},
    {P, none, LP},      {LP, none, LP},     {P, LP, P},        {P, P, LP},        {LP, P, P},   {M, P, M},
    {P, LP, LP},        {LP, LP, P},        {M, P, P},         {P, P, M},         {P, M, M},    {none, LP, LP},
    {P, before_P_P, P}, {P, P, before_P_P}, {P, P_after_P, P}, {P, P, P_after_P},
};

class PartFeatures {
  public:
    void assign(const Views& views) { views_ = &views; }

    // `word` is -1 for the end of a side, `sibling` is -1 for none.
    template <class Take>
    void sibling(int head, int sibling, int word, bool is_right, const Addressing& at, const Take& take) const {
        const int gap = sibling < 0 || word < 0 ? 0 : std::min(3, std::abs(word - sibling));
        const int slot = is_right + 2 * gap, plain = 8 + is_right;
        for (std::size_t t = 0; t < std::size(sibling_triples); ++t) {
            const auto& [h, s, m] = sibling_triples[t];
            const std::size_t line = at.line(hashed(500 + t, view(head, h), view(sibling, s), view(word, m)));
            take(line + slot);
            take(line + plain);
        }
    }
    template <class Take>
    void grandparent(int grandparent, int head, int word, const Addressing& at, const Take& take) const {
        const int slot = (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
        const bool is_near = std::abs(head - word) == 1;
        for (std::size_t t = 0; t < std::size(grandparent_triples); ++t) {
            const auto& [g, h, m] = grandparent_triples[t];
            const std::size_t line = at.line(hashed(600 + t, view(grandparent, g), view(head, h), view(word, m)));
            take(line + slot);
            take(line + 8 + (slot & 6) + is_near);
        }
    }
    template <class Take>
    void two_siblings(int head, int before, int sibling, int word, bool is_right, const Addressing& at,
                      const Take& take) const {
        for (std::size_t t = 0; t < 3; ++t) {
            static constexpr View of[3][4] = {{P, P, P, P}, {none, P, P, P}, {none, LP, LP, LP}};
            const Hash pair = combined(view(head, of[t][0]), view(before, of[t][1]));
            take(at.line(hashed(700 + t, pair, view(sibling, of[t][2]), view(word, of[t][3]))) + is_right);
        }
    }
    template <class Take>
    void grand_sibling(int grandparent, int head, int sibling, int word, const Addressing& at, const Take& take) const {
        const int slot = (grandparent < head) + 2 * (head < word) + 4 * (grandparent < word);
        for (std::size_t t = 0; t < 4; ++t) {
            static constexpr View of[4][4] = {{P, P, P, P}, {P, none, P, P}, {P, LP, P, P}, {P, P, P, LP}};
            const Hash pair = combined(view(grandparent, of[t][0]), view(head, of[t][1]));
            take(at.line(hashed(800 + t, pair, view(sibling, of[t][2]), view(word, of[t][3]))) + slot);
        }
    }

    // How many words a head takes on each side.
    template <class Take>
    void valency(int head, int left, int right, const Addressing& at, const Take& take) const {
        const Hash counts = static_cast<Hash>(std::min(left, 4)) * 8 + std::min(right, 4);
        for (const View v : {P, LP, M}) {
            const std::size_t line = at.line(hashed(900, view(head, v), v, 0));
            take(line + std::min(left, 4));
            take(line + 5 + std::min(right, 4));
            take(at.line(hashed(901, view(head, v), v, counts)));
        }
    }

  private:
    Hash view(int word, View view) const { return view == none ? 0 : word < 0 ? 77 + view : (*views_)(word, view); }

    const Views* views_ = nullptr;
};

}  // namespace nonproj::learn
