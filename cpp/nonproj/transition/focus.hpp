// The words that a configuration has before it: what the features of a parser look at. Each system says where it keeps
// them; -1 stands for none.
#pragma once
#include <array>
#include <cstddef>
#include <span>

namespace nonproj {

struct Focus {
    std::array<int, 4> stack{-1, -1, -1, -1};  // the top first
    std::array<int, 3> buffer{-1, -1, -1};     // the front first
    std::array<int, 2> beside{-1, -1};         // registers, the other stack, the other side of a list
    int mode = 0;                              // what else there is to know, such as the active stack

    // A stack whose top is the last.
    void see_stack(std::span<const int> words) { see_last(words, stack); }
    // The words from `front` to `last` in the order of the sentence.
    void see_buffer(int front, int last) {
        for (int i = 0; i < static_cast<int>(buffer.size()); ++i) buffer[i] = front + i <= last ? front + i : -1;
    }
    // The last words, the very last first.
    static void see_last(std::span<const int> words, std::span<int> seen) {
        for (std::size_t i = 0; i < seen.size() && i < words.size(); ++i) seen[i] = words[words.size() - 1 - i];
    }
};

}  // namespace nonproj
