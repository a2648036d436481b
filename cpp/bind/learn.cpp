// Learners and parsers for Python.
#include "learn.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_trainer.hpp"
#include "nonproj/solver/grades.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

using Limits = std::pair<int, double>;

// Of n + 1 rows.
NumpyArray<double, 2> table(std::vector<double>&& values) {
    const auto width = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values.size()))));
    return to_numpy<2>(std::move(values), {width, width});
}
// The words and scores of parts of three words; each(visit) goes over them.
template <class Each>
std::pair<NumpyArray<std::int32_t, 2>, NumpyArray<double, 1>> triples(const Each& each) {
    std::vector<std::int32_t> words;
    std::vector<double> scores;
    each([&](int a, int b, int c, double score) {
        words.insert(words.end(), {a, b, c});
        scores.push_back(score);
    });
    const std::size_t rows = scores.size();
    return {to_numpy<2>(std::move(words), {rows, 3}), flat(std::move(scores))};
}

Advice advice_of(const Flat<float>& arcs, float weight) {
    if (!std::isfinite(weight) ||
        !std::ranges::all_of(span_of(arcs), [](float x) { return x <= 0 && std::isfinite(x); }))
        throw Error("advice must be logarithms of chances, and its weight a number");
    return {span_of(arcs), weight};
}

void check_heads(const Corpus& corpus, std::span<const std::int32_t> heads) {
    if (heads.size() != corpus.words()) throw Error("there must be a head for each word");
    for (std::size_t i = 0; i < corpus.sentences(); ++i) {
        const std::int64_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
        for (const std::int32_t head : heads.subspan(begin, size))
            if (head < 0 || head > size) throw Error("a head lies outside its sentence");
    }
}

void bind_graph(nb::module_& m) {
    nb::class_<GraphOptions>(m, "GraphOptions")
        .def(
            "__init__",
            [](GraphOptions* self, const ClassSolver& solver, bool single_root, bool siblings, bool grandparents,
               const Limits& learning, const Limits& parsing, int relations, bool is_exact, bool rearrange,
               std::optional<Grades> grades) {
                if (learning.first < 1 || parsing.first < 1 || relations < 0 || relations > (1 << 12))
                    throw Error("too many relations, or too few heads");
                new (self) GraphOptions{solver,
                                        single_root,
                                        {siblings, grandparents},
                                        {learning.first, learning.second},
                                        {parsing.first, parsing.second},
                                        relations,
                                        is_exact ? Search::exact : Search::climb,
                                        rearrange,
                                        grades ? std::make_shared<const Grades>(*grades) : nullptr};
            },
            "solver"_a, "single_root"_a, "siblings"_a, "grandparents"_a, "learning"_a, "parsing"_a, "relations"_a,
            "is_exact"_a, "rearrange"_a, "grades"_a.none());
    nb::class_<GraphModel> model(m, "GraphModel");
    model.def(nb::init<const GraphOptions&, int>(), "options"_a, "bits"_a)
        .def("join", &GraphModel::join, "network"_a, "arc_share"_a, "relation_share"_a)
        .def(
            "pruner_gradient",
            [](const GraphModel& self, const Corpus& corpus, std::size_t sentence) {
                auto [loss, gradient] = self.pruner_gradient(corpus, sentence);
                return std::make_pair(loss, flat(std::move(gradient)));
            },
            "corpus"_a, "sentence"_a, "The loss of the pruner on a sentence, and its gradient by every weight.")
        .def(
            "scores",
            [](const GraphModel& self, const Corpus& corpus, std::size_t sentence,
               const std::optional<Flat<float>>& arcs, float weight) {
                const Advice advice = arcs ? advice_of(*arcs, weight) : Advice{};
                const parts::PartTable scores = self.scores(corpus, sentence, advice);
                return std::make_tuple(table(scores.arc_table()),
                                       triples([&](const auto& visit) { scores.each_sibling(visit); }),
                                       triples([&](const auto& visit) { scores.each_grandparent(visit); }));
            },
            "corpus"_a, "sentence"_a, "arcs"_a = nb::none(), "weight"_a = 0.0f,
            "Arcs, -inf for those that are not likely; siblings and grandparents as words and scores.")
        .def(
            "parse_advised",
            [](const GraphModel& self, const Corpus& corpus, int threads, const Flat<float>& arcs, float weight) {
                const Advice advice = advice_of(arcs, weight);
                return arrays_of(without_gil([&] { return self.parse(corpus, threads, true, advice); }));
            },
            "corpus"_a, "threads"_a, "arcs"_a, "weight"_a,
            "Heads, relations and proofs, with the logarithms of chances that another model gives to all arcs.")
        .def(
            "relation_scores",
            [](const GraphModel& self, const Corpus& corpus, const Flat<std::int32_t>& heads) {
                check_heads(corpus, span_of(heads));
                const std::size_t words = corpus.words(), relations = self.options.relations;
                return to_numpy<2>(self.relation_scores(corpus, span_of(heads)), {words, relations});
            },
            "corpus"_a, "heads"_a, "Scores of all relations of each word under its head.")
        .def(
            "pruner_scores",
            [](const GraphModel& self, const Corpus& corpus, std::size_t sentence) {
                return table(self.pruner_scores(corpus, sentence));
            },
            "corpus"_a, "sentence"_a, "The arcs as the pruner scores them.");
    bind_model(model);
    nb::class_<GraphTrainer> trainer(m, "GraphTrainer");
    trainer
        .def(
            "__init__",
            [](GraphTrainer* self, const GraphOptions& options, bool is_mira, double max_step, int bits) {
                new (self) GraphTrainer(options, rule_of(is_mira, max_step), bits);
            },
            "options"_a, "is_mira"_a, "max_step"_a, "bits"_a)
        .def(
            "learn_pruner",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                return without_gil([&] { return self.learn_pruner(corpus, span_of(order)); });
            },
            "corpus"_a, "order"_a)
        .def(
            "prune",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& sentences) {
                without_gil([&] { self.prune(corpus, span_of(sentences)); });
            },
            "corpus"_a, "sentences"_a)
        .def("prune_as", &GraphTrainer::prune_as, "other"_a)
        .def(
            "learn",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                return without_gil([&] { return self.learn(corpus, span_of(order)); });
            },
            "corpus"_a, "order"_a)
        .def(
            "average",
            [](const GraphTrainer& self, const GraphOptions& options) { return GraphModel(options, self.average()); },
            "options"_a);
    bind_trainer_state(trainer);
}

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<Corpus>(m, "Corpus")
        .def(
            "__init__",
            [](Corpus* self, const block::Block& block, const std::vector<std::string>& relations) {
                nb::gil_scoped_release release;
                new (self) Corpus(block, relations);
            },
            "block"_a, "relations"_a)
        .def("__len__", &Corpus::sentences)
        .def_prop_ro("words", &Corpus::words);
    m.attr("LARGEST_WEIGHT") = largest_weight;
    bind_networks(m);
    bind_graph(m);
    bind_transition_learners(m);
}
