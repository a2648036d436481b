// What most membership tests look at: the yields of a tree's nodes and the neighbours of its positions, as
// bit sets.
#pragma once
#include <vector>

#include "nonproj/tree/bits.hpp"
#include "nonproj/tree/tree.hpp"

namespace nonproj {

template <int W>
class Shape {
  public:
    using Set = Bits<W>;
    static constexpr int max_words = Set::capacity - 1;

    void assign(const Tree& tree) {
        assert(tree.words() <= max_words);
        tree_ = &tree;
        const int places = tree.words() + 1;
        yield_.assign(places, Set{});
        neighbours_.assign(places, Set{});
        first_.resize(places);
        last_.resize(places);
        const auto order = tree.top_down();
        for (auto v = order.rbegin(); v != order.rend(); ++v) {
            yield_[*v].insert(*v);
            first_[*v] = yield_[*v].first();
            last_[*v] = yield_[*v].last();
            const int head = tree.head(*v);
            if (head < 0) continue;
            yield_[head] |= yield_[*v];
            neighbours_[head].insert(*v);
            neighbours_[*v].insert(head);
        }
    }

    const Tree& tree() const { return *tree_; }
    int words() const { return tree_->words(); }
    // Y(v): v and its descendants.
    const Set& yield(int v) const { return yield_[v]; }
    int first(int v) const { return first_[v]; }
    int last(int v) const { return last_[v]; }
    int gaps(int v) const { return yield_[v].runs() - 1; }
    // Positions between the first and the last of Y(v) that are not in Y(v).
    Set gap_positions(int v) const { return Set::between(first_[v], last_[v]) - yield_[v]; }
    // Heads and dependents of a position, the dummy included.
    const Set& neighbours(int v) const { return neighbours_[v]; }

  private:
    const Tree* tree_ = nullptr;
    std::vector<Set> yield_, neighbours_;
    std::vector<int> first_, last_;
};

}  // namespace nonproj
