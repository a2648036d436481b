// Learners and parsers for Python.
#include "learn.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_trainer.hpp"
#include "support/bind.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

using Limits = std::pair<int, double>;

void bind_graph(nb::module_& m) {
    nb::class_<GraphOptions>(m, "GraphOptions")
        .def(
            "__init__",
            [](GraphOptions* self, const ClassSolver& solver, bool single_root, const std::set<std::string>& parts,
               const Limits& learning, const Limits& parsing, int relations, bool is_exact) {
                if (learning.first < 1 || parsing.first < 1 || relations < 0 || relations > (1 << 12))
                    throw Error("too many relations, or too few heads");
                GraphOptions options{solver,
                                     single_root,
                                     {},
                                     {learning.first, learning.second},
                                     {parsing.first, parsing.second},
                                     relations,
                                     is_exact ? Search::exact : Search::climb};
                options.parts = {parts.contains("siblings"), parts.contains("grandparents"),
                                 parts.contains("grand_siblings")};
                new (self) GraphOptions(options);
            },
            "solver"_a, "single_root"_a, "parts"_a, "learning"_a, "parsing"_a, "relations"_a, "is_exact"_a);
    nb::class_<GraphModel> model(m, "GraphModel");
    model.def(nb::init<const GraphOptions&, int>(), "options"_a, "bits"_a)
        .def(
            "pruner_gradient",
            [](const GraphModel& self, const Corpus& corpus, std::size_t sentence) {
                auto [loss, gradient] = self.pruner_gradient(corpus, sentence);
                return std::make_pair(loss, flat(std::move(gradient)));
            },
            "corpus"_a, "sentence"_a, "The loss of the pruner on a sentence, and its gradient by every weight.");
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
            [](const GraphTrainer& self, const GraphOptions& options) { return GraphModel(options, self.average()); },
            "options"_a);
    bind_trainer_state(trainer);
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
