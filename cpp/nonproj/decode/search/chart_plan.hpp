// Which charts to fill when the best tree of a class is asked for under limits of memory and time: a function of what the
// charts are foreseen to take, and of nothing else.
//
//   widest      The widest classes among the one asked for and those within it whose charts can be afforded by themselves.
//               Every other affordable class lies within one of them, so with their best trees none scores more than the
//               answer.
//   together    Where charts share the time, the dearest come first in claiming it; those that no longer fit are left out.
//   insurance   The dearest may take longer than foreseen, and fail. So where it takes more than a quarter of the time,
//               the widest classes within it that do not are filled as well.
//
// They are filled from the cheapest to the dearest. Charts are foreseen to take somewhat longer than their formulas say.
#pragma once
#include <algorithm>
#include <vector>

#include "nonproj/solver/class_solver.hpp"

namespace nonproj {

struct ChartLimits {
    double bytes, nanoseconds;
    bool shares_time;  // whether the nanoseconds are for all charts together, or for each
};

struct PlannedChart {
    ClassRule rule;
    double nanoseconds;
};

class ChartPlan {
  public:
    ChartPlan(const ClassRule& asked, int words, const ChartLimits& limits) : words_(words), limits_(limits) {
        std::vector<PlannedChart> widest = widest_within({asked}, limits.nanoseconds);
        std::sort(widest.begin(), widest.end(),
                  [](const auto& a, const auto& b) { return a.nanoseconds > b.nanoseconds; });
        for (const PlannedChart& chart : widest) claim(chart);
        if (limits.shares_time && !charts_.empty() && charts_.front().nanoseconds > limits.nanoseconds / 4) {
            const ClassRule dearest = charts_.front().rule;
            for (const PlannedChart& chart : widest_within(row_of(dearest).within(dearest), limits.nanoseconds / 4))
                claim(chart);
        }
        std::sort(charts_.begin(), charts_.end(),
                  [](const auto& a, const auto& b) { return a.nanoseconds < b.nanoseconds; });
    }

    std::vector<PlannedChart> charts() const { return charts_; }

  private:
    static constexpr double slack = 1.3;  // charts of a second and more took 0.75 to 1.5 times what was estimated

    double foreseen(const ClassRule& rule) const { return slack * row_of(rule).chart->nanoseconds(words_, rule.k); }

    // Of these classes and those within them.
    std::vector<PlannedChart> widest_within(std::vector<ClassRule> open, double most) const {
        std::vector<PlannedChart> found;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const ClassRule rule = open[i];
            const SolverRow& row = row_of(rule);
            if (row.chart != nullptr && rule.k <= row.chart->max_k &&
                row.chart->bytes(words_, rule.k) <= limits_.bytes && foreseen(rule) <= most) {
                found.push_back({rule, foreseen(rule)});
                continue;
            }
            for (const ClassRule& inner : row.within(rule))
                if (std::find(open.begin(), open.end(), inner) == open.end()) open.push_back(inner);
        }
        const std::vector<PlannedChart> all = found;
        std::erase_if(found, [&](const PlannedChart& chart) {
            return std::any_of(all.begin(), all.end(), [&](const PlannedChart& other) {
                return !(other.rule == chart.rule) && is_known_within(chart.rule, other.rule);
            });
        });
        return found;
    }
    void claim(const PlannedChart& chart) {
        const auto is_same = [&](const PlannedChart& other) { return other.rule == chart.rule; };
        if (std::any_of(charts_.begin(), charts_.end(), is_same)) return;
        if (limits_.shares_time && claimed_ + chart.nanoseconds > limits_.nanoseconds) return;
        claimed_ += chart.nanoseconds;
        charts_.push_back(chart);
    }

    int words_;
    ChartLimits limits_;
    double claimed_ = 0;
    std::vector<PlannedChart> charts_;
};

}  // namespace nonproj
