// Transition systems for Python.
#include "transition.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "nonproj/error.hpp"
#include "nonproj/transition/derivations.hpp"
#include "nonproj/transition/projective_order.hpp"
#include "nonproj/transition/registry.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Column = std::tuple<std::string, int, std::vector<int>, int>;

template <class Value, class Array>
std::span<const Value> span_of(const Array& values) {
    return {values.data(), values.shape(0)};
}
std::span<const std::int32_t> numbers(const Integers& values) { return span_of<std::int32_t>(values); }

NumpyArray<std::int32_t, 1> flat(std::vector<std::int32_t>&& values) {
    const std::size_t size = values.size();
    return to_numpy(std::move(values), {size});
}

// A configuration that never changes, and the system that can read it.
struct ConfigurationHandle {
    std::shared_ptr<const AnySystem> system;
    std::shared_ptr<const AnyConfiguration> configuration;

    int words() const { return static_cast<int>(system->heads(*configuration).size()) - 1; }
};

const AnyConfiguration& own(const SystemHandle& self, const ConfigurationHandle& c) {
    if (c.system != self.system) throw Error("the configuration belongs to another system");
    return *c.configuration;
}
std::optional<std::string> objection(const SystemHandle& self, const ConfigurationHandle& c, int transition) {
    const AnyConfiguration& configuration = own(self, c);
    if (transition < 0 || transition >= self.system->transitions(c.words())) return "there is no such transition";
    const char* why = self.system->objection(configuration, transition);
    return why == nullptr ? std::nullopt : std::optional<std::string>(why);
}
const AnyConfiguration& legal_in(const SystemHandle& self, const ConfigurationHandle& c, int transition) {
    if (const auto why = objection(self, c, transition)) throw Error("the transition is not legal: " + *why);
    return *c.configuration;
}

std::vector<std::string> names(const SystemHandle& self, int words) {
    std::vector<std::string> found;
    for (int t = 0; t < self.system->transitions(checked_derivation_words(words)); ++t)
        found.push_back(self.system->name(t));
    return found;
}
ConfigurationHandle initial(const SystemHandle& self, int words) {
    auto made = self.system->make_configuration();
    self.system->start(*made, checked_derivation_words(words));
    return {self.system, std::move(made)};
}
ConfigurationHandle apply(const SystemHandle& self, const ConfigurationHandle& c, int transition) {
    auto made = self.system->make_configuration();
    self.system->copy(legal_in(self, c, transition), *made);
    self.system->apply(*made, transition);
    return {self.system, std::move(made)};
}
std::vector<Column> columns(const SystemHandle& self, const ConfigurationHandle& c) {
    std::vector<Column> shown;
    for (const TraceColumn& column : self.system->columns(own(self, c)))
        shown.emplace_back(column.name, static_cast<int>(column.kind), column.values, column.marked);
    return shown;
}
std::vector<int> legal(const SystemHandle& self, const ConfigurationHandle& c) {
    const AnyConfiguration& configuration = own(self, c);
    std::vector<int> found;
    for (int t = 0; t < self.system->transitions(c.words()); ++t)
        if (self.system->objection(configuration, t) == nullptr) found.push_back(t);
    return found;
}
int cost(const SystemHandle& self, const ConfigurationHandle& c, int transition, const Integers& heads) {
    const AnyConfiguration& configuration = legal_in(self, c, transition);
    const Tree tree = checked_tree(numbers(heads));
    if (tree.words() != c.words()) throw Error("the tree and the configuration have different numbers of words");
    return self.system->cost(configuration, transition, tree);
}

std::optional<NumpyArray<std::int32_t, 1>> oracle(const SystemHandle& self, const Integers& heads) {
    std::vector<int> sequence;
    bool is_derived = false;
    {
        nb::gil_scoped_release release;
        is_derived = find_sequence(*self.system, numbers(heads), sequence);
    }
    return is_derived ? std::optional(flat(std::move(sequence))) : std::nullopt;
}
std::vector<int> attempt(const SystemHandle& self, const Integers& heads) {
    std::vector<int> sequence;
    if (find_sequence(*self.system, numbers(heads), sequence)) return sequence;
    // An oracle may notice late that it has lost its way.
    const auto c = self.system->make_configuration();
    self.system->start(*c, static_cast<int>(heads.shape(0)));
    for (std::size_t step = 0; step < sequence.size(); ++step) {
        if (self.system->objection(*c, sequence[step]) != nullptr) {
            sequence.resize(step);
            break;
        }
        self.system->apply(*c, sequence[step]);
    }
    return sequence;
}
std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> derive(const SystemHandle& self,
                                                                           const Integers& sequence, int words,
                                                                           bool may_end_early) {
    Derivation derivation;
    checked_derivation_words(words);
    {
        nb::gil_scoped_release release;
        derivation = self.system->derive(numbers(sequence), words, may_end_early);
    }
    return {flat(std::move(derivation.heads)), flat(std::move(derivation.dependents))};
}
std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> oracle_batch(const SystemHandle& self,
                                                                                 const Integers& heads,
                                                                                 const Offsets& offsets, int threads) {
    Sequences found;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        found = find_sequences(*self.system, numbers(heads), span_of<std::int64_t>(offsets), threads);
    }
    return {flat(std::move(found.transitions)), flat(std::move(found.lengths))};
}
NumpyArray<std::int32_t, 1> derive_batch(const SystemHandle& self, const Integers& sequences, const Integers& lengths,
                                         const Offsets& offsets, int threads) {
    std::vector<std::int32_t> heads;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        heads = derive_all(*self.system, numbers(sequences), numbers(lengths), span_of<std::int64_t>(offsets), threads);
    }
    return flat(std::move(heads));
}

