// Classes of trees for Python: membership, violations, what the table of solvers says of each, and the census.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/solver/census.hpp"
#include "nonproj/solver/class_with_dummy.hpp"
#include "nonproj/solver/membership.hpp"
#include "nonproj/tree/fault.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Heads = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Profiles = nb::ndarray<const std::int32_t, nb::shape<-1, number_of_properties>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> checked(const Heads& heads) {
    const std::span<const std::int32_t> tree(heads.data(), heads.shape(0));
    if (const auto fault = find_fault(tree)) throw Error(describe(*fault, tree));
    return tree;
}

// A class whose test is a Python function of a list of heads.
class PythonClass final : public CustomClass {
  public:
    PythonClass(nb::callable contains, bool is_hereditary)
        : contains_(std::move(contains)), is_hereditary_(is_hereditary) {}
    ~PythonClass() override {
        nb::gil_scoped_acquire acquire;
        contains_.reset();
    }

    bool contains(std::span<const int> heads) const override {
        nb::gil_scoped_acquire acquire;
        nb::list given;
        for (int head : heads) given.append(head);
        return nb::cast<bool>(contains_(given));
    }
    bool is_hereditary() const override { return is_hereditary_; }

  private:
    nb::callable contains_;
    bool is_hereditary_;
};

NumpyArray<std::int8_t, 1> holds(const ClassSolver& solver, const Profiles& profiles) {
    if (solver.has_only_a_test()) throw Error(solver.name() + " is not told by the properties of a tree");
    std::vector<std::int8_t> held(profiles.shape(0));
    for (std::size_t t = 0; t < held.size(); ++t)
        held[t] = static_cast<std::int8_t>(solver.holds(profiles.data() + t * number_of_properties));
    const std::size_t trees = held.size();
    return to_numpy(std::move(held), {trees});
}

const char* name(Reason reason) {
    switch (reason) {
        case Reason::crossing:
            return "crossing";
        case Reason::planes:
            return "planes";
        case Reason::endpoints:
            return "endpoints";
        case Reason::interval:
            return "interval";
        case Reason::gaps:
            return "gaps";
        case Reason::nesting:
            return "nesting";
        case Reason::inheritance:
            return "inheritance";
        case Reason::head_split:
            return "head_split";
        case Reason::obstruction:
            return "obstruction";
        case Reason::whole_tree:
            return "whole_tree";
    }
    return "";
}

using ArcPair = std::pair<int, int>;

std::tuple<const char*, std::vector<ArcPair>, std::vector<int>> violation(const ClassSolver& solver,
                                                                          const Heads& heads) {
    const auto tree = checked(heads);
    if (Membership().settle(tree, solver) != 0) throw Error("the tree is not known to be outside this class");
    const Violation found = solver.violation(tree);
    std::vector<ArcPair> arcs;
    for (const Arc& a : found.arcs) arcs.emplace_back(a.head, a.dependent);
    return {name(found.reason), arcs, found.words};
}

using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Reasons = std::vector<const char*>;

// For every tree the reason, how many arcs it takes, and the dependents of all these arcs one after the other. A tree
// that is not outside has no reason and no arcs.
std::tuple<Reasons, NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> violations(const ClassSolver& solver,
                                                                                         const Heads& heads,
                                                                                         const Offsets& offsets,
                                                                                         int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    if (at.empty() || at.front() != 0 || at.back() != static_cast<std::int64_t>(heads.shape(0)) ||
        !std::is_sorted(at.begin(), at.end()))
        throw Error("offsets must rise from 0 to the number of heads");
    const std::size_t trees = at.size() - 1;
    Reasons reasons(trees, "");
    std::vector<std::vector<std::int32_t>> found(trees);
    std::vector<std::int32_t> sizes(trees), dependents;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        parallel_for(trees, threads, [&](std::size_t t) {
            thread_local Membership membership;
            Interrupt::check();
            const std::span<const std::int32_t> tree(heads.data() + at[t], heads.data() + at[t + 1]);
            if (const auto fault = find_fault(tree))
                throw Error("tree " + std::to_string(t) + ": " + describe(*fault, tree));
            if (membership.settle(tree, solver) != 0) return;
            const Violation violation = solver.violation(tree);
            reasons[t] = name(violation.reason);
            for (const Arc& a : violation.arcs) found[t].push_back(a.dependent);
        });
        for (std::size_t t = 0; t < trees; ++t) {
            sizes[t] = static_cast<std::int32_t>(found[t].size());
            dependents.insert(dependents.end(), found[t].begin(), found[t].end());
        }
    }
    const std::size_t arcs = dependents.size();
    return {std::move(reasons), to_numpy(std::move(sizes), {trees}), to_numpy(std::move(dependents), {arcs})};
}

using Counts = std::vector<std::int64_t>;

std::pair<Counts, Counts> count_trees(int words, const std::vector<ClassSolver>& classes, std::int64_t begin,
                                      std::int64_t end, bool only_single_root, bool by_nesting) {
    CensusCounts counts;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        counts = census(words, classes, begin, end, only_single_root, by_nesting);
    }
    return {counts.all, counts.single_root};
}

std::pair<Counts, std::vector<std::vector<int>>> count_pairs(int words, const std::vector<ClassSolver>& classes,
                                                             std::int64_t begin, std::int64_t end,
                                                             bool only_single_root) {
    PairCounts counts;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        counts = census_of_pairs(words, classes, begin, end, only_single_root);
    }
    return {std::move(counts.trees), std::move(counts.examples)};
}

}  // namespace

