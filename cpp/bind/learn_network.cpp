// Networks and their training for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "learn.hpp"
#include "nonproj/learn/network/network_trainer.hpp"
#include "support/casters.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

void copy_checked(const Flat<float>& from, std::span<float> to) {
    if (from.size() != to.size()) throw Error("a network of these sizes has another number of weights");
    if (!std::ranges::all_of(span_of(from), [](float x) { return std::isfinite(x); }))
        throw Error("the weights of its network are not all numbers");
    std::ranges::copy(span_of(from), to.begin());
}

void fill_network(Network& network, const Flat<float>& shared, const Flat<std::uint64_t>& marks,
                  const Flat<float>& values) {
    if (!std::ranges::all_of(span_of(values), [](float x) { return std::isfinite(x); }))
        throw Error("the weights of its network are not all numbers");
    copy_checked(shared, network.shared);
    fill(network.vectors, marks, values);
}

}  // namespace

void bind_networks(nb::module_& m) {
    nb::class_<NetworkSizes>(m, "NetworkSizes")
        .def(
            "__init__",
            [](NetworkSizes* self, int word, int hidden, int layers, int arc, int relation, int relations, int bits) {
                new (self) NetworkSizes{word, hidden, layers, arc, relation, relations, bits};
                self->check();
            },
            "word"_a, "hidden"_a, "layers"_a, "arc"_a, "relation"_a, "relations"_a, "bits"_a);
    nb::class_<Network>(m, "Network")
        .def(nb::init<const NetworkSizes&>(), "sizes"_a)
        .def("fill", &fill_network, "shared"_a, "marks"_a, "values"_a)
        .def(
            "log_chances",
            [](const Network& self, const Corpus& corpus, std::size_t sentence) {
                const Corpus::Sentence read = corpus[sentence];
                NetworkPass pass;
                pass.read(self, {&read, 1}, read.size());
                const auto table = pass.log_chances(self, 0);
                const std::size_t width = read.words.size() + 1;
                return to_numpy<2>(std::vector<double>(table.begin(), table.end()), {width, width});
            },
            "corpus"_a, "sentence"_a, "Logarithms of the chances of the arcs of a sentence.");
    nb::class_<NetworkTrainer>(m, "NetworkTrainer")
        .def(nb::init<const NetworkSizes&, const Corpus&, std::uint64_t>(), "sizes"_a, "corpus"_a, "seed"_a)
        .def(
            "learn",
            [](NetworkTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& sentences, float rate) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                return self.learn(corpus, span_of(sentences), rate);
            },
            "corpus"_a, "sentences"_a, "rate"_a, "One step by these sentences; the sum of their losses.")
        .def(
            "gradient",
            [](NetworkTrainer& self, const Corpus& corpus, std::int64_t sentence) {
                NetworkTrainer::Slope slope = self.gradient(corpus, sentence);
                return std::make_tuple(slope.loss, flat(std::move(slope.shared)), flat(std::move(slope.vectors)));
            },
            "corpus"_a, "sentence"_a, "The loss of a sentence, and its gradient by all weights.")
        .def("fill", [](NetworkTrainer& self, const Flat<float>& shared, const Flat<std::uint64_t>& marks,
                        const Flat<float>& values) { fill_network(self.network(), shared, marks, values); })
        .def(
            "pack",
            [](const NetworkTrainer& self) {
                const Network& network = self.network();
                return std::make_pair(flat(std::vector<float>(network.shared)), packed(values_of(network.vectors)));
            },
            "The weights that all words share; the table of vectors.")
        .def(
            "memory",
            [](NetworkTrainer& self, const std::string& name) {
                return packed(std::span<const float>(self.memory(name)));
            },
            "name"_a)
        .def(
            "remember",
            [](NetworkTrainer& self, const std::string& name, const Flat<std::uint64_t>& marks,
               const Flat<float>& values) { unpack<float>(span_of(marks), span_of(values), self.memory(name)); },
            "name"_a, "marks"_a, "values"_a)
        .def_prop_ro("steps", &NetworkTrainer::steps)
        .def("resume", &NetworkTrainer::resume, "steps"_a);
}
