// Decoders for Python: any class, one sentence or many.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/decode/base/score_table.hpp"
#include "nonproj/decode/parts/decode_parts.hpp"
#include "nonproj/decode/search/table_decoder.hpp"
#include "nonproj/decode/well_nested/well_nested.hpp"
#include "nonproj/solver/grades.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"
#include "support/score_array.hpp"
#include "support/score_buffer.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Mask = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Arcs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

using Decoded = LabelledOutcome;

// The arcs as the caller gave them, kept alive for as long as a decoder reads them.
class GivenArcs {
  public:
    GivenArcs(const std::optional<Mask>& mask, const std::optional<Arcs>& required,
              const std::optional<Arcs>& forbidden)
        : mask_(mask), required_(arcs_of(required)), forbidden_(arcs_of(forbidden)) {}

    ArcOptions for_words(int words) const {
        const std::size_t width = static_cast<std::size_t>(words) + 1;
        if (mask_ && (mask_->shape(0) != width || mask_->shape(1) != width))
            throw Error("mask must have the shape (" + std::to_string(width) + ", " + std::to_string(width) +
                        ") of the scores, not (" + std::to_string(mask_->shape(0)) + ", " +
                        std::to_string(mask_->shape(1)) + ")");
        return {mask_ ? mask_->data() : nullptr, required_, forbidden_};
    }

  private:
    static std::vector<Arc> arcs_of(const std::optional<Arcs>& pairs) {
        std::vector<Arc> arcs;
        for (std::size_t i = 0; pairs && i < pairs->shape(0); ++i)
            arcs.push_back({pairs->data()[2 * i], pairs->data()[2 * i + 1]});
        return arcs;
    }

    std::optional<Mask> mask_;
    std::vector<Arc> required_, forbidden_;
};

ScoredSentence scored(const ScoreBuffer& sentence) {
    return {sentence.values<void>(), sentence.is_double(), sentence.words(), sentence.labels()};
}

// The scores, checked; a copy of them with -inf where a mask forbids.
template <class Real>
nb::object allowed(nb::handle given, const ScoreBuffer& sentence, const ArcOptions& arcs) {
    ScoreTable<Real> table;
    const auto& scores = table.read(sentence.values<Real>(), sentence.words(), 1, arcs);
    table.require_heads();
    if (!arcs.any()) return nb::borrow(given);
    const std::size_t width = static_cast<std::size_t>(sentence.words()) + 1;
    return nb::cast(to_numpy<2>(std::vector<Real>(scores.data(), scores.data() + width * width), {width, width}));
}

nb::object allowed_scores(nb::handle scores, const std::optional<Mask>& mask, const std::optional<Arcs>& required,
                          const std::optional<Arcs>& forbidden) {
    const ScoreBuffer sentence(scores);
    if (sentence.labels() > 0) throw Error("scores must have the shape (n + 1, n + 1)");
    const GivenArcs given(mask, required, forbidden);
    const ArcOptions arcs = given.for_words(sentence.words());
    return sentence.is_double() ? allowed<double>(scores, sentence, arcs) : allowed<float>(scores, sentence, arcs);
}

// An instance of `kind`, the class that Python derives from Decoded.
nb::object instance(nb::handle kind, Decoded&& decoded) {
    nb::object made = nb::inst_alloc(kind);
    new (nb::inst_ptr<Decoded>(made)) Decoded(std::move(decoded));
    nb::inst_mark_ready(made);
    return made;
}
nb::list instances(nb::handle kind, std::vector<Decoded> decoded) {
    nb::list made;
    for (Decoded& each : decoded) made.append(instance(kind, std::move(each)));
    return made;
}

// Whether decoding takes less time than another thread needs to wake: then the GIL is kept.
bool is_done_at_once(const ScoreBuffer& sentence, const DecodeOptions& options) {
    return options.grades == nullptr && options.solver.holds_every_tree() && sentence.words() <= 16 &&
           sentence.labels() <= 16;
}

using Kind = nb::type_object_t<Decoded>;

