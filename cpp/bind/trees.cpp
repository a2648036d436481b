// Trees and their properties for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "nonproj/classes/crossings.hpp"
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/profile.hpp"
#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/tree/core.hpp"
#include "nonproj/tree/fault.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Heads = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> span_of(const Heads& heads) { return {heads.data(), heads.shape(0)}; }

void check(std::span<const std::int32_t> heads) {
    if (const auto fault = find_fault(heads)) throw Error(describe(*fault, heads));
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t words) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(words) ||
        !std::is_sorted(offsets.begin(), offsets.end()))
        throw Error("offsets must rise from 0 to the number of heads");
}

// Trees are handed out in small portions, since one tangled sentence can outweigh a thousand others.
NumpyArray<std::int32_t, 2> profile(const Heads& heads, const Offsets& offsets, PropertySet wanted, int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    check_offsets(at, heads.shape(0));
    const std::size_t trees = at.size() - 1;
    std::vector<std::int32_t> table(trees * number_of_properties);
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        constexpr std::size_t portion = 64;
        parallel_for((trees + portion - 1) / portion, threads, [&](std::size_t i) {
            thread_local Profiler profiler;
            Interrupt::check();
            for (std::size_t t = i * portion; t < std::min(trees, (i + 1) * portion); ++t) {
                const std::span<const std::int32_t> tree(heads.data() + at[t], heads.data() + at[t + 1]);
                if (const auto fault = find_fault(tree))
                    throw Error("tree " + std::to_string(t) + ": " + describe(*fault, tree));
                const Profile row = profiler.measure(tree, wanted);
                std::copy(row.begin(), row.end(), table.begin() + t * number_of_properties);
            }
        });
    }
    return to_numpy<2>(std::move(table), {trees, number_of_properties});
}

using ArcPair = std::pair<int, int>;
ArcPair pair_of(const Arc& a) { return {a.head, a.dependent}; }

std::vector<std::pair<ArcPair, ArcPair>> crossing_arcs(const Heads& heads) {
    check(span_of(heads));
    Core core;
    core.assign(span_of(heads));
    std::vector<std::pair<ArcPair, ArcPair>> pairs;
    for (const auto& [a, b] : crossing_pairs(core.tree()))
        pairs.emplace_back(pair_of(core.arc(a.dependent)), pair_of(core.arc(b.dependent)));
    return pairs;
}

std::vector<int> plane_of_words(const Heads& heads) {
    check(span_of(heads));
    return planes_of_words(span_of(heads));
}

}  // namespace

void bind_trees(nb::module_& m) {
    m.attr("MAX_CORE_WORDS") = Profiler::max_core_words;
    m.def(
        "heads_fault",
        [](const Heads& heads) -> std::optional<std::string> {
            const auto fault = find_fault(span_of(heads));
            if (!fault) return std::nullopt;
            return describe(*fault, span_of(heads));
        },
        "heads"_a, "Why the heads do not form a tree, or None");
    m.def("property_names", [] { return std::vector<std::string>(property_names.begin(), property_names.end()); });
    m.def("profile", &profile, "heads"_a, "offsets"_a, "wanted"_a, "threads"_a,
          "The properties of every tree, one row each");
    m.def("crossing_arcs", &crossing_arcs, "heads"_a, "Pairs of arcs (head, dependent) that cross");
    m.def("planes", &plane_of_words, "heads"_a, "The plane of the arc into each word, -1 for the dummy's");
}
