// What is around a place in a text, every context as a hash: what the weights of a decision are named by.
#pragma once
#include <array>
#include <cassert>
#include <cstddef>

#include "nonproj/block/forms.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::text {

using block::FormView;
using block::small_hash;
using block::view_of;
using learn::combined;
using learn::Hash;
using learn::hash_of;
using learn::mixed;

// There are never more than fit: how many kinds of context there are is settled where they are listed.
class Contexts {
  public:
    static constexpr std::size_t most = 64;

    void clear() { size_ = 0; }
    void push_back(learn::Hash context) {
        assert(size_ < hashes_.size());
        hashes_[size_++] = context;
    }
    std::size_t size() const { return size_; }
    learn::Hash operator[](std::size_t i) const { return hashes_[i]; }
    const learn::Hash* begin() const { return hashes_.data(); }
    const learn::Hash* end() const { return hashes_.data() + size_; }

  private:
    std::array<learn::Hash, most> hashes_;
    std::size_t size_ = 0;
};

}  // namespace nonproj::text
