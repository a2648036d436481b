// The values of a chart's tables, in memory that the thread keeps (workspace.hpp): large charts would
// spend as long on fresh pages, and on finding small ones, as on arithmetic.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>

#include "nonproj/decode/base/workspace.hpp"

namespace nonproj {

template <class Value>
class ChartCells {
  public:
    static_assert(std::is_trivially_copyable_v<Value>);

    ChartCells(std::size_t size, const Value& first) : size_(size), room_(size * sizeof(Value)) {
        std::uninitialized_fill_n(data(), size, first);
    }
    std::size_t size() const { return size_; }
    Value* data() { return static_cast<Value*>(room_.data()); }
    const Value* data() const { return static_cast<const Value*>(room_.data()); }
    Value& operator[](std::size_t place) { return data()[place]; }
    const Value& operator[](std::size_t place) const { return data()[place]; }

  private:
    std::size_t size_;
    Workspace room_;
};

}  // namespace nonproj
