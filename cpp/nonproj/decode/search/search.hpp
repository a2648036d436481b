// The best tree of a class by whichever road is shorter: relax and check, or the class's chart.
//
//   1. The best spanning tree. With a trained model's scores it is nearly always in the class, and then the answer
//      (decoder.hpp).
//   2. Relax and check, for about half as long as the chart would take.
//   3. The kernel of the sentence, from a good tree of the class; there again relax and check.
//   4. The chart, on the kernel.
// Without a chart, or when it needs too much memory or time, the best trees of the widest classes within whose charts do
// not (chart_plan.hpp) are found instead; the best of them, climbed from, makes the kernel smaller, and step 3 goes on to the
// work limit. What is best then is returned with the bound that was reached. Under a limit of time, all that comes before
// charts leaves them the time that they are foreseen to take.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/search/chart_plan.hpp"
#include "nonproj/decode/search/climb_in_class.hpp"
#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/decode/search/kernel.hpp"
#include "nonproj/decode/search/projective_lift.hpp"
#include "nonproj/decode/search/relax_and_check.hpp"

namespace nonproj {

// A workspace.
class Search {
  public:
    // The best tree, when the best spanning tree is known to be outside the class.
    Outcome beyond_spanning(const ArcScores<double>& scores, const DecodeOptions& options);
    // The best tree by the chart alone; an error where there is none.
    Outcome by_chart(const ArcScores<double>& scores, const DecodeOptions& options);
    // The best trees, best first: `count` of them, or fewer when the class holds no more.
    std::vector<Outcome> k_best(const ArcScores<double>& scores, std::size_t count, const DecodeOptions& options);

  private:
    using Status = RelaxStatus;

    using Clock = Deadline::Clock;

    void adopt(const ArcScores<double>& scores, const DecodeOptions& options);
    int work_limit() const;
    ChartPlan plan(int words) const;
    bool may_chart(int words) const;
    void must_fit(int words) const;
    double nanoseconds_left() const;
    double nanoseconds_of_a_step(int words) const;
    double steps_of_chart(int words) const;
    int patience(int words) const;
    bool is_worth_a_kernel(int words) const;
    int patience_before(const std::vector<PlannedChart>& charts, int words) const;
    Clock::time_point end_of_share() const;
    Clock::time_point end_before_chart(int words) const;
    bool is_safe(int words) const;

    Outcome search_kernel();
    void reserve(const std::vector<PlannedChart>& charts);
    Outcome solve_within(const std::vector<PlannedChart>& charts, const ArcScores<double>& rest);
    Outcome good_tree();
    void offer_lift(Outcome& good);
    bool assign_kernel(double known_score);
    void climb(Outcome& best);
    void climb_within(const ClassSolver& solver, Outcome& best);
    void climb_through_classes(Outcome& best);
    Outcome proven(Outcome best) const;
    bool improve(Outcome& best, std::span<const int> kernel_heads);
    Outcome found() const;
    // The best tree by a chart, unless time is over before.
    std::optional<DecodedTree> solve(const ClassRule& rule, const ArcScores<double>& scores) const;
    Outcome chart_outcome(DecodedTree tree, int relaxations) const;
    template <class Next>
    static bool list(Next& search, std::size_t count, int limit, Clock::time_point end, Road road,
                     std::vector<Outcome>& trees);
    [[noreturn]] static void give_up(std::size_t proven, std::size_t count);
    double total(std::span<const int> heads) const;

    const DecodeOptions* options_ = nullptr;
    Clock::time_point end_ = Deadline::never;
    double reserved_ = 0;  // nanoseconds, for charts that are to follow
    ArcScores<double> scores_{nullptr, 0};
    RelaxAndCheck<> relax_;
    Kernel kernel_;
    ClimbInClass climb_;
    SpanningTrees<double> spanning_trees_;
    ProjectiveLift lift_;
    std::vector<int> heads_;
};

}  // namespace nonproj
