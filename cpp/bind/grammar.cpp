// Pseudo-projective grammars for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/grammar/chart.hpp"
#include "nonproj/grammar/forest.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::grammar;

namespace {

void check_category(const Machine& machine, int category) {
    if (category < 0 || category >= machine.categories)
        throw Error("no category has the number " + std::to_string(category));
}

using Steps = nb::ndarray<const std::int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A row a step: its state, role, dependent (-1 for the head) and the state after it.
void set_fsm(Machine& machine, int category, const Weights& finals, const Steps& steps, const Weights& weights) {
    check_category(machine, category);
    if (weights.shape(0) != steps.shape(0)) throw Error("each step of a rule-FSM needs its weight");
    RuleFsm fsm{{finals.data(), finals.data() + finals.shape(0)}, {}};
    const int states = static_cast<int>(fsm.finals.size());
    for (std::size_t row = 0; row < steps.shape(0); ++row) {
        const std::int32_t *step = steps.data() + 4 * row, from = step[0], role = step[1], dependent = step[2],
                           to = step[3];
        if (from < 0 || from >= states || to < 0 || to >= states || role < own || role > head)
            throw Error("a step of a rule-FSM goes from state to state with a role");
        if (role != head) check_category(machine, dependent);
        fsm.steps.push_back({from, role, role == head ? -1 : dependent, to, weights.data()[row]});
    }
    std::stable_sort(fsm.steps.begin(), fsm.steps.end(),
                     [](const Step& a, const Step& b) { return a.dependent < b.dependent; });
    machine.fsms[category] = std::move(fsm);
}

void set_lifts(Machine& machine, const std::vector<int>& categories, LiftReader reader) {
    const std::size_t places = reader.follow.size();
    const auto check = [&](const std::vector<int>& named) {
        for (const int place : named)
            if (place < 0 || place >= static_cast<int>(places)) throw Error("a lifting condition has no such place");
    };
    check(reader.first);
    for (const auto& row : reader.follow) check(row);
    if (reader.matches.size() != places || reader.ends.size() != places) throw Error("each place needs its matches");
    for (const auto& row : reader.matches)
        if (static_cast<int>(row.size()) != machine.categories) throw Error("a place matches some of all categories");
    for (const int category : categories) {
        check_category(machine, category);
        machine.reader_of[category] = static_cast<int>(machine.readers.size());
    }
    machine.readers.push_back(std::move(reader));
}

using Found = std::tuple<double, std::vector<int>, std::vector<int>, std::vector<int>>;

Found told(Derivation&& d) { return {d.weight, std::move(d.categories), std::move(d.syntactic), std::move(d.linear)}; }

// A chart with what has been asked of it.
struct Asked {
    Chart chart;
    std::optional<LogSums> sums;
    std::unique_ptr<BestFirst> best;

    const LogSums& log_sums_once() {
        if (!sums) sums = log_sums(chart);
        return *sums;
    }
};

}  // namespace

