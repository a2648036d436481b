// The words that a transition system has before it: what the features of its configurations look at. Each system keeps
// them in its own way; -1 stands for none.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace nonproj::learn {

struct Focus {
    std::array<int, 4> stack{-1, -1, -1, -1};  // the top first
    std::array<int, 3> buffer{-1, -1, -1};     // the front first
    std::array<int, 2> beside{-1, -1};         // registers, the other stack, the other side of a list
    int mode = 0;                              // what else there is to know, such as the active stack
};

namespace detail {

inline void take_tops(const std::vector<int>& stack, Focus& focus) {
    for (std::size_t i = 0; i < focus.stack.size() && i < stack.size(); ++i)
        focus.stack[i] = stack[stack.size() - 1 - i];
}

}  // namespace detail

template <class Configuration>
Focus focus_of(const Configuration& c) {
    Focus focus;
    if constexpr (requires { c.list; }) {
        // Sorting systems: the place m of a list, and both its sides.
        const int length = static_cast<int>(c.list.size());
        const auto at = [&](int index) { return index < 0 || index >= length ? -1 : c.list[length - 1 - index]; };
        for (int i = 0; i < 4; ++i) focus.stack[i] = at(c.m + i);
        focus.beside = {at(c.m - 1), at(c.m - 2)};
        focus.mode = c.m == 0 ? 0 : 1;
    } else if constexpr (requires { c.stacks; }) {
        detail::take_tops(c.stacks[c.active], focus);
        const auto& other = c.stacks[(c.active + 1) % c.stacks.size()];
        for (std::size_t i = 0; i < 2 && i < other.size(); ++i) focus.beside[i] = other[other.size() - 1 - i];
        focus.mode = c.switches;
    } else if constexpr (requires { c.reg; }) {
        detail::take_tops(c.stack, focus);
        focus.beside = {c.reg[0], c.reg[1]};
    } else if constexpr (requires { c.nodes; }) {
        detail::take_tops(c.nodes, focus);
        focus.mode = c.starts.empty() ? 0 : c.size_of_last();
    } else if constexpr (requires { c.stack; }) {
        detail::take_tops(c.stack, focus);
    } else {
        // Covington's lists are ranges of words.
        for (int i = 0; i < 4; ++i) focus.stack[i] = c.i - i >= 1 ? c.i - i : -1;
        focus.beside = {c.i + 1 < c.front ? c.i + 1 : -1, c.front - 1 > c.i ? c.front - 1 : -1};
    }
    if constexpr (requires { c.buffer; }) {
        for (std::size_t i = 0; i < 3 && i < c.buffer.size(); ++i) focus.buffer[i] = c.buffer[c.buffer.size() - 1 - i];
    } else {
        for (int i = 0; i < 3; ++i) focus.buffer[i] = c.front + i <= c.words ? c.front + i : -1;
    }
    // Marks for nothing, or for the end of the sentence, are no words.
    const int words = static_cast<int>(c.head.size()) - 1;
    const auto only_words = [&](auto& places) {
        for (int& word : places)
            if (word < 0 || word > words) word = -1;
    };
    only_words(focus.stack);
    only_words(focus.beside);
    return focus;
}

}  // namespace nonproj::learn
