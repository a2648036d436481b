#include "nonproj/solver/class_solver.hpp"

#include <algorithm>
#include <vector>

#include "nonproj/classes/inclusion.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

ClassSolver::ClassSolver() : ClassSolver("spanning", ClassRule()) {}

ClassSolver::ClassSolver(std::string name, const ClassRule& rule)
    : name_(std::move(name)), rule_(simplest(rule)), row_(&row_of(rule_)) {
    if (row_->wider != nullptr) wider_ = std::make_shared<const ClassSolver>("", *row_->wider);
}

ClassSolver::ClassSolver(std::string name, std::shared_ptr<const CustomClass> custom)
    : name_(std::move(name)), custom_(std::move(custom)) {
    rule_ = custom_rule(*custom_);
    row_ = &row_of(rule_);
}

void ClassSolver::refuse_no_tree(bool single_root) const {
    throw Error("no " + name_ + " tree" + (single_root ? " with a single root" : "") +
                " avoids the forbidden arcs (-inf): allow more of them");
}

bool is_known_within(const ClassRule& inner, const ClassRule& outer) {
    constexpr std::size_t most = 1000;  // classes to look at: a large k has many below
    std::vector<ClassRule> inners{inner}, outers{outer};
    if (row_of(inner).wider != nullptr) inners.push_back(*row_of(inner).wider);
    // Above the k of `inner`, nothing depends on k.
    if (inner.family != outer.family) outers[0].k = std::min(outer.k, std::max(inner.k, 4));
    for (std::size_t i = 0; i < outers.size() && i < most; ++i) {
        const ClassRule rule = outers[i];
        for (const ClassRule& each : inners)
            if (is_within_by_definition(each, rule)) return true;
        for (const ClassRule& within : row_of(rule).within(rule))
            if (std::find(outers.begin(), outers.end(), within) == outers.end()) outers.push_back(within);
    }
    return false;
}

}  // namespace nonproj
