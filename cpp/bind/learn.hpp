// What the bindings of both kinds of learners share: tables of weights in and out.
#pragma once
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/mira.hpp"
#include "nonproj/learn/parse_block.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/learn/weights.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

void bind_transition_learners(nb::module_& m);
void bind_networks(nb::module_& m);

namespace learn_bindings {

template <class Value>
using Flat = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> span_of(const Flat<Value>& array) {
    return {array.data(), array.size()};
}

template <class Value>
NumpyArray<Value, 1> flat(std::vector<Value>&& values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

template <class Value>
using PackedArrays = std::pair<NumpyArray<std::uint64_t, 1>, NumpyArray<Value, 1>>;

template <class Value>
PackedArrays<Value> packed(std::span<const Value> table) {
    nonproj::learn::Packed<Value> made = nonproj::learn::pack(table);
    return {flat(std::move(made.marks)), flat(std::move(made.values))};
}
template <class Table>
auto values_of(const Table& table) {
    return std::span(table.data(), table.size());
}

// Whoever wrote the values may be a stranger.
template <class Table, class Value>
void fill(Table& table, const Flat<std::uint64_t>& marks, const Flat<Value>& values) {
    table.check(span_of(values));
    nonproj::learn::unpack<Value>(span_of(marks), span_of(values), {table.data(), table.size()});
}

// The state of a table that learns: weights, what the average needs, and the number of steps.
inline auto state_of(const nonproj::learn::AveragedWeights& table) {
    return std::make_pair(std::make_pair(packed(values_of(table.now())), packed(std::span<const double>(table.late()))),
                          table.steps());
}
inline void resume(nonproj::learn::AveragedWeights& table, const Flat<std::uint64_t>& marks, const Flat<float>& values,
                   const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values, std::uint64_t steps) {
    fill(table.now(), marks, values);
    nonproj::learn::unpack<double>(span_of(late_marks), span_of(late_values), table.late());
    table.resume(steps);
}

using ParseArrays = std::tuple<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>, NumpyArray<double, 2>>;

inline NumpyArray<double, 2> array_of(const std::vector<nonproj::learn::Proof>& proofs) {
    std::vector<double> values;
    for (const auto& proof : proofs) values.insert(values.end(), {proof.score, proof.gap, proof.gain});
    return to_numpy<2>(std::move(values), {proofs.size(), 3});
}
inline ParseArrays arrays_of(nonproj::learn::Parses&& parses) {
    return {flat(std::move(parses.heads)), flat(std::move(parses.relations)), array_of(parses.proofs)};
}

// The options of a parser by name, as a dataclass of Python has them.
class Named {
  public:
    using Dict = nb::typed<nb::dict, nb::str, nb::any>;
    explicit Named(const Dict& options) : options_(options) {}

    template <class Value>
    Value get(const char* name) const {
        Value value;
        if (!nb::try_cast(options_[name], value))
            throw nonproj::Error(std::string("another type is needed of ") + name);
        return value;
    }
    nonproj::learn::LearningRule rule() const {
        using nonproj::learn::Algorithm;
        const bool is_mira = get<std::string>("algorithm") == "mira";
        return {is_mira ? Algorithm::mira : Algorithm::perceptron, get<double>("max_step")};
    }
    int relations() const {
        const int relations = get<int>("relations");
        if (relations < 0 || relations > (1 << 12)) throw nonproj::Error("there are 4096 relations at most");
        return relations;
    }

  private:
    nb::dict options_;
};

// What models and trainers of both kinds offer alike.
template <class Model>
void bind_model(nb::class_<Model>& model) {
    using namespace nb::literals;
    model
        .def(
            "fill",
            [](Model& self, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values) {
                fill(self.table(name), marks, values);
            },
            "name"_a, "marks"_a, "values"_a)
        .def(
            "pack", [](Model& self, const std::string& name) { return packed(values_of(self.table(name))); }, "name"_a)
        .def(
            "run",
            [](const Model& self, const nonproj::block::Block& block, const std::vector<std::string>& relations,
               int threads, bool compares) {
                return array_of(without_gil(
                    [&] { return nonproj::learn::parse_block(self, block, relations, threads, compares); }));
            },
            "block"_a, "relations"_a, "threads"_a, "compares"_a,
            "Fill in heads and relations; of all sentences the score of the tree, how far it may be below the best "
            "one, "
            "and how far it is above the one that climbing found, if that was to be compared.");
}

template <class Trainer>
void bind_trainer_state(nb::class_<Trainer>& trainer) {
    using namespace nb::literals;
    trainer.def(
               "state", [](Trainer& self, const std::string& name) { return state_of(self.table(name)); }, "name"_a)
        .def(
            "resume",
            [](Trainer& self, const std::string& name, const Flat<std::uint64_t>& marks, const Flat<float>& values,
               const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values,
               std::uint64_t steps) { resume(self.table(name), marks, values, late_marks, late_values, steps); },
            "name"_a, "marks"_a, "values"_a, "late_marks"_a, "late_values"_a, "steps"_a);
}

}  // namespace learn_bindings
