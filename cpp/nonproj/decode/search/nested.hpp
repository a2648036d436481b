// Trees of the classes M0I, M1I, M1IS, WG_1 and WG_1S, and sums over those of AD_2, by the rule of the class.
#pragma once
#include <algorithm>
#include <cmath>

#include "nonproj/classes/rule.hpp"
#include "nonproj/decode/machine/families.hpp"
#include "nonproj/decode/well_nested/gap_minding_sparse.hpp"

namespace nonproj::nested {

// Calls use(Answers<...>()) for the class of a rule, if it is one of those here.
template <class Use>
bool with_answers(const ClassRule& rule, const Use& use) {
    if (rule.family != Family::well_nested || rule.k != 1) return false;
    if (rule.inheritance == 0 && !rule.head_split) return use(Answers<GapMinding>()), true;
    if (rule.inheritance == 1)
        return rule.head_split ? use(Answers<HeadSplitOne>()) : use(Answers<OneInheriting>()), true;
    if (rule.inheritance == ClassRule::unbounded)
        return rule.head_split ? use(Answers<HeadSplitAny>()) : use(Answers<AnyInheriting>()), true;
    return false;
}
// The same for sums, counts and samples.
template <class Use>
bool with_sums(const ClassRule& rule, const Use& use) {
    if (rule.family == Family::attardi && rule.k == 2) return use(Answers<PushComputations>()), true;
    return with_answers(rule, use);
}

// Null for other classes.
inline const char* name(const ClassRule& rule) {
    if (!with_answers(rule, [](auto) {})) return nullptr;
    if (rule.head_split) return rule.inheritance == 1 ? "head-split, one inherits" : "head-split";
    return rule.inheritance == 0 ? "gap-minding" : rule.inheritance == 1 ? "one inherits" : "well-nested";
}
// So few that the chart which looks at possible arcs alone is the faster one.
inline bool has_few_arcs(const ArcScores<double>& scores) {
    int arcs = 0;
    for (int d = 1; d <= scores.words(); ++d)
        for (int h = 0; h <= scores.words(); ++h) arcs += h != d && scores(h, d) > minus_infinity<double>;
    return 3 * arcs < scores.words() * scores.words();
}
inline DecodedTree best(const ClassRule& rule, const ArcScores<double>& scores, bool single_root) {
    if (rule.inheritance == 0 && has_few_arcs(scores)) return candidate_gap_minding_best(scores, single_root);
    DecodedTree found;
    with_answers(rule, [&](auto answers) { found = answers.best(scores, single_root); });
    return found;
}
inline double bytes(const ClassRule& rule, int words) {
    double found = 0;
    with_answers(rule, [&](auto answers) { found = answers.bytes(words); });
    if (rule.inheritance == 0) found = std::max(found, CandidateGapMinding::bytes(words, words * (words / 3.0)));
    return found;
}
// As measured on one machine.
inline double nanoseconds(const ClassRule& rule, int words) {
    const double n = words;
    if (rule.inheritance == 0) return 20 * std::pow(n, 3) + 0.075 * std::pow(n, 5);
    if (rule.inheritance == 1) return rule.head_split ? 1.1 * std::pow(n, 5) : 0.055 * std::pow(n, 6);
    return rule.head_split ? 2.4 * std::pow(n, 5) : 0.004 * std::pow(n, 7);
}

}  // namespace nonproj::nested
