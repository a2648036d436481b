// A graded class: a rising chain of classes with a price each. A tree pays the price of the smallest class that holds it,
// so a class is a preference and not a wall.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj {

struct Grade {
    ClassSolver solver;
    double price;
};

class Grades {
  public:
    // From the smallest class to the widest. An error where a class is not known to hold the one before, or a price falls.
    explicit Grades(std::vector<Grade> chain);

    std::size_t size() const { return chain_.size(); }
    const Grade& operator[](std::size_t place) const { return chain_[place]; }
    const Grade& widest() const { return chain_.back(); }

    // The place of the smallest class that holds a tree of the class at `place`. Where that cannot be settled, a wider one.
    std::size_t smallest(std::span<const int> heads, std::size_t place, Membership& membership) const {
        for (std::size_t j = 0; j < place; ++j)
            if (membership.settle(heads, chain_[j].solver) == 1) return j;
        return place;
    }

  private:
    std::vector<Grade> chain_;
};

}  // namespace nonproj
