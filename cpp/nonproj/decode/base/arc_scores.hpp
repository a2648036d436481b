// Arc scores: a square table of n + 1 rows, row-major; s(h, d) is the score of the arc h -> d and row 0 is
// the root. -inf forbids an arc; the diagonal and column 0 are never read.
#pragma once
#include <cassert>
#include <cstddef>
#include <limits>

namespace nonproj {

template <class Real>
inline constexpr Real minus_infinity = -std::numeric_limits<Real>::infinity();

template <class Real>
class ArcScores {
  public:
    ArcScores(const Real* table, int words) : table_(table), words_(words) {}

    int words() const { return words_; }
    Real operator()(int head, int dependent) const {
        assert(0 <= head && head <= words_ && 1 <= dependent && dependent <= words_);
        return table_[static_cast<std::size_t>(head) * (words_ + 1) + dependent];
    }
    const Real* data() const { return table_; }

  private:
    const Real* table_;
    int words_;
};

}  // namespace nonproj