void bind_classes(nb::module_& m) {
    m.attr("UNBOUNDED") = ClassRule::unbounded;
    m.attr("MAX_CENSUS_WORDS") = max_census_words;

    nb::enum_<Family>(m, "Family")
        .value("spanning", Family::spanning)
        .value("projective", Family::projective)
        .value("planar", Family::planar)
        .value("one_endpoint_crossing", Family::one_endpoint_crossing)
        .value("crossing_interval", Family::crossing_interval)
        .value("well_nested", Family::well_nested)
        .value("mildly_ill_nested", Family::mildly_ill_nested)
        .value("multi_headed", Family::multi_headed)
        .value("attardi", Family::attardi)
        .value("attardi_variant", Family::attardi_variant)
        .value("drop_distance", Family::drop_distance);
    nb::class_<ClassSolver>(m, "ClassSolver", "What a class of trees offers: its row in the table of solvers.")
        .def(
            "__init__",
            [](ClassSolver* self, std::string name, Family family, int k, int inheritance, bool head_split) {
                new (self) ClassSolver(std::move(name), ClassRule{family, k, inheritance, head_split});
            },
            "name"_a, "family"_a, "k"_a = 0, "inheritance"_a = ClassRule::unbounded, "head_split"_a = false)
        .def_static(
            "custom",
            [](std::string name, nb::callable contains, bool is_hereditary) {
                return ClassSolver(std::move(name), std::make_shared<PythonClass>(std::move(contains), is_hereditary));
            },
            "name"_a, "contains"_a, "is_hereditary"_a,
            nb::sig("def custom(name: str, contains: collections.abc.Callable[[list[int]], bool], is_hereditary: bool) "
                    "-> ClassSolver"),
            "A class whose test is a function of a list of heads.")
        .def_static(
            "with_dummy",
            [](std::string name, Family family, int k, Dummy dummy) {
                return ClassSolver(name, std::make_shared<ClassWithDummy>(name, family, k, dummy));
            },
            "name"_a, "family"_a, "k"_a, "dummy"_a, "A class where the dummy root is not on the left.")
        .def_prop_ro("name", &ClassSolver::name)
        .def_prop_ro("needs", &ClassSolver::needs, "The properties that decide membership, as bits")
        .def_prop_ro("has_only_a_test", &ClassSolver::has_only_a_test, "Whether properties do not decide membership")
        .def("holds", &holds, "profiles"_a, "1 inside, 0 outside, -1 not settled, for each row of a profile")
        .def(
            "contains",
            [](const ClassSolver& solver, const Heads& heads, Dummy dummy) {
                const auto [family, k] = std::pair(solver.rule().family, solver.rule().k);
                if (dummy == Dummy::right && family == Family::attardi_variant)
                    return ClassWithDummy(solver.name(), family, k, dummy).contains(checked(heads)) ? 1 : 0;
                return Membership().settle(checked(heads), solver);
            },
            "heads"_a, "dummy"_a = Dummy::left,
            "1 inside, 0 outside, -1 not settled; a class that only a test tells can have its dummy on the right")
        .def(
            "is_known_within",
            [](const ClassSolver& solver, const ClassSolver& other) {
                return is_known_within(solver.rule(), other.rule());
            },
            "other"_a, "Whether every tree of this class is known to be in the other")
        .def("violation", &violation, "heads"_a, "(reason, arcs, words): why a tree is outside")
        .def(
            "violations", &violations, "heads"_a, "offsets"_a, "threads"_a,
            "(reasons, numbers of arcs, their dependents): why each of many trees is outside; nothing for those inside")
        .def_prop_ro(
            "chart",
            [](const ClassSolver& solver) { return solver.chart() != nullptr ? solver.chart()->name : nullptr; },
            nb::sig("def chart(self) -> str | None"), "The name of the chart of the class, or None")
        .def_prop_ro(
            "has_sums", [](const ClassSolver& solver) { return solver.sums() != nullptr; },
            "Whether there are sums over the trees of the class")
        .def_prop_ro(
            "parts",
            [](const ClassSolver& solver) {
                const PartsChart* chart = solver.row().parts_chart;
                std::vector<std::string> parts;
                if (chart != nullptr) parts.push_back("grandparents");
                if (chart != nullptr && chart->takes_siblings) parts.push_back("siblings");
                return parts;
            },
            "The larger parts that the class has a chart for")
        .def(
            "chart_bytes",
            [](const ClassSolver& solver, int words) {
                if (words < 0 || words > 100000) throw Error("no chart for " + std::to_string(words) + " words");
                return solver.chart() != nullptr ? solver.chart()->bytes(words, solver.rule().k) : 0;
            },
            "words"_a, "About how much memory the chart takes");
    m.def("number_of_trees", &number_of_trees, "words"_a);
    m.def("census", &count_trees, "words"_a, "classes"_a, "begin"_a, "end"_a, "only_single_root"_a, "by_nesting"_a,
          "How many of a range of trees each class holds: all, and those with a single root");
    m.def("census_of_pairs", &count_pairs, "words"_a, "classes"_a, "begin"_a, "end"_a, "only_single_root"_a,
          "How many of a range of trees are in one class and not in another, for each pair, and the first of them");
}
