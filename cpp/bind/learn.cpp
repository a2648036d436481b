// Learners and parsers for Python.
#include "learn.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_parser.hpp"
#include "nonproj/learn/graph_trainer.hpp"
#include "support/bind.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

struct GraphModel {
    GraphOptions options;
    GraphWeights weights;

    Table& table(const std::string& name) {
        if (name == "pruner") return weights.pruner;
        if (name == "tree") return weights.tree;
        if (name == "label") return weights.label;
        throw Error("a graph-based parser has no table " + name);
    }
};

AveragedTable& averaged(GraphTrainer& trainer, const std::string& name) {
    if (name == "tree") return trainer.tree();
    if (name == "label") return trainer.label();
    throw Error("a graph-based parser does not learn a table " + name);
}

using Limits = std::pair<int, double>;

GraphOptions graph_options(const ClassSolver& solver, bool single_root, bool siblings, bool grandparents,
                           const Limits& learning, const Limits& parsing, int relations) {
    if (learning.first < 1 || parsing.first < 1 || relations < 0 || relations > (1 << 12))
        throw Error("too many relations, or too few heads");
    return {solver,
            single_root,
            {siblings, grandparents},
            {learning.first, learning.second},
            {parsing.first, parsing.second},
            relations};
}

void bind_graph(nb::module_& m) {
    nb::class_<GraphOptions>(m, "GraphOptions")
        .def(
            "__init__",
            [](GraphOptions* self, const ClassSolver& solver, bool single_root, bool siblings, bool grandparents,
               const Limits& learning, const Limits& parsing, int relations) {
                new (self) GraphOptions(
                    graph_options(solver, single_root, siblings, grandparents, learning, parsing, relations));
            },
            "solver"_a, "single_root"_a, "siblings"_a, "grandparents"_a, "learning"_a, "parsing"_a, "relations"_a);
    nb::class_<GraphModel>(m, "GraphModel")
        .def(
            "__init__",
            [](GraphModel* self, const GraphOptions& options, int bits) {
                new (self) GraphModel{options, {Table(bits - 2), Table(bits), Table(bits - 1)}};
            },
            "options"_a, "bits"_a)
        .def(
            "fill",
            [](GraphModel& self, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values) {
                fill(self.table(name), marks, values);
            },
            "name"_a, "marks"_a, "values"_a)
        .def(
            "pack", [](GraphModel& self, const std::string& name) { return packed(values_of(self.table(name))); },
            "name"_a)
        .def(
            "parse",
            [](const GraphModel& self, const Corpus& corpus, int threads) {
                const auto make = [&] { return std::make_unique<GraphParser>(self.options); };
                return parse(corpus, make, self.weights, threads);
            },
            "corpus"_a, "threads"_a, "Heads and relations of all words, in order.")
        .def(
            "pruner_gradient",
            [](const GraphModel& self, const Corpus& corpus, std::size_t sentence) {
                Views views;
                views.assign(corpus[sentence]);
                Pruner pruner;
                pruner.assign(views);
                pruner.score(self.weights.pruner);
                Table gradient(self.weights.pruner.bits());
                const double loss =
                    pruner.gradient(corpus[sentence].heads, self.options.single_root, self.weights.pruner.addressing(),
                                    [&](std::size_t place, float slope) { gradient[place] -= slope; });
                std::vector<float> values(gradient.data(), gradient.data() + gradient.size());
                return std::make_pair(loss, to_numpy(std::move(values), {gradient.size()}));
            },
            "corpus"_a, "sentence"_a, "The loss of the pruner on a sentence, and its gradient by every weight.");
    nb::class_<GraphTrainer>(m, "GraphTrainer")
        .def(
            "__init__",
            [](GraphTrainer* self, const GraphOptions& options, bool is_mira, double most, int bits) {
                new (self) GraphTrainer(options, {is_mira ? Algorithm::mira : Algorithm::perceptron, most}, bits);
            },
            "options"_a, "is_mira"_a, "most"_a, "bits"_a)
        .def(
            "learn_pruner",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                return self.learn_pruner(corpus, span_of(order));
            },
            "corpus"_a, "order"_a)
        .def(
            "prune",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& sentences) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                self.prune(corpus, span_of(sentences));
            },
            "corpus"_a, "sentences"_a)
        .def(
            "learn",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                return self.learn(corpus, span_of(order));
            },
            "corpus"_a, "order"_a)
        .def(
            "average",
            [](const GraphTrainer& self, const GraphOptions& options) { return GraphModel{options, self.average()}; },
            "options"_a)
        .def(
            "state", [](GraphTrainer& self, const std::string& name) { return state_of(averaged(self, name)); },
            "name"_a)
        .def(
            "resume",
            [](GraphTrainer& self, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values,
               const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values,
               std::uint64_t steps) { resume(averaged(self, name), marks, values, late_marks, late_values, steps); },
            "name"_a, "marks"_a, "values"_a, "late_marks"_a, "late_values"_a, "steps"_a);
}

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<Corpus>(m, "Corpus")
        .def(
            "__init__",
            [](Corpus* self, const std::vector<conll::Run>& runs, const std::vector<std::string>& relations) {
                nb::gil_scoped_release release;
                new (self) Corpus(runs, relations);
            },
            "runs"_a, "relations"_a)
        .def("__len__", &Corpus::sentences)
        .def_prop_ro("words", &Corpus::words);
    bind_graph(m);
    bind_transition_learners(m);
}
