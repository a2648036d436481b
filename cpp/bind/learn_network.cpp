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
#include "nonproj/learn/network/boundaries.hpp"
#include "nonproj/learn/network/trees.hpp"
#include "support/casters.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

template <class Value>
std::vector<Value> copied(const Flat<Value>& array) {
    return {array.data(), array.data() + array.size()};
}

// What trainers of all heads offer alike.
template <class Trainer>
nb::class_<Trainer> bind_network_trainer(nb::module_& m, const char* name) {
    return nb::class_<Trainer>(m, name)
        .def(
            "learn",
            [](Trainer& self, const Flat<std::int64_t>& examples, float rate) {
                return without_gil([&] { return self.learn(span_of(examples), rate); });
            },
            "examples"_a, "rate"_a, "One step by these examples; the sum of their losses.")
        .def(
            "gradient",
            [](Trainer& self, const Flat<std::int64_t>& examples) {
                typename Trainer::Gradient gradient = self.gradient(span_of(examples));
                return std::make_tuple(gradient.loss, flat(std::move(gradient.shared)),
                                       flat(std::move(gradient.embeddings)));
            },
            "examples"_a, "The sum of the losses of examples, and its gradient by all weights.")
        .def_prop_ro("network", [](Trainer& self) -> auto& { return self.network(); });
}

void bind_boundary_networks(nb::module_& m) {
    nb::class_<BoundarySizes>(m, "BoundarySizes")
        .def(nb::init<int, int, int, std::size_t>(), "embedding"_a, "hidden"_a, "features"_a, "rows"_a);
    nb::class_<BoundaryNetwork>(m, "BoundaryNetwork")
        .def(nb::init<const BoundarySizes&>(), "sizes"_a)
        .def(
            "fill",
            [](BoundaryNetwork& self, const Flat<float>& shared, const Flat<float>& embeddings) {
                set_weights(span_of(shared), self.shared);
                set_weights(span_of(embeddings), self.embeddings);
            },
            "shared"_a, "embeddings"_a)
        .def(
            "pack",
            [](const BoundaryNetwork& self) {
                return std::make_pair(flat(std::vector<float>(self.shared)),
                                      flat(std::vector<float>(self.embeddings.begin(), self.embeddings.end())));
            },
            "The weights that all tokens share; the embeddings.")
        .def(
            "scores",
            [](const BoundaryNetwork& self, const Flat<std::uint32_t>& rows, std::size_t side_by_side) {
                if (side_by_side == 0 || rows.size() % self.sizes.features != 0 ||
                    !std::ranges::all_of(span_of(rows), [&](auto row) { return row < self.sizes.rows; }))
                    throw Error("the tokens do not fit the network");
                BoundaryPass pass;
                const std::span<const float> scores = pass.read(self, span_of(rows), side_by_side);
                return flat(std::vector<float>(scores.begin(), scores.end()));
            },
            "rows"_a, "side_by_side"_a = BoundaryPass::usual_side_by_side, "One number for each token of a text.");
    bind_network_trainer<BoundaryTrainer>(m, "BoundaryTrainer")
        .def(
            "__init__",
            [](BoundaryTrainer* self, const BoundarySizes& sizes, const Flat<std::uint32_t>& rows,
               const Flat<std::uint8_t>& is_yes, const Flat<std::uint8_t>& is_asked, std::uint64_t seed) {
                BoundaryText text{copied(rows), copied(is_yes), copied(is_asked)};
                new (self) BoundaryTrainer(sizes, {sizes, std::move(text), seed}, seed);
            },
            "sizes"_a, "rows"_a, "is_yes"_a, "is_asked"_a, "seed"_a)
        .def_prop_ro("tokens", [](BoundaryTrainer& self) { return self.examples().tokens(); })
        .def(
            "windows", [](BoundaryTrainer& self) { return flat(self.examples().draw_windows()); },
            "The examples of an epoch: windows of the text, each named by the token where it begins.")
        .def("averaged", &BoundaryTrainer::averaged, "The network with the moving average of its weights.");
}

void bind_tree_networks(nb::module_& m) {
    nb::class_<TreeSizes>(m, "TreeSizes")
        .def(nb::init<int, int, int, int, int, int, int>(), "word"_a, "hidden"_a, "layers"_a, "arc"_a, "relation"_a,
             "relations"_a, "bits"_a);
    nb::class_<TreeNetwork>(m, "TreeNetwork")
        .def(nb::init<const TreeSizes&>(), "sizes"_a)
        .def(
            "fill",
            [](TreeNetwork& self, const Flat<float>& shared, const Flat<std::uint64_t>& marks,
               const Flat<float>& values) {
                set_weights(span_of(shared), self.shared);
                check_weights(span_of(values));
                unpack<float>(span_of(marks), span_of(values), self.embeddings);
            },
            "shared"_a, "marks"_a, "values"_a)
        .def(
            "pack",
            [](const TreeNetwork& self) {
                return std::make_pair(flat(std::vector<float>(self.shared)), packed(values_of(self.embeddings)));
            },
            "The weights that all words share; the table of embeddings.")
        .def(
            "log_chances",
            [](const TreeNetwork& self, const Corpus& corpus, std::size_t sentence) {
                const Corpus::Sentence read = corpus[sentence];
                TreePass pass;
                pass.read(self, {&read, 1}, read.size());
                const auto table = pass.log_chances(self, 0);
                const std::size_t width = read.words.size() + 1;
                return to_numpy<2>(std::vector<double>(table.begin(), table.end()), {width, width});
            },
            "corpus"_a, "sentence"_a, "Logarithms of the chances of the arcs of a sentence.");
    bind_network_trainer<TreeTrainer>(m, "TreeTrainer")
        .def(
            "__init__",
            [](TreeTrainer* self, const TreeSizes& sizes, const Corpus& corpus, std::uint64_t seed) {
                new (self) TreeTrainer(sizes, {corpus, sizes}, seed);
            },
            nb::keep_alive<1, 3>(), "sizes"_a, "corpus"_a, "seed"_a)
        .def(
            "memory",
            [](TreeTrainer& self, const std::string& name) {
                return packed(std::span<const float>(self.memory(name)));
            },
            "name"_a)
        .def(
            "remember",
            [](TreeTrainer& self, const std::string& name, const Flat<std::uint64_t>& marks,
               const Flat<float>& values) { unpack<float>(span_of(marks), span_of(values), self.memory(name)); },
            "name"_a, "marks"_a, "values"_a)
        .def_prop_ro("steps", &TreeTrainer::steps)
        .def("resume", &TreeTrainer::resume, "steps"_a);
}

}  // namespace

void bind_networks(nb::module_& m) {
    bind_boundary_networks(m);
    bind_tree_networks(m);
}
