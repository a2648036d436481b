// What is being lifted out of a part of a sentence. A pending condition is a lifted category with the state of its lifting
// condition. A group stands for words of one category lifted away from one governor: they are alike in all. The groups of a
// list are sorted, and lists are interned. A list does not say which governor is which, but its order does within one
// derivation, so that every analysis has exactly one.
#pragma once
#include <map>
#include <unordered_map>
#include <vector>

#include "nonproj/grammar/machine.hpp"

namespace nonproj::grammar {

struct Group {
    int pending;
    int count;
    int under;  // in a part without its end: the number of the lifted dependent that it comes up under, or -1

    auto operator<=>(const Group&) const = default;
};
using Groups = std::vector<Group>;

template <class List>
class Interned {
  public:
    Interned() { number({}); }

    int number(const List& list) {
        const auto [at, is_new] = numbers_.try_emplace(list, static_cast<int>(lists_.size()));
        if (is_new) lists_.push_back(&at->first);
        return at->second;
    }
    const List& operator[](int number) const { return *lists_[number]; }

  private:
    std::map<List, int> numbers_;
    std::vector<const List*> lists_;
};

class Conditions {
  public:
    static constexpr int dead = -1;

    // `categories` are those of the sentence, by their numbers in the machine; here they go by their places in it.
    Conditions(const Machine& machine, std::vector<int> categories)
        : machine_(machine), categories_(std::move(categories)), numbers_(categories_.size()) {}

    // A word that is lifted away from its syntactic governor, which its condition has read.
    int begin(int lifted, int governor) {
        const int reader = machine_.reader_of[categories_[lifted]];
        return reader < 0 ? dead : read(lifted, machine_.readers[reader].first, governor);
    }
    // One more governor on the way up.
    int advanced(int pending, int governor) {
        int& known = next_[pending * categories_.size() + governor];
        if (known == unknown) {
            const LiftReader& reader = machine_.readers[machine_.reader_of[categories_[category(pending)]]];
            std::vector<int> places;
            for (const int place : *states_[pending].places)
                places.insert(places.end(), reader.follow[place].begin(), reader.follow[place].end());
            const int after = read(category(pending), places, governor);
            next_[pending * categories_.size() + governor] = after;
            return after;
        }
        return known;
    }
    int category(int pending) const { return states_[pending].category; }
    // What the rule weighs by which the governor read last is the linear one; `never` when it cannot be.
    double arrival(int pending) const { return states_[pending].arrival; }

  private:
    static constexpr int unknown = -2;
    struct State {
        int category;
        const std::vector<int>* places;
        double arrival;
    };

    int read(int lifted, const std::vector<int>& places, int governor);

    const Machine& machine_;
    std::vector<int> categories_;
    std::vector<std::map<std::vector<int>, int>> numbers_;
    std::vector<State> states_;
    std::vector<int> next_;
};

}  // namespace nonproj::grammar
