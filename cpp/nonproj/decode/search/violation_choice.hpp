// Which violation of a tree to branch on. A child of the search loses at least the regret of the arc it forbids, so of
// several violations the best is the one whose lowest regret is highest.
//   Pr, 1-P         of all pairs of arcs that cross, the one whose lesser regret is highest
//   other classes   the violation that the class names; then that of what is left of the tree when the arc of least
//                   regret is deleted with all below it, and so on for a few rounds; the best of them is taken
// A violation of a part that is closed under heads is one of the whole tree (classes/violation.hpp): adding words takes
// no tree back into a class.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/solver/membership.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

class ViolationChoice {
  public:
    using Priced = std::pair<double, Arc>;  // an arc and its regret

    // The arcs of the violation that can be forbidden, by rising regret. The tree is outside the class; regret(arc) is
    // infinite for an arc that must stay. Empty when a violation was met in which all arcs must: then no tree of the
    // class keeps what must stay.
    template <class Regret>
    const std::vector<Priced>& choose(std::span<const int> heads, const ClassSolver& solver, Regret regret) {
        best_.clear();
        lowest_ = -1;
        if (solver.row().no_crossing != NoCrossing::is_not_enough)
            choose_crossing(heads, solver, regret);
        else
            choose_by_rounds(heads, solver, regret);
        return best_;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    // Keeps the violation if it is the best so far. False when none of its arcs can be forbidden.
    bool offer(std::vector<Priced>& arcs) {
        std::erase_if(arcs, [](const Priced& priced) { return priced.first == infinity; });
        std::sort(arcs.begin(), arcs.end());
        const bool can_forbid = !arcs.empty();
        if (!can_forbid || arcs.front().first > lowest_) {
            lowest_ = can_forbid ? arcs.front().first : infinity;
            best_ = arcs;
        }
        return can_forbid;
    }

    template <class Regret>
    void choose_crossing(std::span<const int> heads, const ClassSolver& solver, Regret regret) {
        core_.assign(heads);
        const bool with_dummy = solver.row().no_crossing == NoCrossing::of_all_arcs;
        const int words = core_.tree().words();
        price_.assign(words + 1, -1);
        const auto price = [&](int d) {
            if (price_[d] < 0) price_[d] = regret(core_.arc(d));
            return price_[d];
        };
        for (int a = 1; a <= words; ++a)
            for (int b = a + 1; b <= words; ++b) {
                if (!with_dummy && (core_.tree().head(a) == 0 || core_.tree().head(b) == 0)) continue;
                if (!cross(core_.tree().arc(a), core_.tree().arc(b))) continue;
                if (std::min(price(a), price(b)) <= lowest_) continue;
                arcs_ = {{price(a), core_.arc(a)}, {price(b), core_.arc(b)}};
                if (!offer(arcs_)) return;
            }
    }

    template <class Regret>
    void choose_by_rounds(std::span<const int> heads, const ClassSolver& solver, Regret regret) {
        heads_.assign(heads.begin(), heads.end());
        word_.resize(heads.size() + 1);
        for (std::size_t w = 0; w < word_.size(); ++w) word_[w] = static_cast<int>(w);
        for (int round = 1;; ++round) {
            arcs_.clear();
            double lowest = infinity;
            int cheapest = 0;
            for (const Arc& arc : violation(solver).arcs) {
                const Arc whole{word_[arc.head], word_[arc.dependent]};
                arcs_.push_back({regret(whole), whole});
                if (arcs_.back().first < lowest) lowest = arcs_.back().first, cheapest = arc.dependent;
            }
            if (!offer(arcs_) || round == solver.row().rounds) return;
            delete_below(cheapest);
            if (heads_.empty() || membership_.settle(heads_, solver) != 0) return;
        }
    }

    // A violation of the part that is left; one of the wider class, where it can be, is found sooner and shorter.
    Violation violation(const ClassSolver& solver) {
        const bool is_outside_wider = membership_.settle_wider(heads_, solver) == 0;
        return (is_outside_wider ? *solver.wider() : solver).violation(heads_);
    }

    // Deletes the word and all below it, and numbers the others anew.
    void delete_below(int word) {
        enum : char { unknown, stays, goes };
        fate_.assign(word_.size(), unknown);
        fate_[0] = stays;
        fate_[word] = goes;
        for (std::size_t w = 1; w < word_.size(); ++w) {
            std::size_t top = w;
            while (fate_[top] == unknown) top = heads_[top - 1];
            const char fate = fate_[top];
            for (std::size_t v = w; fate_[v] == unknown; v = heads_[v - 1]) fate_[v] = fate;
        }
        place_.resize(word_.size());
        std::size_t kept = 0;
        for (std::size_t w = 0; w < word_.size(); ++w) {
            if (fate_[w] != stays) continue;
            place_[w] = static_cast<int>(kept);
            word_[kept] = word_[w];
            if (w > 0) heads_[kept - 1] = heads_[w - 1];
            ++kept;
        }
        word_.resize(kept);
        heads_.resize(kept - 1);
        for (int& head : heads_) head = place_[head];
    }

    Membership membership_;
    Core core_;
    double lowest_ = -1;  // the least regret in best_
    std::vector<Priced> best_, arcs_;
    std::vector<double> price_;
    std::vector<int> heads_, word_, place_;  // the part that is left, and its words in the tree
    std::vector<char> fate_;
};

}  // namespace nonproj
