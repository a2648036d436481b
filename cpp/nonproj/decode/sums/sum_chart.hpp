// A filled chart of any class, as the sums ask it: a call a question, so that the questions (chart_sums.cpp) are compiled
// once for all classes.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "nonproj/decode/algebra/dual.hpp"
#include "nonproj/decode/algebra/scaled_sums.hpp"
#include "nonproj/decode/algebra/semiring.hpp"
#include "nonproj/decode/sums/lot.hpp"

namespace nonproj {

// What every arc is worth.
template <Semiring S>
class ArcWeights {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    ArcWeights(int words, const Weight& weight)
        : words_(words), values_((static_cast<std::size_t>(words) + 1) * (words + 1), S::zero()) {
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent) values_[place(head, dependent)] = weight(head, dependent);
    }
    int words() const { return words_; }
    const Value& operator()(int head, int dependent) const { return values_[place(head, dependent)]; }

  private:
    int words_;
    std::vector<Value> values_;

    std::size_t place(int head, int dependent) const {
        return static_cast<std::size_t>(head) * (words_ + 1) + dependent;
    }
};

// The semirings of a kind of chart that give chances, and those of which trees are drawn.
template <class S>
concept GivesChances = requires(typename S::Value value) { S::ratio(value, value); };
template <class S>
concept DrawsTrees = GivesChances<S> && std::same_as<typename ChanceIn<S>::Type, double>;

template <Semiring S>
class SumChart {
  public:
    using Chance = typename ChanceIn<S>::Type;

    virtual ~SumChart() = default;
    // The sum over all trees.
    virtual typename S::Value total() const = 0;
    // Of every arc, into chance[h * (n + 1) + d], which is all 0 before. There must be a tree.
    virtual void chances(std::span<Chance> chance) const = 0;
    // One derivation, from the goal down. There must be a tree.
    virtual void draw(Lot<S>& lot, std::int32_t* heads) const = 0;
};

// A chart with total(), chances(chance) and derive(choice, heads).
template <Semiring S, class Chart>
class SumChartOf final : public SumChart<S> {
  public:
    template <class... Arguments>
    explicit SumChartOf(const Arguments&... arguments) : chart_(arguments...) {}

    typename S::Value total() const override { return chart_.total(); }
    void chances(std::span<typename SumChart<S>::Chance> chance) const override {
        if constexpr (GivesChances<S>) chart_.chances(chance);
    }
    void draw(Lot<S>& lot, std::int32_t* heads) const override {
        if constexpr (DrawsTrees<S>) chart_.derive(lot, heads);
    }

  private:
    Chart chart_;
};

// How a class makes its charts, in each of the semirings that the sums need.
template <Semiring S>
using MakeSumChart = std::unique_ptr<SumChart<S>> (*)(const ArcWeights<S>& weights, int k, bool single_root);

struct SumCharts {
    double (*bytes)(int words, int k);  // of the largest
    MakeSumChart<Linear> linear;        // null where the machine cannot
    MakeSumChart<WideSum> wide;
    MakeSumChart<Dual<Linear>> linear_changes;
    MakeSumChart<Dual<WideSum>> wide_changes;
    MakeSumChart<Count<double>> count;
};

}  // namespace nonproj