nb::object decode(const Kind& kind, nb::handle scores, const DecodeOptions& options, const std::optional<Mask>& mask,
                  const std::optional<Arcs>& required, const std::optional<Arcs>& forbidden) {
    const ScoreBuffer sentence(scores);
    const GivenArcs given(mask, required, forbidden);
    const ArcOptions arcs = given.for_words(sentence.words());
    if (is_done_at_once(sentence, options)) return instance(kind, decode_table(scored(sentence), arcs, options));
    return instance(kind, without_gil([&] { return decode_table(scored(sentence), arcs, options); }));
}

nb::list k_best(const Kind& kind, nb::handle scores, std::size_t count, const DecodeOptions& options,
                const std::optional<Mask>& mask, const std::optional<Arcs>& required,
                const std::optional<Arcs>& forbidden) {
    const ScoreBuffer sentence(scores);
    const GivenArcs given(mask, required, forbidden);
    const ArcOptions arcs = given.for_words(sentence.words());
    return instances(kind, without_gil([&] { return k_best_of_table(scored(sentence), count, arcs, options); }));
}

nb::list decode_batch(const Kind& kind, const nb::list& tables, const DecodeOptions& options, int threads) {
    std::vector<ScoreBuffer> sentences;
    sentences.reserve(tables.size());
    for (const nb::handle table : tables) {
        try {
            sentences.emplace_back(table);
        } catch (const Error& error) {
            throw Error("sentence " + std::to_string(sentences.size()) + ": " + error.what());
        }
    }
    std::vector<ScoredSentence> scored_sentences;
    for (const ScoreBuffer& sentence : sentences) scored_sentences.push_back(scored(sentence));
    return instances(kind, without_gil([&] { return decode_tables(scored_sentences, options, threads); }));
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

using Places = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr int max_words_with_parts = 4095;

std::size_t side_of(const PartList& parts) { return static_cast<std::size_t>(parts.words()) + 1; }
[[noreturn]] void refuse_parts(const std::string& name) { throw Error("there are no parts " + name); }

void make_part_list(PartList* self, const Table& arcs) {
    const auto words = static_cast<std::int64_t>(arcs.shape(0)) - 1;
    if (words < 1 || words > max_words_with_parts)
        throw Error("larger parts are for 1 to " + std::to_string(max_words_with_parts) + " words, not for " +
                    std::to_string(words));
    if (arcs.shape(1) != arcs.shape(0))
        throw Error("scores must have the shape (n + 1, n + 1) for " + std::to_string(words) + " words");
    new (self) PartList({arcs.data(), static_cast<int>(words)});
}
void set_table(PartList& self, const std::string& name, const Cube& table) {
    for (int axis = 0; axis < 3; ++axis)
        if (table.shape(axis) != side_of(self)) throw Error(name + " must have the shape (n + 1, n + 1, n + 1)");
    if (name == "siblings")
        self.sibling_table = table.data();
    else if (name == "grandparents")
        self.grandparent_table = table.data();
    else
        refuse_parts(name);
}
void set_list(PartList& self, const std::string& name, const Places& places, const Values& scores) {
    const std::size_t rows = places.shape(0), words = name == "siblings" || name == "grandparents" ? 3 : 4;
    if (places.shape(1) != words || scores.shape(0) != rows)
        throw Error(name + " have " + std::to_string(words) + " words and a score each");
    std::vector<Part> parts;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::int32_t* const at = places.data() + i * words;
        for (std::size_t j = 0; j < words; ++j)
            if (at[j] < 0 || at[j] > self.words())
                throw Error(name + " name words from 0 to " + std::to_string(self.words()) + ", not " +
                            std::to_string(at[j]));
        parts.push_back({at[0], at[1], at[2], words == 4 ? at[3] : 0, scores.data()[i]});
    }
    if (name == "siblings")
        self.list_siblings(parts);
    else if (name == "grandparents")
        self.list_grandparents(parts);
    else if (name == "grand_siblings")
        self.list_grand_siblings(parts);
    else if (name == "three_siblings")
        self.list_three_siblings(parts);
    else
        refuse_parts(name);
}
void set_ends(PartList& self, const Table& table) {
    if (table.shape(0) != side_of(self) || table.shape(1) != side_of(self))
        throw Error("ends must have the shape (n + 1, n + 1)");
    self.ends = table.data();
}
void set_valency(PartList& self, const Cube& table) {
    constexpr std::size_t most = 4096;
    if (table.shape(0) != side_of(self) || table.size() == 0 || table.shape(1) > most || table.shape(2) > most)
        throw Error("valency must have the shape (n + 1, left, right)");
    self.valency = table.data();
    self.max_left = static_cast<int>(table.shape(1)) - 1;
    self.max_right = static_cast<int>(table.shape(2)) - 1;
}

