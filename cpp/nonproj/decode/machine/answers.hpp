// What is asked of the charts of well-nested trees, for any of them: to be included where Answers<Family> is instantiated.
//
// For sums, weights are scaled. The classes have fewer than 16^n trees of n words as far as they have been counted, and a
// sum that runs over all the same is noticed. Then plain doubles do, unless all trees together weigh next to nothing: the
// sum is then done once more with exponents of their own.
#pragma once
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "nonproj/decode/machine/chart.hpp"
#include "nonproj/decode/machine/families.hpp"
#include "nonproj/error.hpp"

namespace nonproj::nested {

// Sums cannot be told how much memory they may take, so they keep to a limit.
inline void must_fit(double bytes) {
    constexpr double most = 4294967296.0;
    if (bytes > most)
        throw Error("the chart would need about " + std::to_string(static_cast<long long>(bytes / 1048576)) +
                    " MiB, more than 4096: sums over this class are for shorter sentences");
}

// Calls use(chart) with a chart of the weights, in plain doubles where that is exact.
template <class Family, class Use>
void with_sum_chart(const ScaledScores<double>& scaled, int words, bool single_root, int tables, const Use& use) {
    must_fit(tables * Chart<Linear, Family>::bytes(words));
    {
        const Chart<Linear, Family> chart(words, single_root,
                                          [&](int head, int dependent) { return scaled.plain(head, dependent); });
        // Below this, terms lost to underflow might be felt: fewer than 2^60 of them, each below 2^-1022, each times fewer
        // than 2^n ways to complete it.
        const double least = std::ldexp(1.0, -500);
        if (words < 300 && chart.total() >= least && std::isfinite(chart.total())) return use(chart);
    }
    must_fit(tables * Chart<WideSum, Family>::bytes(words));
    use(Chart<WideSum, Family>(words, single_root,
                               [&](int head, int dependent) { return scaled.wide(head, dependent); }));
}

template <class Family>
DecodedTree Answers<Family>::best(const ArcScores<double>& scores, bool single_root) {
    using S = Best<double>;
    if (scores.words() == 0) return {0, {}};
    const Chart<S, Family> chart(scores.words(), single_root,
                                 [&](int head, int dependent) { return scores(head, dependent); });
    if (chart.total() == S::zero()) return {};
    std::vector<std::int32_t> heads(scores.words());
    chart.derive(
        [](const auto& terms) {
            std::size_t best = 0;
            for (std::size_t t = 1; t < terms.size(); ++t)
                if (terms[best].value < terms[t].value) best = t;
            return best;
        },
        heads.data());
    return decoded(scores, std::move(heads));
}

template <class Family>
double Answers<Family>::bytes(int words) {
    return Chart<Best<double>, Family>::bytes(words);
}

template <class Family>
double Answers<Family>::log_partition(const ArcScores<double>& scores, bool single_root) {
    if (scores.words() == 0) return 0;
    const ScaledScores<double> scaled(scores);
    double result = 0;
    with_sum_chart<Family>(scaled, scores.words(), single_root, 1,
                           [&](const auto& chart) { result = log_of(chart.total()) + scaled.lost(); });
    return result;
}

template <class Family>
std::uint64_t Answers<Family>::count(const ArcScores<double>& scores, bool single_root, std::uint64_t modulus) {
    const CountModulo scope(modulus);
    if (scores.words() == 0) return 1;
    using S = Count<double>;
    must_fit(Chart<S, Family>::bytes(scores.words()));
    return Chart<S, Family>(scores.words(), single_root,
                            [&](int head, int dependent) { return S::lift(scores(head, dependent)); })
        .total();
}

template <class Family>
void Answers<Family>::marginals(const ArcScores<double>& scores, bool single_root, double* probability) {
    const int words = scores.words();
    std::fill_n(probability, static_cast<std::size_t>(words + 1) * (words + 1), 0.0);
    if (words == 0) return;
    with_sum_chart<Family>(ScaledScores<double>(scores), words, single_root, 2, [&](const auto& chart) {
        const auto all = chart.total();
        if (log_of(all) == minus_infinity<double>) return;
        chart.for_each_arc([&](int head, int dependent, const auto& weight) {
            probability[static_cast<std::size_t>(head) * (words + 1) + dependent] = ratio(weight, all);
        });
    });
}

template <class Family>
bool Answers<Family>::sample(const ArcScores<double>& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                             std::int32_t* heads) {
    const int words = scores.words();
    if (words == 0) return true;
    bool exists = false;
    with_sum_chart<Family>(ScaledScores<double>(scores), words, single_root, 1, [&](const auto& chart) {
        exists = log_of(chart.total()) != minus_infinity<double>;
        std::mt19937_64 random(seed);
        const auto choose = [&](const auto& terms) {
            auto whole = terms[0].value;
            for (std::size_t t = 1; t < terms.size(); ++t) whole = whole + terms[t].value;
            double left = static_cast<double>(random() >> 11) * 0x1p-53;
            std::size_t chosen = 0;
            for (; chosen + 1 < terms.size(); ++chosen) {
                left -= ratio(terms[chosen].value, whole);
                if (left < 0) break;
            }
            return chosen;
        };
        for (std::size_t drawn = 0; drawn < samples && exists; ++drawn) {
            Interrupt::check();
            chart.derive(choose, heads + drawn * words);
        }
    });
    return exists;
}

}  // namespace nonproj::nested
