// Features of a configuration (after Zhang & Nivre 2011): the words in focus, their outermost children so far, alone and
// together. A feature has a weight for every transition, all in one line of the table.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/transition/focus.hpp"

namespace nonproj::learn {

// The arcs made so far, as far as features ask.
struct Children {
    std::vector<int> left, right, lefts, rights;  // the outermost child on each side, -1 for none, and how many

    void start(int words) {
        left.assign(static_cast<std::size_t>(words) + 1, -1);
        right.assign(left.size(), -1);
        lefts.assign(left.size(), 0);
        rights.assign(left.size(), 0);
    }
    void add(int head, int dependent) {
        if (dependent < head) {
            left[head] = left[head] < 0 ? dependent : std::min(left[head], dependent);
            ++lefts[head];
        } else {
            right[head] = std::max(right[head], dependent);
            ++rights[head];
        }
    }
};

// Where a word of a feature is taken from: the stack, the buffer, beside them (x), and from there the outermost child to the
// left or right, or the head.
enum class Place : std::uint8_t { s0, s1, s2, s3, b0, b1, b2, x0, x1, s0l, s0r, s1l, s1r, b0l, s0h, nowhere };
inline constexpr std::size_t places = static_cast<std::size_t>(Place::nowhere);

struct StateTerm {
    Place place = Place::nowhere;
    View view = View::none;
};
struct StateTemplate {
    StateTerm first, second, third;
};

namespace feature_templates {

using enum View;
using enum Place;

inline constexpr StateTemplate state_templates[] = {
    {{s0, LP}},
    {{s0, P}},
    {{s0, M}},
    {{s0, F}},
    {{s1, LP}},
    {{s1, P}},
    {{s1, M}},
    {{s1, F}},
    {{b0, LP}},
    {{b0, P}},
    {{b0, M}},
    {{b0, F}},
    {{b1, LP}},
    {{b1, M}},
    {{b2, P}},
    {{s2, LP}},
    {{s2, M}},
    {{s0, LP}, {s1, LP}},
    {{s0, LP}, {s1, P}},
    {{s0, P}, {s1, LP}},
    {{s0, P}, {s1, P}},
    {{s0, M}, {s1, M}},
    {{s0, X}, {s1, X}},
    {{s0, M}, {s1, LP}},
    {{s0, LP}, {s1, M}},
    {{s0, LP}, {b0, LP}},
    {{s0, LP}, {b0, P}},
    {{s0, P}, {b0, LP}},
    {{s0, P}, {b0, P}},
    {{s0, M}, {b0, M}},
    {{s0, X}, {b0, X}},
    {{s0, M}, {b0, LP}},
    {{s0, LP}, {b0, M}},
    {{s1, P}, {b0, P}},
    {{s1, M}, {b0, M}},
    {{s1, LP}, {b0, P}},
    {{s1, P}, {b0, LP}},
    {{b0, P}, {b1, P}},
    {{b0, M}, {b1, M}},
    {{b0, LP}, {b1, LP}},
    {{s0, P}, {b1, P}},
    {{s0, P}, {b0, P}, {b1, P}},
    {{b0, P}, {b1, P}, {b2, P}},
    {{s0, P}, {s1, P}, {b0, P}},
    {{s0, P}, {s1, P}, {s2, P}},
    {{s0, M}, {s1, M}, {b0, M}},
    {{s0, LP}, {s1, P}, {b0, P}},
    {{s0, P}, {s1, LP}, {b0, P}},
    {{s0, P}, {s1, P}, {b0, LP}},
    {{s0, M}, {s1, M}, {s2, P}},
    {{s1, P}, {s2, P}, {s3, P}},
    {{s0l, P}, {s0, P}, {s1, P}},
    {{s0r, P}, {s0, P}, {s1, P}},
    {{s1l, P}, {s1, P}, {s0, P}},
    {{s1r, P}, {s1, P}, {s0, P}},
    {{s0, P}, {s0l, P}, {b0, P}},
    {{s0, P}, {s0r, P}, {b0, P}},
    {{s0, P}, {b0, P}, {b0l, P}},
    {{s0, P}, {s0l, LP}},
    {{s0, P}, {s0r, LP}},
    {{s1, P}, {s1r, LP}},
    {{s1, P}, {s1l, LP}},
    {{b0, P}, {b0l, LP}},
    {{s0, P}, {s0l, P}, {s0r, P}},
    {{s1, P}, {s1l, P}, {s1r, P}},
    {{s0h, P}, {s0, P}, {b0, P}},
    {{s0h, LP}, {s0, P}},
};
// For systems that have more than a stack and a buffer.
inline constexpr StateTemplate beside_templates[] = {
    {{x0, P}},
    {{x0, LP}},
    {{x1, P}},
    {{x0, P}, {b0, P}},
    {{x0, LP}, {b0, P}},
    {{x0, P}, {b0, LP}},
    {{x0, M}, {b0, M}},
    {{x0, P}, {s0, P}},
    {{x0, M}, {s0, M}},
    {{x0, P}, {x1, P}},
    {{x1, P}, {b0, P}},
    {{x1, M}, {b0, M}},
    {{x0, P}, {x1, P}, {b0, P}},
    {{x0, P}, {s0, P}, {b0, P}},
};

}  // namespace feature_templates

class StateFeatures {
  public:
    void assign(const Views& views) { views_ = &views; }