std::pair<std::vector<int>, std::int64_t> order_and_inversions(const Integers& heads) {
    std::vector<int> order = projective_order(checked_tree(numbers(heads)));
    const std::int64_t found = inversions(order);
    order.erase(order.begin());
    return {order, found};
}

void bind_registry(nb::module_& m) {
    nb::class_<SystemRow>(m, "SystemRow")
        .def_ro("key", &SystemRow::key)
        .def_prop_ro("oracles", &SystemRow::oracle_list, "Where there are several; the first is the default.")
        .def_ro("has_arcs", &SystemRow::has_arcs)
        .def_ro("has_cost", &SystemRow::has_cost)
        .def_prop_ro(
            "example", [](const SystemRow& self) { return self.numbers.example; },
            "The number that stands for the family in lists; 0 where there is none.")
        .def("name", &SystemRow::name, "number"_a)
        .def("class_name", &SystemRow::class_name, "number"_a, "The class of the trees that it derives.")
        .def(
            "make",
            [](const SystemRow& self, int number, const std::string& oracle, bool single_root) {
                return SystemHandle{self.make(number, oracle, single_root)};
            },
            "number"_a, "oracle"_a, "single_root"_a);
    m.def(
        "transition_systems",
        [] {
            const auto rows = transition_systems();
            return std::vector<SystemRow>(rows.begin(), rows.end());
        },
        "One row a system, or a family of them with a number.");
    m.def(
        "find_system",
        [](const std::string& name) {
            const NamedSystem found = find_system(name);
            return std::make_pair(found.row.key, found.number);
        },
        "name"_a, "(key of the row, number)");
    m.attr("MAX_SYSTEM_NUMBER") = max_system_number;
}

}  // namespace

void bind_transition(nb::module_& m) {
    nb::class_<ConfigurationHandle>(m, "Configuration");
    nb::class_<SystemHandle>(m, "TransitionSystem")
        .def("names", &names, "words"_a, "The names of the transitions, by number")
        .def("initial", &initial, "words"_a)
        .def("legal", &legal, "configuration"_a)
        .def("objection", &objection, "configuration"_a, "transition"_a, "Why it is not legal, or None")
        .def(
            "arc",
            [](const SystemHandle& self, const ConfigurationHandle& c, int transition) {
                const Arc made = self.system->arc(legal_in(self, c, transition), transition);
                return std::make_pair(made.head, made.dependent);
            },
            "configuration"_a, "transition"_a, "(head, dependent); dependent 0 for no arc")
        .def("apply", &apply, "configuration"_a, "transition"_a)
        .def(
            "is_final",
            [](const SystemHandle& self, const ConfigurationHandle& c) { return self.system->is_final(own(self, c)); },
            "configuration"_a)
        .def(
            "heads",
            [](const SystemHandle& self, const ConfigurationHandle& c) { return self.system->heads(own(self, c)); },
            "configuration"_a, "Heads by node, -1 for none yet")
        .def("columns", &columns, "configuration"_a, "(name, kind, values, marked) of each column of a trace")
        .def_prop_ro("has_cost", [](const SystemHandle& self) { return self.system->has_cost(); })
        .def_prop_ro("is_cost_exact", [](const SystemHandle& self) { return self.system->is_cost_exact(); })
        .def("cost", &cost, "configuration"_a, "transition"_a, "heads"_a)
        .def("oracle", &oracle, "heads"_a, "The numbers of the transitions, or None")
        .def("attempt", &attempt, "heads"_a, "The same as far as the oracle knows the way")
        .def(
            "words_of",
            [](const SystemHandle& self, const Integers& sequence) {
                const auto all = numbers(sequence);
                return self.system->words_of({all.begin(), all.end()});
            },
            "sequence"_a)
        .def("derive", &derive, "sequence"_a, "words"_a, "may_end_early"_a = false,
             "(heads, dependent of each transition's arc)")
        .def("oracle_batch", &oracle_batch, "heads"_a, "offsets"_a, "threads"_a)
        .def("derive_batch", &derive_batch, "sequences"_a, "lengths"_a, "offsets"_a, "threads"_a);
    bind_registry(m);
    m.def("projective_order", &order_and_inversions, "heads"_a, "(words in projective order, inversions)");
}
