// UTF-8 without NUL: whether a text keeps to it, and where it first breaks it (The Unicode Standard, table
// 3-7).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "nonproj/conll/block.hpp"

namespace nonproj::conll {

// Judges a text block after block: the bytes that must continue a character are the lead bytes shifted.
class Utf8Check {
  public:
    bool accepts(const Block& block) {
        if (block.is_ascii_without_nul()) return due_ == 0;
        const std::uint64_t lead = block.at_least(0xc0), lead3 = block.at_least(0xe0);
        std::uint64_t lead4 = 0;
        if (lead3 != 0 || before_ >= 0xe0) {
            lead4 = block.at_least(0xf0);
            if (!accepts_after_lead3(block)) return false;
            if ((lead4 != 0 || before_ >= 0xf0) && !accepts_after_lead4(block)) return false;
        }
        if ((block.equal(0) | block.equal(0xc0, 0xc1)) != 0) return false;
        const std::uint64_t due = due_ | lead << 1 | lead3 << 2 | lead4 << 3;
        due_ = lead >> 63 | lead3 >> 62 | lead4 >> 61;
        before_ = block.last_byte();
        return due == (block.at_least(0x80) & ~lead);
    }
    bool is_complete() const { return due_ == 0; }

  private:
    // Overlong forms and surrogates show in the byte after the lead.
    bool accepts_after_lead3(const Block& block) const {
        const std::uint64_t from_a0 = block.at_least(0xa0);
        return ((after(block, 0xe0) & ~from_a0) | (after(block, 0xed) & from_a0)) == 0;
    }
    // So does what lies beyond U+10FFFF, unless the lead itself says it.
    bool accepts_after_lead4(const Block& block) const {
        const std::uint64_t from_90 = block.at_least(0x90);
        return block.at_least(0xf5) == 0 && ((after(block, 0xf0) & ~from_90) | (after(block, 0xf4) & from_90)) == 0;
    }
    std::uint64_t after(const Block& block, unsigned char lead) const {
        return block.equal(lead) << 1 | (before_ == lead);
    }

    std::uint64_t due_ = 0;  // which of the first bytes of the next block must continue a character
    unsigned before_ = 0;    // the last byte of the block before, unless that was ASCII
};

namespace detail {

// Length of the character that begins here, 0 when it is not valid.
inline std::size_t character_length(const unsigned char* c, std::size_t left) {
    const auto follows = [&](std::size_t i) { return (c[i] & 0xc0) == 0x80; };
    if (c[0] < 0x80) return c[0] != 0;
    if (c[0] < 0xc2) return 0;
    if (c[0] < 0xe0) return left >= 2 && follows(1) ? 2 : 0;
    if (c[0] < 0xf0) {
        if (left < 3 || !follows(1) || !follows(2)) return 0;
        if (c[0] == 0xe0 && c[1] < 0xa0) return 0;   // overlong
        if (c[0] == 0xed && c[1] >= 0xa0) return 0;  // surrogate
        return 3;
    }
    if (c[0] > 0xf4 || left < 4 || !follows(1) || !follows(2) || !follows(3)) return 0;
    if (c[0] == 0xf0 && c[1] < 0x90) return 0;   // overlong
    if (c[0] == 0xf4 && c[1] >= 0x90) return 0;  // beyond U+10FFFF
    return 4;
}

}  // namespace detail

// Position of the first byte that is NUL or begins no valid character; text.size() when all is well.
inline std::size_t first_invalid_utf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = detail::character_length(bytes + i, text.size() - i);
        if (length == 0) break;
        i += length;
    }
    return i;
}

}  // namespace nonproj::conll
