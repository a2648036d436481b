#include "nonproj/learn/network/boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/learn/network/functions.hpp"
#include "nonproj/learn/network/rows.hpp"

namespace nonproj::learn {

namespace {

// Of a window that is read all tokens count that have so many others before and behind them in it, or an end of the text.
constexpr std::size_t longest_window = 128, margin = 12, window_step = longest_window - 2 * margin;
// Of one that is learnt, so many tokens at either end are not asked.
constexpr std::size_t learnt_window = 50, unsure_tokens = 4;
// Word dropout: each feature, the rarer the oftener.
constexpr float dropped_features = 0.2f, feature_rareness = 0.5f;
constexpr float deviation_of_embeddings = 0.1f, first_bias = -2.0f;

// The features of a token follow those of the token before.
void begins_of_tokens(std::size_t tokens, std::size_t features, std::vector<std::uint32_t>& begins) {
    begins.resize(tokens + 1);
    for (std::size_t i = 0; i <= tokens; ++i) begins[i] = static_cast<std::uint32_t>(i * features);
}

}  // namespace

const BoundarySizes& BoundarySizes::checked() const {
    check_sizes({embedding, hidden});
    if (features < 1 || features > 64 || rows >= std::size_t{1} << 31)
        throw Error("a network has 1 to 64 features, and less than 2^31 embeddings");
    return *this;
}

BoundaryNetwork::BoundaryNetwork(const BoundarySizes& sizes)
    : Recurrent(sizes.checked().recurrent(), sizes.rows * sizes.embedding), sizes(sizes) {
    output = take(1, 2 * sizes.hidden);
    bias = take(1, 1);
}

void BoundaryPass::forward(const BoundaryNetwork& network, std::span<const Sequence> windows) {
    RecurrentPass::forward(network, windows);
    const std::size_t two = network.recurrent.output(), count = batch.rows();
    const float *const states = output().data(), *const weights = network[network.output];
    const float bias = *network[network.bias];
    scores_.resize(count);
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count; ++i) {
            float sums[panel] = {};
            for (std::size_t j = 0; j < two; j += panel)
                for (std::size_t l = 0; l < panel; ++l) sums[l] += states[i * two + j + l] * weights[j + l];
            float sum = bias;
            for (const float each : sums) sum += each;
            scores_[i] = sum;
        }
    });
}

Loss BoundaryPass::backward_to_output(const BoundaryNetwork& network, const BoundaryExamples& examples,
                                      SharedGradient& shared) {
    const std::size_t two = network.recurrent.output(), windows = examples.begins_.size(), length = batch.positions();
    const float *const states = output().data(), *const weights = network[network.output];
    float *const by_weights = shared[network.output], *const by_bias = shared[network.bias];
    gradient.assign(batch.rows() * two, 0.0f);
    Loss loss;
    for (std::size_t position = unsure_tokens; position + unsure_tokens < length; ++position)
        for (std::size_t w = 0; w < windows; ++w) {
            const std::size_t token = examples.begins_[w] + position, row = position * windows + w;
            if (!examples.text_.is_asked[token]) continue;
            ++loss.answers;
            const float is_yes = examples.text_.is_yes[token] != 0 ? 1.0f : 0.0f;
            const float error = logistic(scores_[row]) - is_yes;
            loss.sum += std::max(scores_[row], 0.0f) - scores_[row] * is_yes +
                        std::log1p(std::exp(-std::abs(double{scores_[row]})));
            *by_bias += error;
            float* const by_output = &gradient[row * two];
            for (std::size_t j = 0; j < two; ++j) {
                by_weights[j] += error * states[row * two + j];
                by_output[j] = error * weights[j];
            }
        }
    return loss;
}

