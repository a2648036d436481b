// The heads that each word of a sentence may have.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nonproj::learn {

// Those of word d are heads[begin[d - 1]] .. heads[begin[d] - 1].
struct Candidates {
    std::vector<std::int32_t> heads;
    std::vector<std::uint32_t> begin{0};

    std::span<const std::int32_t> of(int word) const {
        return {heads.data() + begin[word - 1], heads.data() + begin[word]};
    }
    bool allows(int head, int word) const {
        const auto own = of(word);
        return std::find(own.begin(), own.end(), head) != own.end();
    }
};

}  // namespace nonproj::learn
