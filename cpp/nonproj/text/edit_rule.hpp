// How a lemma comes from a form: a change of capitals, letters off and onto both ends. The same rule serves many words.
//
// Written as "case|take|add|take|add": how many letters are taken off the beginning and what stands there instead, then
// the same for the end. "=lemma" gives the lemma whatever the form is.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/text/letters.hpp"

namespace nonproj::text {

struct EditRule {
    enum Capitals { keep, all_small, small_after_first };

    bool is_whole = false;  // `add_end` is the lemma
    Capitals capitals = keep;
    int take_begin = 0, take_end = 0;
    std::string add_begin, add_end;

    // The rule with the longest common part; the simplest change of capitals among equals.
    static EditRule between(std::string_view form, std::string_view lemma);
    static EditRule parsed(std::string_view text);
    std::string text() const;
    // Nothing when the form is too short for it.
    bool apply(std::string_view form, std::string& lemma) const;
};

}  // namespace nonproj::text
