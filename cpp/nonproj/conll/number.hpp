// The decimal numbers of the columns ID and HEAD.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nonproj::conll {

struct Number {
    std::int64_t value;
    std::size_t end;  // the first byte that is no digit
};

// The decimal number written at `begin`; a value too large for any id stays at `largest`.
inline Number number_at(std::string_view text, std::size_t begin, std::size_t end) {
    // One or two digits, the common case, without a branch on which of the two.
    if (const std::size_t size = end - begin; size == 1 || size == 2) {
        const unsigned tens = static_cast<unsigned char>(text[begin]) - '0';
        const unsigned units = static_cast<unsigned char>(text[end - 1]) - '0';
        if (tens < 10 && units < 10) return {size == 2 ? tens * 10 + units : units, end};
    }
    constexpr std::int64_t largest = std::int64_t{1} << 40;
    std::int64_t value = 0;
    std::size_t i = begin;
    for (; i < end && text[i] >= '0' && text[i] <= '9'; ++i)
        value = value < largest ? value * 10 + (text[i] - '0') : largest;
    return {value, i};
}

}  // namespace nonproj::conll
