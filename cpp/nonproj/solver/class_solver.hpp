// What a class of trees offers: its row in the one table (table.cpp). Everything that depends on the class reads it here:
// membership, explanations, decoders, sums, trained parsers, the command line.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/classes/profile.hpp"
#include "nonproj/classes/rule.hpp"
#include "nonproj/classes/violation.hpp"
#include "nonproj/decode/base/class_chart.hpp"
#include "nonproj/decode/base/parts_chart.hpp"
#include "nonproj/decode/sums/sums.hpp"
#include "nonproj/solver/custom_class.hpp"

namespace nonproj {

// Whether the class is told by its crossing arcs alone: it holds just the trees in which none cross.
enum class NoCrossing { is_not_enough, between_words, of_all_arcs };

struct SolverRow {
    const char* name;  // of the classes of this row, such as WG_k
    bool (*covers)(const ClassRule& rule);

    // The properties that decide membership, and the decision; a property that is needed is settled. Both are null where
    // a test decides that looks at the whole tree and is always settled.
    PropertySet (*needs)(const ClassRule& rule) = nullptr;
    bool (*holds)(const ClassRule& rule, const std::int32_t* profile) = nullptr;
    bool (*test)(const ClassRule& rule, std::span<const int> heads) = nullptr;
    // A class that holds this one and is told sooner, to look at first.
    const ClassRule* wider = nullptr;

    // Arcs of a tree outside the class that no tree of the class holds together.
    Violation (*violation)(const ClassRule& rule, std::span<const int> heads) = nullptr;
    NoCrossing no_crossing = NoCrossing::is_not_enough;
    // How many violations of a tree to compare. As many as pay: some take longer to find than a spanning tree.
    int rounds = 4;
    // What a step of relax and check takes besides its spanning tree, in nanoseconds.
    double (*step_nanoseconds)(int words) = [](int words) { return 4000 + 12.0 * words * words; };
    // Whether a leaf next to its head can be deleted, or put back, without entering or leaving the class.
    bool ignores_close_leaves = true;
    // The widest classes known to lie within this one.
    std::vector<ClassRule> (*within)(const ClassRule& rule) = [](const ClassRule&) { return std::vector<ClassRule>(); };

    const ClassChart* chart = nullptr;
    const PartsChart* parts_chart = nullptr;
    const Sums* sums = nullptr;
    const Sums* (*sums_of_k)(int k) = nullptr;  // where they differ
};

class ClassSolver {
  public:
    // Every tree.
    ClassSolver();
    ClassSolver(std::string name, const ClassRule& rule);
    ClassSolver(std::string name, std::shared_ptr<const CustomClass> custom);

    const std::string& name() const { return name_; }
    const ClassRule& rule() const { return rule_; }
    const SolverRow& row() const { return *row_; }
    bool holds_every_tree() const { return row_->violation == nullptr; }

    // The properties that decide membership.
    PropertySet needs() const { return row_->needs != nullptr ? row_->needs(rule_) : 0; }
    // 1 inside, 0 outside, -1 when a property it needs could not be settled. Not for a class that only a test tells.
    int holds(const std::int32_t* profile) const {
        const PropertySet needed = needs();
        for (int p = 0; p < number_of_properties; ++p)
            if ((needed >> p & 1) != 0 && profile[p] < 0)
                return p == property::planes && rule_.k < -profile[p] ? 0 : -1;
        return row_->holds(rule_, profile);
    }
    bool has_only_a_test() const { return row_->holds == nullptr; }
    // The same for any class.
    int holds(std::span<const int> heads, const Profile& profile) const {
        return has_only_a_test() ? row_->test(rule_, heads) : holds(profile.data());
    }

    // The tree is outside the class.
    Violation violation(std::span<const int> heads) const { return row_->violation(rule_, heads); }

    // The class that is looked at first, or null.
    const ClassSolver* wider() const { return wider_.get(); }

    // Null where there is none.
    const ClassChart* chart() const {
        return row_->chart != nullptr && rule_.k <= row_->chart->max_k ? row_->chart : nullptr;
    }
    const Sums* sums() const { return row_->sums_of_k != nullptr ? row_->sums_of_k(rule_.k) : row_->sums; }

    [[noreturn]] void refuse_no_tree(bool single_root) const;

  private:
    std::string name_;
    ClassRule rule_;
    std::shared_ptr<const CustomClass> custom_;
    const SolverRow* row_;
    std::shared_ptr<const ClassSolver> wider_;
};

// The row of a class. Classes that are one under several names (MH_3, AD_1, DD_1 and 1-C are Pr) share one, and `simplest`
// gives them one rule.
const SolverRow& row_of(const ClassRule& rule);
ClassRule simplest(const ClassRule& rule);
// Whether every tree of one class is known to be in the other: by definition, or by the table.
bool is_known_within(const ClassRule& inner, const ClassRule& outer);
ClassRule custom_rule(const CustomClass& custom);
// As users write it, such as WG1 or 2-P.
std::string class_name(const ClassRule& rule);

}  // namespace nonproj
