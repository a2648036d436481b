// Arc-standard with SWAP on the stack (Nivre 2009 at ACL; Nivre, Kuhlmann & Hall 2009): derives every tree.
// Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []).
//
//   SHIFT   (s, i|b) => (s|i, b)
//   LA      (s|i|j, b) => (s|j, b), arc j -> i       i is not the dummy
//   RA      (s|i|j, b) => (s|i, b), arc i -> j
//   SWAP    (s|i|j, b) => (s|j, i|b)                 i is not the dummy, i < j
//
// Two words are swapped once at most, so there are at most n(n-1)/2 swaps, and 2n + 2 swaps transitions.
// Single root: RA from the dummy only when it is the last transition.
// Oracles, by the projective order <: link as arc-standard does, else SWAP when j < i, else SHIFT. The eager oracle
// swaps at once. The lazy one waits while j and the first word of the buffer are in the same maximal projective
// component (what arc-standard's oracle links without swaps), and so moves whole components. Linear but for the swaps.
#pragma once
#include "nonproj/transition/projective_order.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj {

struct Swap {
    bool lazy = true;
    bool single_root = false;

    enum : int { SHIFT, LA, RA, SWAP };
    struct Configuration {
        std::vector<int> stack;   // the top is the last
        std::vector<int> buffer;  // the front is the last
        std::vector<int> head;
        int s(int e) const { return stack[stack.size() - 1 - e]; }
    };

    int transitions(int) const { return 4; }
    std::string name(int t) const { return t == SHIFT ? "SHIFT" : t == LA ? "LA" : t == RA ? "RA" : "SWAP"; }

    void start(Configuration& c, int words) const {
        c.stack.assign(1, 0);
        c.buffer.resize(words);
        for (int w = 1; w <= words; ++w) c.buffer[words - w] = w;
        c.head.assign(words + 1, no_head);
    }
    bool is_final(const Configuration& c) const { return c.buffer.empty() && c.stack.size() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer.empty() ? "the buffer is empty" : nullptr;
        if (c.stack.size() < 2) return "the stack holds nothing but the root";
        if (t == RA) return single_root && c.s(1) == 0 && !c.buffer.empty() ? "a single root is linked last" : nullptr;
        if (c.s(1) == 0) return t == LA ? "the root takes no head" : "the root stays at the bottom of the stack";
        if (t == SWAP && c.s(1) > c.s(0)) return "the two words were swapped before";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        return t == LA ? Arc{c.s(0), c.s(1)} : t == RA ? Arc{c.s(1), c.s(0)} : no_arc;
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) {
            c.stack.push_back(c.buffer.back());
            c.buffer.pop_back();
            return;
        }
        const int top = c.s(0), below = c.s(1);
        c.stack.pop_back();
        if (t == RA) {
            c.head[top] = below;
            return;
        }
        c.stack.back() = top;
        if (t == LA)
            c.head[below] = top;
        else
            c.buffer.push_back(below);
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        const std::vector<int> place = projective_places(tree);
        const std::vector<int> component = lazy ? projective_components(tree) : std::vector<int>{};
        return transition_detail::derive(*this, tree, sequence, [&](const Configuration& c, const auto& missing) {
            return next(c, tree, missing, place, component);
        });
    }

    // The words that a sequence of arc-standard transitions links without a swap: for each word the top of its part.
    static std::vector<int> projective_components(const Tree& tree) {
        std::vector<int> missing = transition_detail::missing_dependents(tree), part(tree.words() + 1), stack{0};
        for (int w = 0; w <= tree.words(); ++w) part[w] = w;
        for (int w = 1; w <= tree.words(); ++w) {
            stack.push_back(w);
            while (stack.size() > 1) {
                const int top = stack.back(), below = stack[stack.size() - 2];
                const bool left = below != 0 && tree.head(below) == top && missing[below] == 0;
                if (!left && !(tree.head(top) == below && missing[top] == 0)) break;
                stack.pop_back();
                stack.back() = left ? top : below;
                part[left ? below : top] = stack.back();
                --missing[stack.back()];
            }
        }
        for (int w : tree.top_down()) part[w] = part[part[w]];  // a head's part is settled before its dependents'
        return part;
    }

    int words_of(const std::vector<int>& sequence) const {
        return transition_detail::count(sequence, SHIFT) - transition_detail::count(sequence, SWAP);
    }
    Focus focus(const Configuration& c) const {
        Focus focus;
        focus.see_stack(c.stack);
        Focus::see_last(c.buffer, focus.buffer);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        return {{"stack", TraceColumn::Kind::words, c.stack},
                {"buffer", TraceColumn::Kind::words, {c.buffer.rbegin(), c.buffer.rend()}}};
    }

  private:
    int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing, const std::vector<int>& place,
             const std::vector<int>& component) const {
        if (c.stack.size() < 2) return SHIFT;
        const int top = c.s(0), below = c.s(1);
        if (below != 0 && tree.head(below) == top && missing[below] == 0) return LA;
        if (tree.head(top) == below && missing[top] == 0) return RA;
        if (place[top] > place[below]) return SHIFT;
        return lazy && !c.buffer.empty() && component[top] == component[c.buffer.back()] ? SHIFT : SWAP;
    }
};

static_assert(TransitionSystem<Swap>);

}  // namespace nonproj
