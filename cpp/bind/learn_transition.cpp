// Transition-based learners and parsers for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "learn.hpp"
#include "nonproj/learn/transition_trainer.hpp"
#include "support/casters.hpp"
#include "transition.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

void bind_transition_learners(nb::module_& m) {
    nb::class_<TransitionOptions>(m, "TransitionOptions")
        .def(
            "__init__",
            [](TransitionOptions* self, const Named::Dict& options) {
                const Named named(options);
                const int beam = named.get<int>("beam"), relations = named.relations();
                const int root_relation = named.get<int>("root_relation");
                if (beam < 1 || beam > 1024) throw Error("a beam holds 1 to 1024 sequences");
                if (root_relation < 0 || root_relation > std::max(0, relations - 1))
                    throw Error("the relation of the root is none of the relations");
                new (self) TransitionOptions{beam,          named.rule(),
                                             relations,     named.get<std::string>("labels") == "joint",
                                             root_relation, named.get<double>("exploration")};
            },
            "options"_a);
    nb::class_<TransitionModel> model(m, "TransitionModel");
    model.def(
        "__init__",
        [](TransitionModel* self, const SystemHandle& system, const TransitionOptions& options, int bits) {
            new (self) TransitionModel(system.system, options, bits);
        },
        "system"_a, "options"_a, "bits"_a);
    bind_model(model);
    model.def(
        "transitions",
        [](const TransitionModel& self, const Corpus& corpus) {
            return without_gil([&] {
                std::vector<std::vector<int>> taken;
                for (std::size_t i = 0; i < corpus.sentences(); ++i) taken.push_back(self.transitions(corpus, i));
                return taken;
            });
        },
        "corpus"_a, "The numbers of the transitions that parse each sentence");
    nb::class_<TransitionTrainer> trainer(m, "TransitionTrainer");
    trainer
        .def(
            "__init__",
            [](TransitionTrainer* self, const SystemHandle& system, const TransitionOptions& options, int bits) {
                new (self) TransitionTrainer(system.system, options, bits);
            },
            "system"_a, "options"_a, "bits"_a)
        .def(
            "learn",
            [](TransitionTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order, std::uint64_t seed) {
                const auto lessons = without_gil([&] { return self.learn(corpus, span_of(order), seed); });
                return std::make_pair(lessons.wrong, lessons.skipped);
            },
            "corpus"_a, "order"_a, "seed"_a, "(wrong transitions, sentences that no sequence derives)")
        .def("explore", &TransitionTrainer::explore, "exploration"_a)
        .def(
            "average",
            [](const TransitionTrainer& self, const SystemHandle& system, const TransitionOptions& options) {
                return TransitionModel(system.system, options, self.average());
            },
            "system"_a, "options"_a);
    bind_trainer_state(trainer);
}
