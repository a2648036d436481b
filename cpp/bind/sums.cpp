// Sums over the trees of any class that has them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "support/score_array.hpp"
#include "support/team.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

// Sums cannot be told how much memory they may take, so they keep to a limit.
constexpr double memory_limit = 4294967296.0;
// A sentence whose table is not larger is done in a few milliseconds, in a nanosecond or so for each cubed word.
constexpr double small_table = 1048576.0;
constexpr double worth_waking = 1'000'000;  // cubed words: less is done before a thread that sleeps has come

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

// Sentences in one padded array, shared out to threads: what a layer of a network asks.
template <class Real>
using PaddedArray = nb::ndarray<const Real, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class Real>
using PaddedAnswer = nb::ndarray<Real, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Lengths = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Real>
class PaddedQuestion {
  public:
    PaddedQuestion(const ClassSolver& solver, const PaddedArray<Real>& scores, const Lengths& lengths)
        : sums_(solver.sums()),
          scores_(scores.data()),
          lengths_(lengths.data()),
          batch(scores.shape(0)),
          width(scores.shape(1)) {
        if (sums_ == nullptr) throw Error("there are no sums over the trees of " + solver.name());
        if (width == 0 || scores.shape(2) != width || lengths.shape(0) != batch)
            throw Error(
                "scores must have the shape (batch, n + 1, n + 1), and there must be a length for each sentence");
        checked_words(static_cast<std::int64_t>(width) - 1);
        for (std::size_t b = 0; b < batch; ++b) {
            if (lengths_[b] < 0 || static_cast<std::size_t>(lengths_[b]) >= width)
                throw Error("sentence " + std::to_string(b) + " has " + std::to_string(lengths_[b]) +
                            " words, but its scores are for at most " + std::to_string(width - 1));
            longest_ = std::max(longest_, lengths_[b]);
            cubes_ += static_cast<double>(lengths_[b]) * lengths_[b] * lengths_[b];
        }
        if (sums_->bytes(longest_) > memory_limit)
            throw Error("sums over the trees of " + solver.name() + " for " + std::to_string(longest_) +
                        " words would need more than 4096 MiB: they are for shorter sentences");
    }

    std::size_t size() const { return batch * width * width; }

    // Calls answer(sums, scores, sentence, begin) for each sentence, without the GIL; `begin` is where its part of an
    // array of the same shape begins.
    template <class Answer>
    void ask(int threads, const Answer& answer) const {
        share_out(threads, batch, [&](std::size_t b) {
            const std::vector<double> own = cut(scores_ + b * width * width, lengths_[b]);
            answer(*sums_, ArcScores<double>(own.data(), lengths_[b]), b, b * width * width);
        });
    }
    // Marginals and log-partitions of all, into arrays that they fill: as many sentences at a time as is best for the
    // class, of about the same length.
    void marginals(int threads, bool single_root, double* log_partition, Real* chance) const {
        std::vector<Padded<Real>> sentences;
        for (std::size_t b = 0; b < batch; ++b)
            sentences.push_back(
                {scores_ + b * width * width, lengths_[b], chance + b * width * width, log_partition + b});
        std::ranges::stable_sort(sentences, std::greater(), &Padded<Real>::words);
        const std::size_t together = sums_->together();
        share_out(threads, (batch + together - 1) / together, [&](std::size_t turn) {
            const std::size_t first = turn * together;
            const std::span<const Padded<Real>> some =
                std::span(sentences).subspan(first, std::min(together, batch - first));
            sums_->marginals_together(some, width, single_root);
            for (const Padded<Real>& sentence : some) {
                const std::size_t side = static_cast<std::size_t>(sentence.words) + 1;
                for (std::size_t h = 0; h < side; ++h) std::fill_n(sentence.chance + h * width + side, width - side, 0);
                std::fill_n(sentence.chance + side * width, (width - side) * width, 0);
            }
        });
    }
    int words(std::size_t sentence) const { return lengths_[sentence]; }
    template <class From>
    std::vector<double> cut(const From* from, int words) const {
        std::vector<double> own;
        own.reserve(static_cast<std::size_t>(words + 1) * (words + 1));
        for (int h = 0; h <= words; ++h) own.insert(own.end(), from + h * width, from + h * width + words + 1);
        return own;
    }
    void paste(const std::vector<double>& own, int words, double* to) const {
        const std::size_t side = static_cast<std::size_t>(words) + 1;
        for (std::size_t h = 0; h < side; ++h) std::copy_n(own.data() + h * side, side, to + h * width);
    }

