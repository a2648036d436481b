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

GraphOptions graph_options(const Named& named) {
    const auto order = named.get<std::string>("order");
    const auto grades = named.get<std::optional<Grades>>("grades");
    GraphOptions options{named.get<ClassSolver>("solver")};
    options.single_root = named.get<bool>("single_root");
    options.parts = {order == "sibling" || order == "both", order == "grandparent" || order == "both"};
    options.learning = {named.get<int>("candidates"), named.get<double>("threshold")};
    options.parsing = {named.get<int>("parsing_candidates"), named.get<double>("parsing_threshold")};
    options.pruned_by = named.get<std::string>("pruner") == "mst" ? PrunedBy::mst : PrunedBy::log_linear;
    options.max_length = named.get<std::optional<int>>("max_length").value_or(0);
    options.rule = named.rule();
    options.relations = named.relations();
    options.search = named.get<std::string>("search") == "exact" ? Search::exact : Search::climb;
    options.rearrange = named.get<bool>("rearrange");
    options.grades = grades ? std::make_shared<const Grades>(*grades) : nullptr;
    if (options.learning.max_heads < 1 || options.parsing.max_heads < 1) throw Error("too few heads");
    return options;
}

void bind_graph(nb::module_& m) {
    nb::class_<GraphOptions>(m, "GraphOptions")
        .def(
            "__init__",
            [](GraphOptions* self, const Named::Dict& options) {
                new (self) GraphOptions(graph_options(Named(options)));
            },
            "options"_a);
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
    trainer.def(nb::init<const GraphOptions&, int>(), "options"_a, "bits"_a)
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
        .def("prune_by", &GraphTrainer::prune_by, "mst"_a)
        .def(
            "learn",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                GraphTrainer::Lessons lessons = without_gil([&] { return self.learn(corpus, span_of(order)); });
                return std::make_pair(lessons.wrong, flat(std::move(lessons.gaps)));
            },
            "corpus"_a, "order"_a, "Wrong heads, and of each sentence how far its tree may be below the best one.")
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
