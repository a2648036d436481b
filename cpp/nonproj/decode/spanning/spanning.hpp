// Sums over all trees: what the table of solvers knows of them. The best one is spanning_trees.hpp's.
#pragma once
#include "nonproj/decode/sums/sums.hpp"

namespace nonproj::spanning {

class MatrixTreeSums final : public Sums {
  public:
    double bytes(int words) const override;
    double log_partition(const Scores& scores, bool single_root) const override;
    double marginals(const Scores& scores, bool single_root, std::span<double> chance) const override;
    int together() const override;
    void marginals_together(std::span<const Padded<float>> sentences, std::size_t width,
                            bool single_root) const override;
    void marginals_together(std::span<const Padded<double>> sentences, std::size_t width,
                            bool single_root) const override;
    void marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                          std::span<double> change) const override;
    double entropy(const Scores& scores, bool single_root) const override;
    std::uint64_t count(const Scores& scores, bool single_root, std::uint64_t prime) const override;
    bool sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                std::int32_t* heads) const override;

  private:
    template <int Bytes, class Real>
    void side_by_side(std::span<const Padded<Real>> sentences, std::size_t width, bool single_root) const;
    template <class Real>
    void side_by_side(std::span<const Padded<Real>> sentences, std::size_t width, bool single_root) const;
};

extern const MatrixTreeSums sums;

}  // namespace nonproj::spanning
