// Where the rows of a packed table begin. An item is an increasing tuple of positions (i, g[0], ..., g[c-1]);
// those that differ in i only make a row, named by g. The combinatorial number system ranks the tuples:
//   rank = C(i, 1) + C(g[0], 2) + ... + C(g[c-1], c+1)
// Here C(i, 1), the length of a row, is rounded up to whole vectors, and the higher terms follow from it as
// in Pascal's triangle. There is one table for each c.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace nonproj {

class RowLayout {
  public:
    // For items of at most k - 1 of the given positions.
    RowLayout(int positions, int k, int vector) : terms_(k, std::vector<std::size_t>(positions + 1, 0)) {
        for (int i = 0; i <= positions; ++i)
            terms_[1][i] = static_cast<std::size_t>((i + vector - 1) / vector) * vector;
        for (int t = 2; t < k; ++t)
            for (int g = 1; g <= positions; ++g)
                terms_[t][g] = std::min(terms_[t][g - 1] + terms_[t - 1][g - 1], unreachable);
    }

    // What g adds to the start of a row as its node number t = 0, 1, ...
    std::size_t start(int t, int g) const { return terms_[t + 2][g]; }
    // What c nodes add, the first of them as node number t.
    std::size_t start(const int* g, int c, int t = 0) const {
        std::size_t sum = 0;
        for (int each = 0; each < c; ++each) sum += start(t + each, g[each]);
        return sum;
    }
    std::size_t row_length(int g0) const { return terms_[1][g0]; }
    std::size_t table_length(int c) const { return terms_[c + 1].back(); }

  private:
    static constexpr std::size_t unreachable = std::numeric_limits<std::size_t>::max() / 256;
    std::vector<std::vector<std::size_t>> terms_;
};

}  // namespace nonproj
