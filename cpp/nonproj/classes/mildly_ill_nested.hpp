// MG_k (Gomez-Rodriguez, Weir & Carroll 2009, section 5): at every head h, the dummy included, the yields of
// the children can be joined two at a time so that every union on the way has at most k gaps. The place of h
// itself is a wildcard, gaps*(U) = min(gaps(U), gaps(U + h)): it is what U has when h is taken out of the
// sentence.
//
// Pieces are joined depth first. A piece B may be joined to a piece A at once, without trying anything else,
// when each run of B touches a run of A (h taken out): in any other plan, B can be moved from the union that
// holds it to the one that holds A. There it opens no gap, and where it is taken away every run of B had an
// end that was not shared, so no gap opens there either. What is left after these joins is tried in every
// order; failures are remembered.
#pragma once
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "nonproj/classes/yields.hpp"

namespace nonproj {

template <int W>
class MildlyIllNested {
  public:
    using Set = Bits<W>;
    static constexpr std::size_t max_failures = 20'000;  // at a head
    static constexpr long max_looks = 500'000'000;       // at 64 positions of a union, some tenths of a second a tree

    // The smallest k, given the gap degree; nothing when it could not be settled within the work limit.
    std::optional<int> smallest_k(const Shape<W>& shape, int gap_degree) {
        int k = gap_degree;
        looks_ = 0;
        for (int h = 0; h <= shape.words(); ++h)
            while (true) {
                const auto joined = joins_within(shape, h, k);
                if (!joined) return std::nullopt;
                if (*joined) break;
                ++k;
            }
        return k;
    }

    // Can the children of h be joined with at most k gaps on the way?
    std::optional<bool> joins_within(const Shape<W>& shape, int h, int k) {
        if (children_nest(shape, h)) return true;  // joined from the innermost outwards
        pieces_.clear();
        for (int c : shape.tree().children(h)) pieces_.push_back(without(shape.yield(c), h));
        failures_.clear();
        k_ = k;
        const bool joined = join(pieces_);
        if (!joined && gave_up()) return std::nullopt;
        return joined;
    }

  private:
    bool gave_up() const { return failures_.size() > max_failures || looks_ > max_looks; }

    // The set with position h taken out of the sentence: what lies right of h moves one to the left.
    static Set without(const Set& set, int h) {
        Set moved;
        set.for_each([&](int position) { moved.insert(position < h ? position : position - 1); });
        return moved;
    }

    // Each run of b has a position next to it that belongs to a.
    static bool touches(const Set& a, const Set& b) {
        bool touched = false;
        int previous = -2;
        const bool all_before = b.all_of([&](int position) {
            if (position != previous + 1) {
                if (previous != -2 && !touched) return false;
                touched = position > 0 && a.contains(position - 1);
            }
            touched = touched || (position + 1 < Set::capacity && a.contains(position + 1));
            previous = position;
            return true;
        });
        return all_before && touched;
    }

    bool join(std::vector<Set> pieces) {
        absorb(pieces);
        if (pieces.size() <= 1) return true;
        std::sort(pieces.begin(), pieces.end());
        looks_ += static_cast<long>(pieces.size() * pieces.size()) * W;
        if (gave_up() || failures_.contains(pieces)) return false;
        for (std::size_t a = 0; a < pieces.size(); ++a)
            for (std::size_t b = a + 1; b < pieces.size(); ++b) {
                const Set joined = pieces[a] | pieces[b];
                if (joined.runs() - 1 > k_) continue;
                std::vector<Set> rest = pieces;
                rest[a] = joined;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(b));
                if (join(std::move(rest))) return true;
            }
        failures_.insert(std::move(pieces));
        return false;
    }

    static void absorb(std::vector<Set>& pieces) {
        for (std::size_t a = 0; a < pieces.size(); ++a)
            for (std::size_t b = 0; b < pieces.size(); ++b)
                if (a != b && touches(pieces[a], pieces[b])) {
                    pieces[a] |= pieces[b];
                    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(b));
                    return absorb(pieces);
                }
    }

    int k_ = 0;
    long looks_ = 0;
    std::vector<Set> pieces_;
    std::set<std::vector<Set>> failures_;
};

}  // namespace nonproj
