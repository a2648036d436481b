#include "nonproj/learn/transition_trainer.hpp"

#include <utility>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/gold_sentence.hpp"
#include "nonproj/learn/parse_corpus.hpp"
#include "nonproj/learn/transition_parser.hpp"

namespace nonproj::learn {

TransitionModel::TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options, int bits)
    : TransitionModel(std::move(system), options, {WeightTable(bits), WeightTable(bits - 1)}) {}

TransitionModel::TransitionModel(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                                 TransitionWeights weights)
    : system(std::move(system)),
      options(options),
      weights(std::move(weights)),
      parsers(std::make_shared<Workspaces<TransitionParser>>()) {}

WeightTable& TransitionModel::table(const std::string& name) {
    if (name == "tree") return weights.tree;
    if (name == "label") return weights.label;
    throw Error("a transition-based parser has no table " + name);
}

Parses TransitionModel::parse(const Corpus& corpus, int threads) const {
    return parse_corpus(
        corpus, *parsers, [&] { return std::make_unique<TransitionParser>(system, options); }, 1,
        [](TransitionParser&, std::span<const std::size_t>) {},
        [&](TransitionParser& parser, std::size_t i, std::size_t, std::span<std::int32_t> heads,
            std::span<std::int32_t> relations) { parser.parse(corpus[i], weights, heads, relations); },
        threads);
}

std::vector<int> TransitionModel::transitions(const Corpus& corpus, std::size_t sentence) const {
    TransitionParser parser(system, options);
    const Corpus::Sentence words = corpus[sentence];
    std::vector<std::int32_t> heads(static_cast<std::size_t>(words.size())), relations(heads.size());
    parser.parse(words, weights, heads, relations);
    return parser.transitions();
}

TransitionTrainer::TransitionTrainer(std::shared_ptr<const AnySystem> system, const TransitionOptions& options,
                                     int bits)
    : rule_(options.rule),
      parser_(std::make_unique<TransitionParser>(std::move(system), options)),
      tree_(bits),
      label_(bits - 1),
      update_(tree_.now().size()) {}

TransitionTrainer::~TransitionTrainer() = default;

TransitionTrainer::Lessons TransitionTrainer::learn(const Corpus& corpus, std::span<const std::int64_t> order,
                                                    std::uint64_t seed) {
    Lessons lessons;
    for (const std::int64_t i : order) {
        Interrupt::check();
        Draws draws(combined(seed, static_cast<Hash>(i)));
        const Lesson lesson = parser_->learn(gold_sentence(corpus, i), rule_, draws, update_, tree_, label_);
        lessons.wrong += lesson.wrong;
        lessons.skipped += lesson.is_skipped;
    }
    return lessons;
}

void TransitionTrainer::explore(double exploration) { parser_->explore(exploration); }

AveragedWeights& TransitionTrainer::table(const std::string& name) {
    if (name == "tree") return tree_;
    if (name == "label") return label_;
    throw Error("a transition-based parser does not learn a table " + name);
}

}  // namespace nonproj::learn
