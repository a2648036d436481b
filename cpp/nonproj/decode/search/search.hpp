// The best tree of a class by whichever road is shorter: relax and check, or the class's chart.
//
//   1. The best spanning tree. With a trained model's scores it is nearly always in the class, and then the answer
//      (decoder.hpp).
//   2. Relax and check, for about half as long as the chart would take.
//   3. The kernel of the sentence, from a good tree of the class; there again relax and check.
//   4. The chart, on the kernel.
// Without a chart, or when it needs too much memory, step 3 goes on to the work limit; what is best then is returned
// with the bound that was reached.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/decode/search/kernel.hpp"
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

    void adopt(const ArcScores<double>& scores, const DecodeOptions& options);
    int work_limit() const;
    bool may_chart(int words) const;
    void must_fit(int words) const;
    double steps_of_chart(int words) const;
    int patience(int words) const;
    bool is_worth_a_kernel(int words) const;

    Outcome search_kernel();
    void improve(Outcome& best, std::span<const int> kernel_heads);
    Outcome good_tree();
    Outcome found() const;
    Outcome chart_outcome(int relaxations);
    template <class Next>
    static bool list(Next& search, std::size_t count, int limit, Road road, std::vector<Outcome>& trees);
    [[noreturn]] static void give_up(std::size_t proven, std::size_t count);
    double total(std::span<const int> heads) const;

    const DecodeOptions* options_ = nullptr;
    ArcScores<double> scores_{nullptr, 0};
    RelaxAndCheck<> relax_;
    Kernel kernel_;
    std::vector<int> heads_;
};

}  // namespace nonproj
