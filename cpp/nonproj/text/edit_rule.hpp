// How a lemma comes from a form: a change of capitals, letters off and onto both ends. The same rule serves many words.
//
// Written as "case|take|add|take|add": how many letters are taken off the beginning and what stands there instead, then
// the same for the end. "=lemma" gives the lemma whatever the form is.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/text/letters.hpp"

namespace nonproj::text {

// A form as rules take it: its letters, as UTF-8, with each change of capitals that was asked for so far.
class SpeltForm {
  public:
    static constexpr int ways = 3;

    explicit SpeltForm(std::string_view form) : form_(form) {}
    std::size_t letters() { return spelt(0).begins.size() - 1; }
    // From one letter up to another.
    std::string_view between(int way, std::size_t first, std::size_t last) {
        const Spelt& all = spelt(way);
        return std::string_view(all.text).substr(all.begins[first], all.begins[last] - all.begins[first]);
    }

  private:
    struct Spelt {
        std::string text;
        std::vector<std::size_t> begins;  // of letters in the text, and its end
    };
    const Spelt& spelt(int way);

    std::string_view form_;
    std::array<Spelt, ways> spelt_;
};

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
    bool apply(SpeltForm& form, std::string& lemma) const;
    bool apply(std::string_view form, std::string& lemma) const {
        SpeltForm spelt(form);
        return apply(spelt, lemma);
    }
};

}  // namespace nonproj::text
