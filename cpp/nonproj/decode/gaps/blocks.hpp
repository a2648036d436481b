// A set of words as blocks: those between the 1st and 2nd, 3rd and 4th, ... of increasing points, where point p lies
// behind p words.
#pragma once
#include <algorithm>
#include <array>

namespace nonproj::gaps {

inline constexpr int max_gaps = 6;

struct Blocks {
    int count = 0;
    std::array<int, 2 * (max_gaps + 2)> point{};  // one block more than a yield has, on the way

    int first(int block) const { return point[2 * block]; }
    int last(int block) const { return point[2 * block + 1]; }
    void add(int from, int to) {
        point[2 * count] = from;
        point[2 * count + 1] = to;
        ++count;
    }
    bool holds(int word) const {
        for (int b = 0; b < count; ++b)
            if (first(b) < word && word <= last(b)) return true;
        return false;
    }

    // Takes a word out of the sentence; none if it is 0. Points that meet are none.
    Blocks without(int word) const {
        Blocks rest;
        int points = 0;
        for (int p = 0; p < 2 * count; ++p) {
            const int moved = point[p] - (word > 0 && point[p] >= word);
            if (points > 0 && rest.point[points - 1] == moved)
                --points;
            else
                rest.point[points++] = moved;
        }
        rest.count = points / 2;
        return rest;
    }
    // The same for the word before point number `at`, which is quicker.
    Blocks without_word_before(int at) const {
        Blocks rest = *this;
        for (int p = at; p < 2 * count; ++p) --rest.point[p];
        if (at == 0 || at == 2 * count || rest.point[at] > rest.point[at - 1]) return rest;
        std::copy(rest.point.begin() + at + 1, rest.point.begin() + 2 * count, rest.point.begin() + at - 1);
        --rest.count;
        return rest;
    }
    // Puts it back, outside the blocks.
    Blocks with_gap_at(int word) const {
        if (word == 0) return *this;
        Blocks whole;
        for (int b = 0; b < count; ++b) {
            const int from = first(b) + (first(b) >= word - 1), to = last(b) + (last(b) > word - 1);
            if (first(b) < word - 1 && word - 1 < last(b)) {
                whole.add(from, word - 1);
                whole.add(word, to);
            } else {
                whole.add(from, to);
            }
        }
        return whole;
    }
};

}  // namespace nonproj::gaps
