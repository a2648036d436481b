// The body of learn/tree_decoder.hpp, compiled once.
#include "nonproj/learn/tree_decoder.hpp"

#include <algorithm>

#include "nonproj/decode/decoder.hpp"
#include "nonproj/decode/membership.hpp"

namespace nonproj::learn {

struct TreeDecoder::Body {
    // A parser looks at thousands of trees: on a hard one the best found soon is good enough.
    static constexpr int work_limit = 500;
    static constexpr double most_nanoseconds = 2e8;

    DecodeWishes wishes;
    Decoder<float> decoder;
    Membership membership;
};

TreeDecoder::TreeDecoder(const ClassRule& rule, bool single_root) : body_(std::make_unique<Body>()) {
    body_->wishes = {"", simplest(rule), single_root, Strategy::automatic, Body::work_limit};
    body_->wishes.most_nanoseconds = Body::most_nanoseconds;
    body_->wishes.must_find = false;
}
TreeDecoder::~TreeDecoder() = default;
TreeDecoder::TreeDecoder(TreeDecoder&&) noexcept = default;

bool TreeDecoder::decode(const ArcScores<float>& scores, std::span<int> heads) {
    const Outcome outcome = body_->decoder.decode(scores, body_->wishes);
    std::copy(outcome.heads.begin(), outcome.heads.end(), heads.begin());
    return !outcome.heads.empty();
}

bool TreeDecoder::is_member(std::span<const int> heads) {
    return body_->membership.settle(heads, body_->wishes.rule) == 1;
}

}  // namespace nonproj::learn
