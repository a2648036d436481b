// 64 bytes of text at once: bit masks that answer, bit i for byte i, which of them are of a kind. With SSE2,
// which every x86-64 has, each mask costs a few instructions; elsewhere a plain loop does the same.
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nonproj::conll {

#if defined(__SSE2__)

class Block {
  public:
    static constexpr std::size_t size = 64;

    explicit Block(const char* bytes) {
        for (int i = 0; i < 4; ++i) part_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes) + i);
    }
    std::uint64_t equal(unsigned char one, unsigned char other) const {
        const __m128i first = _mm_set1_epi8(static_cast<char>(one)), second = _mm_set1_epi8(static_cast<char>(other));
        return mask([&](__m128i b) { return _mm_or_si128(_mm_cmpeq_epi8(b, first), _mm_cmpeq_epi8(b, second)); });
    }

  private:
    template <class Test>
    std::uint64_t mask(Test test) const {
        std::uint64_t bits = 0;
        for (int i = 0; i < 4; ++i)
            bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(test(part_[i])))) << (16 * i);
        return bits;
    }

    __m128i part_[4];
};

#else

class Block {
  public:
    static constexpr std::size_t size = 64;

    explicit Block(const char* bytes) : bytes_(reinterpret_cast<const unsigned char*>(bytes)) {}
    std::uint64_t equal(unsigned char one, unsigned char other) const {
        return mask([=](unsigned char b) { return b == one || b == other; });
    }

  private:
    template <class Test>
    std::uint64_t mask(Test test) const {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < size; ++i) bits |= static_cast<std::uint64_t>(test(bytes_[i])) << i;
        return bits;
    }

    const unsigned char* bytes_;
};

#endif

}  // namespace nonproj::conll
