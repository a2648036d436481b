// Characters of Unicode and what is asked of them here: their kind, their small letter, and how UTF-8 writes them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nonproj::text {

using Letter = std::uint32_t;

enum class Kind : std::uint8_t { space, letter, digit, mark, sign, other };

// Most text is in the first thousands of characters: what they are is looked up.
struct CommonLetters {
    static constexpr Letter count = 0x600;
    std::array<Kind, count> kind;
    std::array<Letter, count> small;
};
extern const CommonLetters common_letters;
Kind find_kind(Letter letter);
Letter find_small(Letter letter);

inline Kind kind_of(Letter letter) {
    return letter < CommonLetters::count ? common_letters.kind[letter] : find_kind(letter);
}
// The small letter of a capital; any other character as it is.
inline Letter small(Letter letter) {
    return letter < CommonLetters::count ? common_letters.small[letter] : find_small(letter);
}
inline bool is_capital(Letter letter) { return small(letter) != letter; }

// The character that begins at `at`, which moves behind it. Bytes that are no UTF-8 are taken one by one.
inline Letter next_letter(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    const int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    if (more == 0 || at + more >= text.size()) {
        ++at;
        return first;
    }
    Letter letter = first & (0x3f >> more);
    for (int i = 1; i <= more; ++i) letter = letter << 6 | (byte(at + i) & 0x3f);
    at += more + 1;
    return letter;
}

inline void append(std::string& text, Letter letter) {
    if (letter < 0x80) {
        text += static_cast<char>(letter);
    } else if (letter < 0x800) {
        text += static_cast<char>(0xc0 | letter >> 6);
        text += static_cast<char>(0x80 | (letter & 0x3f));
    } else if (letter < 0x10000) {
        text += static_cast<char>(0xe0 | letter >> 12);
        text += static_cast<char>(0x80 | (letter >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (letter & 0x3f));
    } else {
        text += static_cast<char>(0xf0 | letter >> 18);
        text += static_cast<char>(0x80 | (letter >> 12 & 0x3f));
        text += static_cast<char>(0x80 | (letter >> 6 & 0x3f));
        text += static_cast<char>(0x80 | (letter & 0x3f));
    }
}

inline std::vector<Letter> letters_of(std::string_view text) {
    std::vector<Letter> letters;
    letters.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) letters.push_back(next_letter(text, at));
    return letters;
}

inline std::string in_small_letters(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) append(result, small(next_letter(text, at)));
    return result;
}

}  // namespace nonproj::text
