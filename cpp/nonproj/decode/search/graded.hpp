// The best trees of a graded class C_1 in C_2 in ... in C_m with prices p_1 <= ... <= p_m (solver/grades.hpp).
//
//   max over trees T of  score(T) - price of the smallest C_k that holds T   =   max over k of  best(C_k) - p_k
//
// since a tree of C_j is never better served by a later k. Classes are decoded from the widest down. A class whose
// bound, that of the last wider class that was decoded, does not beat what was found, less its own price, is passed over;
// so when the best spanning tree lies in C_1, that is all.
//
// Where the best tree of a wide class is hard to prove, and good trees are known beforehand, it is the other way round: from
// the smallest class up, each has to beat what was found by its own price, which is proven sooner.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/deadline.hpp"
#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

class GradedSearch {
  public:
    GradedSearch(const DecodeOptions& options, Membership& membership)
        : grades_(*options.grades),
          membership_(membership),
          of_class_(options),
          end_(Deadline::after(options.time_limit)) {
        of_class_.grades = nullptr;
        of_class_.must_find = false;
    }

    // decode(options) finds the best tree of a single class.
    template <class Decode>
    Outcome best(const Decode& decode) {
        Outcome best;
        double bound = infinity, graded_bound = minus_infinity<double>;
        int relaxations = 0;
        bool is_found = false;
        for (std::size_t k = grades_.size(); k-- > 0;) {
            const double price = grades_[k].price;
            if (is_found && bound - price <= best.score) continue;
            choose(k, relaxations);
            of_class_.must_exceed = is_found ? best.score + price : minus_infinity<double>;
            Outcome outcome = decode(of_class_);
            relaxations += outcome.relaxations;
            if (outcome.bound < bound) bound = outcome.bound;
            if (outcome.bound == minus_infinity<double>) break;  // the class holds no tree, nor does a smaller one
            if (outcome.bound > of_class_.must_exceed) graded_bound = std::max(graded_bound, bound - price);
            if (outcome.heads.empty()) continue;
            pay(outcome, k);
            if (!is_found || outcome.score > best.score) best = std::move(outcome);
            is_found = true;
        }
        best.relaxations = relaxations;
        best.bound = std::max(best.score, graded_bound);
        if (best.is_optimal()) best.best_of.clear();
        return best;
    }

    // The same from the smallest class up; `known` is a tree less its price.
    template <class Decode>
    Outcome best_upwards(Outcome known, const Decode& decode) {
        Outcome best = std::move(known);
        std::vector<double> bounds(grades_.size(), minus_infinity<double>);  // of the classes that were not settled
        int relaxations = 0;
        double bound = infinity;  // of all trees
        for (std::size_t k = 0; k < grades_.size(); ++k) {
            of_class_.must_exceed = best.score + grades_[k].price;
            if (bound <= of_class_.must_exceed) continue;
            choose(k, relaxations);
            Outcome outcome = decode(of_class_);
            relaxations += outcome.relaxations;
            if (outcome.bounds_all) bound = std::min(bound, outcome.bound);
            if (outcome.bound > of_class_.must_exceed) bounds[k] = outcome.bound;
            if (outcome.heads.empty()) continue;
            pay(outcome, k);
            if (outcome.score > best.score) best = std::move(outcome);
        }
        best.relaxations = relaxations;
        best.bound = best.score;
        for (std::size_t k = 0; k < grades_.size(); ++k)
            best.bound = std::max(best.bound, bounds[k] - grades_[k].price);
        return best;
    }

    // list(options) finds the best trees of a single class, best first. A tree among the `count` best is among the `count`
    // best of the smallest class that holds it: those that beat it there beat it at its price, or a lower one.
    template <class List>
    std::vector<Outcome> k_best(std::size_t count, const List& list) {
        std::vector<Outcome> all;
        for (std::size_t k = grades_.size(); k-- > 0;) {
            choose(k, 0);
            for (Outcome& outcome : list(of_class_)) {
                pay(outcome, k);
                if (outcome.grade == grades_[k].solver.name()) all.push_back(std::move(outcome));
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
        if (all.size() > count) all.resize(count);
        return all;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    // The options for one class, with what is left of the limits.
    void choose(std::size_t k, int relaxations) {
        of_class_.solver = grades_[k].solver;
        if (of_class_.work_limit > 0 && relaxations > 0)
            of_class_.work_limit = std::max(1, of_class_.work_limit - relaxations);
        if (end_ != Deadline::never) {
            const double left = std::chrono::duration<double>(end_ - Deadline::Clock::now()).count();
            of_class_.time_limit = std::max(1e-9, left);
        }
    }

    // Takes the price of the smallest class that holds the tree.
    void pay(Outcome& outcome, std::size_t k) {
        const Grade& grade = grades_[grades_.smallest(outcome.heads, k, membership_)];
        outcome.grade = grade.solver.name();
        outcome.price = grade.price;
        outcome.score -= grade.price;
        outcome.bound -= grade.price;
    }

    const Grades& grades_;
    Membership& membership_;
    DecodeOptions of_class_;
    Deadline::Clock::time_point end_;
};

// The best tree; an error when there may be one and none was found within the limits.
template <class Decode>
Outcome best_of_grades(const DecodeOptions& options, Membership& membership, const Decode& decode) {
    Outcome best = GradedSearch(options, membership).best(decode);
    if (best.heads.empty() && best.bound > minus_infinity<double> && options.must_find)
        throw Error("no tree was found by solving " + std::to_string(best.relaxations) +
                    " spanning trees, nor is it proven that there is none: raise work_limit or time_limit");
    return best;
}

}  // namespace nonproj
