// From trees to transition sequences and back, checked: one at a time, or many on several threads.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/transition/any_system.hpp"

namespace nonproj {

inline constexpr int max_derivation_words = 1 << 24;

// Returns the number, or throws what says that it is too small or too large.
int checked_derivation_words(std::int64_t words);

// Heads that are no tree are an error.
Tree checked_tree(std::span<const std::int32_t> heads);

// False where the system does not derive the tree.
bool find_sequence(const AnySystem& system, std::span<const std::int32_t> heads, std::vector<int>& sequence);

// The sequences of many trees, one after the other, and how long each is, -1 for a tree that is not derived.
struct Sequences {
    std::vector<std::int32_t> transitions, lengths;
};
// The words of tree i are offsets[i] .. offsets[i + 1] - 1.
Sequences find_sequences(const AnySystem& system, std::span<const std::int32_t> heads,
                         std::span<const std::int64_t> offsets, int threads);
// The heads that they derive, -1 for the words of a tree without a sequence.
std::vector<std::int32_t> derive_all(const AnySystem& system, std::span<const std::int32_t> transitions,
                                     std::span<const std::int32_t> lengths, std::span<const std::int64_t> offsets,
                                     int threads);

}  // namespace nonproj
