// Improves a tree of a class by changes of single arcs: of the changes that gain and stay in the class, the one that gains
// most is made, until there is none. What is found is a tree to measure others by, where no chart can be afforded.
#pragma once
#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "nonproj/deadline.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj {

class ClimbInClass {
  public:
    // Returns how much was gained until no change does, the end, or so many trees were looked at.
    double climb(const ArcScores<double>& scores, const ClassSolver& solver, bool single_root, std::span<int> heads,
                 Deadline::Clock::time_point end, int limit) {
        double gained = 0;
        while (list_changes(scores, single_root, heads, end)) {
            // A heap: time may be over before all would be in order.
            std::make_heap(changes_.begin(), changes_.end());
            const Change* change = nullptr;
            while (change == nullptr && !changes_.empty() && limit-- > 0 && is_time_left(end)) {
                std::pop_heap(changes_.begin(), changes_.end());
                if (stays(changes_.back(), solver, heads))
                    change = &changes_.back();
                else
                    changes_.pop_back();
            }
            if (change == nullptr) break;
            heads[change->word - 1] = change->head;
            gained += change->gain;
        }
        return gained;
    }

    bool holds(const ClassSolver& solver, std::span<const int> heads) { return membership_.settle(heads, solver) == 1; }

  private:
    struct Change {
        double gain;
        int word, head;
        friend bool operator<(const Change& a, const Change& b) {
            return std::tie(a.gain, b.word, b.head) < std::tie(b.gain, a.word, a.head);
        }
    };

    // All changes that gain, unless time is over. The number of roots stays as it is if it must be one.
    bool list_changes(const ArcScores<double>& scores, bool single_root, std::span<const int> heads,
                      Deadline::Clock::time_point end) {
        changes_.clear();
        for (int d = 1; d <= scores.words(); ++d) {
            if (!is_time_left(end)) return false;
            for (int h = 0; h <= scores.words(); ++h) {
                if (h == d || (single_root && (h == 0 || heads[d - 1] == 0))) continue;
                const double gain = scores(h, d) - scores(heads[d - 1], d);
                if (gain > least_gain) changes_.push_back({gain, d, h});
            }
        }
        return !changes_.empty();
    }
    static bool is_time_left(Deadline::Clock::time_point end) {
        Interrupt::check();
        return end == Deadline::never || Deadline::Clock::now() < end;
    }
    bool stays(const Change& change, const ClassSolver& solver, std::span<const int> heads) {
        for (int above = change.head; above != 0; above = heads[above - 1])
            if (above == change.word) return false;  // a cycle
        changed_.assign(heads.begin(), heads.end());
        changed_[change.word - 1] = change.head;
        return holds(solver, changed_);
    }

    static constexpr double least_gain = 1e-9;

    Membership membership_;
    std::vector<Change> changes_;
    std::vector<int> changed_;
};

}  // namespace nonproj
