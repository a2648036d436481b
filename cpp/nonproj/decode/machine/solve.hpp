// The questions to a chart of the machine, for any recurrences: to be included where they are instantiated, in one file for
// each class.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "nonproj/decode/machine/chart.hpp"
#include "nonproj/decode/sums/chart_questions.hpp"

namespace nonproj::nested {

// A chart of the machine, as ChartSums asks it.
template <Semiring S, class Recurrences>
class Solved {
  public:
    template <class Weight>
    Solved(int words, bool single_root, const Weight& weight) : chart_(words, single_root, weight) {}

    static double bytes(int words) { return Chart<S, Recurrences>::bytes(words); }
    typename S::Value total() const { return chart_.total(); }

    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        const auto choose = [&](const auto& terms) {
            auto whole = terms[0].value;
            for (std::size_t t = 1; t < terms.size(); ++t) whole = S::plus(whole, terms[t].value);
            choice.start(whole);
            std::size_t chosen = 0;
            for (std::size_t t = 0; t < terms.size() && !choice.finished(); ++t)
                if (choice.take(terms[t].value)) chosen = t;
            return chosen;
        };
        chart_.derive(choose, heads);
    }
    void chances(std::span<typename ChanceIn<S>::Type> chance) const {
        const auto all = total();
        const std::size_t width = static_cast<std::size_t>(chart_.words()) + 1;
        chart_.for_each_arc([&](int head, int dependent, const auto& weight) {
            chance[head * width + dependent] = S::ratio(weight, all);
        });
    }

  private:
    Chart<S, Recurrences> chart_;
};

template <class Recurrences>
struct Machine {
    template <class S>
    using Chart = Solved<S, Recurrences>;
};
template <class Recurrences>
using Questions = ChartQuestions<Machine<Recurrences>::template Chart, WideSum>;

}  // namespace nonproj::nested
