// The network of sentence boundaries beside the linear model: it reads dozens of tokens on either side of a place.
//
// Of each token it sees the word in small letters, how it begins and ends, its shape, its capital, and the space after it.
// What was seen twice in training has a vector of its own, all others of a feature share one.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/learn/network/boundaries.hpp"
#include "nonproj/text/lexicon.hpp"
#include "nonproj/text/token_features.hpp"

namespace nonproj::text {

class EndNetwork {
  public:
    // As it was written; an error where it is damaged.
    EndNetwork(Lexicon rows, std::span<const float> shared, std::span<const float> vectors);
    // Before it learns from the tokens of a treebank: with vectors for what was seen often enough.
    explicit EndNetwork(std::span<const TokenView> views);

    const Lexicon& rows() const { return rows_; }
    const learn::BoundaryNetwork& weights() const { return weights_; }
    void set(learn::BoundaryNetwork weights) { weights_ = std::move(weights); }
    void add_rows_of(const TokenView& token, std::vector<std::uint32_t>& rows) const;

  private:
    std::uint32_t row_of(std::size_t feature, learn::Hash value) const;
    void find_few();

    static constexpr std::size_t few = 3;
    Lexicon rows_;  // the number of a vector by its feature and value
    learn::BoundaryNetwork weights_;
    // The same for features of few values, which need not be looked up.
    std::array<std::uint32_t, few> spaces_{}, capitals_{};
};

// What it learns from: the tokens of a treebank.
learn::BoundaryTrainer boundary_trainer(const EndNetwork& network, std::span<const Token> gold,
                                        std::span<const TokenView> views, std::uint64_t seed);

// Reads texts. A workspace of one thread.
class EndReader {
  public:
    // How likely a sentence ends after each token, as log-odds.
    std::span<const float> read(const EndNetwork& network, std::span<const TokenView> tokens);

  private:
    std::vector<std::uint32_t> rows_;
    learn::BoundaryPass pass_;
};

// The score of an end of which the linear model has one and the network, by its share, the other.
inline float joined_score(float linear, float network, float share) { return (1 - share) * linear + share * network; }

}  // namespace nonproj::text
