// The head of a recurrent network that reads a sentence for a graph-based parser: biaffine scores of arcs (Dozat & Manning
// 2017), and scores of relations. What it says joins the parser's own scores.
//
//   y_i        = the output of a BiLSTM for word i; y_0 is that of the root
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
#include "nonproj/learn/network/recurrent.hpp"
#include "nonproj/learn/network/trainer.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// All but the number of relations are multiples of 16.
struct TreeSizes {
    int word, hidden, layers;
    int arc, relation;  // of a word in its roles
    int relations;      // how many there are
    int bits;           // of the table of embeddings

    const TreeSizes& checked() const;
    RecurrentSizes recurrent() const { return {word, hidden, layers, true}; }
    std::array<int, 2> head_masks() const { return {2 * arc, relation}; }
    int roles() const { return 2 * arc + 2 * relation; }
    int outputs() const { return whole_panels(relations); }
};

struct TreeNetwork : Recurrent<Lstm> {
    using Sizes = TreeSizes;
    using Pass = class TreePass;
    using Examples = class TreeExamples;
    static constexpr TrainingOptions training{
        .dropped_output = 0.33f, .square_decay = 0.95f, .is_one_by_one = true, .is_lazy = true, .longest_gradient = 5};
    TreeSizes sizes;
    Affine roles;  // columns: H, D, R, Q
    Affine arcs, relations;
    Block distance;

    explicit TreeNetwork(const TreeSizes& sizes);
};
using TreeTrainer = Trainer<TreeNetwork>;

// The embeddings of each word's features: first those that are the word itself, one of its last letters, then its tags and
// morphology. The root has none.
class WordFeatures {
  public:
    static constexpr std::size_t of_word = 3, before_tags = 4, before_morphology = 7;
    void assign(const Corpus::Sentence& sentence, const TreeSizes& sizes);
    Sequence sequence() const { return {rows_.data(), begins_}; }

    // Leaves out some: of(the first feature of a word) says which(feature, its row) stay.
    template <class Of>
    void keep(const Of& of) {
        std::uint32_t kept = 0, next = 0;
        for (std::size_t word = 1; word + 1 < begins_.size(); ++word) {
            const auto stays = of(rows_[next]);
            const std::uint32_t first = next;
            for (; next < begins_[word + 1]; ++next)
                if (stays(next - first, rows_[next])) rows_[kept++] = rows_[next];
            begins_[word + 1] = kept;
        }
        rows_.resize(kept);
    }
    std::span<const std::uint32_t> all() const { return rows_; }

  private:
    std::vector<std::uint32_t> rows_, begins_;
};

// Sentences are read side by side, and scored one by one.
class TreePass : public RecurrentPass<Lstm> {
  public:
    // Those of more than `max_words` words are passed over.
    void read(const TreeNetwork& network, std::span<const Corpus::Sentence> sentences, int max_words);
    void forward(const TreeNetwork& network, std::span<const Sequence> sentences);

    // Logarithms of the chances of arcs, a table of words + 1 rows, none below a bound, 0 where there is no arc.
    std::span<const float> log_chances(const TreeNetwork& network, std::size_t sentence);
    // Adds `weight` times the logarithms of the chances of a word's relations under a head.
    void add_relations(const TreeNetwork& network, std::size_t sentence, int head, int word, float weight,
                       std::span<float> scores);

    // Each word of a single sentence chooses its head, and its relation under its gold head.
    Loss backward_to_output(const TreeNetwork& network, const TreeExamples& examples, SharedGradient& shared);

  private:
    std::size_t width(std::size_t sentence) const { return first_[sentence + 1] - first_[sentence]; }
    void score_arcs(const TreeNetwork& network, std::size_t sentence);
    std::span<const float> relation_scores(const TreeNetwork& network, std::size_t sentence, int head, int word);
    double backward_from_arcs(const TreeNetwork& network, const Corpus::Sentence& gold, SharedGradient& shared);
    double backward_from_relations(const TreeNetwork& network, const Corpus::Sentence& gold, SharedGradient& shared);
    void backward_from_roles(const TreeNetwork& network, SharedGradient& shared);

    std::vector<WordFeatures> features_;
    std::vector<Sequence> sequences_;
    std::vector<std::size_t> first_;           // of each sentence, where the rows of its roles begin, and the end
    std::vector<float> mixed_roles_;           // rows of H, D, R, Q, sentences side by side
    std::vector<float> roles_;                 // the same, sentence after sentence
    std::vector<float> heads_, heads_across_;  // of one sentence: H U + u, and its transpose in panels
    std::vector<float> arcs_;                  // a row for each dependent, padded
    std::vector<float> joint_, outputs_;       // leaky(R + Q) of a pair, and its scores of relations
    std::vector<float> joints_;                // of all words with their gold heads
    std::vector<float> table_;
    struct {
        std::vector<float> roles, heads, arcs, joints, outputs;
    } by_;  // gradients
};

// Sentences of a corpus to learn from.
class TreeExamples {
  public:
    TreeExamples(const Corpus& corpus, const TreeSizes& sizes);

    // Embeddings start at random where the corpus has a feature twice or more, and stay 0 elsewhere: a word is known by its
    // tags and its last letters too.
    void draw_weights(TreeNetwork& network, std::uint64_t seed) const;
    // The same in a step of a resumed training.
    Draws& draws(std::uint64_t seed, std::uint64_t steps) { return draws_ = Draws(mixed(seed * 1000003 + steps)); }
    // A sentence, with word dropout if there are draws; an error if it has no heads.
    std::span<const Sequence> take(std::span<const std::int64_t> chosen, Draws* draws);
    const Corpus::Sentence& gold() const { return gold_; }

  private:
    bool has_embedding(std::size_t row) const { return count_[row] > 1; }

    const Corpus& corpus_;
    TreeSizes sizes_;
    std::vector<std::uint32_t> count_;  // how often the corpus has the feature of each row
    Draws draws_{0};
    WordFeatures features_;
    Sequence sequence_;
    Corpus::Sentence gold_;
};

}  // namespace nonproj::learn
