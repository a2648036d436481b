// What all steps want to know of a form: the hashes of its beginnings and ends, in small letters and with every digit as
// 0, and its shape; and those of the form as it stands.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/text/letters.hpp"

namespace nonproj::block {

using learn::combined;
using learn::Hash;
using learn::hash_of;
using learn::mixed;
using text::Kind;
using text::kind_of;
using text::Letter;
using text::next_letter;
using text::small;

struct FormView {
    static constexpr int longest_prefix = 7, longest_suffix = 8;

    Hash form = 0, small = 0, shape = 0;
    std::array<Hash, longest_prefix> prefixes{};
    std::array<Hash, longest_suffix> suffixes{};  // of one letter, of two, ...
    int letters = 0;
    bool has_capital = false, has_digit = false, has_mark = false;

    int prefix_count(int most = longest_prefix) const { return std::min(letters, most); }
    int suffix_count() const { return std::min(letters, longest_suffix); }
    // Nothing of it but that there is no word.
    static FormView outside(Hash seed) {
        FormView view;
        view.form = view.small = view.shape = mixed(seed);
        view.suffixes.fill(mixed(seed + 1));
        return view;
    }
};

inline Hash small_hash(std::span<const Letter> plain) {
    Hash hash = 22;
    for (const Letter letter : plain) hash = combined(hash, letter);
    return hash;
}

// Letters in small letters and with every digit as 0.
using PlainLetters = std::vector<Letter>;

// `plain` gets its letters.
inline FormView view_of(std::string_view form, PlainLetters& plain) {
    FormView view;
    plain.clear();
    plain.reserve(form.size());
    Hash shape = 11;
    int last = -1;
    for (std::size_t at = 0; at < form.size();) {
        const Letter letter = next_letter(form, at), low = small(letter);
        const Kind kind = kind_of(letter);
        const bool is_big = low != letter;
        view.has_capital |= is_big;
        view.has_digit |= kind == Kind::digit;
        view.has_mark |= kind == Kind::mark || kind == Kind::sign;
        plain.push_back(kind == Kind::digit ? '0' : low);
        // Runs of one kind count once, so that shapes are few.
        const int sort = is_big               ? 7
                         : kind == Kind::mark ? 16 + static_cast<int>(letter & 0xff)
                                              : static_cast<int>(kind);
        if (sort != last) shape = combined(shape, static_cast<Hash>(sort));
        last = sort;
    }
    view.letters = static_cast<int>(plain.size());
    view.form = hash_of(form, 21);
    view.shape = shape;
    view.small = small_hash(plain);
    Hash hash = 23;
    for (int i = 0; i < view.prefix_count(); ++i) view.prefixes[i] = hash = combined(hash, plain[i]);
    hash = 24;
    for (int i = 0; i < view.suffix_count(); ++i)
        view.suffixes[i] = hash = combined(hash, plain[plain.size() - 1 - static_cast<std::size_t>(i)]);
    return view;
}

inline FormView view_of(std::string_view form) {
    PlainLetters plain;
    return view_of(form, plain);
}

inline bool is_inside_letter(char c) { return (c & 0xc0) == 0x80; }
inline std::string_view last_letters(std::string_view text, int count) {
    std::size_t begin = text.size();
    while (begin > 0 && count > 0) count -= !is_inside_letter(text[--begin]);
    return text.substr(begin);
}
inline std::string_view first_letters(std::string_view text, int count) {
    std::size_t end = 0;
    while (end < text.size() && (count > 0 || is_inside_letter(text[end]))) count -= !is_inside_letter(text[end++]);
    return text.substr(0, end);
}

// A form as parsers see it.
struct FormHashes {
    Hash whole, stem, suffix;  // stem: of the first five letters, what has to do for a lemma where there is none

    explicit FormHashes(std::string_view form)
        : whole(hash_of(form, 1)),
          stem(hash_of(first_letters(form, 5), 2)),
          suffix(hash_of(last_letters(form, 3), 6)) {}
};

}  // namespace nonproj::block
