// One row a class: all that distinguishes the classes stands here. A new class is a row, the folder of its chart where it
// has one, and its definition by brute force in the tests. ARCHITECTURE.md walks through one.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "nonproj/classes/attardi_variants.hpp"
#include "nonproj/classes/violation_finder.hpp"
#include "nonproj/decode/attardi/attardi.hpp"
#include "nonproj/decode/gaps/gaps.hpp"
#include "nonproj/decode/multi_headed/multi_headed.hpp"
#include "nonproj/decode/one_endpoint_crossing/one_endpoint_crossing.hpp"
#include "nonproj/decode/planar/planar.hpp"
#include "nonproj/decode/projective/projective.hpp"
#include "nonproj/decode/spanning/spanning.hpp"
#include "nonproj/decode/well_nested/well_nested.hpp"
#include "nonproj/error.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

namespace {

using Rule = ClassRule;
using Heads = std::span<const int>;

template <property::Name... names>
PropertySet needed(const Rule&) {
    return ((PropertySet{1} << names) | ...);
}
// Classes of the trees whose property is at most k.
template <property::Name name>
bool at_most_k(const Rule& rule, const std::int32_t* profile) {
    return profile[name] <= rule.k;
}

// Find(finder, rule) names a violation in the core of a tree.
template <class Find>
constexpr auto in_core(Find) {
    return +[](const Rule& rule, Heads heads) {
        return find_in_core(heads, [&](const ViolationFinder& finder) { return Find()(finder, rule); });
    };
}
// Deleting a leaf never takes a tree out of these classes.
template <property::Name name>
constexpr auto obstruction =
    [](const ViolationFinder& finder, const Rule& rule) { return finder.obstruction(name, rule.k); };

bool has_no_crossing_words(const Rule&, Heads heads) {
    thread_local Core core;
    core.assign(heads);
    const Tree& tree = core.tree();
    for (int a = 1; a <= tree.words(); ++a)
        for (int b = a + 1; b <= tree.words() && tree.head(a) != 0; ++b)
            if (tree.head(b) != 0 && cross(tree.arc(a), tree.arc(b))) return false;
    return true;
}

// Whether two planes part the arcs between words: whether the graph of their crossings has two colours.
bool has_two_planes(const Rule&, Heads heads) {
    thread_local Core core;
    core.assign(heads);
    const Tree& tree = core.tree();
    std::vector<int> plane(tree.words() + 1, -1), open;
    for (int first = 1; first <= tree.words(); ++first) {
        if (tree.head(first) == 0 || plane[first] >= 0) continue;
        plane[first] = 0;
        open.assign(1, first);
        while (!open.empty()) {
            const int a = open.back();
            open.pop_back();
            for (int b = 1; b <= tree.words(); ++b) {
                if (tree.head(b) == 0 || !cross(tree.arc(a), tree.arc(b))) continue;
                if (plane[b] == plane[a]) return false;
                if (plane[b] < 0) plane[b] = 1 - plane[a], open.push_back(b);
            }
        }
    }
    return true;
}

bool is_attardi_variant(const Rule& rule, Heads heads) {
    thread_local Core core;
    thread_local attardi_variants::Variant variant;
    core.assign(heads);
    return variant.accepts(core.tree(), rule.k);
}

bool is_nested_with_one_gap(const Rule& rule, int inheritance, bool head_split) {
    return rule.family == Family::well_nested && rule.k == 1 && rule.inheritance == inheritance &&
           rule.head_split == head_split;
}
PropertySet needed_of_yields(const Rule& rule) {
    return needed<property::gap_degree, property::well_nested>(rule) |
           (rule.inheritance != Rule::unbounded ? needed<property::inheritance_degree>(rule) : 0) |
           (rule.head_split ? needed<property::head_split>(rule) : 0);
}
bool hold_yields(const Rule& rule, const std::int32_t* profile) {
    return profile[property::well_nested] != 0 && profile[property::gap_degree] <= rule.k &&
           (rule.inheritance == Rule::unbounded || profile[property::inheritance_degree] <= rule.inheritance) &&
           (!rule.head_split || profile[property::head_split] != 0);
}
constexpr auto violation_of_yields = in_core([](const ViolationFinder& finder, const Rule& rule) {
    if (finder.gap_degree() > rule.k) return finder.gaps(rule.k);
    if (!finder.is_well_nested()) return finder.nesting();
    if (finder.inheritance_degree() > rule.inheritance) return finder.inheritance(rule.inheritance);
    return finder.head_split();
});

constexpr Rule projective_rule{Family::projective}, one_endpoint_crossing_rule{Family::one_endpoint_crossing};
using Rules = std::vector<Rule>;

Rules projective_within(const Rule&) { return {projective_rule}; }
// The class of one less.
Rules one_less_within(const Rule& rule) {
    Rule less = rule;
    --less.k;
    return {simplest(less)};
}
Rule nested_with_one_gap(int inheritance, bool head_split) { return {Family::well_nested, 1, inheritance, head_split}; }

// Rows of well-nested classes differ in what they cover and in their charts.
constexpr SolverRow nested(const char* name, bool (*covers)(const Rule&), Rules (*within)(const Rule&),
                           const ClassChart* chart, const Sums* sums = nullptr, const PartsChart* parts_chart = nullptr,
                           const Sums* (*sums_of_k)(int) = nullptr) {
    return {.name = name,
            .covers = covers,
            .needs = &needed_of_yields,
            .holds = &hold_yields,
            .violation = violation_of_yields,
            .within = within,
            .chart = chart,
            .parts_chart = parts_chart,
            .sums = sums,
            .sums_of_k = sums_of_k};
}

// The first row that covers a class is its row.
constinit const SolverRow rows[] = {
    {.name = "spanning",
     .covers = [](const Rule& rule) { return rule.family == Family::spanning; },
     .needs = [](const Rule&) { return PropertySet{0}; },
     .holds = [](const Rule&, const std::int32_t*) { return true; },
     .sums = &spanning::sums},
    {.name = "Pr",
     .covers = [](const Rule& rule) { return rule.family == Family::projective; },
     .needs = &needed<property::core>,
     .holds = [](const Rule&, const std::int32_t* profile) { return profile[property::core] == 0; },
     .violation = in_core([](const ViolationFinder& finder, const Rule&) {
         const Violation found = finder.crossing(false);
         return found.arcs.empty() ? finder.crossing(true) : found;  // between words where there is a choice
     }),
     .no_crossing = NoCrossing::of_all_arcs,
     .chart = &projective::chart,
     .parts_chart = &projective::parts_chart,
     .sums = &projective::sums},
    {.name = "1-P",
     .covers = [](const Rule& rule) { return rule.family == Family::planar && rule.k == 1; },
     .needs = &needed<property::planes>,
     .holds = &at_most_k<property::planes>,
     .test = &has_no_crossing_words,
     .violation = in_core([](const ViolationFinder& finder, const Rule&) { return finder.crossing(false); }),
     .no_crossing = NoCrossing::between_words,
     .step_nanoseconds = [](int) { return 0.0; },
     .within = &projective_within,
     .chart = &planar::chart,
     .sums = &planar::sums},
    {.name = "2-P",
     .covers = [](const Rule& rule) { return rule.family == Family::planar && rule.k == 2; },
     .needs = &needed<property::planes>,
     .holds = &at_most_k<property::planes>,
     .test = &has_two_planes,
     .violation = in_core([](const ViolationFinder& finder, const Rule& rule) { return finder.planes(rule.k); }),
     .within =
         [](const Rule&) { return Rules{one_endpoint_crossing_rule, {Family::multi_headed, 4}, {Family::planar, 1}}; }},
    {.name = "k-P",
     .covers = [](const Rule& rule) { return rule.family == Family::planar; },
     .needs = &needed<property::planes>,
     .holds = &at_most_k<property::planes>,
     .violation = in_core([](const ViolationFinder& finder, const Rule& rule) { return finder.planes(rule.k); }),
     .within = &one_less_within},
    {.name = "1EC",
     .covers = [](const Rule& rule) { return rule.family == Family::one_endpoint_crossing; },
     .needs = &needed<property::one_endpoint_crossing>,
     .holds = [](const Rule&, const std::int32_t* profile) { return profile[property::one_endpoint_crossing] != 0; },
     .violation = in_core([](const ViolationFinder& finder, const Rule&) { return finder.endpoints(); }),
     .within = &projective_within,
     .chart = &one_endpoint_crossing::chart,
     .sums = &one_endpoint_crossing::sums},
    // 2-C lies within 1EC: of two vertices u, v that touch all crossed arcs of a group, a crossed arc has just one, say
    // u, since those that cross it share no end with it; so they all have v.
    {.name = "2-C",
     .covers = [](const Rule& rule) { return rule.family == Family::crossing_interval && rule.k == 2; },
     .needs = &needed<property::crossing_interval>,
     .holds = &at_most_k<property::crossing_interval>,
     .wider = &one_endpoint_crossing_rule,
     .violation = in_core([](const ViolationFinder& finder, const Rule& rule) { return finder.interval(rule.k); }),
     .rounds = 2,
     .within = &projective_within},
    {.name = "k-C",
     .covers = [](const Rule& rule) { return rule.family == Family::crossing_interval; },
     .needs = &needed<property::crossing_interval>,
     .holds = &at_most_k<property::crossing_interval>,
     .violation = in_core([](const ViolationFinder& finder, const Rule& rule) { return finder.interval(rule.k); }),
     .rounds = 2,
     .within = &one_less_within},
    nested(
        "M0I", [](const Rule& rule) { return is_nested_with_one_gap(rule, 0, false); }, &projective_within,
        &gap_minding::chart, &gap_minding::sums, &gap_minding::parts_chart),
    nested(
        "M1I", [](const Rule& rule) { return is_nested_with_one_gap(rule, 1, false); },
        [](const Rule&) { return Rules{nested_with_one_gap(1, true), nested_with_one_gap(0, false)}; },
        &one_inherits::chart, &one_inherits::sums),
    nested(
        "M1IS", [](const Rule& rule) { return is_nested_with_one_gap(rule, 1, true); }, &projective_within,
        &head_split_one::chart, &head_split_one::sums),
    nested(
        "WG_1S", [](const Rule& rule) { return is_nested_with_one_gap(rule, Rule::unbounded, true); },
        [](const Rule&) { return Rules{nested_with_one_gap(1, true)}; }, &head_split_any::chart, &head_split_any::sums),
    nested(
        "WG_1", [](const Rule& rule) { return is_nested_with_one_gap(rule, Rule::unbounded, false); },
        [](const Rule&) { return Rules{nested_with_one_gap(1, false), nested_with_one_gap(Rule::unbounded, true)}; },
        &any_inherit::chart, &any_inherit::sums),
    nested(
        "WG_k",
        [](const Rule& rule) {
            return rule.family == Family::well_nested && rule.inheritance == Rule::unbounded && !rule.head_split;
        },
        &one_less_within, &gaps::well_nested, nullptr, nullptr, &gaps::well_nested_sums),
    nested(
        "well-nested", [](const Rule& rule) { return rule.family == Family::well_nested; }, &projective_within,
        nullptr),
    {.name = "MG_k",
     .covers = [](const Rule& rule) { return rule.family == Family::mildly_ill_nested; },
     .needs = &needed<property::mg>,
     .holds = &at_most_k<property::mg>,
     .violation = in_core([](const ViolationFinder& finder, const Rule& rule) {
         return finder.gap_degree() > rule.k ? finder.gaps(rule.k) : obstruction<property::mg>(finder, rule);
     }),
     .within =
         [](const Rule& rule) {
             Rules within{{Family::well_nested, rule.k}};
             if (rule.k > 1) within.push_back({Family::mildly_ill_nested, rule.k - 1});
             return within;
         },
     .chart = &gaps::mildly_ill_nested},
    {.name = "MH_k",
     .covers = [](const Rule& rule) { return rule.family == Family::multi_headed; },
     .needs = &needed<property::mh>,
     .holds = &at_most_k<property::mh>,
     .violation = in_core(obstruction<property::mh>),
     .rounds = 1,
     .step_nanoseconds = [](int words) { return 4000 + (12 + 0.1 * words) * words * words; },  // membership
     .within = &one_less_within,
     .chart = &multi_headed::chart},
    {.name = "AD_2",
     .covers = [](const Rule& rule) { return rule.family == Family::attardi && rule.k == 2; },
     .needs = &needed<property::ad>,
     .holds = &at_most_k<property::ad>,
     .violation = in_core(obstruction<property::ad>),
     .rounds = 1,
     .within = &projective_within,
     .chart = &attardi::chart,
     .sums = &attardi::sums},
    {.name = "AD_d",
     .covers = [](const Rule& rule) { return rule.family == Family::attardi; },
     .needs = &needed<property::ad>,
     .holds = &at_most_k<property::ad>,
     .violation = in_core(obstruction<property::ad>),
     .rounds = 1,
     .within = &one_less_within,
     .chart = &attardi::chart_of_any_degree},
    {.name = "AV_k",
     .covers = [](const Rule& rule) { return rule.family == Family::attardi_variant; },
     .test = &is_attardi_variant,
     .violation =
         [](const Rule& rule, Heads heads) {
             return find_in_tree(heads, true, [&](Heads fewer) { return !is_attardi_variant(rule, fewer); });
         },
     .rounds = 1,
     .within =
         [](const Rule& rule) {
             if (rule.k == 2) return Rules{{Family::attardi_variant, 1}};
             return rule.k == 1 ? Rules{{Family::attardi, 2}} : projective_within(rule);
         }},
    // The charts and systems of the classes within drop a word only when its head is as near among the words left: an
    // inner node of an item of MH_(d+2) is linked to another of its nodes, with all words between two nodes gone.
    {.name = "DD_d",
     .covers = [](const Rule& rule) { return rule.family == Family::drop_distance; },
     .needs = &needed<property::drop_distance>,
     .holds = &at_most_k<property::drop_distance>,
     .violation = in_core(obstruction<property::drop_distance>),
     .rounds = 1,
     .within =
         [](const Rule& rule) {
             Rules within = one_less_within(rule);
             within.push_back({Family::attardi, rule.k});
             within.push_back({Family::multi_headed, std::min(rule.k, Rule::unbounded - 3) + 2});
             if (rule.k == 2) within.insert(within.end(), {{Family::attardi_variant, 1}, {Family::attardi_variant, 3}});
             if (rule.k == 3) within.push_back({Family::attardi_variant, 2});
             return within;
         }},
    // Nothing is known of these but the test: not even that they hold the projective trees.
    {.name = "custom",
     .covers = [](const Rule& rule) { return rule.family == Family::custom; },
     .test = [](const Rule& rule, Heads heads) { return rule.custom->contains(heads); },
     .violation =
         [](const Rule& rule, Heads heads) {
             return find_in_tree(heads, rule.custom->is_hereditary(),
                                 [&](Heads fewer) { return !rule.custom->contains(fewer); });
         },
     .rounds = 1,
     .ignores_close_leaves = false},
};

}  // namespace

const SolverRow& row_of(const ClassRule& rule) {
    return *std::find_if(std::begin(rows), std::end(rows), [&](const SolverRow& row) { return row.covers(rule); });
}

ClassRule simplest(const ClassRule& rule) {
    const bool is_projective = (rule.family == Family::multi_headed && rule.k == 3) ||
                               (rule.family == Family::attardi && rule.k == 1) ||
                               (rule.family == Family::drop_distance && rule.k == 1) ||
                               (rule.family == Family::crossing_interval && rule.k == 1);
    return is_projective ? projective_rule : rule;
}

std::string class_name(const ClassRule& rule) {
    std::string name;
    for (const char* letter = row_of(rule).name; *letter != 0; ++letter) {
        if (*letter == 'k' || *letter == 'd')
            name += std::to_string(rule.k);
        else if (*letter != '_')
            name += *letter;
    }
    return name;
}

ClassRule custom_rule(const CustomClass& custom) {
    ClassRule rule{Family::custom};
    rule.custom = &custom;
    return rule;
}

}  // namespace nonproj
