// Sums over the trees of M0I, M1I, M1IS, WG_1, WG_1S and AD_2. Private functions; the package nonproj.decode checks and explains.
#include "nonproj/decode/search/nested.hpp"

#include <string>
#include <vector>

#include "support/score_array.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

// A copy of the scores in double precision.
class Scores {
  public:
    template <class Real>
    explicit Scores(const ScoreArray<Real>& array) {
        words_ = arc_scores(array).words();
        if (words_ >= 4096) throw Error("no chart of this class for " + std::to_string(words_) + " words");
        table_.assign(array.data(), array.data() + array.size());
    }
    operator ArcScores<double>() const { return {table_.data(), words_}; }
    std::size_t words() const { return words_; }

  private:
    std::vector<double> table_;
    int words_;
};

// Calls compute(answers, scores) without the GIL.
template <class Compute>
void ask(const ClassRule& rule, const Scores& scores, const Compute& compute) {
    nb::gil_scoped_release released;
    SignalInterrupt interrupt;
    const ArcScores<double> table = scores;
    if (!nested::with_sums(rule, [&](auto answers) { compute(answers, table); }))
        throw Error("the class has no sums here");
}

template <class Real>
double log_partition(const ClassRule& rule, const ScoreArray<Real>& array, bool single_root) {
    double found = 0;
    ask(rule, Scores(array), [&](auto answers, const auto& s) { found = answers.log_partition(s, single_root); });
    return found;
}

template <class Real>
std::uint64_t count_mod(const ClassRule& rule, const ScoreArray<Real>& array, bool single_root, std::uint64_t modulus) {
    std::uint64_t found = 0;
    ask(rule, Scores(array), [&](auto answers, const auto& s) { found = answers.count(s, single_root, modulus); });
    return found;
}

template <class Real>
NumpyArray<double, 2> marginals(const ClassRule& rule, const ScoreArray<Real>& array, bool single_root) {
    const Scores scores(array);
    const std::size_t side = scores.words() + 1;
    std::vector<double> found(side * side);
    ask(rule, scores, [&](auto answers, const auto& s) { answers.marginals(s, single_root, found.data()); });
    return to_numpy<2>(std::move(found), {side, side});
}

template <class Real>
NumpyArray<std::int32_t, 2> sample(const ClassRule& rule, const ScoreArray<Real>& array, bool single_root,
                                   std::size_t samples, std::uint64_t seed) {
    const Scores scores(array);
    std::vector<std::int32_t> heads(heads_of(samples, scores.words()));
    ask(rule, scores, [&](auto answers, const auto& s) {
        if (!answers.sample(s, single_root, samples, seed, heads.data()))
            throw Error("no tree of the class avoids the forbidden arcs: there is none to draw");
    });
    return to_numpy<2>(std::move(heads), {samples, scores.words()});
}

template <class Real>
void bind_sums(nb::module_& m) {
    const auto scores = "scores"_a.noconvert();
    m.def("nested_log_partition", &log_partition<Real>, "rule"_a, scores, "single_root"_a,
          "The log of the sum over the trees of a class of exp(score); -inf when there is none.");
    m.def("nested_marginals", &marginals<Real>, "rule"_a, scores, "single_root"_a,
          "The chance of every arc when a tree has a chance proportional to exp(score); all 0 when there is none.");
    m.def("nested_count_mod", &count_mod<Real>, "rule"_a, scores, "single_root"_a, "modulus"_a,
          "The number of trees without arcs of score -inf, modulo a number from 2 to 2**62.");
    m.def("nested_sample", &sample<Real>, "rule"_a, scores, "single_root"_a, "samples"_a, "seed"_a,
          "The heads of independent random trees, one a row, with a chance proportional to exp(score).");
}

}  // namespace

void bind_nested(nb::module_& m) {
    bind_sums<double>(m);
    bind_sums<float>(m);
}
