// Decoders for Python: any class, one sentence or many.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/decode/base/score_table.hpp"
#include "nonproj/decode/search/decoder.hpp"
#include "nonproj/parallel_for.hpp"
#include "support/bind.hpp"
#include "support/numpy.hpp"
#include "support/score_buffer.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Mask = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Arcs = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

struct Decoded {
    Outcome outcome;
    std::vector<int> labels;  // empty when the scores have none
};

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

// Everything a thread needs to decode one sentence after the other.
template <class Real>
class Desk {
  public:
    Decoded decode(const ScoreBuffer& sentence, const ArcOptions& arcs, const DecodeOptions& options) {
        const auto& scores = read(sentence, arcs);
        return with_labels(sentence, checked(decoder_.decode(scores, options), options));
    }
    std::vector<Decoded> k_best(const ScoreBuffer& sentence, std::size_t count, const ArcOptions& arcs,
                                const DecodeOptions& options) {
        const auto& scores = read(sentence, arcs);
        table_.require_heads();
        std::vector<Decoded> trees;
        for (Outcome& outcome : decoder_.k_best(scores, count, options))
            trees.push_back(with_labels(sentence, std::move(outcome)));
        return trees;
    }

  private:
    const ArcScores<Real>& read(const ScoreBuffer& sentence, const ArcOptions& arcs) {
        return table_.read(sentence.values<Real>(), sentence.words(), std::max(1, sentence.labels()), arcs);
    }
    Outcome checked(Outcome outcome, const DecodeOptions& options) const {
        if (!outcome.heads.empty()) return outcome;
        table_.require_heads();
        throw Error("no " + options.class_name + " tree" + (options.single_root ? " with a single root" : "") +
                    " avoids the forbidden arcs (-inf): allow more of them");
    }
    Decoded with_labels(const ScoreBuffer& sentence, Outcome outcome) const {
        Decoded decoded{std::move(outcome), {}};
        for (int d = 1; d <= sentence.words() && sentence.labels() > 0; ++d)
            decoded.labels.push_back(table_.label(decoded.outcome.heads[d - 1], d));
        return decoded;
    }

    ScoreTable<Real> table_;
    Decoder<Real> decoder_;
};

// Calls work(desk). Sentences of a usual length share one desk a thread.
template <class Real, class Work>
auto at_desk_for(int words, Work work) {
    if (words > 128) {
        Desk<Real> once;
        return work(once);
    }
    thread_local Desk<Real> kept;
    return work(kept);
}
template <class Work>
auto at_desk(const ScoreBuffer& sentence, Work work) {
    return sentence.is_double() ? at_desk_for<double>(sentence.words(), work)
                                : at_desk_for<float>(sentence.words(), work);
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

nb::object allowed_scores(nb::handle scores, const std::optional<Mask>& mask) {
    const ScoreBuffer sentence(scores);
    if (sentence.labels() > 0) throw Error("scores must have the shape (n + 1, n + 1)");
    const GivenArcs given(mask, {}, {});
    const ArcOptions arcs = given.for_words(sentence.words());
    return sentence.is_double() ? allowed<double>(scores, sentence, arcs) : allowed<float>(scores, sentence, arcs);
}

// An instance of `kind`, the class that Python derives from Decoded.
nb::object instance(nb::handle kind, Decoded decoded) {
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

using Kind = nb::type_object_t<Decoded>;

nb::object decode(const Kind& kind, nb::handle scores, const DecodeOptions& options, const std::optional<Mask>& mask,
                  const std::optional<Arcs>& required, const std::optional<Arcs>& forbidden) {
    const ScoreBuffer sentence(scores);
    const GivenArcs given(mask, required, forbidden);
    const ArcOptions arcs = given.for_words(sentence.words());
    Decoded decoded;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        decoded = at_desk(sentence, [&](auto& desk) { return desk.decode(sentence, arcs, options); });
    }
    return instance(kind, std::move(decoded));
}

nb::list k_best(const Kind& kind, nb::handle scores, std::size_t count, const DecodeOptions& options,
                const std::optional<Mask>& mask, const std::optional<Arcs>& required,
                const std::optional<Arcs>& forbidden) {
    const ScoreBuffer sentence(scores);
    const GivenArcs given(mask, required, forbidden);
    const ArcOptions arcs = given.for_words(sentence.words());
    std::vector<Decoded> decoded;
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        decoded = at_desk(sentence, [&](auto& desk) { return desk.k_best(sentence, count, arcs, options); });
    }
    return instances(kind, std::move(decoded));
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
    std::vector<Decoded> decoded(sentences.size());
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        parallel_for(sentences.size(), threads, [&](std::size_t i) {
            try {
                decoded[i] = at_desk(sentences[i], [&](auto& desk) { return desk.decode(sentences[i], {}, options); });
            } catch (const Error& error) {
                throw Error("sentence " + std::to_string(i) + ": " + error.what());
            }
        });
    }
    return instances(kind, std::move(decoded));
}