BoundaryExamples::BoundaryExamples(const BoundarySizes& sizes, BoundaryText text, std::uint64_t seed)
    : sizes_(sizes.checked()),
      text_(std::move(text)),
      window_(std::min(learnt_window, tokens())),
      draws_(mixed(seed + 2)),
      dropped_(sizes.rows),
      unknown_(sizes.rows) {
    const std::size_t features = sizes.features;
    if (text_.rows.size() != tokens() * features || text_.is_asked.size() != tokens() || sizes.rows < features ||
        !std::ranges::all_of(text_.rows, [&](std::uint32_t row) { return row < sizes.rows; }))
        throw Error("the examples do not fit the sizes of the network");
    std::vector<std::uint32_t> count(sizes.rows);
    for (std::size_t i = 0; i < text_.rows.size(); ++i) {
        ++count[text_.rows[i]];
        unknown_[text_.rows[i]] = static_cast<std::uint32_t>(i % features);
    }
    for (std::size_t row = features; row < sizes.rows; ++row)
        dropped_[row] = feature_rareness / (feature_rareness + static_cast<float>(count[row]));
    begins_of_tokens(window_, features, token_begins_);
}

void BoundaryExamples::draw_weights(BoundaryNetwork& network, std::uint64_t seed) const {
    Draws draws(mixed(seed + 1));
    network.draw(draws);
    network.draw(network.output, std::sqrt(1.0f / static_cast<float>(sizes_.hidden)), draws);
    network.shared[network.bias.begin] = first_bias;
    draw_uniform(network.embeddings, deviation_of_embeddings * std::sqrt(3.0f), draws);
}

std::vector<std::int64_t> BoundaryExamples::draw_windows() {
    std::vector<std::int64_t> begins;
    if (window_ == 0) return begins;
    const std::size_t before = draws_.below(window_);
    for (std::size_t end = window_ - before; end < tokens() + window_; end += window_)
        begins.push_back(std::min(end < window_ ? 0 : end - window_, tokens() - window_));
    for (std::size_t i = begins.size(); i > 1; --i) std::swap(begins[i - 1], begins[draws_.below(i)]);
    return begins;
}

std::span<const Sequence> BoundaryExamples::take(std::span<const std::int64_t> begins, Draws* draws) {
    const auto last = static_cast<std::int64_t>(tokens() - window_);
    if (std::ranges::any_of(begins, [&](std::int64_t begin) { return begin < 0 || begin > last; }))
        throw Error("a window goes past the end of the examples");
    const std::size_t size = window_ * sizes_.features;
    begins_.assign(begins.begin(), begins.end());
    rows_.resize(begins.size() * size);
    sequences_.clear();
    for (std::size_t w = 0; w < begins.size(); ++w) {
        std::copy_n(&text_.rows[begins[w] * sizes_.features], size, &rows_[w * size]);
        sequences_.push_back({&rows_[w * size], token_begins_});
    }
    if (draws != nullptr)
        for (std::uint32_t& row : rows_)
            if (between_0_and_1(*draws) < dropped_features || between_0_and_1(*draws) < dropped_[row])
                row = unknown_[row];
    return sequences_;
}

std::size_t BoundaryPass::settled(std::size_t known) {
    return known < longest_window ? 0 : (known - longest_window) / window_step * window_step + longest_window - margin;
}

std::span<const float> BoundaryPass::read(const BoundaryNetwork& network, std::span<const std::uint32_t> rows,
                                          std::size_t side_by_side) {
    const std::size_t features = network.sizes.features, count = rows.size() / features;
    begins_of_tokens(longest_window, features, token_begins_);
    text_scores_.resize(count);
    std::size_t scored = 0;
    for (std::size_t begin = 0; scored < count;) {
        Interrupt::check();
        windows_.clear();
        const std::size_t first = begin;
        for (std::size_t end = 0; windows_.size() < side_by_side && end < count; begin += window_step) {
            end = std::min(count, begin + longest_window);
            windows_.push_back({&rows[begin * features], std::span(token_begins_).first(end - begin + 1)});
        }
        forward(network, windows_);
        // All windows are of one length but the last, so that they lie as they came.
        for (std::size_t w = 0; w < windows_.size(); ++w) {
            const std::size_t from = first + w * window_step, until = from + windows_[w].length();
            for (; scored < (until == count ? count : until - margin); ++scored)
                text_scores_[scored] = scores_[batch.first[scored - from] + w];
        }
    }
    return text_scores_;
}

}  // namespace nonproj::learn
