#include "nonproj/learn/graph_trainer.hpp"

#include <utility>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/gold_sentence.hpp"
#include "nonproj/learn/graph_parser.hpp"
#include "nonproj/learn/parse_corpus.hpp"

namespace nonproj::learn {

namespace {

constexpr float pruner_rate = 0.1f;
constexpr std::size_t read_together = 12;  // sentences, by a network: weights are fetched once for all of them

// A log-linear model has few features, a parser of arcs as many as any.
int pruner_bits(const GraphOptions& options, int bits) { return options.pruned_by == PrunedBy::mst ? bits : bits - 2; }

}  // namespace

GraphModel::GraphModel(const GraphOptions& options, int bits)
    : GraphModel(options, {WeightTable(pruner_bits(options, bits)), WeightTable(bits), WeightTable(bits - 1)}) {}

GraphModel::GraphModel(const GraphOptions& options, GraphWeights weights)
    : options(options), weights(std::move(weights)), parsers(std::make_shared<Workspaces<GraphParser>>()) {}

void GraphModel::join(std::shared_ptr<const TreeNetwork> network, float arc_share, float relation_share) {
    if (network->sizes.relations != options.relations) throw Error("the network is for other relations");
    for (const float share : {arc_share, relation_share})
        if (!(share >= 0 && share < 1e6f)) throw Error("a network's share is a number from 0 up");
    weights.network = std::move(network);
    weights.arc_share = arc_share;
    weights.relation_share = relation_share;
}

WeightTable& GraphModel::table(const std::string& name) {
    if (name == "pruner") return weights.pruner;
    if (name == "tree") return weights.tree;
    if (name == "label") return weights.label;
    throw Error("a graph-based parser has no table " + name);
}

Parses GraphModel::parse(const Corpus& corpus, int threads, bool compares, const std::optional<Advice>& advice) const {
    std::optional<AdviceByPlace> advised;
    if (advice && weights.network != nullptr) throw Error("a parser with a network takes no other advice");
    if (advice) advised.emplace(corpus, *advice);
    const std::size_t together = weights.network == nullptr ? 1 : read_together;
    // With advice no window bounds what a parser needs: that is not kept.
    Workspaces<GraphParser> own;
    return parse_corpus(
        corpus, advice ? own : *parsers, [&] { return std::make_unique<GraphParser>(options); }, together,
        [&](GraphParser& parser, std::span<const std::size_t> members) {
            std::vector<Corpus::Sentence> sentences;
            for (const std::size_t i : members) sentences.push_back(corpus[i]);
            parser.read(sentences, weights);
        },
        [&](GraphParser& parser, std::size_t i, std::size_t place, std::span<std::int32_t> heads,
            std::span<std::int32_t> relations) {
            return parser.parse(corpus[i], weights, place, advised ? advised->of(i) : Advice{}, compares, heads,
                                relations);
        },
        threads);
}

std::vector<float> GraphModel::relation_scores(const Corpus& corpus, std::span<const std::int32_t> heads) const {
    const std::size_t count = options.relations;
    std::vector<float> scores(corpus.words() * count);
    Views views;
    Labeller labeller(options.relations);
    for (std::size_t i = 0; i < corpus.sentences(); ++i) {
        Interrupt::check();
        const std::size_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
        views.assign(corpus[i]);
        labeller.scores(views, heads.subspan(begin, size), weights.label,
                        std::span(scores).subspan(begin * count, size * count));
    }
    return scores;
}

parts::PartTable GraphModel::scores(const Corpus& corpus, std::size_t sentence, const Advice& advice) const {
    return GraphParser(options).scores(corpus[sentence], weights, advice);
}

std::vector<double> GraphModel::pruner_scores(const Corpus& corpus, std::size_t sentence) const {
    const Corpus::Sentence read = corpus[sentence];
    Scorer scorer(options);
    scorer.look_at(read);
    scorer.read({&read, 1}, weights);
    Pruner& pruner = scorer.pruner();
    const std::span<const float> arcs = weights.network != nullptr
                                            ? pruner.take(scorer.advice_of_network(weights, 0).arcs)
                                            : pruner.score(weights.pruner);
    if (options.max_length > 0) pruner.forbid_long(options.max_length);
    return {arcs.begin(), arcs.end()};
}

std::pair<double, std::vector<float>> GraphModel::pruner_gradient(const Corpus& corpus, std::size_t sentence) const {
    std::vector<float> gradient(weights.pruner.size());
    const Corpus::Sentence read = corpus[sentence];
    Scorer scorer(options);
    scorer.look_at(read);
    Pruner& pruner = scorer.pruner();
    pruner.score(weights.pruner);
    const double loss = pruner.gradient(read.heads, options.single_root, weights.pruner.addressing(),
                                        [&](std::size_t place, float slope) { gradient[place] -= slope; });
    return {loss, std::move(gradient)};
}

GraphTrainer::GraphTrainer(const GraphOptions& options, int bits)
    : rule_(options.rule),
      pruned_by_(options.pruned_by),
      single_root_(options.single_root),
      parser_(std::make_unique<GraphParser>(options)),
      pruner_(pruner_bits(options, bits)),
      halves_{LearningPruner(bits - 2), LearningPruner(bits - 2)},
      tree_(bits),
      label_(bits - 1),
      update_(tree_.now().size()) {}

GraphTrainer::~GraphTrainer() = default;

double GraphTrainer::learn_pruner(const Corpus& corpus, std::span<const std::int64_t> order) {
    double loss = 0;
    for (const std::int64_t i : order) {
        Interrupt::check();
        const auto sentence = gold_sentence(corpus, i);
        loss += learn(sentence, pruner_);
        learn(sentence, halves_[i % 2]);
    }
    return loss;
}

void GraphTrainer::prune(const Corpus& corpus, std::span<const std::int64_t> sentences) {
    candidates_.resize(corpus.sentences());
    for (const std::int64_t i : sentences) {
        Interrupt::check();
        const LearningPruner& pruner = pruned_by_ == PrunedBy::mst ? pruner_ : halves_[1 - i % 2];
        candidates_[i] = parser_->candidates(gold_sentence(corpus, i), pruner.weights);
    }
}

void GraphTrainer::prune_as(const GraphTrainer& other) {
    pruner_.weights = other.pruner_.weights;
    candidates_ = other.candidates_;
}

void GraphTrainer::prune_by(const GraphTrainer& mst) {
    if (mst.tree_.now().size() != pruner_.weights.size()) throw Error("its table of weights has another size");
    pruner_.weights = mst.tree_.average();
}

GraphTrainer::Lessons GraphTrainer::learn(const Corpus& corpus, std::span<const std::int64_t> order) {
    Lessons lessons;
    for (const std::int64_t i : order) {
        Interrupt::check();
        const auto sentence = gold_sentence(corpus, i);
        if (static_cast<std::size_t>(i) >= candidates_.size() ||
            candidates_[i].begin.size() != static_cast<std::size_t>(sentence.size()) + 1)
            throw Error("the sentence was not pruned");
        const GraphParser::Lesson lesson = parser_->learn(sentence, candidates_[i], rule_, update_, tree_, label_);
        lessons.wrong += lesson.wrong;
        lessons.gaps.push_back(lesson.gap);
    }
    return lessons;
}

GraphWeights GraphTrainer::average() const { return {pruner_.weights, tree_.average(), label_.average()}; }

AveragedWeights& GraphTrainer::table(const std::string& name) {
    if (name == "tree") return tree_;
    if (name == "label") return label_;
    throw Error("a graph-based parser does not learn a table " + name);
}

double GraphTrainer::learn(const Corpus::Sentence& sentence, LearningPruner& pruner) {
    parser_->scorer().look_at(sentence);
    return parser_->scorer().pruner().learn(sentence.heads, single_root_, pruner_rate, pruner.weights, pruner.squares);
}

}  // namespace nonproj::learn
