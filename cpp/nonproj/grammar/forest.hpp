// Questions to the packed forest of a chart: sums over all analyses, the best ones in order, samples.
#pragma once
#include <cstdint>
#include <queue>
#include <random>
#include <vector>

#include "nonproj/grammar/chart.hpp"

namespace nonproj::grammar {

// The number of analyses modulo a number below 2^62.
std::uint64_t count(const Chart& chart, std::uint64_t modulus);

// The logarithm of the sum of exp(weight) over all analyses, and the same of every item; without weights the logarithms of
// the numbers of analyses.
struct LogSums {
    double total;
    std::vector<double> items;
};
LogSums log_sums(const Chart& chart, bool is_weighted = true);

// An analysis with probability proportional to exp(weight).
Derivation sample(const Chart& chart, const LogSums& sums, std::mt19937_64& random);

// The analyses by falling weight, one after the other: algorithm 3 of Huang & Chiang (2005).
class BestFirst {
  public:
    explicit BestFirst(const Chart& chart);

    // The analysis of a rank, from 0; false when there are not so many.
    bool find(int rank, Derivation& derivation);

  private:
    struct Ranked {
        double weight;
        int way;                // of the goals: which goal
        int before, dependent;  // the ranks of the parts

        bool operator<(const Ranked& other) const { return weight < other.weight; }
    };
    struct Ranking {
        std::vector<Ranked> found;
        std::priority_queue<Ranked> candidates;
        bool is_started = false;
    };

    bool reach(int item, int rank);
    void follow(int item, const Ranked& ranked);

    const Chart& chart_;
    std::vector<Ranking> rankings_;
    std::priority_queue<Ranked> goals_;
    std::vector<Ranked> found_;
};

}  // namespace nonproj::grammar
