// An order of things in which those that are asked for together lie together.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nonproj::text {

// An order of 0 .. count - 1, cut into lines of `size`, in which few lines hold each of the sets: line by line, whatever
// saves most sets another line is added next, the smallest number among equals.
inline std::vector<std::uint32_t> by_company(std::span<const std::vector<std::uint32_t>> sets, std::size_t count,
                                             std::size_t size) {
    std::vector<std::vector<std::uint32_t>> sets_of(count);
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (const std::uint32_t each : sets[i]) sets_of[each].push_back(static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> order;
    std::vector<bool> is_placed(count);
    std::vector<std::uint32_t> saved(count);  // sets that are in the line at hand already
    std::vector<bool> is_in_line(sets.size());
    while (order.size() < count) {
        if (order.size() % size == 0) {
            std::ranges::fill(saved, 0);
            is_in_line.assign(sets.size(), false);
        }
        std::size_t best = count;
        const auto is_better = [&](std::size_t a, std::size_t b) {
            return saved[a] != saved[b] ? saved[a] > saved[b] : sets_of[a].size() > sets_of[b].size();
        };
        for (std::size_t i = 0; i < count; ++i)
            if (!is_placed[i] && (best == count || is_better(i, best))) best = i;
        is_placed[best] = true;
        order.push_back(static_cast<std::uint32_t>(best));
        for (const std::uint32_t set : sets_of[best]) {
            if (is_in_line[set]) continue;
            is_in_line[set] = true;
            for (const std::uint32_t each : sets[set]) ++saved[each];
        }
    }
    return order;
}

}  // namespace nonproj::text
