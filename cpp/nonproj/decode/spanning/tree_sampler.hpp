// Exact samples of spanning trees with chance proportional to exp(score), with several roots or one: O(n^3)
// once, then O(n^2) a tree as a rule, O(n^3) at most, for any scores. (Wilson's algorithm, which walks from
// word to head until it meets the tree, is faster on flat scores, but strong cycles hold its walk for e^gap
// steps, and to give up after a while would favour some trees.)
//
// The words are eliminated as in head_walk.hpp, n first, and put back in reverse order. For v let
//   share(r) = P(r, v) / escape(v),  which sum to 1,   and   P'(r, h) = P(r, h) + share(r) P(v, h)
// for the walk that skips v. A tree on 1..v-1 drawn by P' becomes a tree on 1..v drawn by P in two steps:
//   1. Each arc r -> h turns out to lead via v with chance share(r) P(v, h) / P'(r, h), or else stays.
//   2. Let C be the dependents of the arcs via v, and M all that is not below C, the root included. Draw the
//      head of v from M by share, and make v the head of the words in C.
// Proof. Fix C and the arcs that stay; they form M and one subtree for each word in C. In the tree on 1..v-1
// each of these subtrees was attached to some r outside it, weighing share(r), in any way that makes a tree.
// These ways weigh share(M) x share(all)^(|C| - 1) = share(M) together (Cayley's formula with weights), also
// when C is empty. So C and the arcs that stay come with a chance proportional to
//   share(M) x prod of P(v, h) over h in C x prod of P over the arcs that stay;
// times share(r) / share(M) for the head r of v, that is the weight of the new tree.
//
// With infinitesimal root arcs the root is drawn only when M holds no word: otherwise M has a word with a
// positive share, namely the other end of an arc via v, or any word when C is empty.
//
// An arc of the tree on 1..v weighs P(h, d) + the sum of share(h) P(u, d) over the words u > v that are still
// to come. The term it stands for is drawn once, when the arc is made, and kept in via[d].
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/wide.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/spanning/head_walk.hpp"
#include "nonproj/decode/spanning/matrix_tree.hpp"

namespace nonproj {

template <class Number>
class Regrowth {
  public:
    // Returns Z of the walk; no tree can be drawn unless it is positive and reliable.
    Number prepare(const HeadWalk<Number>& walk) {
        words_ = walk.words();
        const Number z = elimination_.eliminate(walk);
        const std::size_t width = words_ + 1;
        below_.resize(width * width);
        for (int u = 1; u <= words_; ++u)
            for (int d = 1; d < u; ++d) below_[d * width + u] = elimination_.to(u, d);
        return z;
    }

    // The walk is that of the last prepare().
    void draw(const HeadWalk<Number>& walk, std::mt19937_64& random, std::span<int> heads) {
        assert(walk.words() == words_ && static_cast<int>(heads.size()) == words_);
        walk_ = &walk;
        head_.assign(words_ + 1, 0);
        via_.assign(words_ + 1, 0);
        side_.resize(words_ + 1);
        sum_.resize(words_ + 1);
        for (int v = 1; v <= words_; ++v) {
            detached_.clear();
            for (int d = 1; d < v; ++d)
                if (via_[d] == v) detached_.push_back(d);
            attach(v, draw_head(v, random), v, random);
            for (int d : detached_) attach(d, v, v, random);
        }
        std::copy(head_.begin() + 1, head_.end(), heads.begin());
    }

  private:
    enum Side : std::uint8_t { unknown, main, detached };

    // Makes the arc head -> d in the tree on 1..v and draws the word, if any, that it leads via.
    void attach(int d, int head, int v, std::mt19937_64& random) {
        head_[d] = head;
        const Number* const share = &elimination_.to(head, 0);
        const Number* const below = below_.data() + static_cast<std::size_t>(d) * (words_ + 1);
        Number sum = walk_->row(head)[d];
        sum_[v] = sum;
        for (int u = v + 1; u <= words_; ++u) sum_[u] = sum += share[u] * below[u];
        const int drawn = draw_index(v, words_ + 1, random);
        via_[d] = drawn == v ? 0 : drawn;
    }

    int draw_head(int v, std::mt19937_64& random) {
        const bool has_words = find_main(v);
        const int first = has_words ? walk_->first_exit() : 0;
        Number sum{};
        for (int r = first; r < v; ++r) {
            if (side_[r] == main) sum += elimination_.to(r, v);
            sum_[r] = sum;
        }
        return draw_index(first, v, random);
    }

    // Finds M; true if it holds a word.
    bool find_main(int v) {
        if (detached_.empty()) {
            std::fill_n(side_.begin(), v, main);
            return v > 1;
        }
        std::fill_n(side_.begin(), v, unknown);
        side_[0] = main;
        for (int d : detached_) side_[d] = detached;
        bool has_words = false;
        for (int x = 1; x < v; ++x) {
            int top = x;
            while (side_[top] == unknown) top = head_[top];
            const Side side = side_[top];
            for (int y = x; side_[y] == unknown; y = head_[y]) side_[y] = side;
            has_words |= side == main;
        }
        return has_words;
    }

    // An index in [first, last) with the weights whose running sums are in sum_; never one of weight 0,
    // because a factor of at most 1 - 2^-52 keeps the threshold below the total, nor an infinitesimal where
    // there is more, because the factor is not 0.
    int draw_index(int first, int last, std::mt19937_64& random) const {
        const double uniform = (static_cast<double>(random() >> 13) + 0.5) * 0x1p-51;
        const Number threshold = sum_[last - 1] * Number(uniform);
        return static_cast<int>(std::upper_bound(sum_.begin() + first, sum_.begin() + last - 1, threshold) -
                                sum_.begin());
    }

    const HeadWalk<Number>* walk_ = nullptr;
    int words_ = 0;
    Elimination<Number> elimination_;
    std::vector<Number> below_, sum_;
    std::vector<int> head_, via_, detached_;
    std::vector<Side> side_;
};

class TreeSampler {
  public:
    // False when there is no tree.
    template <class Real>
    bool read(const ArcScores<Real>& scores, bool single_root) {
        if (!doubles_.walk.read(scores, single_root)) return false;
        is_wide_ = !is_reliable(doubles_.regrowth.prepare(doubles_.walk));
        if (!is_wide_) return true;
        return wides_.walk.read(scores, single_root) &&
               wides_.walk.log_partition(wides_.regrowth.prepare(wides_.walk)) > minus_infinity<double>;
    }

    // Writes the head of word d to heads[d - 1].
    void draw(std::mt19937_64& random, std::span<int> heads) {
        if (is_wide_)
            wides_.regrowth.draw(wides_.walk, random, heads);
        else
            doubles_.regrowth.draw(doubles_.walk, random, heads);
    }

  private:
    template <class Number>
    struct Draws {
        HeadWalk<Number> walk;
        Regrowth<Number> regrowth;
    };

    bool is_wide_ = false;
    Draws<double> doubles_;
    Draws<Wide> wides_;
};

}  // namespace nonproj