nb::object decode_with_parts(const Kind& kind, const PartList& given, const DecodeOptions& options, bool rearrange) {
    return instance(kind, {without_gil([&] { return decode_parts(given, options, rearrange); }), {}});
}

nb::list decode_batch_with_parts(const Kind& kind, const std::vector<const PartList*>& sentences,
                                 const DecodeOptions& options, int threads) {
    std::vector<Decoded> decoded;
    for (Outcome& outcome : without_gil([&] { return decode_parts(sentences, options, false, threads); }))
        decoded.push_back({std::move(outcome), {}});
    return instances(kind, std::move(decoded));
}

using Categories = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object decode_categories(const Kind& kind, const Categories& categories, const Table& scores, bool single_root) {
    const std::size_t side = scores.shape(0), words = categories.shape(0);
    if (side != scores.shape(1) || side == 0 || side > 100000 || words > 4096)
        throw Error("scores must be a square table of categories, for at most 4096 words");
    const std::span<const std::int32_t> of_words(categories.data(), words);
    for (const std::int32_t category : of_words)
        if (category < 1 || category >= static_cast<std::int64_t>(side))
            throw Error("there is no category " + std::to_string(category));
    const ArcScores<double> by_category(scores.data(), static_cast<int>(side) - 1);
    DecodedTree tree = without_gil([&] { return unlexicalised::best(of_words, by_category, single_root); });
    if (tree.heads.empty()) ClassSolver("WG1", ClassRule()).refuse_no_tree(single_root);
    return instance(kind, {{tree.score, tree.score, Road::chart, 0, std::move(tree.heads), {}}, {}});
}

NumpyArray<int, 1> one_a_word(const std::vector<int>& numbers) { return to_numpy(numbers, {numbers.size()}); }

using State =
    std::tuple<std::vector<int>, std::vector<int>, double, double, int, int, std::string, std::string, double>;

const char* name(Road road) {
    switch (road) {
        case Road::spanning:
            return "spanning";
        case Road::relax:
            return "relax";
        case Road::chart:
            return "chart";
        case Road::climb:
            return "climb";
    }
    return "";
}

}  // namespace

// Arrays of several types, as type checkers see them.
#define ANY_ARRAY "numpy.typing.NDArray[typing.Any]"

