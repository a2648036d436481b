// The chart of a class, where there is one: its best tree, the memory it takes and about how long.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "nonproj/classes/rule.hpp"
#include "nonproj/decode/attardi/best.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/gaps/best.hpp"
#include "nonproj/decode/multi_headed/chart.hpp"
#include "nonproj/decode/one_endpoint_crossing/best.hpp"
#include "nonproj/decode/projective/eisner.hpp"
#include "nonproj/decode/search/membership.hpp"
#include "nonproj/decode/search/nested.hpp"

namespace nonproj {

class ClassChart {
  public:
    explicit ClassChart(const ClassRule& rule) : rule_(simplest(rule)) {}

    // Null for classes without a chart.
    const char* name() const {
        switch (rule_.family) {
            case Family::projective:
                return "Eisner";
            case Family::one_endpoint_crossing:
                return "1-endpoint-crossing";
            case Family::multi_headed:
                return rule_.k <= MultiHeadedChart<double>::max_nodes ? "multi-headed" : nullptr;
            case Family::well_nested:
                if (nested::name(rule_) != nullptr) return nested::name(rule_);
                return rule_.k <= gaps::max_gaps ? "any gaps" : nullptr;
            case Family::mildly_ill_nested:
                return rule_.k <= gaps::max_gaps ? "any gaps" : nullptr;
            case Family::attardi:
                return rule_.k == 2 ? "push computations" : nullptr;
            default:
                return nullptr;
        }
    }
    bool exists() const { return name() != nullptr; }

    double bytes(int words) const {
        switch (rule_.family) {
            case Family::projective:
                return 3.0 * sizeof(double) * (words + 1) * (words + 16);  // three tables with padded rows
            case Family::one_endpoint_crossing:
                return static_cast<double>(one_endpoint_crossing::bytes(words));
            case Family::well_nested:
                if (nested::name(rule_) != nullptr) return nested::bytes(rule_, words);
                return gaps::bytes(words, rule_.k, true);
            case Family::mildly_ill_nested:
                return gaps::bytes(words, rule_.k, false);
            case Family::attardi:
                return AttardiChart::bytes(words);
            default:
                return static_cast<double>(multi_headed_bytes(words, rule_.k));
        }
    }

    // As measured on one machine; only the proportion to relax and check matters.
    double nanoseconds(int words) const {
        const double n = words;
        switch (rule_.family) {
            case Family::projective:
                return 500 + 8 * n * n + 0.13 * n * n * n;
            case Family::one_endpoint_crossing:
                return 25 * n * n * n + 0.45 * n * n * n * n;
            case Family::well_nested:
                if (nested::name(rule_) != nullptr) return nested::nanoseconds(rule_, words);
                return gaps::nanoseconds(words, rule_.k, true);
            case Family::mildly_ill_nested:
                return gaps::nanoseconds(words, rule_.k, false);
            case Family::attardi:
                return 30 * n * n * n + 0.0008 * std::pow(n, 7);
            default:
                return 2 * n * n * n +
                       1.4 * std::pow(rule_.k - 3, 2.4) * std::pow(n, rule_.k) / std::tgamma(rule_.k + 1);
        }
    }

    // Writes the heads and returns the score, or returns -inf when the class holds no tree without forbidden arcs.
    double solve(const ArcScores<double>& scores, bool single_root, std::span<int> heads) const {
        const DecodedTree best = solve(scores, single_root);
        std::copy(best.heads.begin(), best.heads.end(), heads.begin());
        return best.score;
    }

    // A chart tells nothing about what the best tree loses without one of its arcs.
    double regret(int, int) const { return 0; }

  private:
    DecodedTree solve(const ArcScores<double>& scores, bool single_root) const {
        switch (rule_.family) {
            case Family::projective:
                return eisner_best(scores, single_root);
            case Family::one_endpoint_crossing:
                return one_endpoint_crossing::best_tree(scores, single_root);
            case Family::well_nested:
                if (nested::name(rule_) != nullptr) return nested::best(rule_, scores, single_root);
                return gaps::best(scores, rule_.k, true, single_root);
            case Family::mildly_ill_nested:
                return gaps::best(scores, rule_.k, false, single_root);
            case Family::attardi:
                return attardi_best(scores, single_root);
            default:
                return multi_headed_best(scores, rule_.k, single_root);
        }
    }

    ClassRule rule_;
};

}  // namespace nonproj
