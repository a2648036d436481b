// Learners and parsers for Python.
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

#include "bind.hpp"
#include "crew.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/graph_parser.hpp"
#include "nonproj/learn/graph_trainer.hpp"
#include "numpy.hpp"
#include "signal_watch.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;

namespace {

template <class Value>
using Flat = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> span_of(const Flat<Value>& array) {
    return {array.data(), array.size()};
}

template <class Value>
using PackedArrays = std::pair<NumpyArray<std::uint64_t, 1>, NumpyArray<Value, 1>>;

template <class Value>
PackedArrays<Value> packed(std::span<const Value> table) {
    Packed<Value> made = pack(table);
    const std::size_t marks = made.marks.size(), values = made.values.size();
    return {to_numpy(std::move(made.marks), {marks}), to_numpy(std::move(made.values), {values})};
}
std::span<const float> values_of(const Table& table) { return {table.data(), table.size()}; }

// Heads and relations of a whole corpus, parsed by `parsers` threads, each with a workspace of its own.
template <class Workspace, class Settings, class Weights>
std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> parse(const Corpus& corpus,
                                                                          const Settings& settings,
                                                                          const Weights& weights, int threads) {
    std::vector<std::int32_t> heads(corpus.words()), relations(corpus.words());
    {
        nb::gil_scoped_release release;
        std::mutex mutex;
        std::vector<std::unique_ptr<Workspace>> idle;
        Crew().run(corpus.sentences(), threads, [&](std::size_t i) {
            std::unique_ptr<Workspace> workspace;
            {
                const std::lock_guard lock(mutex);
                if (!idle.empty()) {
                    workspace = std::move(idle.back());
                    idle.pop_back();
                }
            }
            if (!workspace) workspace = std::make_unique<Workspace>(settings);
            const std::size_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
            Watch::ask();
            workspace->parse(corpus[i], weights, {heads.data() + begin, size}, {relations.data() + begin, size});
            const std::lock_guard lock(mutex);
            idle.push_back(std::move(workspace));
        });
    }
    const std::size_t words = heads.size();
    return {to_numpy(std::move(heads), {words}), to_numpy(std::move(relations), {words})};
}

struct GraphModel {
    GraphSettings settings;
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

// The state of a table that learns: weights, what the average needs, and the number of steps.
template <class Trainer>
auto state_of(Trainer& trainer, const std::string& name) {
    AveragedTable& table = averaged(trainer, name);
    return std::make_pair(std::make_pair(packed(values_of(table.now())), packed(std::span<const double>(table.late()))),
                          table.steps());
}
template <class Trainer>
void resume(Trainer& trainer, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values,
            const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values, std::uint64_t steps) {
    AveragedTable& table = averaged(trainer, name);
    unpack<float>(span_of(marks), span_of(values), {table.now().data(), table.now().size()});
    unpack<double>(span_of(late_marks), span_of(late_values), table.late());
    table.resume(steps);
}

GraphSettings graph_settings(const ClassRule& rule, bool single_root, bool siblings, bool grandparents, int most,
                             double threshold, int relations) {
    if (most < 1 || relations < 0 || relations > (1 << 9)) throw Error("too many relations, or too few heads");
    return {rule, single_root, {siblings, grandparents}, {most, threshold}, relations};
}

void bind_graph(nb::module_& m) {
    nb::class_<GraphSettings>(m, "GraphSettings")
        .def(
            "__init__",
            [](GraphSettings* self, const ClassRule& rule, bool single_root, bool siblings, bool grandparents, int most,
               double threshold, int relations) {
                new (self) GraphSettings(
                    graph_settings(rule, single_root, siblings, grandparents, most, threshold, relations));
            },
            "rule"_a, "single_root"_a, "siblings"_a, "grandparents"_a, "most"_a, "threshold"_a, "relations"_a);
    nb::class_<GraphModel>(m, "GraphModel")
        .def(
            "__init__",
            [](GraphModel* self, const GraphSettings& settings, int bits) {
                new (self) GraphModel{settings, {Table(bits - 2), Table(bits), Table(bits - 1)}};
            },
            "settings"_a, "bits"_a)
        .def(
            "fill",
            [](GraphModel& self, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values) {
                Table& table = self.table(name);
                unpack<float>(span_of(marks), span_of(values), {table.data(), table.size()});
            },
            "name"_a, "marks"_a, "values"_a)
        .def(
            "pack", [](GraphModel& self, const std::string& name) { return packed(values_of(self.table(name))); },
            "name"_a)
        .def(
            "parse",
            [](const GraphModel& self, const Corpus& corpus, int threads) {
                return parse<GraphParser>(corpus, self.settings, self.weights, threads);
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
                    pruner.gradient(corpus[sentence].heads, self.settings.single_root, self.weights.pruner.addressing(),
                                    [&](std::size_t place, float slope) { gradient[place] -= slope; });
                std::vector<float> values(gradient.data(), gradient.data() + gradient.size());
                return std::make_pair(loss, to_numpy(std::move(values), {gradient.size()}));
            },
            "corpus"_a, "sentence"_a, "The loss of the pruner on a sentence, and its gradient by every weight.");
    nb::class_<GraphTrainer>(m, "GraphTrainer")
        .def(
            "__init__",
            [](GraphTrainer* self, const GraphSettings& settings, bool is_mira, double most, int bits) {
                new (self) GraphTrainer(settings, {is_mira ? Algorithm::mira : Algorithm::perceptron, most}, bits);
            },
            "settings"_a, "is_mira"_a, "most"_a, "bits"_a)
        .def(
            "learn_pruner",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                nb::gil_scoped_release release;
                SignalWatch watch;
                return self.learn_pruner(corpus, span_of(order));
            },
            "corpus"_a, "order"_a)
        .def(
            "prune",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& sentences) {
                nb::gil_scoped_release release;
                SignalWatch watch;
                self.prune(corpus, span_of(sentences));
            },
            "corpus"_a, "sentences"_a)
        .def(
            "learn",
            [](GraphTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order) {
                nb::gil_scoped_release release;
                SignalWatch watch;
                return self.learn(corpus, span_of(order));
            },
            "corpus"_a, "order"_a)
        .def(
            "average",
            [](const GraphTrainer& self, const GraphSettings& settings) {
                return GraphModel{settings, self.average()};
            },
            "settings"_a)
        .def("state", &state_of<GraphTrainer>, "name"_a)
        .def("resume", &resume<GraphTrainer>, "name"_a, "marks"_a, "values"_a, "late_marks"_a, "late_values"_a,
             "steps"_a);
}

}  // namespace

void bind_learn(nb::module_& m) {
    nb::class_<Corpus>(m, "Corpus")
        .def(
            "__init__",
            [](Corpus* self, const nb::bytes& text, const std::vector<std::string>& relations) {
                nb::gil_scoped_release release;
                new (self) Corpus({text.c_str(), text.size()}, relations);
            },
            "text"_a, "relations"_a)
        .def("__len__", &Corpus::sentences)
        .def_prop_ro("words", &Corpus::words);
    bind_graph(m);
}
