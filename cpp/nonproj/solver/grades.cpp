#include "nonproj/solver/grades.hpp"

#include <cmath>
#include <sstream>
#include <string>
#include <utility>

#include "nonproj/error.hpp"

namespace nonproj {

namespace {

std::string text(double price) {
    std::ostringstream text;
    text << price;
    return text.str();
}

void check_step(const Grade& smaller, const Grade& wider) {
    const std::string &first = smaller.solver.name(), &second = wider.solver.name();
    if (!is_known_within(smaller.solver.rule(), wider.solver.rule())) {
        if (is_known_within(wider.solver.rule(), smaller.solver.rule()))
            throw Error("the classes of a graded class rise from the smallest to the widest: " + second +
                        " lies within " + first + ", so it must stand before it");
        throw Error("the classes of a graded class rise, each within the next: " + first +
                    " is not known to lie within " + second);
    }
    if (wider.price < smaller.price)
        throw Error("the prices of a graded class must not fall: " + first + " costs " + text(smaller.price) + " and " +
                    second + " " + text(wider.price));
}

}  // namespace

Grades::Grades(std::vector<Grade> chain) : chain_(std::move(chain)) {
    if (chain_.empty()) throw Error("a graded class needs at least one class and its price");
    for (const Grade& grade : chain_)
        if (!std::isfinite(grade.price))
            throw Error("the price of " + grade.solver.name() + " must be a finite number, not " + text(grade.price));
    for (std::size_t i = 1; i < chain_.size(); ++i) check_step(chain_[i - 1], chain_[i]);
}

}  // namespace nonproj
