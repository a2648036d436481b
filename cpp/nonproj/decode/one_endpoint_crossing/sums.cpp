// Sums over all 1-endpoint-crossing trees. Each tree has exactly one derivation in the `unique` rules.
#include <algorithm>
#include <span>

#include "nonproj/decode/one_endpoint_crossing/descent.hpp"
#include "nonproj/decode/one_endpoint_crossing/fill.hpp"
#include "nonproj/decode/one_endpoint_crossing/one_endpoint_crossing.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::one_endpoint_crossing {

namespace {

// A filled chart, as ChartSums asks it.
template <class Chart>
class Filled {
  public:
    using S = typename Chart::Semiring;

    explicit Filled(const Chart& chart) : chart_(chart) {}

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
    const Chart& chart_;
};

struct Charts {
    using Fallback = WideSum;

    template <Semiring S, class Weight, class Use>
    static void with(int words, bool single_root, const Weight& weight, const Use& use) {
        // Processors without packs go on to the fallback.
        if (lanes_of<S> > 1 && !has_wide_vectors) return;
        const Chart<unique, S> chart(words, single_root, weight);
        fill(chart);
        use(Filled(chart));
    }
    template <Semiring S>
    static double bytes(int words) {
        return static_cast<double>(Chart<unique, S>::bytes(words));
    }
};

}  // namespace

constinit const Sums sums = ChartSums<Charts>::sums();

}  // namespace nonproj::one_endpoint_crossing
