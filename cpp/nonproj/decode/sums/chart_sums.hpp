// Sums by the charts of a class in which each tree has exactly one derivation.
//
// Weights are scaled (scaled_scores.hpp). The classes have fewer than 16^n trees of n words as far as they have been
// counted (1EC grows as some 11^n, WG_1 as 14^n; WG_2 as 19^n, but its chart takes hours before it comes there), and a sum
// that overflows all the same is noticed. Then plain doubles do, unless all trees together weigh next to nothing: the sum
// is then done once more in wide numbers.
#pragma once
#include "nonproj/decode/sums/sum_chart.hpp"
#include "nonproj/decode/sums/sums.hpp"

namespace nonproj {

class ScaledScores;

class ChartSums final : public Sums {
  public:
    // k is handed on to the charts.
    constexpr explicit ChartSums(const SumCharts& charts, int k = 0) : charts_(charts), k_(k) {}

    double bytes(int words) const override;
    double log_partition(const Scores& scores, bool single_root) const override;
    double marginals(const Scores& scores, bool single_root, std::span<double> chance) const override;
    void marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                          std::span<double> change) const override;
    double entropy(const Scores& scores, bool single_root) const override;
    std::uint64_t count(const Scores& scores, bool single_root, std::uint64_t prime) const override;
    bool sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                std::int32_t* heads) const override;

  private:
    SumCharts charts_;
    int k_;

    template <class Use>
    void with_chart(const ScaledScores& scaled, bool single_root, const Use& use) const;
    double normalised_marginals(const ScaledScores& scaled, bool single_root, std::span<double> chance) const;
};

}  // namespace nonproj
