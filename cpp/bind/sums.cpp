// Sums over the trees of any class that has them.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "support/score_array.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

// Sums cannot be told how much memory they may take, so they keep to a limit.
constexpr double memory_limit = 4294967296.0;

// The scores in double precision, and the sums of a class; an error where there are none or they do not fit.
class Question {
  public:
    template <class Real>
    Question(const ClassSolver& solver, const ScoreArray<Real>& array) : sums_(solver.sums()) {
        const ArcScores<Real> given = arc_scores(array);
        words_ = given.words();
        if (sums_ == nullptr) throw Error("there are no sums over the trees of " + solver.name());
        if (const double bytes = sums_->bytes(words_); bytes > memory_limit)
            throw Error("sums over the trees of " + solver.name() + " for " + std::to_string(words_) +
                        " words would need about " + std::to_string(static_cast<long long>(bytes / 1048576)) +
                        " MiB, more than 4096: they are for shorter sentences");
        if constexpr (std::is_same_v<Real, double>) {
            values_ = given.data();
        } else {
            wide_.assign(given.data(), given.data() + array.size());
            values_ = wide_.data();
        }
    }
    Question(const Question&) = delete;

    int words() const { return words_; }

    // Calls answer(sums, scores) without the GIL.
    template <class Answer>
    auto ask(const Answer& answer) const {
        return without_gil([&] { return answer(*sums_, ArcScores<double>(values_, words_)); });
    }

  private:
    const Sums* sums_;
    const double* values_;
    int words_;
    std::vector<double> wide_;
};

template <class Real>
double log_partition(const ClassSolver& solver, const ScoreArray<Real>& array, bool single_root) {
    return Question(solver, array).ask([&](const Sums& sums, const auto& s) {
        return sums.log_partition(s, single_root);
    });
}

template <class Real>
NumpyArray<double, 2> marginals(const ClassSolver& solver, const ScoreArray<Real>& array, bool single_root) {
    const Question question(solver, array);
    const std::size_t width = static_cast<std::size_t>(question.words()) + 1;
    auto chance = std::make_unique_for_overwrite<double[]>(width * width);
    const double log_z = question.ask([&](const Sums& sums, const auto& s) {
        return sums.marginals(s, single_root, std::span<double>(chance.get(), width * width));
    });
    if (log_z == minus_infinity<double>) solver.refuse_no_tree(single_root);
    return to_numpy<2>(std::move(chance), {width, width});
}

template <class Real>
double entropy(const ClassSolver& solver, const ScoreArray<Real>& array, bool single_root) {
    const double found =
        Question(solver, array).ask([&](const Sums& sums, const auto& s) { return sums.entropy(s, single_root); });
    if (found == minus_infinity<double>) solver.refuse_no_tree(single_root);
    return found;
}

template <class Real>
std::uint64_t count(const ClassSolver& solver, const ScoreArray<Real>& array, bool single_root, std::uint64_t prime) {
    return Question(solver, array).ask([&](const Sums& sums, const auto& s) {
        return sums.count(s, single_root, prime);
    });
}

template <class Real>
NumpyArray<std::int32_t, 2> sample(const ClassSolver& solver, const ScoreArray<Real>& array, bool single_root,
                                   std::size_t samples, std::uint64_t seed) {
    const Question question(solver, array);
    const std::size_t words = question.words();
    std::vector<std::int32_t> heads(heads_of(samples, words));
    const bool exists = question.ask(
        [&](const Sums& sums, const auto& s) { return sums.sample(s, single_root, samples, seed, heads.data()); });
    if (!exists) solver.refuse_no_tree(single_root);
    return to_numpy<2>(std::move(heads), {samples, words});
}

template <class Real>
void bind(nb::module_& m) {
    const auto scores = "scores"_a.noconvert();
    m.def("log_partition", &log_partition<Real>, "solver"_a, scores, "single_root"_a,
          "The log of the sum over the trees of a class of exp(score); -inf when there is none.");
    m.def("marginals", &marginals<Real>, "solver"_a, scores, "single_root"_a,
          "The chance of every arc when a tree has a chance in proportion to exp(score).");
    m.def("entropy", &entropy<Real>, "solver"_a, scores, "single_root"_a, "The entropy of that distribution in nats.");
    m.def("count_mod", &count<Real>, "solver"_a, scores, "single_root"_a, "prime"_a,
          "The number of trees without arcs of score -inf, modulo a prime below 2**62.");
    m.def("sample", &sample<Real>, "solver"_a, scores, "single_root"_a, "samples"_a, "seed"_a,
          "The heads of independent random trees, one a row, with a chance in proportion to exp(score).");
}

}  // namespace

void bind_sums(nb::module_& m) {
    bind<double>(m);
    bind<float>(m);
}
