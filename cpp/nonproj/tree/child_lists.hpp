// The children of every word of a tree, in order; memory is kept from one sentence to the next.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace nonproj {

class ChildLists {
  public:
    void assign(std::span<const int> heads) {
        const std::size_t width = heads.size() + 1;
        if (lists_.size() < width) lists_.resize(width);
        for (std::size_t h = 0; h < width; ++h) lists_[h].clear();
        for (std::size_t m = 1; m < width; ++m) lists_[heads[m - 1]].push_back(static_cast<int>(m));
    }
    std::vector<int>& operator[](int head) { return lists_[head]; }
    const std::vector<int>& operator[](int head) const { return lists_[head]; }

  private:
    std::vector<std::vector<int>> lists_;
};

}  // namespace nonproj
