// A small network that reads a sentence: vectors of words, a BiLSTM, biaffine scores of arcs (Dozat & Manning 2017) and
// scores of relations. A graph-based parser adds what it says to its own scores.
//
//   x_i        = sum of a vector for each of a few features of word i (form, lemma, tags, suffix, morphology); x_0 is the root
//   y_i        = the states of a BiLSTM over x_0 .. x_n, of one layer or more
//   H, D       = leaky(y W + b), words as heads and as dependents        R, Q = y W' + b', the same for relations
//   s(h, d)    = (H_h U + u) D_d + distance(h, d)                         the chance of h among the heads of d is exp s / sum
//   t(h, d, r) = leaky(R_h + Q_d) V_r + v_r
//
// A pass takes O(n) products of matrices of fixed size, and n^2 products of vectors.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/network/panels.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// All but the number of relations are multiples of 16.
struct NetworkSizes {
    int word, hidden, layers;
    int arc, relation;  // of a word in its roles
    int relations;      // how many there are
    int bits;           // of the table of vectors

    void check() const;
    int roles() const { return 2 * arc + 2 * relation; }
    int outputs() const { return whole_panels(relations); }
    // Of the input of a layer.
    int input(int layer) const { return layer == 0 ? word : 2 * hidden; }
};

// Where everything lies among the weights that all words share.
struct NetworkLayout {
    struct Lstm {
        Block from_input, from_before, bias;  // columns: the gates in, forget and out, then what is put in
    };
    Block root;
    std::vector<std::array<Lstm, 2>> layers;  // each forwards and backwards
    Block roles, role_bias;                   // columns: H, D, R, Q
    Block arcs, arc_bias;
    Block relations, relation_bias;
    Block distance;
    std::size_t size;

    explicit NetworkLayout(const NetworkSizes& sizes);
};

struct Network {
    NetworkSizes sizes;
    NetworkLayout layout;
    std::vector<float> shared;
    WeightTable vectors;

    explicit Network(const NetworkSizes& sizes);
    const float* operator[](const Block& block) const { return shared.data() + block.begin; }
};

// Distances from -16 to 15 are told apart.
inline constexpr int distances = 32;
inline int distance_place(int head, int dependent) {
    const int distance = dependent - head;
    return distance < -16 ? 0 : distance > 15 ? distances - 1 : distance + 16;
}

// The places of the vectors of each word's features: first those that are the word itself, one of its last letters, then its
// tags and morphology.
class WordVectors {
  public:
    static constexpr std::size_t of_word = 3, before_tags = 4, before_morphology = 7;
    void assign(const Corpus::Sentence& sentence, const NetworkSizes& sizes);
    std::span<const std::uint32_t> of(int word) const {
        return {places_.data() + begins_[word - 1], begins_[word] - begins_[word - 1]};
    }
    std::span<const std::uint32_t> all() const { return places_; }

  private:
    std::vector<std::uint32_t> places_;
    std::vector<std::size_t> begins_;
};

// What is dropped in training: factors of the columns of each matrix, the same for all words of a sentence. Empty: nothing.
struct Dropped {
    std::vector<float> input, roles, relation;
    std::vector<std::vector<float>> layers;
};

// A pass over some sentences, with all that learning needs to go back. A workspace of one thread.
//
// The sentences are read side by side, longest first: the rows of all matrices are the roots of all sentences, then their
// first words, and so on. What a sentence gets does not depend on its company.
class NetworkPass {
  public:
    // Those of more than `max_words` words are passed over.
    void read(const Network& network, std::span<const Corpus::Sentence> sentences, int max_words);

    // Of one of these sentences: logarithms of the chances of arcs, a table of words + 1 rows, none below a bound, 0 where
    // there is no arc.
    std::span<const float> log_chances(const Network& network, std::size_t sentence);
    // Adds `weight` times the logarithms of the chances of a word's relations under a head.
    void add_relations(const Network& network, std::size_t sentence, int head, int word, float weight,
                       std::span<float> scores);

    // The vectors of the root and of all words, if it was a single sentence.
    std::span<const float> input() const { return input_; }

  private:
    friend class NetworkTrainer;
    struct Layer {
        std::vector<float> gates[2];           // rows of 4 hidden: in, forget, out, what is put in
        std::vector<float> cells[2], ends[2];  // rows of hidden; `ends` are tanh of the cells
        std::vector<float> states;             // rows of 2 hidden
        std::vector<float> output;             // the same, less what is dropped
    };

    template <class PlacesOf>
    void read_as(const Network& network, std::span<const int> words, const PlacesOf& places_of, const Dropped& dropped);
    void lay_out(std::span<const int> words);
    std::size_t positions() const { return row_.size() - 1; }
    std::size_t rows() const { return row_.back(); }
    std::size_t rows_at(std::size_t position) const { return row_[position + 1] - row_[position]; }
    std::size_t width(std::size_t sentence) const { return first_[sentence + 1] - first_[sentence]; }
    float* roles_of(std::size_t sentence, std::size_t size) { return &roles_[first_[sentence] * size]; }

    void run_layer(const Network& network, int layer, std::span<const float> input, std::span<const float> kept);
    void run_direction(const Network& network, int layer, int direction, std::span<const float> input);
    void take_roles(const Network& network, std::span<const float> kept);
    void score_arcs(const Network& network, std::size_t sentence);
    std::span<const float> relation_scores(const Network& network, std::size_t sentence, int head, int word,
                                           std::span<const float> kept);

    std::vector<std::size_t> row_;    // of each position the first row, and the end
    std::vector<std::size_t> order_;  // sentences, longest first
    std::vector<std::size_t> first_;  // of each sentence, where the rows of its roles begin, and the end
    std::vector<WordVectors> vectors_;
    std::vector<int> words_;
    std::vector<float> input_;
    std::vector<Layer> layers_;
    std::vector<float> mixed_roles_;           // rows of H, D, R, Q
    std::vector<float> roles_;                 // the same, sentence after sentence
    std::vector<float> heads_, heads_across_;  // of one sentence: H U + u, and its transpose in panels
    std::vector<float> arcs_;                  // a row for each dependent, padded
    std::vector<float> joint_, outputs_;       // leaky(R + Q) of a pair, and its scores of relations
    std::vector<float> table_;
};

}  // namespace nonproj::learn
