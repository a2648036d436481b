// Sums over all 1-endpoint-crossing trees. Each tree has exactly one derivation in the `unique` rules.
#include <algorithm>
#include <memory>
#include <span>

#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/decode/one_endpoint_crossing/one_endpoint_crossing.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::one_endpoint_crossing {

namespace {

// A filled chart, as SumChartOf asks it.
template <Semiring S>
class Filled {
  public:
    using Chart = one_endpoint_crossing::Chart<unique, S>;

    Filled(const ArcWeights<S>& weights, bool single_root) : chart_(weights.words(), single_root, weights) {
        fill(chart_);
    }

    typename S::Value total() const { return chart_.goal(); }
    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        Descent<Chart>(chart_).run(choice, heads);
    }
    void chances(std::span<typename ChanceIn<S>::Type> chance) const {
        const Chart derivatives(typename Chart::Derivatives{}, chart_);
        one_endpoint_crossing::derive(chart_, derivatives);
        const int words = chart_.words();
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent)
                    chance[static_cast<std::size_t>(head) * (words + 1) + dependent] = S::ratio(
                        S::times(chart_.arc(head, dependent), derivatives.arc_total(head, dependent)), total());
    }

  private:
    Chart chart_;
};

template <Semiring S>
std::unique_ptr<SumChart<S>> make(const ArcWeights<S>& weights, int, bool single_root) {
    // Processors without packs go on to wide numbers.
    if (lanes_of<S> > 1 && !has_wide_vectors) return nullptr;
    return std::make_unique<SumChartOf<S, Filled<S>>>(weights, single_root);
}
double sum_bytes(int words, int) {
    return static_cast<double>(std::max(Chart<unique, Linear>::bytes(words), Chart<unique, WideSum>::bytes(words)));
}

}  // namespace

constinit const ChartSums sums({&sum_bytes, &make<Linear>, &make<WideSum>, &make<Dual<Linear>>, &make<Dual<WideSum>>,
                                &make<Count<double>>});

}  // namespace nonproj::one_endpoint_crossing
