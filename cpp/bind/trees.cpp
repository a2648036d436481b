// Trees and their properties for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <memory>

#include "nonproj/classes/crossings.hpp"
#include "nonproj/classes/dummy.hpp"
#include "nonproj/classes/planes.hpp"
#include "nonproj/classes/profile.hpp"
#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/tree/core.hpp"
#include "nonproj/tree/fault.hpp"
#include "nonproj/tree/random_tree.hpp"
#include "support/casters.hpp"
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
NumpyArray<std::int32_t, 2> profile(const Heads& heads, const Offsets& offsets, PropertySet wanted, int threads,
                                    Dummy dummy) {
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
                const Profile row = measure_with_dummy(profiler, tree, wanted, dummy);
                std::copy(row.begin(), row.end(), table.begin() + t * number_of_properties);
            }
        });
    }
    return to_numpy<2>(std::move(table), {trees, number_of_properties});
}

void check_trees(std::span<const std::int32_t> heads, std::span<const std::int64_t> at) {
    check_offsets(at, heads.size());
    for (std::size_t t = 0; t + 1 < at.size(); ++t) {
        const auto tree = heads.subspan(at[t], at[t + 1] - at[t]);
        if (const auto fault = find_fault(tree))
            throw Error("tree " + std::to_string(t) + ": " + describe(*fault, tree));
    }
}

// Arcs are named by the places of their dependents among all heads.
NumpyArray<std::int64_t, 2> crossings_of_trees(const Heads& heads, const Offsets& offsets, int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    check_trees(span_of(heads), at);
    const std::size_t trees = at.size() - 1;
    constexpr std::size_t portion = 256;
    std::vector<std::vector<std::int64_t>> found((trees + portion - 1) / portion);
    std::vector<std::int64_t> all;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        parallel_for(found.size(), threads, [&](std::size_t i) {
            thread_local Core core;
            Interrupt::check();
            for (std::size_t t = i * portion; t < std::min(trees, (i + 1) * portion); ++t) {
                core.assign(span_of(heads).subspan(at[t], at[t + 1] - at[t]));
                for (const auto& [a, b] : crossing_pairs(core.tree())) {
                    found[i].push_back(at[t] + core.word(a.dependent) - 1);
                    found[i].push_back(at[t] + core.word(b.dependent) - 1);
                }
            }
        });
        for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    }
    const std::size_t pairs = all.size() / 2;
    return to_numpy<2>(std::move(all), {pairs, 2});
}

// Each time with a generator of its own, so that the number of threads changes nothing.
template <class Draw>
NumpyArray<std::int32_t, 2> drawn(std::size_t times, std::size_t words, std::uint64_t seed, int threads, Draw draw) {
    if (words > 0 && times > (std::size_t{1} << 40) / words) throw Error("so many trees do not fit in memory");
    std::unique_ptr<std::int32_t[]> heads(new std::int32_t[times * words]);
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        parallel_for(times, threads, [&](std::size_t i) {
            Interrupt::check();
            RandomTree random(seed + i);
            draw(random, std::span(heads.get() + i * words, words));
        });
    }
    return to_numpy<2>(std::move(heads), {times, words});
}

NumpyArray<std::int32_t, 2> shuffled_trees(const Heads& heads, const Offsets& offsets, std::size_t times,
                                           std::uint64_t seed, int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    check_trees(span_of(heads), at);
    return drawn(times, heads.shape(0), seed, threads, [&](RandomTree& random, std::span<std::int32_t> out) {
        for (std::size_t t = 0; t + 1 < at.size(); ++t) {
            const std::size_t words = at[t + 1] - at[t];
            random.shuffle(span_of(heads).subspan(at[t], words), out.subspan(at[t], words));
        }
    });
}

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

NumpyArray<std::int32_t, 2> random_trees(const Offsets& offsets, const Flags& single_root, std::size_t times,
                                         std::uint64_t seed, int threads) {
    const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
    if (at.empty() || at.back() < 0 || single_root.shape(0) + 1 != at.size())
        throw Error("there must be a flag for every tree");
    check_offsets(at, at.back());
    return drawn(times, at.back(), seed, threads, [&](RandomTree& random, std::span<std::int32_t> out) {
        for (std::size_t t = 0; t + 1 < at.size(); ++t)
            random.draw(single_root.data()[t], out.subspan(at[t], at[t + 1] - at[t]));
    });
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
    nb::enum_<Dummy>(m, "Dummy").value("left", Dummy::left).value("right", Dummy::right).value("none", Dummy::none);
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
    m.def("profile", &profile, "heads"_a, "offsets"_a, "wanted"_a, "threads"_a, "dummy"_a = Dummy::left,
          "The properties of every tree, one row each");
    m.def("crossing_arcs", &crossing_arcs, "heads"_a, "Pairs of arcs (head, dependent) that cross");
    m.def("crossings_of_trees", &crossings_of_trees, "heads"_a, "offsets"_a, "threads"_a,
          "Pairs of arcs that cross, each the place of its dependent among all heads");
    m.def("shuffled_trees", &shuffled_trees, "heads"_a, "offsets"_a, "times"_a, "seed"_a, "threads"_a,
          "The heads of all trees with their words in other orders, one row a time");
    m.def("random_trees", &random_trees, "offsets"_a, "single_root"_a, "times"_a, "seed"_a, "threads"_a,
          "Heads of trees drawn uniformly from all of these sizes, or from those with one root, one row a time");
    m.def("planes", &plane_of_words, "heads"_a, "The plane of the arc into each word, -1 for the dummy's");
}
