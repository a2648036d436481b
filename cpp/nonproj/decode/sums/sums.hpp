// Sums over the trees of a class, as its folder offers them to the table of solvers (solver/table.cpp). A tree weighs
// exp(score), and has a chance in proportion to its weight.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj {

// A sentence of a padded array, and where its answers go. Rows of scores, and of chances, are `width` apart.
template <class Real>
struct Padded {
    const Real* scores;
    int words;
    Real* chance;
    double* log_partition;
};

class Sums {
  public:
    using Scores = ArcScores<double>;

    // Of the largest tables that a question here takes.
    virtual double bytes(int words) const = 0;
    // The logarithm of the weight of all trees; -inf when there is none.
    virtual double log_partition(const Scores& scores, bool single_root) const = 0;
    // Writes the chance of h -> d to chance[h * (n + 1) + d], 0 elsewhere, and returns the log-partition. All are 0 when
    // there is no tree.
    virtual double marginals(const Scores& scores, bool single_root, std::span<double> chance) const = 0;
    // The same of several sentences, best of as many as `together`. Places of the padding are not written.
    virtual int together() const { return 1; }
    virtual void marginals_together(std::span<const Padded<float>> sentences, std::size_t width,
                                    bool single_root) const {
        for (const auto& sentence : sentences) marginals_of(sentence, width, single_root);
    }
    virtual void marginals_together(std::span<const Padded<double>> sentences, std::size_t width,
                                    bool single_root) const {
        for (const auto& sentence : sentences) marginals_of(sentence, width, single_root);
    }
    // Writes how fast each chance changes when the scores move in a direction, direction[h * (n + 1) + d]: the product of
    // the chances' covariances with it. All are 0 when there is no tree.
    virtual void marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                                  std::span<double> change) const = 0;
    // In nats; -inf when there is no tree.
    virtual double entropy(const Scores& scores, bool single_root) const = 0;
    // The number of trees without forbidden arcs, modulo a prime below 2^62.
    virtual std::uint64_t count(const Scores& scores, bool single_root, std::uint64_t prime) const = 0;
    // Draws independent trees, one after the other in heads. False when there is none to draw.
    virtual bool sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                        std::int32_t* heads) const = 0;

  protected:
    ~Sums() = default;

    // Those of one sentence, by way of arrays without padding.
    template <class Real>
    void marginals_of(const Padded<Real>& sentence, std::size_t width, bool single_root) const {
        const std::size_t side = static_cast<std::size_t>(sentence.words) + 1;
        std::vector<double> scores, chance(side * side);
        scores.reserve(side * side);
        for (std::size_t h = 0; h < side; ++h)
            scores.insert(scores.end(), sentence.scores + h * width, sentence.scores + h * width + side);
        *sentence.log_partition = marginals(Scores(scores.data(), sentence.words), single_root, chance);
        for (std::size_t h = 0; h < side; ++h) std::copy_n(chance.data() + h * side, side, sentence.chance + h * width);
    }
};

}  // namespace nonproj
