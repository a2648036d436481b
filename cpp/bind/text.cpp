// From text to words, tags and lemmas, for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "learn.hpp"
#include "nonproj/block/block.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/text/by_company.hpp"
#include "nonproj/text/edit_rule.hpp"
#include "nonproj/text/tag_model.hpp"
#include "nonproj/text/tokenizer.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::text;
using namespace learn_bindings;

namespace {

using Numbers = NumpyArray<std::uint64_t, 1>;

Numbers numbers(std::span<const std::uint64_t> values) {
    return flat(std::vector<std::uint64_t>(values.begin(), values.end()));
}
std::vector<std::uint64_t> vector_of(const Flat<std::uint64_t>& values) {
    return {values.data(), values.data() + values.size()};
}
std::tuple<Numbers, Numbers, Numbers> arrays_of(const Lexicon& lexicon) {
    return {numbers(lexicon.keys()), numbers(lexicon.ends()), numbers(lexicon.entries())};
}
void make_model(TagModel* self, const std::vector<std::string>& tags, const std::vector<std::string>& rules, int bits,
                bool has_lemmas) {
    TagModel model{{}, {}, learn::SmallWeightTable(bits), learn::WeightTable(lemma_bits(bits)), has_lemmas};
    model.tags.tags = TagSet(tags);
    if (tags.empty()) throw Error("a tagger without tags");
    for (const std::string& rule : rules) model.lemmas.rules.push_back(EditRule::parsed(rule));
    new (self) TagModel(std::move(model));
}

template <class Rule>
std::vector<std::string> texts_of(const std::vector<Rule>& rules) {
    std::vector<std::string> texts;
    for (const Rule& rule : rules) texts.push_back(rule.text());
    return texts;
}

// What a model file keeps of a model: its rules, its lexicons and its tables of weights, by their names.
template <class Model>
void bind_content(nb::class_<Model>& model) {
    using Values = Flat<std::uint64_t>;
    model.def(
             "lexicon", [](Model& self, const std::string& name) { return arrays_of(self.lexicon(name)); }, "name"_a)
        .def(
            "set_lexicon",
            [](Model& self, const std::string& name, const Values& keys, const Values& ends, const Values& entries) {
                self.lexicon(name) =
                    Lexicon(vector_of(keys), vector_of(ends), vector_of(entries), self.numbers_of(name));
            },
            "name"_a, "keys"_a, "ends"_a, "entries"_a)
        .def(
            "fill",
            [](Model& self, const std::string& name, const Values& marks, nb::handle values) {
                self.with_table(name, [&](auto& table) {
                    Flat<std::remove_cvref_t<decltype(*table.data())>> given;
                    if (!nb::try_cast(values, given, false)) throw Error("the weights are of another type");
                    fill(table, marks, given);
                });
            },
            "name"_a, "marks"_a, "values"_a)
        .def(
            "pack",
            [](Model& self, const std::string& name) {
                return self.with_table(name, [](const auto& table) {
                    auto [marks, values] = packed(values_of(table));
                    const nb::tuple both = nb::make_tuple(std::move(marks), std::move(values));
                    return nb::typed<nb::tuple, nb::object, nb::object>(both);
                });
            },
            "name"_a);
}

// A call of a member that may take long: without the GIL, and Ctrl-C is heard.
template <class Call>
auto long_call(const Call& call) {
    nb::gil_scoped_release release;
    SignalInterrupt interrupt;
    return call();
}

void bind_tagger(nb::module_& m) {
    nb::class_<TagModel> model(m, "TagModel");
    model.def("__init__", &make_model, "tags"_a, "rules"_a, "bits"_a, "has_lemmas"_a)
        .def_prop_ro("tags", [](const TagModel& self) { return self.tags.tags.names(); })
        .def_prop_ro("rules", [](const TagModel& self) { return texts_of(self.lemmas.rules); });
    bind_content(model);
    nb::class_<Tagging>(m, "Tagging")
        .def(nb::init<const TagModel&>(), nb::keep_alive<1, 2>(), "model"_a)
        .def(
            "run",
            [](Tagging& self, const block::Block& block, bool lemma, bool upos, bool xpos, bool feats, int threads) {
                long_call([&] { self.run(block, {lemma, upos, xpos, feats}, threads); });
            },
            "block"_a, "lemma"_a, "upos"_a, "xpos"_a, "feats"_a, "threads"_a, "Fill in these columns.");
    nb::class_<TagTrainer> trainer(m, "TagTrainer");
    trainer
        .def(
            "__init__",
            [](TagTrainer* self, const block::Block& block, int bits, bool lemma, bool upos, bool xpos, bool feats) {
                nb::gil_scoped_release release;
                new (self) TagTrainer(block, bits, {lemma, upos, xpos, feats});
            },
            nb::keep_alive<1, 2>(), "block"_a, "bits"_a, "lemma"_a, "upos"_a, "xpos"_a, "feats"_a)
        .def("__len__", &TagTrainer::sentences)
        .def_prop_ro("words", &TagTrainer::words)
        .def(
            "learn",
            [](TagTrainer& self, const Flat<std::int64_t>& order, std::uint64_t seed) {
                return long_call([&] { return self.learn(span_of(order), seed); });
            },
            "order"_a, "seed"_a)
        .def(
            "learn_lemmas",
            [](TagTrainer& self, std::uint64_t seed) { return long_call([&] { return self.learn_lemmas(seed); }); },
            "seed"_a)
        .def("model", &TagTrainer::model);
    bind_trainer_state(trainer);
}

// A damaged share may say that there is a network where there is none: what is set here is all that counts.
void set_end_network(TokenModel& self, float share, const Flat<std::uint64_t>& keys, const Flat<std::uint64_t>& ends,
                     const Flat<std::uint64_t>& entries, const Flat<float>& shared, const Flat<float>& vectors) {
    if (!(share > 0 && share < 1)) throw Error("the share of the network of a tokenizer lies between 0 and 1");
    Lexicon rows(vector_of(keys), vector_of(ends), vector_of(entries), vectors.size());
    self.end_network.emplace(std::move(rows), span_of(shared), span_of(vectors));
    self.end_share = share;
}

auto end_network_arrays(const TokenModel& self) {
    if (!self.end_network) throw Error("a tokenizer without a network");
    const EndNetwork& network = *self.end_network;
    const auto copied = [](const auto& weights) { return flat(std::vector<float>(weights.begin(), weights.end())); };
    return std::tuple_cat(arrays_of(network.rows()),
                          std::make_tuple(copied(network.weights().shared), copied(network.weights().embeddings)));
}

void bind_tokenizer(nb::module_& m) {
    nb::class_<TokenModel> model(m, "TokenModel");
    model
        .def(
            "__init__",
            [](TokenModel* self, const std::vector<std::string>& rules, int bits, float end_threshold) {
                if (!std::isfinite(end_threshold)) throw Error("the threshold of a tokenizer is no number");
                TokenModel made(bits);
                for (const std::string& rule : rules) made.rules.push_back(Expansion::parsed(rule));
                made.end_threshold = end_threshold;
                new (self) TokenModel(std::move(made));
            },
            "rules"_a, "bits"_a, "end_threshold"_a)
        .def_ro("end_threshold", &TokenModel::end_threshold)
        .def_ro("end_share", &TokenModel::end_share)
        .def("end_network", &end_network_arrays,
             "Of the network: the lexicon of its vectors, the weights that all tokens share, the vectors.")
        .def("set_end_network", &set_end_network, "share"_a, "keys"_a, "ends"_a, "entries"_a, "shared"_a, "vectors"_a)
        .def_prop_ro("rules", [](const TokenModel& self) { return texts_of(self.rules); });
    bind_content(model);
    nb::enum_<Stretch>(m, "Stretch")
        .value("beginning", Stretch::beginning)
        .value("middle", Stretch::middle)
        .value("last", Stretch::last);
    nb::class_<Tokenizing>(m, "Tokenizing")
        .def(nb::init<const TokenModel&>(), nb::keep_alive<1, 2>(), "model"_a)
        .def("begin_text", &Tokenizing::begin_text, "From here on comes another text.")
        .def(
            "cut",
            [](Tokenizing& self, const nb::bytes& text, Stretch stretch, std::size_t longest) {
                const std::string_view given(text.c_str(), text.size());
                Cut cut = long_call([&] { return self.cut(given, stretch, longest); });
                return std::make_pair(std::move(cut.block), cut.consumed);
            },
            "text"_a, "stretch"_a, "longest"_a, "Sentences, and how many bytes of the text need not be given again.");
    nb::class_<TokenTrainer> trainer(m, "TokenTrainer");
    trainer
        .def(
            "__init__",
            [](TokenTrainer* self, const std::vector<conll::Run>& runs, int bits) {
                nb::gil_scoped_release release;
                new (self) TokenTrainer(runs, bits);
            },
            "runs"_a, "bits"_a)
        .def("learn", [](TokenTrainer& self) { return long_call([&] { return self.learn(); }); })
        .def("learn_ends", [](TokenTrainer& self) { return long_call([&] { return self.learn_ends(); }); })
        .def(
            "try_ends",
            [](const TokenTrainer& self, const std::vector<conll::Run>& held_out, float share) {
                const auto counts = long_call([&] { return self.try_ends(held_out, share); });
                std::vector<std::int64_t> rows;
                for (const EndCounts& each : counts) rows.insert(rows.end(), {each.found, each.there, each.right});
                return flat(std::move(rows));
            },
            "held_out"_a, "share"_a,
            "For each of end_thresholds, sentences that are found, are there, and are right, the network having this "
            "share.")
        .def(
            "end_trainer",
            [](TokenTrainer& self, std::uint64_t seed) { return long_call([&] { return self.end_trainer(seed); }); },
            "seed"_a, "The training of its network of sentence boundaries, which is set when it is done.")
        .def("set_end_network", &TokenTrainer::set_end_network, "trainer"_a)
        .def("model", &TokenTrainer::model, "end_threshold"_a, "end_share"_a);
    m.def("end_thresholds", [] { return std::vector<float>(end_thresholds.begin(), end_thresholds.end()); });
    bind_trainer_state(trainer);
}

}  // namespace

void bind_text(nb::module_& m) {
    m.def(
        "edit_rule",
        [](std::string_view form, std::string_view lemma) { return EditRule::between(form, lemma).text(); }, "form"_a,
        "lemma"_a, "How a lemma comes from a form.");
    m.def(
        "edited",
        [](std::string_view form, std::string_view rule) -> std::optional<std::string> {
            std::string lemma;
            if (!EditRule::parsed(rule).apply(form, lemma)) return std::nullopt;
            return lemma;
        },
        "form"_a, "rule"_a, "The lemma that a rule makes of a form; None when the form is too short for it.");
    bind_tagger(m);
    bind_tokenizer(m);
    m.def(
        "letter", [](Letter letter) { return std::pair(static_cast<int>(kind_of(letter)), small(letter)); }, "letter"_a,
        "The kind of a character, as a number, and its small letter; for the tests.");
    m.def(
        "by_company",
        [](const std::vector<std::vector<std::uint32_t>>& sets, std::size_t count, std::size_t size) {
            return by_company(sets, count, size);
        },
        "sets"_a, "count"_a, "size"_a, "An order in which few lines of `size` hold each of the sets; for the tests.");
}