  private:
    // Calls work(turn) for so many turns, without the GIL.
    template <class Work>
    void share_out(int threads, std::size_t turns, const Work& work) const {
        const bool is_short = sums_->bytes(longest_) <= small_table;
        const Team::Run team = is_short && threads > 1 ? Team::lent.load() : nullptr;
        without_gil([&] {
            if (is_short && cubes_ < worth_waking)
                for (std::size_t turn = 0; turn < turns; ++turn) work(turn);
            else if (team != nullptr)
                Team::share_out(team, turns, threads, work);
            else
                parallel_for(turns, threads, work);
        });
    }

    const Sums* sums_;
    const Real* scores_;
    const std::int32_t* lengths_;
    int longest_ = 0;
    double cubes_ = 0;

  public:
    const std::size_t batch, width;
};

template <class Real>
NumpyArray<double, 1> marginals_batch(const ClassSolver& solver, const PaddedArray<Real>& scores,
                                      const Lengths& lengths, bool single_root, int threads,
                                      const PaddedAnswer<Real>& chance) {
    const PaddedQuestion<Real> question(solver, scores, lengths);
    if (chance.shape(0) != question.batch || chance.shape(1) != question.width || chance.shape(2) != question.width)
        throw Error("the array for marginals must have the shape of the scores");
    std::vector<double> log_z(question.batch);
    question.marginals(threads, single_root, log_z.data(), chance.data());
    return to_numpy<1>(std::move(log_z), {question.batch});
}

template <class Real>
NumpyArray<double, 1> log_partition_batch(const ClassSolver& solver, const PaddedArray<Real>& scores,
                                          const Lengths& lengths, bool single_root, int threads) {
    const PaddedQuestion<Real> question(solver, scores, lengths);
    std::vector<double> log_z(question.batch);
    question.ask(threads, [&](const Sums& sums, const auto& s, std::size_t b, std::size_t) {
        log_z[b] = sums.log_partition(s, single_root);
    });
    return to_numpy<1>(std::move(log_z), {question.batch});
}

template <class Real>
NumpyArray<double, 3> marginal_changes_batch(const ClassSolver& solver, const PaddedArray<Real>& scores,
                                             const PaddedArray<Real>& direction, const Lengths& lengths,
                                             bool single_root, int threads) {
    const PaddedQuestion<Real> question(solver, scores, lengths), moved(solver, direction, lengths);
    if (moved.width != question.width) throw Error("the direction must have the shape of the scores");
    std::vector<double> change(question.size(), 0.0);
    question.ask(threads, [&](const Sums& sums, const auto& s, std::size_t, std::size_t begin) {
        const std::vector<double> along = question.cut(direction.data() + begin, s.words());
        std::vector<double> own(along.size());
        sums.marginal_changes(s, single_root, along, own);
        question.paste(own, s.words(), change.data() + begin);
    });
    return to_numpy<3>(std::move(change), {question.batch, question.width, question.width});
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
    m.def("log_partition_batch", &log_partition_batch<Real>, "solver"_a, scores, "lengths"_a, "single_root"_a,
          "threads"_a, "The log-partition of each sentence of a padded array.");
    m.def(
        "marginals_batch", &marginals_batch<Real>, "solver"_a, scores, "lengths"_a, "single_root"_a, "threads"_a,
        "marginals"_a.noconvert(),
        "The log-partition of each sentence of a padded array, and its marginals into an array of the same kind; -inf "
        "and zeros where there is no tree.");
    m.def("marginal_changes_batch", &marginal_changes_batch<Real>, "solver"_a, scores, "direction"_a.noconvert(),
          "lengths"_a, "single_root"_a, "threads"_a, "How the marginals change when the scores move in a direction.");
}

}  // namespace

void bind_sums(nb::module_& m) {
    bind<double>(m);
    bind<float>(m);
    m.def(
        "lend_team", [](std::uintptr_t run) { Team::lent = reinterpret_cast<Team::Run>(run); }, "run"_a,
        "Have short sums of batches run on threads that GOMP_parallel at this address has; 0 for those of nonproj.");
}
