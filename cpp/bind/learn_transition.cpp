// Transition-based learners and parsers for Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "learn.hpp"
#include "nonproj/learn/systems.hpp"
#include "nonproj/learn/transition_parser.hpp"
#include "support/bind.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::learn;
using namespace learn_bindings;

namespace {

struct TransitionModel {
    AnySystem system;
    TransitionOptions options;
    TransitionWeights weights;

    Table& table(const std::string& name) {
        if (name == "tree") return weights.tree;
        if (name == "label") return weights.label;
        throw Error("a transition-based parser has no table " + name);
    }
};

template <class Systems>
struct ParserOf;
template <class... Systems>
struct ParserOf<std::variant<Systems...>> {
    using Any = std::variant<TransitionParser<Systems>...>;
};
using AnyParser = ParserOf<AnySystem>::Any;

AnyParser parser_for(const AnySystem& system, const TransitionOptions& options) {
    return std::visit(
        [&](const auto& chosen) -> AnyParser {
            return TransitionParser<std::decay_t<decltype(chosen)>>(chosen, options);
        },
        system);
}

class TransitionTrainer {
  public:
    TransitionTrainer(const AnySystem& system, const TransitionOptions& options, Algorithm algorithm, double most,
                      int bits)
        : algorithm_(algorithm),
          max_(most),
          parser_(parser_for(system, options)),
          tree_(bits),
          label_(bits - 1),
          step_(tree_.now().size()) {}

    // Returns how many transitions were wrong, and how many sentences no sequence derives.
    std::pair<std::int64_t, std::int64_t> learn(const Corpus& corpus, std::span<const std::int64_t> order,
                                                std::uint64_t seed) {
        std::int64_t wrong = 0, skipped = 0;
        for (const std::int64_t i : order) {
            Interrupt::check();
            const auto sentence = corpus[static_cast<std::size_t>(i)];
            if (!sentence.has_heads()) throw Error("sentence " + std::to_string(i) + " has no heads to learn from");
            // What is drawn for a sentence depends on it and the epoch alone.
            Draws draws(combined(seed, static_cast<Hash>(i)));
            const Lesson lesson = std::visit(
                [&](auto& parser) { return parser.learn(sentence, algorithm_, max_, draws, step_, tree_, label_); },
                parser_);
            wrong += lesson.wrong;
            skipped += lesson.is_skipped;
        }
        return {wrong, skipped};
    }
    void explore(double exploration) {
        std::visit([&](auto& parser) { parser.explore(exploration); }, parser_);
    }
    TransitionWeights average() const {
        TransitionWeights weights{Table(tree_.now().bits()), Table(label_.now().bits())};
        tree_.average(weights.tree);
        label_.average(weights.label);
        return weights;
    }
    AveragedTable& table(const std::string& name) {
        if (name == "tree") return tree_;
        if (name == "label") return label_;
        throw Error("a transition-based parser does not learn a table " + name);
    }

  private:
    Algorithm algorithm_;
    double max_;
    AnyParser parser_;
    AveragedTable tree_, label_;
    Step step_;
};

Parses parse_with(const TransitionModel& model, const Corpus& corpus, int threads) {
    return std::visit(
        [&](const auto& system) {
            using Parser = TransitionParser<std::decay_t<decltype(system)>>;
            return parse(
                corpus, [&] { return std::make_unique<Parser>(system, model.options); }, model.weights, threads);
        },
        model.system);
}

}  // namespace

void bind_transition_learners(nb::module_& m) {
    m.def("trainable_systems", [] {
        std::vector<std::string> names;
        for (const NamedSystem& system : trainable_systems()) names.push_back(system.name);
        return names;
    });
    nb::class_<TransitionOptions>(m, "TransitionOptions")
        .def(
            "__init__",
            [](TransitionOptions* self, int beam, int relations, double exploration) {
                if (beam < 1 || beam > 1024 || relations < 0 || relations > (1 << 12))
                    throw Error("a beam holds 1 to 1024 sequences, and there are 4096 relations at most");
                new (self) TransitionOptions{beam, relations, exploration};
            },
            "beam"_a, "relations"_a, "exploration"_a);
    nb::class_<TransitionModel>(m, "TransitionModel")
        .def(
            "__init__",
            [](TransitionModel* self, const std::string& system, bool single_root, const TransitionOptions& options,
               int bits) {
                new (self) TransitionModel{system_named(system, single_root), options, {Table(bits), Table(bits - 1)}};
            },
            "system"_a, "single_root"_a, "options"_a, "bits"_a)
        .def(
            "fill",
            [](TransitionModel& self, const std::string& name, const Flat<std::uint64_t>& marks,
               const Flat<float>& values) { fill(self.table(name), marks, values); },
            "name"_a, "marks"_a, "values"_a)
        .def(
            "pack", [](TransitionModel& self, const std::string& name) { return packed(values_of(self.table(name))); },
            "name"_a)
        .def("parse", &parse_with, "corpus"_a, "threads"_a, "Heads and relations of all words, in order.");
    nb::class_<TransitionTrainer>(m, "TransitionTrainer")
        .def(
            "__init__",
            [](TransitionTrainer* self, const std::string& system, bool single_root, const TransitionOptions& options,
               bool is_mira, double most, int bits) {
                new (self) TransitionTrainer(system_named(system, single_root), options,
                                             is_mira ? Algorithm::mira : Algorithm::perceptron, most, bits);
            },
            "system"_a, "single_root"_a, "options"_a, "is_mira"_a, "most"_a, "bits"_a)
        .def(
            "learn",
            [](TransitionTrainer& self, const Corpus& corpus, const Flat<std::int64_t>& order, std::uint64_t seed) {
                nb::gil_scoped_release release;
                SignalInterrupt interrupt;
                return self.learn(corpus, span_of(order), seed);
            },
            "corpus"_a, "order"_a, "seed"_a)
        .def("explore", &TransitionTrainer::explore, "exploration"_a)
        .def(
            "average",
            [](const TransitionTrainer& self, const std::string& system, bool single_root,
               const TransitionOptions& options) {
                return TransitionModel{system_named(system, single_root), options, self.average()};
            },
            "system"_a, "single_root"_a, "options"_a)
        .def(
            "state", [](TransitionTrainer& self, const std::string& name) { return state_of(self.table(name)); },
            "name"_a)
        .def(
            "resume",
            [](TransitionTrainer& self, const std::string& name, const Flat<std::uint64_t>& marks,
               const Flat<float>& values, const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values,
               std::uint64_t steps) { resume(self.table(name), marks, values, late_marks, late_values, steps); },
            "name"_a, "marks"_a, "values"_a, "late_marks"_a, "late_values"_a, "steps"_a);
}
