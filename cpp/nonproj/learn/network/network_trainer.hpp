// Training a network: each word chooses its head and its relation under its gold head, by the log-likelihood of both;
// Adam, some sentences at a step.
//
// The gradient of a vector of a feature is known only where the feature occurs, and only there Adam takes a step ("lazily").
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/network/network.hpp"

namespace nonproj::learn {

class NetworkTrainer {
  public:
    // Vectors start at random where the corpus has a feature twice or more, and stay 0 elsewhere: a word is known by its tags and
    // its last letters too.
    NetworkTrainer(const NetworkSizes& sizes, const Corpus& corpus, std::uint64_t seed);

    // One step by these sentences; what is dropped depends on seed and the number of steps. Returns the sum of the losses
    // of all words.
    double learn(const Corpus& corpus, std::span<const std::int64_t> sentences, float rate);

    // The loss of a sentence with nothing dropped, and its gradient by the shared weights and by those of the table.
    struct Slope {
        double loss;
        std::vector<float> shared, vectors;
    };
    Slope gradient(const Corpus& corpus, std::int64_t sentence);

    const Network& network() const { return network_; }
    Network& network() { return network_; }

    // What Adam remembers, beside the weights: shared.mean, shared.square, vectors.mean, vectors.square.
    std::span<float> memory(const std::string& name);
    std::uint64_t steps() const { return steps_; }
    void resume(std::uint64_t steps) { steps_ = steps; }

  private:
    void read(const Corpus::Sentence& sentence, const Dropped& dropped);
    double go_back(const Corpus::Sentence& sentence, const Dropped& dropped);
    double go_back_from_arcs(const Corpus::Sentence& sentence);
    double go_back_from_relations(const Corpus::Sentence& sentence, const Dropped& dropped);
    void go_back_from_roles(const Dropped& dropped);
    void go_back_through(int layer, int direction, std::span<const float> input);
    void go_back_to_vectors(const Dropped& dropped);
    template <class Of>
    void take_places(const Corpus::Sentence& sentence, const Of& of);
    void hide_some(const Corpus::Sentence& sentence, Draws& draws);
    bool has_vector(std::size_t row) const { return count_[row] > 1; }
    std::span<const std::uint32_t> places_of(int word) const {
        return {places_.data() + begins_[word - 1], begins_[word] - begins_[word - 1]};
    }
    Dropped drop(Draws& draws) const;
    void turn_over();
    void clear();
    void step(std::size_t words, float rate);
    float* slope(const Block& block) { return slopes_.data() + block.begin; }
    float* across(const Block& block) { return across_.data() + block.begin; }

    Network network_;
    std::uint64_t seed_, steps_ = 0;
    std::vector<std::uint32_t> count_;  // how often the corpus has the vector of each row
    std::vector<float> shared_mean_, shared_square_;
    WeightTable vector_mean_, vector_square_;

    std::vector<float> across_;  // the transposed matrices of the network
    std::vector<float> slopes_;  // of the shared weights, summed over the sentences of a step
    // The vectors that occur in a step, and their slopes, one after the other.
    std::vector<std::int32_t> slot_;
    std::vector<std::uint32_t> met_;
    std::vector<float> met_slopes_;

    NetworkPass pass_;
    WordVectors vectors_;
    std::vector<std::uint32_t> places_;
    std::vector<std::size_t> begins_;
    std::vector<float> arcs_, heads_, roles_, joints_, joint_slopes_, output_slopes_, output_, input_, gates_, state_,
        cell_;
};

}  // namespace nonproj::learn
