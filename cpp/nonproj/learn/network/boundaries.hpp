// The head of a recurrent network that reads a text of any length for the boundaries of sentences: one number a token.
//
//   s_i = y_i v + v_0      the log-odds of a boundary behind token i; y is the output of a BiGRU
//
// A text is read in windows, each token where there is enough of the text on either side.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/network/recurrent.hpp"
#include "nonproj/learn/network/trainer.hpp"

namespace nonproj::learn {

// `embedding` and `hidden` are multiples of 16.
struct BoundarySizes {
    int embedding, hidden;
    int features;      // of each token
    std::size_t rows;  // how many embeddings there are

    const BoundarySizes& checked() const;
    RecurrentSizes recurrent() const { return {embedding, hidden, 1, false}; }
    std::array<int, 0> head_masks() const { return {}; }
};

struct BoundaryNetwork : Recurrent<Gru> {
    using Sizes = BoundarySizes;
    using Pass = class BoundaryPass;
    using Examples = class BoundaryExamples;
    static constexpr TrainingOptions training{.dropped_output = 0.4f, .square_decay = 0.99f, .average_decay = 0.99f};
    BoundarySizes sizes;
    Block output, bias;

    explicit BoundaryNetwork(const BoundarySizes& sizes);
};
using BoundaryTrainer = Trainer<BoundaryNetwork>;

class BoundaryPass : public RecurrentPass<Gru> {
  public:
    static constexpr std::size_t usual_side_by_side = 12;

    // The score of each token of a text, of whose features `rows` has the embeddings; so many windows are read at once.
    std::span<const float> read(const BoundaryNetwork& network, std::span<const std::uint32_t> rows,
                                std::size_t side_by_side = usual_side_by_side);
    // How many tokens of a text, of which so many are known and more follow, have their score whatever these are.
    static std::size_t settled(std::size_t known);
    void forward(const BoundaryNetwork& network, std::span<const Sequence> windows);
    // By the log-likelihood of the answers.
    Loss backward_to_output(const BoundaryNetwork& network, const BoundaryExamples& examples, SharedGradient& shared);

  private:
    std::vector<float> scores_;  // a row for each position
    std::vector<std::uint32_t> token_begins_;
    std::vector<Sequence> windows_;
    std::vector<float> text_scores_;
};

// A text with its answers. The first embeddings, one for each feature, stand for what is not known.
struct BoundaryText {
    std::vector<std::uint32_t> rows;     // of each token, one for each feature
    std::vector<std::uint8_t> is_yes;    // of each token
    std::vector<std::uint8_t> is_asked;  // others are only read
};

// What is learnt from: windows of a text, each named by the token where it begins.
class BoundaryExamples {
  public:
    // An error where the text does not fit the sizes.
    BoundaryExamples(const BoundarySizes& sizes, BoundaryText text, std::uint64_t seed);

    std::size_t tokens() const { return text_.is_yes.size(); }
    // The windows of an epoch: side by side over all of the text, from another place in each epoch, in another order.
    std::vector<std::int64_t> draw_windows();

    void draw_weights(BoundaryNetwork& network, std::uint64_t seed) const;
    Draws& draws(std::uint64_t, std::uint64_t) { return draws_; }
    // With word dropout if there are draws.
    std::span<const Sequence> take(std::span<const std::int64_t> begins, Draws* draws);

  private:
    friend class BoundaryPass;
    BoundarySizes sizes_;
    BoundaryText text_;
    std::size_t window_;
    Draws draws_;
    std::vector<float> dropped_;  // of each embedding, the chance that it is taken for that of what is not known
    std::vector<std::uint32_t> unknown_;

    std::vector<std::int64_t> begins_;  // of the windows that were taken
    std::vector<std::uint32_t> rows_, token_begins_;
    std::vector<Sequence> sequences_;
};

}  // namespace nonproj::learn
