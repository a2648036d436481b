// Whether a tree is in a class, for decoders that ask it of many trees: 1 or 0, or -1 when that could not be settled.
#pragma once
#include <span>

#include "nonproj/solver/class_solver.hpp"

namespace nonproj {

class Membership {
  public:
    int settle(std::span<const int> heads, const ClassSolver& solver) {
        if (solver.holds_every_tree()) return 1;
        if (solver.row().test != nullptr) return solver.row().test(solver.rule(), heads);
        if (settle_wider(heads, solver) == 0) return 0;
        return solver.holds(profiler_.measure(heads, solver.needs()).data());
    }
    // The same for the class that is looked at first, where there is one; else 1.
    int settle_wider(std::span<const int> heads, const ClassSolver& solver) {
        return solver.wider() != nullptr ? settle(heads, *solver.wider()) : 1;
    }

  private:
    Profiler profiler_;
};

}  // namespace nonproj
