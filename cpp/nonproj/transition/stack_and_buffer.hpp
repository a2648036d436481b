// What many systems' configurations hold: a stack of words, the dummy at its bottom, the rest of the sentence as a
// buffer, and the arcs made so far.
#pragma once
#include "nonproj/transition/system.hpp"

namespace nonproj {

struct StackAndBuffer {
    int words = 0;
    int front = 1;           // the buffer is front .. words
    std::vector<int> stack;  // the top is the last
    std::vector<int> head;   // no_head where there is none yet

    void start(int n) {
        words = n;
        front = 1;
        stack.assign(1, 0);
        head.assign(n + 1, no_head);
    }
    bool buffer_is_empty() const { return front > words; }
    int depth() const { return static_cast<int>(stack.size()); }
    // s_0 is the top, s_e the e-th word below it.
    int s(int e) const { return stack[stack.size() - 1 - e]; }
    void shift() { stack.push_back(front++); }

    Focus focus() const {
        Focus focus;
        focus.see_stack(stack);
        focus.see_buffer(front, words);
        return focus;
    }
    std::vector<TraceColumn> columns() const {
        return {{"stack", TraceColumn::Kind::words, stack},
                {"buffer", TraceColumn::Kind::words, transition_detail::range(front, words)}};
    }
};

// What systems share whose configuration is no more than that: they end with the dummy alone, shift each word once, by
// transition 0, and have an oracle next(c, tree, missing).
struct OnStackAndBuffer {
    using Configuration = StackAndBuffer;
    static constexpr int SHIFT = 0;

    void start(Configuration& c, int words) const { c.start(words); }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.depth() == 1; }
    int words_of(const std::vector<int>& sequence) const { return transition_detail::count(sequence, SHIFT); }
    Focus focus(const Configuration& c) const { return c.focus(); }
    std::vector<TraceColumn> columns(const Configuration& c) const { return c.columns(); }

  protected:
    template <class System>
    static bool follow(const System& system, const Tree& tree, std::vector<int>& sequence) {
        return transition_detail::derive(system, tree, sequence, [&](const Configuration& c, const auto& missing) {
            return system.next(c, tree, missing);
        });
    }
};

}  // namespace nonproj
