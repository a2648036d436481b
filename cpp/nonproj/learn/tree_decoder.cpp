#include "nonproj/learn/tree_decoder.hpp"

#include <algorithm>
#include <utility>

#include "nonproj/decode/search/decoder.hpp"

namespace nonproj::learn {

struct TreeDecoder::Body {
    // A parser looks at thousands of trees: on a hard one the best found soon is good enough.
    static constexpr int work_limit = 500;
    static constexpr double max_nanoseconds = 2e8;

    DecodeOptions options;
    Decoder<float> decoder;
    double score = 0, gap = 0;
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
    const Outcome outcome = body_->decoder.decode(scores, body_->options);
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
