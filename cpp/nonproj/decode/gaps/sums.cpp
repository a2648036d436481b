#include "nonproj/decode/gaps/sums.hpp"

#include "nonproj/decode/gaps/gaps.hpp"
#include "nonproj/decode/sums/chart_sums.hpp"

namespace nonproj::gaps {

namespace {

template <int K>
struct Charts {
    using Fallback = LogSum<double>;

    template <Semiring S, class Weight, class Use>
    static void with(int words, bool single_root, const Weight& weight, const Use& use) {
        use(GapSumChart<S>(words, K, single_root, weight));
    }
    template <Semiring S>
    static double bytes(int words) {
        return GapSumChart<S>::bytes(words, K);
    }
};

template <int K>
constinit const Sums sums_of = ChartSums<Charts<K>>::sums();

}  // namespace

const Sums* well_nested_sums(int k) {
    static_assert(GapSumChart<LogSum<double>>::max_gaps == 6);
    constexpr const Sums* sums[] = {&sums_of<2>, &sums_of<3>, &sums_of<4>, &sums_of<5>, &sums_of<6>};
    return 2 <= k && k <= 6 ? sums[k - 2] : nullptr;
}

}  // namespace nonproj::gaps