void bind_grammar(nb::module_& m) {
    nb::class_<Machine>(m, "GrammarMachine")
        .def(nb::init<int>(), "categories"_a)
        .def("set_fsm", &set_fsm, "category"_a, "finals"_a, "steps"_a, "weights"_a)
        .def(
            "set_lifts",
            [](Machine& machine, const std::vector<int>& categories, std::vector<int> first,
               std::vector<std::vector<int>> follow, const std::vector<std::vector<int>>& matches,
               std::vector<double> ends) {
                LiftReader reader{std::move(first), std::move(follow), {}, std::move(ends)};
                for (const auto& matched : matches) {
                    reader.matches.emplace_back(machine.categories, 0);
                    for (const int category : matched) {
                        check_category(machine, category);
                        reader.matches.back()[category] = 1;
                    }
                }
                set_lifts(machine, categories, std::move(reader));
            },
            "categories"_a, "first"_a, "follow"_a, "matches"_a, "ends"_a)
        .def(
            "set_start",
            [](Machine& machine, int category, double weight) {
                check_category(machine, category);
                machine.starts[category] = weight;
            },
            "category"_a, "weight"_a);

    nb::class_<Asked>(m, "GrammarChart")
        .def(
            "__init__",
            [](Asked* self, const Machine& machine, const std::vector<std::vector<std::pair<int, double>>>& words,
               int max_lifts, std::int64_t max_ways, bool counts_lifts, bool is_pruned) {
                std::vector<std::vector<Word>> known(words.size());
                for (std::size_t w = 0; w < words.size(); ++w)
                    for (const auto& [category, weight] : words[w]) {
                        check_category(machine, category);
                        known[w].push_back({category, weight});
                    }
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                new (self)
                    Asked{Chart(machine, std::move(known), {max_lifts, max_ways, counts_lifts, is_pruned}), {}, {}};
            },
            "machine"_a, "words"_a, "max_lifts"_a, "max_ways"_a, "counts_lifts"_a = false, "is_pruned"_a = true,
            nb::keep_alive<1, 2>())
        .def_prop_ro("bound", [](const Asked& self) { return self.chart.bound(); })
        .def_prop_ro("has_lifts", [](const Asked& self) { return self.chart.has_lifts(); })
        .def(
            "fill",
            [](Asked& self, double threshold) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                self.sums.reset();
                self.best.reset();
                return self.chart.fill(threshold);
            },
            "threshold"_a)
        .def_prop_ro("goals", [](const Asked& self) { return self.chart.goals().size(); })
        .def_prop_ro("size",
                     [](const Asked& self) { return std::pair(self.chart.items().size(), self.chart.ways().size()); })
        .def(
            "count",
            [](const Asked& self, std::uint64_t modulus) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                return count(self.chart, modulus);
            },
            "modulus"_a)
        .def_prop_ro("log_sum",
                     [](Asked& self) {
                         nb::gil_scoped_release release;
                         SignalInterrupt interrupt;
                         return self.log_sums_once().total;
                     })
        .def_prop_ro("log_count",
                     [](const Asked& self) {
                         nb::gil_scoped_release release;
                         SignalInterrupt interrupt;
                         return log_sums(self.chart, false).total;
                     })
        .def(
            "sample",
            [](Asked& self, int samples, std::uint64_t seed) {
                std::vector<Found> found;
                {
                    nb::gil_scoped_release release;
                    SignalInterrupt interrupt;
                    if (self.chart.goals().empty()) throw Error("there is no analysis to draw");
                    std::mt19937_64 random(seed);
                    for (int s = 0; s < samples; ++s)
                        found.push_back(told(sample(self.chart, self.log_sums_once(), random)));
                }
                return found;
            },
            "samples"_a, "seed"_a)
        .def(
            "derivation",
            [](Asked& self, int rank) -> std::optional<Found> {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                if (rank < 0) throw Error("ranks begin with 0");
                if (!self.best) self.best = std::make_unique<BestFirst>(self.chart);
                Derivation d;
                if (!self.best->find(rank, d)) return std::nullopt;
                return told(std::move(d));
            },
            "rank"_a)
        .def("items",
             [](const Asked& self) {
                 // Of each: whether it is complete, words, category, the categories being lifted out, whether it is useful.
                 std::vector<std::tuple<bool, int, int, int, std::vector<int>, bool>> found;
                 const auto useful = self.chart.useful();
                 for (int item = 0; item < static_cast<int>(self.chart.items().size()); ++item) {
                     const Item& here = self.chart.items()[item];
                     found.emplace_back(here.is_complete, here.i, here.j,
                                        self.chart.category_of(here.what, here.is_complete), self.chart.lifted(item),
                                        useful[item] != 0);
                 }
                 return found;
             })
        .def(
            "ways",
            [](const Asked& self, int item) {
                // Of each: the parts it is made of, or -1, and its weight.
                std::vector<std::tuple<int, int, double>> found;
                if (item < 0 || item >= static_cast<int>(self.chart.items().size()))
                    throw Error("there is no such item");
                for (std::int64_t w = self.chart.items()[item].ways; w < self.chart.end_of_ways(item); ++w) {
                    const Way& way = self.chart.ways()[w];
                    found.emplace_back(way.before, way.dependent, way.weight);
                }
                return found;
            },
            "item"_a)
        .def("goal_items", [](const Asked& self) {
            std::vector<std::pair<int, double>> found;
            for (const auto& goal : self.chart.goals()) found.emplace_back(goal.item, goal.weight);
            return found;
        });
}
