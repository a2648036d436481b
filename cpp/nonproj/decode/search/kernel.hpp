// The kernel of a sentence: what is left to decide once a tree of the class is known.
//
// An arc whose best spanning tree scores less than a known tree of the class (arc_bounds.hpp) is in no best tree and is
// dropped. A word d that has one arc left, from its neighbour h, and none to other words is a leaf next to its head in
// every tree that is left. Deleting such a leaf takes no tree into or out of a class (tree/core.hpp), so d can be left
// out, its neighbours become neighbours, and so on. The best trees of the kernel are those of the sentence without the
// words left out. With a single root, words next to the root stay. O(n^2) after the bounds.
#pragma once
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/arc_bounds.hpp"

namespace nonproj {

class Kernel {
  public:
    // Words are left out only if that takes no tree into or out of the class.
    void assign(const ArcScores<double>& scores, bool single_root, double known_score, bool may_leave_out_words) {
        scores_ = scores;
        width_ = static_cast<std::size_t>(scores.words()) + 1;
        bounds_.resize(width_ * width_);
        arc_bounds_.arc_bounds(scores, single_root, bounds_);
        count_arcs(known_score);
        if (may_leave_out_words) {
            shrink(single_root);
        } else {
            word_.resize(width_);
            std::iota(word_.begin(), word_.end(), 0);
        }
        copy_scores(known_score);
    }

    ArcScores<double> scores() const { return {kernel_.data(), static_cast<int>(word_.size()) - 1}; }

    // What the words left out add to the score of every tree.
    double left_out() const { return left_out_; }

    // From heads in the kernel to heads in the sentence.
    void expand(std::span<const int> kernel_heads, std::span<int> heads) const {
        for (std::size_t d = 1; d < width_; ++d) heads[d - 1] = only_head_[d];
        for (std::size_t place = 1; place < word_.size(); ++place)
            heads[word_[place] - 1] = word_[kernel_heads[place - 1]];
    }

  private:
    bool is_kept(std::size_t head, std::size_t dependent, double known_score) const {
        return bounds_[head * width_ + dependent] >= known_score &&
               scores_.data()[head * width_ + dependent] > minus_infinity<double>;
    }

    void count_arcs(double known_score) {
        heads_left_.assign(width_, 0);
        dependents_left_.assign(width_, 0);
        only_head_.assign(width_, 0);
        for (std::size_t h = 0; h < width_; ++h)
            for (std::size_t d = 1; d < width_; ++d) {
                if (h == d || !is_kept(h, d, known_score)) continue;
                ++heads_left_[d];
                ++dependents_left_[h];
                only_head_[d] = static_cast<int>(h);
            }
    }

    // As for the core of a tree: a word can become deletable only while it or its neighbour is the last one
    // kept.
    void shrink(bool single_root) {
        const auto is_leaf_of = [&](int d, int h) {
            return d != 0 && dependents_left_[d] == 0 && heads_left_[d] == 1 && only_head_[d] == h &&
                   !(single_root && h == 0);
        };
        word_.clear();
        for (std::size_t w = 0; w < width_; ++w) {
            word_.push_back(static_cast<int>(w));
            while (word_.size() > 1) {
                const int top = word_.back(), below = word_[word_.size() - 2];
                if (is_leaf_of(top, below)) {
                    --dependents_left_[below];
                    word_.pop_back();
                } else if (is_leaf_of(below, top)) {
                    --dependents_left_[top];
                    word_.pop_back();
                    word_.back() = top;
                } else {
                    break;
                }
            }
        }
    }

    void copy_scores(double known_score) {
        left_out_ = 0;
        for (std::size_t d = 1, place = 1; d < width_; ++d) {
            if (place < word_.size() && word_[place] == static_cast<int>(d))
                ++place;
            else
                left_out_ += scores_(only_head_[d], static_cast<int>(d));
        }
        kernel_.clear();
        for (int h : word_)
            for (int d : word_)
                kernel_.push_back(h != d && d != 0 && is_kept(h, d, known_score) ? scores_(h, d)
                                                                                 : minus_infinity<double>);
    }

    ArcScores<double> scores_{nullptr, 0};
    std::size_t width_ = 0;
    double left_out_ = 0;
    ArcBounds<double> arc_bounds_;
    std::vector<double> bounds_, kernel_;
    std::vector<int> heads_left_, dependents_left_, only_head_, word_;
};

}  // namespace nonproj
