// Sums over the trees of a class, as its folder offers them to the table of solvers (solver/table.cpp). A tree weighs
// exp(score), and has a chance in proportion to its weight.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

struct Sums {
    double (*bytes)(int words);  // of the largest tables that a question here takes
    // The logarithm of the weight of all trees; -inf when there is none.
    double (*log_partition)(const ArcScores<double>& scores, bool single_root);
    // Writes the chance of h -> d to chance[h * (n + 1) + d], 0 elsewhere, and returns the log-partition. All are 0 when
    // there is no tree.
    double (*marginals)(const ArcScores<double>& scores, bool single_root, std::span<double> chance);
    // Writes how fast each chance changes when the scores move in a direction, direction[h * (n + 1) + d]: the product of
    // the chances' covariances with it. All are 0 when there is no tree.
    void (*marginal_changes)(const ArcScores<double>& scores, bool single_root, std::span<const double> direction,
                             std::span<double> change);
    // In nats; -inf when there is no tree.
    double (*entropy)(const ArcScores<double>& scores, bool single_root);
    // The number of trees without forbidden arcs, modulo a prime below 2^62.
    std::uint64_t (*count)(const ArcScores<double>& scores, bool single_root, std::uint64_t prime);
    // Draws independent trees, one after the other in heads. False when there is none to draw.
    bool (*sample)(const ArcScores<double>& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                   std::int32_t* heads);
};

}  // namespace nonproj
