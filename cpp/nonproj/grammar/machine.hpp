// A pseudo-projective grammar as tables: Kahane, Nasr & Rambow (1998), section 5. Categories are numbers.
#pragma once
#include <limits>
#include <vector>

namespace nonproj::grammar {

constexpr double never = -std::numeric_limits<double>::infinity();

// What a letter of a rule-FSM stands for: a linear dependent that is also a syntactic one, one that was lifted from further
// below, a syntactic dependent that is lifted away (after all others), the head itself.
enum Role : int { own = 0, lifted_in = 1, lifted_out = 2, head = 3 };

struct Step {
    int from;
    int role;
    int dependent;  // its category; -1 for the head
    int to;
    double weight;
};

// Reads the dependents of a head from left to right. Deterministic; state 0 is the start.
struct RuleFsm {
    std::vector<double> finals;  // what it weighs to end in each state; `never` where it cannot
    std::vector<Step> steps;     // by their dependents, the head first
};

// Reads the governors above a lifted word, from its syntactic governor up to its linear one: Glushkov's automaton, whose
// states are sets of places.
struct LiftReader {
    std::vector<int> first;
    std::vector<std::vector<int>> follow;
    std::vector<std::vector<char>> matches;  // of each place: the categories it matches
    std::vector<double> ends;                // the weight of the rule that may end at a place, else `never`
};

struct Machine {
    explicit Machine(int categories)
        : fsms(categories), reader_of(categories, -1), starts(categories, never), categories(categories) {}

    std::vector<RuleFsm> fsms;
    std::vector<int> reader_of;  // of each category that may be lifted, else -1
    std::vector<LiftReader> readers;
    std::vector<double> starts;  // what it weighs to be the root, or `never`
    int categories;
};

}  // namespace nonproj::grammar