    // Calls take(hash) for every feature.
    template <class Take>
    void each(const Focus& focus, const Children& children, std::span<const int> heads, const Take& take) const {
        using enum Place;
        WordAt word;
        std::copy(focus.stack.begin(), focus.stack.end(), &word[s0]);
        std::copy(focus.buffer.begin(), focus.buffer.end(), &word[b0]);
        std::copy(focus.beside.begin(), focus.beside.end(), &word[x0]);
        const auto of = [](std::span<const int> words, int w) { return w < 0 ? -1 : words[w]; };
        word[s0l] = of(children.left, word[s0]);
        word[s0r] = of(children.right, word[s0]);
        word[s1l] = of(children.left, word[s1]);
        word[s1r] = of(children.right, word[s1]);
        word[b0l] = of(children.left, word[b0]);
        word[s0h] = of(heads, word[s0]);
        Hash seed = 1000 + 7919 * static_cast<Hash>(focus.mode);
        const auto templates = [&](const auto& list) {
            for (const StateTemplate& t : list)
                take(hashed(++seed, value(word, t.first), value(word, t.second), value(word, t.third)));
        };
        templates(feature_templates::state_templates);
        if (focus.beside[0] >= 0 || focus.beside[1] >= 0) templates(feature_templates::beside_templates);
        numbers(word, children, take);
    }

    // The same for features of the relations that arcs have so far, by dependent.
    template <class Take>
    void each_relation(const Focus& focus, const Children& children, std::span<const std::int32_t> relations,
                       const Take& take) const {
        const int s0 = focus.stack[0], s1 = focus.stack[1], b0 = focus.buffer[0];
        const auto relation = [&](std::span<const int> outermost, int word) -> Hash {
            const int child = word < 0 ? -1 : outermost[word];
            return child < 0 ? 1 : static_cast<Hash>(relations[child] + 3);
        };
        const Hash s0l = relation(children.left, s0), s0r = relation(children.right, s0);
        const Hash s1l = relation(children.left, s1), s1r = relation(children.right, s1);
        const Hash b0l = relation(children.left, b0);
        const Hash p0 = tag(s0), p1 = tag(s1), q0 = tag(b0);
        Hash seed = 2100 + 100 * static_cast<Hash>(focus.mode);
        take(hashed(++seed, p0, s0l, 0));
        take(hashed(++seed, p0, s0r, 0));
        take(hashed(++seed, p1, s1l, 0));
        take(hashed(++seed, p1, s1r, 0));
        take(hashed(++seed, q0, b0l, 0));
        take(hashed(++seed, p0, s0l, s0r));
        take(hashed(++seed, p1, s1l, s1r));
        take(hashed(++seed, combined(p0, p1), s0l, s1l));
        take(hashed(++seed, combined(p0, p1), s0r, s1r));
        take(hashed(++seed, combined(p0, p1), s0l, s1r));
    }

  private:
    struct WordAt {
        std::array<int, places> words;
        int& operator[](Place place) { return words[static_cast<std::size_t>(place)]; }
        int operator[](Place place) const { return words[static_cast<std::size_t>(place)]; }
    };

    // Distances and how many children there are.
    template <class Take>
    void numbers(const WordAt& word, const Children& children, const Take& take) const {
        using enum Place;
        const auto far = [](int a, int b) {
            return a < 0 || b < 0 ? Hash{15} : static_cast<Hash>(std::min(std::abs(a - b), 8));
        };
        const Hash tags = combined(tag(word[s0]), tag(word[s1])), front = combined(tag(word[s0]), tag(word[b0]));
        take(hashed(2000, tags, far(word[s0], word[s1]), 0));
        take(hashed(2001, front, far(word[s0], word[b0]), 0));
        take(hashed(2002, combined(tags, front), far(word[s0], word[s1]), 0));
        for (const Place place : {s0, s1, b0}) {
            if (word[place] < 0) continue;
            const Hash left = std::min(children.lefts[word[place]], 3),
                       right = std::min(children.rights[word[place]], 3);
            const Hash kind = static_cast<Hash>(place);
            take(hashed(2010 + kind, tag(word[place]), left * 4 + right, 0));
            take(hashed(2020 + kind, (*views_)(word[place], View::LP), left * 4 + right, 0));
        }
        take(hashed(2030, tags, word[s0] >= 0 && word[s1] >= 0 && word[s1] < word[s0], word[b0] < 0));
    }
    Hash tag(int word) const { return word < 0 ? 5 : (*views_)(word, View::P); }
    Hash value(const WordAt& word, const StateTerm& term) const {
        return term.place == Place::nowhere ? 0 : word[term.place] < 0 ? 3 : (*views_)(word[term.place], term.view);
    }

    const Views* views_ = nullptr;
};

}  // namespace nonproj::learn
