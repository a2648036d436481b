// The Combine steps of WG_k and MG_k (Gomez-Rodriguez, Weir & Carroll 2009, section 5.1), as strings of letters a, b and g
// that say how the blocks of two items and the gaps that are left follow each other: at most k + 1 letters a, as many b, and
// k letters g; no letter twice in a row. In WG_k no a stands between two b, or no b between two a. The two items can be
// exchanged, so that it is enough to list the strings that begin with a.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nonproj {

class GapStrings {
  public:
    // Those for a sentence of so many words: every letter stands for one or more.
    static std::vector<std::string> all(int k, bool well_nested, int words) {
        GapStrings strings(k, well_nested, words);
        strings.extend("a");
        return std::move(strings.found_);
    }

  private:
    GapStrings(int k, bool well_nested, int words) : k_(k), well_nested_(well_nested), words_(words) {}

    void extend(const std::string& string) {
        if (static_cast<int>(string.size()) > words_ || (well_nested_ && interleaves(string))) return;
        const auto count = [&](char letter) { return std::count(string.begin(), string.end(), letter); };
        if (string.back() != 'g' && count('b') > 0) found_.push_back(string);
        for (const auto& [letter, most] : {std::pair{'a', k_ + 1}, {'b', k_ + 1}, {'g', k_}})
            if (letter != string.back() && count(letter) < most) extend(string + letter);
    }
    // The first letter is an a: a b may stand between two a, but no a between two b.
    static bool interleaves(const std::string& string) {
        const std::size_t inner = string.find('a', std::min(string.find('b'), string.size()));
        return inner != std::string::npos && string.find('b', inner) != std::string::npos;
    }

    int k_;
    bool well_nested_;
    int words_;
    std::vector<std::string> found_;
};

}  // namespace nonproj
