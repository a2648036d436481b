// Hashes of text and of combinations, and numbers drawn from a seed: the same on every machine.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nonproj::learn {

using Hash = std::uint64_t;

inline constexpr Hash golden = 0x9e3779b97f4a7c15;

// Spreads any difference over all bits (the finaliser of splitmix64).
constexpr Hash mixed(Hash x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

constexpr Hash combined(Hash a, Hash b) { return mixed(a * golden + b + 0x632be59bd9b4e019); }

// Of three parts whose order matters; `seed` keeps kinds of features apart.
constexpr Hash hashed(Hash seed, Hash a, Hash b, Hash c) {
    return mixed((a + seed) * 0x9fb21c651e98df25 + (b + seed) * 0xd6e8feb86659fd93 + (c + seed) * 0xa0761d6478bd642f);
}

// Eight bytes at a time, the first one lowest on every machine.
constexpr Hash hash_of(std::string_view text, Hash seed = 0) {
    Hash hash = seed ^ text.size() * golden;
    for (std::size_t at = 0; at < text.size(); at += 8) {
        const std::size_t count = std::min<std::size_t>(8, text.size() - at);
        Hash bytes = 0;
        if (count == 8)  // a single load, as compilers know
            for (std::size_t i = 0; i < 8; ++i) bytes |= Hash{static_cast<unsigned char>(text[at + i])} << 8 * i;
        else
            for (std::size_t i = 0; i < count; ++i) bytes |= Hash{static_cast<unsigned char>(text[at + i])} << 8 * i;
        hash = (hash ^ bytes) * 0xd6e8feb86659fd93;
        hash ^= hash >> 32;
    }
    return mixed(hash);
}

// splitmix64.
class Draws {
  public:
    explicit Draws(Hash seed) : state_(seed) {}
    Hash next() { return mixed(state_ += golden); }
    // A number below `count`; the bias of about count / 2^64 does not matter here.
    std::uint64_t below(std::uint64_t count) { return next() % count; }

  private:
    Hash state_;
};

}  // namespace nonproj::learn
