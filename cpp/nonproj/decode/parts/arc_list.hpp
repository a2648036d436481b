// The arcs that may be in a tree, numbered head by head: first the children to the left of the head, nearest first, then
// those to its right, nearest first. So the children that an automaton reads lie side by side.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj::parts {

inline constexpr int none = -1;

class ArcList {
  public:
    // Arcs with a score above -inf.
    template <class Real>
    void assign(const ArcScores<Real>& scores) {
        words_ = scores.words();
        const int width = words_ + 1;
        head_.clear();
        dependent_.clear();
        number_.assign(static_cast<std::size_t>(width) * width, none);
        begin_.resize(width + 1);
        middle_.resize(width);
        const auto add = [&](int h, int d) {
            if (!(scores(h, d) > minus_infinity<Real>)) return;
            number_[static_cast<std::size_t>(h) * width + d] = size();
            head_.push_back(h);
            dependent_.push_back(d);
        };
        for (int h = 0; h < width; ++h) {
            begin_[h] = size();
            for (int d = h - 1; d > 0; --d) add(h, d);
            middle_[h] = size();
            for (int d = h + 1; d < width; ++d) add(h, d);
        }
        begin_[width] = size();
        list_by_dependent();
    }

    int words() const { return words_; }
    int size() const { return static_cast<int>(head_.size()); }
    int head(int arc) const { return head_[arc]; }
    int dependent(int arc) const { return dependent_[arc]; }
    // The arcs of h: begin .. middle to its left, middle .. end to its right.
    int begin(int h) const { return begin_[h]; }
    int middle(int h) const { return middle_[h]; }
    int end(int h) const { return begin_[h + 1]; }
    std::span<const int> into(int d) const {
        return {into_.data() + first_into_[d], into_.data() + first_into_[d + 1]};
    }
    // The heads of these arcs, in the same order.
    std::span<const int> heads(int d) const {
        return {heads_into_.data() + first_into_[d], heads_into_.data() + first_into_[d + 1]};
    }
    // None for an arc that may not be used.
    int number(int h, int d) const { return number_[static_cast<std::size_t>(h) * (words_ + 1) + d]; }
    // Of an arc among those on its side: 1 for the nearest to the head.
    int position(int arc) const {
        const int h = head_[arc];
        return arc - (arc < middle_[h] ? begin_[h] : middle_[h]) + 1;
    }
    bool is_left(int arc) const { return dependent_[arc] < head_[arc]; }

  private:
    void list_by_dependent() {
        first_into_.assign(words_ + 2, 0);
        for (const int d : dependent_) ++first_into_[d + 1];
        for (int d = 1; d <= words_ + 1; ++d) first_into_[d] += first_into_[d - 1];
        into_.resize(size());
        heads_into_.resize(size());
        next_ = first_into_;
        for (int arc = 0; arc < size(); ++arc) {
            const int place = next_[dependent_[arc]]++;
            into_[place] = arc;
            heads_into_[place] = head_[arc];
        }
    }

    int words_ = 0;
    std::vector<int> head_, dependent_, number_, begin_, middle_, into_, heads_into_, first_into_, next_;
};

}  // namespace nonproj::parts
