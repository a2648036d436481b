// The questions to a chart of the machine, for any recurrences: to be included where they are instantiated, in one file for
// each class.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/machine/chart.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"
#include "nonproj/decode/sums/lot.hpp"

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
    void chances(std::span<double> chance) const {
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
struct MachineCharts {
    using Fallback = WideSum;

    template <Semiring S, class Weight, class Use>
    static void with(int words, bool single_root, const Weight& weight, const Use& use) {
        use(Solved<S, Recurrences>(words, single_root, weight));
    }
    template <Semiring S>
    static double bytes(int words) {
        return Solved<S, Recurrences>::bytes(words);
    }
};

template <class Recurrences>
DecodedTree best_tree(const ArcScores<double>& scores, int, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const Solved<Best<double>, Recurrences> chart(scores.words(), single_root, scores);
    if (chart.total() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads(scores.words());
    Largest<double> largest;
    chart.derive(largest, heads.data());
    return decoded(scores, std::move(heads));
}
template <class Recurrences>
double best_tree_bytes(int words, int) {
    return Solved<Best<double>, Recurrences>::bytes(words);
}

template <class Recurrences>
constexpr ClassChart class_chart(const char* name, double (*nanoseconds)(int words, int k)) {
    return {name, &best_tree_bytes<Recurrences>, nanoseconds, &best_tree<Recurrences>};
}
template <class Recurrences>
constexpr Sums class_sums() {
    return ChartSums<MachineCharts<Recurrences>>::sums();
}

}  // namespace nonproj::nested
