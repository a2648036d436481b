#include <algorithm>
#include <cmath>
#include <string>

#include "nonproj/decode/multi_headed/chart.hpp"
#include "nonproj/decode/multi_headed/multi_headed.hpp"
#include "nonproj/error.hpp"

namespace nonproj::multi_headed {

namespace {

using Chart = MultiHeadedChart<double>;

// An upper bound over all options.
double bytes(int words, int k) {
    return static_cast<double>(Chart::bytes(words, std::clamp(k, 3, std::clamp(words + 2, 3, Chart::max_nodes)), true));
}
double nanoseconds(int words, int k) {
    const double n = words;
    return 2 * n * n * n + 1.4 * std::pow(k - 3, 2.4) * std::pow(n, k) / std::tgamma(k + 1);
}

template <int FixedK>
DecodedTree best_of(const ArcScores<double>& scores, int k, bool single_root) {
    const MultiHeadedChart<double, FixedK> chart(scores, k, single_root);
    return chart.best() == minus_infinity<double> ? DecodedTree{} : decoded(scores, chart.heads());
}

DecodedTree best(const ArcScores<double>& scores, int k, bool single_root) {
    if (k < 3) throw Error("MH_k needs k >= 3, not " + std::to_string(k));
    k = std::min(k, std::max(3, scores.words() + 2));  // no item has more nodes than there are positions
    if (k > Chart::max_nodes)
        throw Error("MH_k is limited to k <= " + std::to_string(Chart::max_nodes) + ", not " + std::to_string(k));
    switch (k) {
        case 4:
            return best_of<4>(scores, k, single_root);
        case 5:
            return best_of<5>(scores, k, single_root);
        default:
            return best_of<0>(scores, k, single_root);
    }
}

}  // namespace

constinit const ClassChart chart{"multi-headed", &bytes, &nanoseconds, &best, Chart::max_nodes};

}  // namespace nonproj::multi_headed
