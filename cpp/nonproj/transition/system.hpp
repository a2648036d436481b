// Transition systems: one interface for all of them.
//
// A system is a small struct, cheap to make and to copy; what varies (a degree, the number of planes, a single root) is
// a member. A transition is a number 0, 1, ..., whose meaning is the system's own; labels are not its business: the
// caller pairs a transition that makes an arc with a label.
//
//   ArcHybrid system{.single_root = true};
//   ArcHybrid::Configuration c;
//   system.start(c, words);                           // keeps the memory of c
//   while (!system.is_final(c)) {
//       for (int t = 0; t < system.transitions(words); ++t)
//           if (system.objection(c, t) == nullptr)    // t is legal; else a text says why not
//               ...                                   // system.arc(c, t) is the arc that t would make
//       system.apply(c, best);                        // best is legal: apply does not ask again
//   }
//   c.head[w]                                         // the head of each word; none is missing in a final configuration
//
//   std::vector<int> sequence;
//   system.oracle(tree, sequence)                     // true: the sequence derives the tree; false: none does
//   system.cost(c, t, tree)                           // ArcHybrid, ArcEager, Covington: gold arcs that t gives away
//   system.focus(c)                                   // the words that features of c look at
//
// A configuration is a few flat vectors and numbers: copying one is a few memcpy, and copying onto one that is no
// shorter allocates nothing, which is how a beam should keep and undo them.
//
// Words are 1 .. n, the dummy root is 0. In a single-root system the dummy gets one child. No legal sequence gets
// stuck, with any number of roots or one, but in TwoRegister, KRegister and in SortParse as printed.
#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "nonproj/transition/focus.hpp"
#include "nonproj/tree/tree.hpp"

namespace nonproj {

// The dependent is 0 where a transition makes no arc.
constexpr Arc no_arc{};
constexpr int no_head = -1;

// One column of a trace.
struct TraceColumn {
    enum class Kind {
        number,  // such as an index: one value
        words,   // a list of words; `marked` is the place of the current one, or -1
        word,    // a register: a word, or nothing
        items    // lists that share their ends, one after the other; each starts where `values` repeats a word
    };
    std::string name;
    Kind kind;
    std::vector<int> values;
    int marked = -1;
};

template <class S>
concept TransitionSystem =
    requires(const S& system, typename S::Configuration& c, const typename S::Configuration& read, int number,
             const Tree& tree, std::vector<int>& sequence) {
        { system.transitions(number) } -> std::same_as<int>;  // how many there are, for a sentence of so many words
        { system.name(number) } -> std::same_as<std::string>;
        { system.start(c, number) };
        { system.objection(read, number) } -> std::same_as<const char*>;
        { system.arc(read, number) } -> std::same_as<Arc>;
        { system.apply(c, number) };
        { system.is_final(read) } -> std::same_as<bool>;
        { system.oracle(tree, sequence) } -> std::same_as<bool>;
        { system.words_of(sequence) } -> std::same_as<int>;  // how long the sentence is that the sequence is about
        { system.focus(read) } -> std::same_as<Focus>;
        { system.columns(read) } -> std::same_as<std::vector<TraceColumn>>;
        { c.head } -> std::convertible_to<std::vector<int>>;
        { system.single_root } -> std::convertible_to<bool>;
    };

template <class S>
concept HasCost = requires(const S& system, const typename S::Configuration& c, int number, const Tree& tree) {
    { system.cost(c, number, tree) } -> std::same_as<int>;
    { system.is_cost_exact() } -> std::same_as<bool>;  // else it leads well, but a better tree may be within reach
};

namespace transition_detail {

inline std::vector<int> range(int first, int last) {
    std::vector<int> words;
    for (int w = first; w <= last; ++w) words.push_back(w);
    return words;
}

inline int count(const std::vector<int>& sequence, int transition) {
    int found = 0;
    for (int t : sequence) found += t == transition;
    return found;
}

// For each node how many of its dependents are still to be linked.
inline std::vector<int> missing_dependents(const Tree& tree) {
    std::vector<int> missing(tree.words() + 1, 0);
    for (int w = 1; w <= tree.words(); ++w) ++missing[tree.head(w)];
    return missing;
}

constexpr int none = -1;

// The sequence of a static oracle: next(c, missing) is its transition in c, or none where the tree has no derivation.
template <class System, class Next>
bool derive(const System& system, const Tree& tree, std::vector<int>& sequence, const Next& next) {
    std::vector<int> missing = missing_dependents(tree);
    typename System::Configuration c;
    system.start(c, tree.words());
    sequence.clear();
    while (!system.is_final(c)) {
        const int t = next(c, missing);
        if (t == none || system.objection(c, t) != nullptr) return false;
        if (const Arc made = system.arc(c, t); made != no_arc) --missing[made.head];
        system.apply(c, t);
        sequence.push_back(t);
    }
    return true;
}

}  // namespace transition_detail

}  // namespace nonproj
