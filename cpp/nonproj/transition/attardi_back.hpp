// Attardi's system of degree d with words put back into the input: derives the trees of DD_d (classes/drop_distance.hpp)
// in at most (d + 1) n transitions.
// Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []). s_0 is the top, s_e the e-th below it.
//
//   SHIFT   (s, i|b) => (s|i, b)
//   LAe     arc s_0 -> s_e, s_e leaves the stack, and s_0 .. s_(e-2) go back in front of b      1 <= e <= d, s_e is a word
//   RAe     arc s_e -> s_0, s_0 leaves the stack, and s_1 .. s_(e-1) go back in front of b      1 <= e <= d
//
// So the top is next to the gap that the word has left, or is its head. The words of stack and buffer keep their order:
// a word leaves when its head is at most d places away among the words that are left. Conversely the oracle leaves no
// pair behind that could be linked: all those below the top have been looked at since words between them, or dependents
// of them, left.
// Single root: an arc from the dummy only when it is the last transition.
// Oracle: the first reduction, smallest e first, whose dependent has all its own dependents, else SHIFT. O(d^2 n).
#pragma once
#include <algorithm>

#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct AttardiBack {
    struct Configuration : StackAndBuffer {
        std::vector<int> back;  // the words put back, before front .. words; the next is the last

        bool buffer_is_empty() const { return back.empty() && StackAndBuffer::buffer_is_empty(); }
    };

    int degree = 2;
    bool single_root = false;

    static constexpr int SHIFT = 0;
    static constexpr int LA(int e) { return 2 * e - 1; }
    static constexpr int RA(int e) { return 2 * e; }

    int transitions(int words) const { return 1 + 2 * std::min(degree, words); }
    std::string name(int t) const {
        return t == SHIFT ? "SHIFT" : (is_left(t) ? "LA" : "RA") + std::to_string(e_of(t));
    }

    void start(Configuration& c, int words) const {
        c.start(words);
        c.back.clear();
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && c.depth() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        if (c.depth() <= e_of(t)) return "the stack is not as deep as that";
        if (c.s(e_of(t)) != 0) return nullptr;
        if (is_left(t)) return "the root takes no head";
        if (single_root && (c.depth() > 2 || !c.buffer_is_empty())) return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == SHIFT) return no_arc;
        const int deep = c.s(e_of(t));
        return is_left(t) ? Arc{c.s(0), deep} : Arc{deep, c.s(0)};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) {
            if (c.back.empty()) return c.shift();
            c.stack.push_back(c.back.back());
            return c.back.pop_back();
        }
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.stack.erase(is_left(t) ? c.stack.end() - 1 - e_of(t) : c.stack.end() - 1);
        for (int i = 1; i < e_of(t); ++i) {
            c.back.push_back(c.s(0));
            c.stack.pop_back();
        }
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        return transition_detail::derive(*this, tree, sequence, [&](const Configuration& c, const auto& missing) {
            const int top = c.s(0);
            for (int e = 1; e <= degree && e < c.depth(); ++e) {
                const int deep = c.s(e);
                if (deep != 0 && tree.head(deep) == top && missing[deep] == 0) return LA(e);
                if (tree.head(top) == deep && missing[top] == 0) return RA(e);
            }
            return SHIFT;
        });
    }
    // A reduction puts back all that it makes the system shift once more.
    int words_of(const std::vector<int>& sequence) const {
        int shifts = 0;
        for (int t : sequence) shifts += t == SHIFT ? 1 : 1 - e_of(t);
        return shifts;
    }
    Focus focus(const Configuration& c) const {
        Focus focus = c.StackAndBuffer::focus();
        const int put_back = std::min<int>(static_cast<int>(c.back.size()), static_cast<int>(focus.buffer.size()));
        std::copy_backward(focus.buffer.begin(), focus.buffer.end() - put_back, focus.buffer.end());
        for (int i = 0; i < put_back; ++i) focus.buffer[i] = c.back[c.back.size() - 1 - i];
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        auto columns = c.StackAndBuffer::columns();
        columns.back().values.insert(columns.back().values.begin(), c.back.rbegin(), c.back.rend());
        return columns;
    }

  private:
    static int e_of(int t) { return (t + 1) / 2; }
    static bool is_left(int t) { return t % 2 == 1; }
};

static_assert(TransitionSystem<AttardiBack>);

}  // namespace nonproj
