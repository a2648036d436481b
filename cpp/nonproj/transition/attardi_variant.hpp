// Attardi's system made wider (Shi, Gómez-Rodríguez & Lee 2018), in three variants: derives the trees of AV_k in 2n
// transitions. Configuration (stack s, buffer b, arcs); start ([0], [1..n]), end ([0], []).
//
//   SHIFT   (s, i|b) => (s|i, b)
//   x<-y    arc y -> x, x leaves the stack      for the pairs (x, y) that classes/attardi_variants.hpp lists
//
// Single root: an arc from the dummy only when it is the last transition.
// Oracle: the first reduction whose dependent has all its own dependents, else SHIFT. It refuses exactly the trees
// outside AV_k. O(n).
#pragma once
#include "nonproj/classes/attardi_variants.hpp"
#include "nonproj/transition/stack_and_buffer.hpp"

namespace nonproj {

struct AttardiVariant : OnStackAndBuffer {
    int variant = 1;
    bool single_root = false;

    int transitions(int) const { return 1 + static_cast<int>(reductions().size()); }
    std::string name(int t) const {
        if (t == SHIFT) return "SHIFT";
        return place(reduction(t).dependent) + "<-" + place(reduction(t).head);
    }

    const char* objection(const Configuration& c, int t) const {
        if (t == SHIFT) return c.buffer_is_empty() ? "the buffer is empty" : nullptr;
        const auto [dependent, head] = reduction(t);
        if (c.depth() <= dependent || c.depth() <= head) return "the stack is not as deep as that";
        if (head == attardi_variants::next_word && c.buffer_is_empty()) return "the buffer is empty";
        const Arc made = arc(c, t);
        if (made.dependent == 0) return "the root takes no head";
        if (single_root && made.head == 0 && (c.depth() > 2 || !c.buffer_is_empty()))
            return "a single root is linked last";
        return nullptr;
    }
    Arc arc(const Configuration& c, int t) const {
        if (t == SHIFT) return no_arc;
        const auto [dependent, head] = reduction(t);
        return {head == attardi_variants::next_word ? c.front : c.s(head), c.s(dependent)};
    }
    void apply(Configuration& c, int t) const {
        if (t == SHIFT) return c.shift();
        const Arc made = arc(c, t);
        c.head[made.dependent] = made.head;
        c.stack.erase(c.stack.end() - 1 - reduction(t).dependent);
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const { return follow(*this, tree, sequence); }

  private:
    friend OnStackAndBuffer;
    std::span<const attardi_variants::Reduction> reductions() const { return attardi_variants::reductions(variant); }
    const attardi_variants::Reduction& reduction(int t) const { return reductions()[t - 1]; }
    static std::string place(int which) {
        return which == attardi_variants::next_word ? "b0" : "s" + std::to_string(which);
    }

    int next(const Configuration& c, const Tree& tree, const std::vector<int>& missing) const {
        for (int t = 1; t < transitions(c.words); ++t) {
            const auto [dependent, head] = reduction(t);
            if (c.depth() <= dependent || c.depth() <= head) continue;
            if (head == attardi_variants::next_word && c.buffer_is_empty()) continue;
            const Arc made = arc(c, t);
            if (made.dependent != 0 && tree.head(made.dependent) == made.head && missing[made.dependent] == 0) return t;
        }
        return SHIFT;
    }
};

static_assert(TransitionSystem<AttardiVariant>);

}  // namespace nonproj
