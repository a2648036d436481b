// Finds violations (violation.hpp) in the core of a tree, each kind where the caller knows that there is one.
#pragma once
#include <functional>
#include <span>

#include "nonproj/classes/profile.hpp"
#include "nonproj/classes/violation.hpp"

namespace nonproj {

class ViolationFinder {
  public:
    virtual int gap_degree() const = 0;
    virtual bool is_well_nested() const = 0;
    virtual int inheritance_degree() const = 0;

    // The pair of crossing arcs that spans the fewest words; without arcs if there is none.
    virtual Violation crossing(bool with_dummy) const = 0;
    virtual Violation planes(int k) const = 0;
    virtual Violation endpoints() const = 0;
    virtual Violation interval(int k) const = 0;
    virtual Violation gaps(int k) const = 0;
    virtual Violation nesting() const = 0;
    virtual Violation inheritance(int bound) const = 0;
    virtual Violation head_split() const = 0;
    // Deletes leaves as long as the property of what is left is above k.
    virtual Violation obstruction(property::Name name, int k) const = 0;

  protected:
    ~ViolationFinder() = default;
};

// What find(finder) finds in the core of a tree, in words of the whole tree.
Violation find_in_core(std::span<const int> heads, const std::function<Violation(const ViolationFinder&)>& find);

// A violation of a class of which only a test is known: what is left of the tree, outside by itself, when leaves are
// deleted as long as they can be; or the whole tree, if deleting a leaf may take a tree out of the class.
Violation find_in_tree(std::span<const int> heads, bool is_hereditary,
                       const std::function<bool(std::span<const int>)>& is_outside);

}  // namespace nonproj
