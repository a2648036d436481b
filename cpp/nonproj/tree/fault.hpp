// Why heads do not form a tree: the first fault found, and how to say it. Linear time.
//   heads[i - 1] is the head of word i, 0 is the root; several words may have head 0.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nonproj {

struct HeadsFault {
    enum class Kind { out_of_range, own_head, no_root, cycle };
    Kind kind;
    std::int32_t word = 0;            // where to look; 0 when no single word is to blame (no_root)
    std::vector<std::int32_t> cycle;  // the words of the cycle, each the dependent of the next; else empty
};

std::optional<HeadsFault> find_fault(std::span<const std::int32_t> heads);

// The fault in words, e.g. "words 2 -> 5 -> 2 form a cycle"; long cycles are cut short.
std::string describe(const HeadsFault& fault, std::span<const std::int32_t> heads);

}  // namespace nonproj
