// UTF-8 without NUL: whether a text keeps to it, and where it first breaks it (The Unicode Standard, table
// 3-7).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nonproj::conll {

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

#if defined(__x86_64__)

namespace detail {

// What can be wrong with two neighbouring bytes shows in three of their half-bytes: a fault is there when the
// high and the low half of the first and the high half of the second all admit it (Keiser and Lemire 2021). A
// continuation after a continuation is right when it is the third or fourth byte of its character, and only then.
class Utf8Pairs {
  public:
    using Table = std::array<std::uint8_t, 16>;
    static constexpr std::uint8_t ends_early = 1, goes_on = 2, overlong3 = 4, too_large = 8, surrogate = 16,
                                  overlong2 = 32, overlong4 = 64, continues = 128;

    // A fault admitted by the halves [from, to] of a byte.
    static constexpr void admit(Table& table, int from, int to, std::uint8_t fault) {
        for (int half = from; half <= to; ++half) table[half] |= fault;
    }
    static constexpr Table first_high() {
        Table table{};
        admit(table, 0xc, 0xf, ends_early);
        admit(table, 0x0, 0x7, goes_on);
        admit(table, 0x8, 0xb, continues);
        admit(table, 0xc, 0xc, overlong2);
        admit(table, 0xe, 0xe, overlong3 | surrogate);
        admit(table, 0xf, 0xf, too_large | overlong4);
        return table;
    }
    static constexpr Table first_low() {
        Table table{};
        admit(table, 0x0, 0xf, ends_early | goes_on | continues);
        admit(table, 0x0, 0x1, overlong2);
        admit(table, 0x0, 0x0, overlong3 | overlong4);
        admit(table, 0xd, 0xd, surrogate);
        admit(table, 0x4, 0xf, too_large);
        admit(table, 0x5, 0xf, overlong4);  // f5 to ff before 80 to 8f: beyond U+10FFFF
        return table;
    }
    static constexpr Table second_high() {
        Table table{};
        admit(table, 0x0, 0x7, ends_early);
        admit(table, 0xc, 0xf, ends_early);
        admit(table, 0x8, 0xb, goes_on | continues | overlong2);
        admit(table, 0x8, 0x9, overlong3);
        admit(table, 0xa, 0xb, surrogate);
        admit(table, 0x9, 0xb, too_large);
        admit(table, 0x8, 0x8, overlong4);
        return table;
    }
};

[[gnu::target("avx2")]] inline __m256i table_register(const Utf8Pairs::Table& table) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

// The bytes that stand `back` places before these.
template <int back>
[[gnu::target("avx2")]] inline __m256i bytes_before(__m256i bytes, __m256i previous) {
    return _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(previous, bytes, 0x21), 16 - back);
}

[[gnu::target("avx2")]] inline __m256i high_halves(__m256i bytes) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
}

// Not zero where a character is wrong or a NUL is, judged with the bytes before.
[[gnu::target("avx2")]] inline __m256i utf8_faults(__m256i bytes, __m256i previous) {
    static constexpr Utf8Pairs::Table first_high = Utf8Pairs::first_high(), first_low = Utf8Pairs::first_low(),
                                      second_high = Utf8Pairs::second_high();
    const __m256i first = bytes_before<1>(bytes, previous);
    const __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(table_register(first_high), high_halves(first)),
            _mm256_shuffle_epi8(table_register(first_low), _mm256_and_si256(first, _mm256_set1_epi8(0x0f)))),
        _mm256_shuffle_epi8(table_register(second_high), high_halves(bytes)));
    const __m256i third = _mm256_subs_epu8(bytes_before<2>(bytes, previous), _mm256_set1_epi8(0xe0 - 0x80));
    const __m256i fourth =
        _mm256_subs_epu8(bytes_before<3>(bytes, previous), _mm256_set1_epi8(static_cast<char>(0xf0 - 0x80)));
    const __m256i due = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(static_cast<char>(0x80)));
    return _mm256_or_si256(_mm256_xor_si256(due, pairs), _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
}

[[gnu::target("avx2")]] inline bool is_utf8_avx2(std::string_view text) {
    constexpr std::size_t size = sizeof(__m256i);
    __m256i previous = _mm256_setzero_si256(), faults = previous;
    std::size_t i = 0;
    for (; i + size <= text.size(); i += size) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + i));
        faults = _mm256_or_si256(faults, utf8_faults(bytes, previous));
        previous = bytes;
    }
    char padded[size];  // at least one byte of padding: a character cut short at the end is seen
    std::memset(padded, ' ', size);
    std::memcpy(padded, text.data() + i, text.size() - i);
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(padded));
    faults = _mm256_or_si256(faults, utf8_faults(bytes, previous));
    return _mm256_testz_si256(faults, faults);
}

}  // namespace detail

inline bool is_utf8(std::string_view text) {
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    return has_avx2 ? detail::is_utf8_avx2(text) : first_invalid_utf8(text) == text.size();
}

#else

inline bool is_utf8(std::string_view text) { return first_invalid_utf8(text) == text.size(); }

#endif

}  // namespace nonproj::conll
