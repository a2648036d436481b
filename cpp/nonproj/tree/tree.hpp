// A dependency tree over words 1..n: every word has one head, and following heads leads to the dummy root 0,
// which stands to the left of word 1. Memory is kept between trees, so one object serves a whole treebank.
#pragma once
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace nonproj {

struct Arc {
    int head = 0;
    int dependent = 0;
    int left() const { return head < dependent ? head : dependent; }
    int right() const { return head < dependent ? dependent : head; }
    friend bool operator==(const Arc&, const Arc&) = default;
    friend auto operator<=>(const Arc&, const Arc&) = default;
};

// Exactly one end of one lies strictly between the ends of the other.
inline bool cross(const Arc& a, const Arc& b) {
    return (a.left() < b.left() && b.left() < a.right() && a.right() < b.right()) ||
           (b.left() < a.left() && a.left() < b.right() && b.right() < a.right());
}

class Tree {
  public:
    // heads[i - 1] is the head of word i; the caller has made sure that they form a tree (tree/fault.hpp).
    template <class Index>
    void assign(std::span<const Index> heads) {
        words_ = static_cast<int>(heads.size());
        head_.resize(words_ + 1);
        head_[0] = -1;
        for (int v = 1; v <= words_; ++v) head_[v] = static_cast<int>(heads[v - 1]);
        link_children();
    }

    int words() const { return words_; }
    int head(int v) const {
        assert(0 <= v && v <= words_);
        return head_[v];
    }
    Arc arc(int dependent) const { return {head(dependent), dependent}; }

    // In increasing order.
    std::span<const int> children(int v) const {
        assert(0 <= v && v <= words_);
        return {child_.data() + first_child_[v], child_.data() + first_child_[v + 1]};
    }

    // All nodes, each after its head; starts with 0.
    std::span<const int> top_down() const { return order_; }

    int depth(int v) const {
        int depth = 0;
        for (; v != 0; v = head(v)) ++depth;
        return depth;
    }

  private:
    void link_children() {
        first_child_.assign(words_ + 2, 0);
        for (int v = 1; v <= words_; ++v) ++first_child_[head_[v] + 1];
        for (int v = 0; v <= words_; ++v) first_child_[v + 1] += first_child_[v];
        child_.resize(words_);
        next_.assign(first_child_.begin(), first_child_.end() - 1);
        for (int v = 1; v <= words_; ++v) child_[next_[head_[v]]++] = v;
        order_.clear();
        order_.push_back(0);
        for (std::size_t read = 0; read < order_.size(); ++read)
            for (int c : children(order_[read])) order_.push_back(c);
    }

    int words_ = 0;
    std::vector<int> head_, first_child_, child_, next_, order_;
};

}  // namespace nonproj
