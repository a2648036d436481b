#include "nonproj/solver/class_solver.hpp"

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

}  // namespace nonproj