void bind_decode(nb::module_& m) {
    nb::enum_<Strategy>(m, "Strategy")
        .value("auto", Strategy::automatic)
        .value("relax", Strategy::relax)
        .value("chart", Strategy::chart);
    nb::class_<Grades>(m, "Grades", "A rising chain of classes with a price each.")
        .def(
            "__init__",
            [](Grades* self, const std::vector<std::pair<ClassSolver, double>>& chain) {
                std::vector<Grade> grades;
                for (const auto& [solver, price] : chain) grades.push_back({solver, price});
                new (self) Grades(std::move(grades));
            },
            "chain"_a)
        .def_prop_ro("solvers",
                     [](const Grades& grades) {
                         std::vector<ClassSolver> solvers;
                         for (std::size_t k = 0; k < grades.size(); ++k) solvers.push_back(grades[k].solver);
                         return solvers;
                     })
        .def_prop_ro("prices", [](const Grades& grades) {
            std::vector<double> prices;
            for (std::size_t k = 0; k < grades.size(); ++k) prices.push_back(grades[k].price);
            return prices;
        });
    nb::class_<DecodeOptions>(m, "DecodeOptions")
        .def(
            "__init__",
            [](DecodeOptions* self, const ClassSolver& solver, bool single_root, Strategy strategy, int work_limit,
               double memory_limit, double time_limit) {
                new (self) DecodeOptions{solver, single_root, strategy, work_limit, memory_limit, time_limit};
            },
            "solver"_a, "single_root"_a, "strategy"_a, "work_limit"_a, "memory_limit"_a, "time_limit"_a)
        .def(
            "graded",
            [](const DecodeOptions& options, const Grades& grades) {
                DecodeOptions graded = options;
                graded.grades = std::make_shared<const Grades>(grades);
                graded.solver = grades.widest().solver;
                return graded;
            },
            "grades"_a, "The same options for a graded class");
    nb::class_<Decoded>(m, "Decoded", "A tree found by a decoder, its score, and what is proven about it.")
        .def_prop_ro(
            "heads", [](const Decoded& d) { return one_a_word(d.outcome.heads); }, nb::rv_policy::automatic,
            "The head of each word; 0 is the root.")
        .def_prop_ro(
            "labels",
            [](const Decoded& d) { return d.labels.empty() ? std::nullopt : std::optional(one_a_word(d.labels)); },
            nb::rv_policy::automatic,
            "The best label of the arc into each word, when the scores have labels; else None.")
        .def_prop_ro(
            "score", [](const Decoded& d) { return d.outcome.score; },
            "The sum of the scores of the tree's arcs and larger parts; less its price, in a graded class.")
        .def_prop_ro(
            "bound", [](const Decoded& d) { return d.outcome.bound; },
            "No tree of the class scores more than this; the score itself when the tree is proven optimal.")
        .def_prop_ro(
            "is_optimal", [](const Decoded& d) { return d.outcome.is_optimal(); },
            "Whether it is proven that no tree of the class scores more.")
        .def_prop_ro(
            "strategy", [](const Decoded& d) { return name(d.outcome.road); },
            "What led to the tree: 'spanning' (every tree is in the class), 'relax', 'chart' or 'climb'.")
        .def_prop_ro(
            "best_of",
            [](const Decoded& d) -> std::optional<std::string> {
                return d.outcome.best_of.empty() ? std::nullopt : std::optional(d.outcome.best_of);
            },
            "For a tree that is not proven best: a class within the one asked for, whose best tree it is; else None.")
        .def_prop_ro(
            "grade",
            [](const Decoded& d) -> std::optional<std::string> {
                return d.outcome.grade.empty() ? std::nullopt : std::optional(d.outcome.grade);
            },
            "The smallest class of a graded class that holds the tree; None where a single class was asked for.")
        .def_prop_ro(
            "price", [](const Decoded& d) { return d.outcome.price; },
            "What the tree pays in a graded class, which is taken off its score and the bound; else 0.")
        .def_prop_ro(
            "relaxations", [](const Decoded& d) { return d.outcome.relaxations; },
            "How many spanning trees were solved.")
        .def("__repr__",
             [](const Decoded& d) {
                 return nb::str("Decoded(heads={}, score={}, is_optimal={}, strategy={!r})")
                     .format(d.outcome.heads, d.outcome.score, d.outcome.is_optimal(), name(d.outcome.road));
             })
        .def("__getstate__",
             [](const Decoded& d) {
                 const Outcome& o = d.outcome;
                 return std::make_tuple(o.heads, d.labels, o.score, o.bound, static_cast<int>(o.road), o.relaxations,
                                        o.best_of, o.grade, o.price);
             })
        .def("__setstate__", [](Decoded& d, const State& state) {
            const auto& [heads, labels, score, bound, road, relaxations, best_of, grade, price] = state;
            new (&d)
                Decoded{{score, bound, static_cast<Road>(road), relaxations, heads, best_of, grade, price}, labels};
        });
    // Each takes the class of what it returns: Decoded, or one derived from it.
    m.def("decode", &decode, "kind"_a, "scores"_a, "options"_a, "mask"_a = nb::none(), "required"_a = nb::none(),
          "forbidden"_a = nb::none(),
          nb::sig("def decode(kind: type[Decoded], scores: " ANY_ARRAY ", options: DecodeOptions, mask: " ANY_ARRAY
                  " | None = None, required: " ANY_ARRAY " | None = None, forbidden: " ANY_ARRAY
                  " | None = None) -> typing.Any"));
    m.def("k_best", &k_best, "kind"_a, "scores"_a, "count"_a, "options"_a, "mask"_a = nb::none(),
          "required"_a = nb::none(), "forbidden"_a = nb::none(),
          nb::sig("def k_best(kind: type[Decoded], scores: " ANY_ARRAY
                  ", count: int, options: DecodeOptions, mask: " ANY_ARRAY " | None = None, required: " ANY_ARRAY
                  " | None = None, forbidden: " ANY_ARRAY " | None = None) -> list[typing.Any]"));
    m.def("decode_batch", &decode_batch, "kind"_a, "tables"_a, "options"_a, "threads"_a,
          nb::sig("def decode_batch(kind: type[Decoded], tables: list[" ANY_ARRAY
                  "], options: DecodeOptions, threads: int) -> list[typing.Any]"));
    m.def("allowed_scores", &allowed_scores, "scores"_a, "mask"_a = nb::none(), "required"_a = nb::none(),
          "forbidden"_a = nb::none(),
          nb::sig("def allowed_scores(scores: " ANY_ARRAY ", mask: " ANY_ARRAY " | None = None, required: " ANY_ARRAY
                  " | None = None, forbidden: " ANY_ARRAY " | None = None) -> " ANY_ARRAY),
          "The scores, checked; a copy of them with -inf for the arcs that may not be used.");
    // The arrays of a list stay alive with it.
    nb::class_<PartList>(m, "PartList", "Scores of arcs and of parts larger than an arc.")
        .def("__init__", &make_part_list, "arcs"_a.noconvert(), nb::keep_alive<1, 2>(),
             nb::sig("def __init__(self, arcs: " ANY_ARRAY ") -> None"))
        .def("set_table", &set_table, "name"_a, "table"_a.noconvert(), nb::keep_alive<1, 3>(),
             nb::sig("def set_table(self, name: str, table: " ANY_ARRAY ") -> None"))
        .def("set_list", &set_list, "name"_a, "places"_a.noconvert(), "scores"_a.noconvert(),
             nb::sig("def set_list(self, name: str, places: " ANY_ARRAY ", scores: " ANY_ARRAY ") -> None"))
        .def("set_ends", &set_ends, "table"_a.noconvert(), nb::keep_alive<1, 2>(),
             nb::sig("def set_ends(self, table: " ANY_ARRAY ") -> None"))
        .def("set_valency", &set_valency, "table"_a.noconvert(), nb::keep_alive<1, 2>(),
             nb::sig("def set_valency(self, table: " ANY_ARRAY ") -> None"));
    m.def(
        "decode_with_parts", &decode_with_parts, "kind"_a, "parts"_a, "options"_a, "rearrange"_a,
        nb::sig("def decode_with_parts(kind: type[Decoded], parts: PartList, options: DecodeOptions, rearrange: bool) "
                "-> typing.Any"),
        "The best tree under scores of larger parts, if asked for improved by climbing.");
    m.def("decode_batch_with_parts", &decode_batch_with_parts, "kind"_a, "parts"_a, "options"_a, "threads"_a,
          nb::sig("def decode_batch_with_parts(kind: type[Decoded], parts: list[PartList], options: DecodeOptions, "
                  "threads: int) -> list[typing.Any]"));
    m.def("decode_categories", &decode_categories, "kind"_a, "categories"_a.noconvert(), "scores"_a.noconvert(),
          "single_root"_a,
          nb::sig("def decode_categories(kind: type[Decoded], categories: " ANY_ARRAY ", scores: " ANY_ARRAY
                  ", single_root: bool) -> typing.Any"),
          "The best WG_1 tree with scores by category.");
    m.def("decode_categories_bytes", &unlexicalised::bytes, "words"_a, "categories"_a,
          "The memory of its chart for a sentence with so many different categories.");
}
