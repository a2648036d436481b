// Which of the terms of a sum a derivation follows. A choice is told the whole sum, then one term after the other, until
// it is finished; the last term that it took is the chosen one.
#pragma once
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"

namespace nonproj {

// The largest term, the first of equals. None is larger than the whole, so that a term as large ends the search.
template <class Real>
class Largest {
  public:
    void start(Real whole) {
        whole_ = whole;
        best_ = minus_infinity<Real>;
    }
    bool take(Real term) {
        if (term <= best_) return false;
        best_ = term;
        return true;
    }
    bool finished() const { return best_ >= whole_; }

  private:
    Real whole_ = 0, best_ = 0;
};

// The best tree of a filled chart that has total() and derive(choice, heads); none without a tree.
template <class Chart>
DecodedTree best_derivation(const Chart& chart, const ArcScores<double>& scores) {
    if (chart.total() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<double> largest;
    chart.derive(largest, heads.data());
    return decoded(scores, std::move(heads));
}

// A term by lot, with a chance of term / whole. Should rounding leave a rest, the last possible term has it.
template <class S>
class Lot {
  public:
    explicit Lot(std::uint64_t seed) : random_(seed) {}

    void start(const typename S::Value& whole) {
        whole_ = whole;
        // The standard distributions differ between libraries; 53 random bits do not.
        rest_ = static_cast<double>(random_() >> 11) * 0x1p-53;
    }
    bool take(const typename S::Value& term) {
        const double share = S::ratio(term, whole_);
        rest_ -= share;
        return share > 0;
    }
    bool finished() const { return rest_ < 0; }

  private:
    std::mt19937_64 random_;
    typename S::Value whole_ = S::zero();
    double rest_ = 0;
};

}  // namespace nonproj
