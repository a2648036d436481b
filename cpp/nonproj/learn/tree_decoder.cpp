#include "nonproj/learn/tree_decoder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "nonproj/decode/search/decoder.hpp"

namespace nonproj::learn {

struct TreeDecoder::Body {
    // A parser looks at thousands of trees: on a hard one the best found soon is good enough.
    static constexpr int work_limit = 500;
    static constexpr double max_nanoseconds = 2e8;

    DecodeOptions options;
    Decoder<float> decoder;
    double score = 0, gap = 0;

    // By the chart of a class for few possible arcs, which is quick where that for all arcs would take too long.
    void prove(const ArcScores<float>& scores, Outcome& outcome) const {
        const ClassChart* const chart = options.grades == nullptr ? options.solver.row().chart : nullptr;
        if (chart == nullptr || chart->nanoseconds_of_few == nullptr) return;
        const int words = scores.words();
        const std::vector<double> wide(scores.data(), scores.data() + (words + 1) * (words + 1));
        double arcs = 0;
        for (int h = 0; h <= words; ++h)
            for (int d = 1; d <= words; ++d) arcs += h != d && scores(h, d) > minus_infinity<float>;
        if (chart->nanoseconds_of_few(words, arcs) > max_nanoseconds) return;
        if (chart->bytes_of_few(words, arcs) > options.memory_limit) return;
        DecodedTree tree = chart->best({wide.data(), words}, options.solver.rule().k, options.single_root);
        if (!tree.heads.empty())
            outcome = {tree.score, tree.score, Road::chart, outcome.relaxations, std::move(tree.heads), {}};
    }
};

TreeDecoder::TreeDecoder(const ClassSolver& solver, bool single_root, std::shared_ptr<const Grades> grades)
    : body_(std::make_unique<Body>()) {
    body_->options = {solver, single_root, Strategy::automatic, Body::work_limit};
    body_->options.max_nanoseconds = Body::max_nanoseconds;
    body_->options.must_find = false;
    body_->options.grades = std::move(grades);
}
TreeDecoder::~TreeDecoder() = default;
TreeDecoder::TreeDecoder(TreeDecoder&&) noexcept = default;

bool TreeDecoder::decode(const ArcScores<float>& scores, std::span<int> heads) {
    Outcome outcome = body_->decoder.decode(scores, body_->options);
    if (!outcome.is_optimal()) body_->prove(scores, outcome);
    std::copy(outcome.heads.begin(), outcome.heads.end(), heads.begin());
    body_->score = outcome.score;
    body_->gap = outcome.bound - outcome.score;
    return !outcome.heads.empty();
}
double TreeDecoder::score() const { return body_->score; }
double TreeDecoder::gap() const { return body_->gap; }

bool TreeDecoder::is_member(std::span<const int> heads) {
    return body_->decoder.membership().settle(heads, body_->options.solver) == 1;
}

}  // namespace nonproj::learn
