#include "nonproj/learn/tree_decoder.hpp"

#include <algorithm>

#include "nonproj/decode/search/decoder.hpp"

namespace nonproj::learn {

struct TreeDecoder::Body {
    // A parser looks at thousands of trees: on a hard one the best found soon is good enough.
    static constexpr int work_limit = 500;
    static constexpr double max_nanoseconds = 2e8;

    DecodeOptions options;
    Decoder<float> decoder;
    double gap = 0;
};

TreeDecoder::TreeDecoder(const ClassSolver& solver, bool single_root) : body_(std::make_unique<Body>()) {
    body_->options = {solver, single_root, Strategy::automatic, Body::work_limit};
    body_->options.max_nanoseconds = Body::max_nanoseconds;
    body_->options.must_find = false;
}
TreeDecoder::~TreeDecoder() = default;
TreeDecoder::TreeDecoder(TreeDecoder&&) noexcept = default;

bool TreeDecoder::decode(const ArcScores<float>& scores, std::span<int> heads) {
    const Outcome outcome = body_->decoder.decode(scores, body_->options);
    std::copy(outcome.heads.begin(), outcome.heads.end(), heads.begin());
    body_->gap = outcome.bound - outcome.score;
    return !outcome.heads.empty();
}
double TreeDecoder::gap() const { return body_->gap; }

bool TreeDecoder::is_member(std::span<const int> heads) {
    return body_->decoder.membership().settle(heads, body_->options.solver) == 1;
}

}  // namespace nonproj::learn
