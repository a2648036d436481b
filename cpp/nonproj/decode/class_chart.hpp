// The chart of a class, where there is one: its best tree, the memory it takes and about how long.
#pragma once
#include <span>

#include "nonproj/classes/rule.hpp"
#include "nonproj/decode/scores.hpp"

namespace nonproj {

class ClassChart {
  public:
    explicit ClassChart(const ClassRule& rule) : rule_(rule) {}

    bool exists() const { return false; }
    double bytes(int) const { return 0; }
    double nanoseconds(int) const { return 0; }

    // Writes the heads and returns the score, or returns -inf when the class holds no tree without forbidden arcs.
    double solve(const ArcScores<double>&, bool, std::span<int>) const { return minus_infinity<double>; }

    // A chart tells nothing about what the best tree loses without one of its arcs.
    double regret(int, int) const { return 0; }

  private:
    ClassRule rule_;
};

}  // namespace nonproj