NumpyArray<int, 1> one_a_word(const std::vector<int>& numbers) { return to_numpy(numbers, {numbers.size()}); }

using State = std::tuple<std::vector<int>, std::vector<int>, double, double, int, int>;

const char* name(Road road) { return road == Road::spanning ? "spanning" : road == Road::relax ? "relax" : "chart"; }

}  // namespace

// Arrays of several types, as type checkers see them.
#define ANY_ARRAY "numpy.typing.NDArray[typing.Any]"

void bind_decode(nb::module_& m) {
    nb::enum_<Strategy>(m, "Strategy")
        .value("auto", Strategy::automatic)
        .value("relax", Strategy::relax)
        .value("chart", Strategy::chart);
    nb::class_<DecodeOptions>(m, "DecodeOptions")
        .def(
            "__init__",
            [](DecodeOptions* self, std::string class_name, const ClassRule& rule, bool single_root, Strategy strategy,
               int work_limit, double memory_limit) {
                new (self) DecodeOptions{std::move(class_name), rule, single_root, strategy, work_limit, memory_limit};
            },
            "class_name"_a, "rule"_a, "single_root"_a, "strategy"_a, "work_limit"_a, "memory_limit"_a);
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
            "score", [](const Decoded& d) { return d.outcome.score; }, "The sum of the scores of the tree's arcs.")
        .def_prop_ro(
            "bound", [](const Decoded& d) { return d.outcome.bound; },
            "No tree of the class scores more than this; the score itself when the tree is proven optimal.")
        .def_prop_ro(
            "is_optimal", [](const Decoded& d) { return d.outcome.is_optimal(); },
            "Whether it is proven that no tree of the class scores more.")
        .def_prop_ro(
            "strategy", [](const Decoded& d) { return name(d.outcome.road); },
            "What led to the tree: 'spanning' (every tree is in the class), 'relax' or 'chart'.")
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
                 return std::make_tuple(o.heads, d.labels, o.score, o.bound, static_cast<int>(o.road), o.relaxations);
             })
        .def("__setstate__", [](Decoded& d, const State& state) {
            const auto& [heads, labels, score, bound, road, relaxations] = state;
            new (&d) Decoded{{score, bound, static_cast<Road>(road), relaxations, heads}, labels};
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
    m.def("allowed_scores", &allowed_scores, "scores"_a, "mask"_a = nb::none(),
          nb::sig("def allowed_scores(scores: " ANY_ARRAY ", mask: " ANY_ARRAY " | None = None) -> " ANY_ARRAY),
          "The scores, checked; a copy of them with -inf where a mask forbids.");
    m.def(
        "chart_name", [](const ClassRule& rule) { return ClassChart(rule).name(); }, "rule"_a,
        nb::sig("def chart_name(rule: ClassRule) -> str | None"), "The chart of a class, or None.");
}
