// A class that a caller defines by a test of its own.
#pragma once
#include <span>

namespace nonproj {

class CustomClass {
  public:
    virtual ~CustomClass() = default;

    // Whether the tree is in the class. May be called from several threads at a time.
    virtual bool contains(std::span<const int> heads) const = 0;
    // Whether deleting a leaf never takes a tree out of the class.
    virtual bool is_hereditary() const = 0;
};

}  // namespace nonproj
