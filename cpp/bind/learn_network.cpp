// Networks and their training for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "learn.hpp"
#include "nonproj/learn/network/gru_trainer.hpp"
#include "nonproj/learn/network/network_trainer.hpp"
#include "support/casters.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

void copy_checked(const Flat<float>& from, std::span<float> to) {
    if (from.size() != to.size()) throw Error("a network of these sizes has another number of weights");
    check_weights(span_of(from));
    std::ranges::copy(span_of(from), to.begin());
}

void fill_network(Network& network, const Flat<float>& shared, const Flat<std::uint64_t>& marks,
                  const Flat<float>& values) {
    copy_checked(shared, network.shared);
    fill(network.vectors, marks, values);
}

// A trainer with the examples that it learns from.
struct OwnExamples {
    GruExamples examples;
    GruTrainer trainer;

    OwnExamples(const GruSizes& sizes, const Flat<std::uint32_t>& rows, const Flat<std::uint8_t>& is_yes,
                const Flat<std::uint8_t>& is_asked, std::uint64_t seed)
        : examples{{rows.data(), rows.data() + rows.size()},
                   {is_yes.data(), is_yes.data() + is_yes.size()},
                   {is_asked.data(), is_asked.data() + is_asked.size()}},
          trainer(sizes, examples, seed) {}
    OwnExamples(const OwnExamples&) = delete;
    OwnExamples& operator=(const OwnExamples&) = delete;
};

auto weights_of(const Gru& gru) {
    return std::make_pair(flat(std::vector<float>(gru.shared)), flat(std::vector<float>(gru.vectors)));
}

// What reads the ends of sentences, by itself; for the tests.
void bind_gru(nb::module_& m) {
    nb::class_<GruSizes>(m, "GruSizes")
        .def(
            "__init__",
            [](GruSizes* self, int vector, int hidden, int features, std::size_t rows) {
                new (self) GruSizes{vector, hidden, features, rows};
                self->check();
            },
            "vector"_a, "hidden"_a, "features"_a, "rows"_a);
    nb::class_<Gru>(m, "Gru")
        .def(nb::init<const GruSizes&>(), "sizes"_a)
        .def(
            "fill",
            [](Gru& self, const Flat<float>& shared, const Flat<float>& vectors) {
                self.fill(span_of(shared), span_of(vectors));
            },
            "shared"_a, "vectors"_a)
        .def("pack", &weights_of, "The weights that all tokens share; the vectors.")
        .def(
            "scores",
            [](const Gru& self, const Flat<std::uint32_t>& rows, std::size_t side_by_side) {
                if (side_by_side == 0 || rows.size() % self.sizes.features != 0 ||
                    !std::ranges::all_of(span_of(rows), [&](auto row) { return row < self.sizes.rows; }))
                    throw Error("the tokens do not fit the network");
                std::vector<float> scores;
                GruPass().score_text(self, span_of(rows), side_by_side, scores);
                return flat(std::move(scores));
            },
            "rows"_a, "side_by_side"_a = GruPass::usual_side_by_side, "One number for each token of a text.");
    nb::class_<OwnExamples>(m, "GruTrainer")
        .def(nb::init<const GruSizes&, const Flat<std::uint32_t>&, const Flat<std::uint8_t>&, const Flat<std::uint8_t>&,
                      std::uint64_t>(),
             "sizes"_a, "rows"_a, "is_yes"_a, "is_asked"_a, "seed"_a)
        .def("trained",
             [](OwnExamples& self) {
                 nb::gil_scoped_release release;
                 SignalInterrupt interrupt;
                 return self.trainer.trained();
             })
        .def(
            "gradient",
            [](OwnExamples& self, const std::vector<std::size_t>& begins, std::size_t length) {
                GruTrainer::Slope slope = self.trainer.gradient(begins, length);
                return std::make_tuple(slope.loss, flat(std::move(slope.shared)), flat(std::move(slope.vectors)));
            },
            "begins"_a, "length"_a, "The loss of a token in windows, and its gradient by all weights.")
        .def_prop_ro("network", [](OwnExamples& self) -> Gru& { return self.trainer.network(); });
}

}  // namespace

void bind_networks(nb::module_& m) {
    bind_gru(m);
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
