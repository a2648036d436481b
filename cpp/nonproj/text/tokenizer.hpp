// Raw text to words and sentences, by linear models of where a word ends, where a sentence ends, and which words a
// multiword token stands for.
//
// Text falls into chunks at spaces. Inside a chunk every place between two letters may be cut; pieces around a space are
// joined to one token where the treebank has such; a sentence may end after any token, and does at an empty line. A
// single line break is a space, as text may be wrapped anywhere, unless the lines are whole sentences. All are decided by averaged logistic regression on what is around the place. A token that ends like a multiword token of
// the treebank is expanded by one of the rules found there, or by none. Where a small network finds the ends of sentences
// better together with the regression, both have a share in the score.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nonproj/block/block.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/text/end_network.hpp"
#include "nonproj/text/expansion.hpp"
#include "nonproj/text/lexicon.hpp"
#include "nonproj/text/line_breaks.hpp"
#include "nonproj/text/token_features.hpp"

namespace nonproj::text {

struct TokenModel {
    Lexicon tokens;      // how often each token of the treebank occurs, by its hash; the number is always 0
    Lexicon expansions;  // by what is taken off the end, in small letters
    Lexicon kinds;       // the usual UPOS of a word in small letters, as a number
    Lexicon joins;       // by the shapes of pieces that a space was seen between in a token; the number is always 0
    std::vector<Expansion> rules;
    learn::WeightTable cuts, ends, expands, joined;
    float end_threshold = 0;
    float end_share = 0;                    // of the network in the score of an end
    std::optional<EndNetwork> end_network;  // there if it has a share

    explicit TokenModel(int bits) : cuts(bits), ends(bits), expands(bits), joined(10) {}
    // tokens, kinds, expansions, joins
    Lexicon& lexicon(const std::string& name);
    std::size_t numbers_of(const std::string& lexicon) const {
        return lexicon == "expansions" ? rules.size() : lexicon == "kinds" ? most_kinds : 1;
    }
    static constexpr std::size_t most_kinds = 256;
    // cut, end, expand, join
    learn::WeightTable& table(const std::string& name);
    template <class Take>
    auto with_table(const std::string& name, Take take) {
        return take(table(name));
    }
    ExpansionRules expansion_rules() const { return {rules, expansions, tokens}; }
    // Whether the space between these pieces is inside a token.
    bool is_joined(std::string_view before, std::string_view gap, std::string_view after, Contexts& contexts) const;
};

// What a stretch of text is of a longer one: the beginning of what will be given as a middle or as the last one, the whole
// of which is not yet known; one that others follow; the last.
enum class Stretch { beginning, middle, last };

struct Cut {
    block::Block block;
    std::size_t consumed = 0;  // bytes of the text that need not be given again: none of a beginning
};

// The step that cuts a text that comes stretch by stretch. A workspace of one thread; the model must live as long.
class Tokenizing {
  public:
    explicit Tokenizing(const TokenModel& model) : model_(model) {}

    // From here on comes another text.
    void begin_text();
    // The sentences of a stretch that were not given yet. Of the last one, which may not be whole, only when it is all there
    // is or no text follows. Of a beginning come those that do not depend on what follows, so that the same sentences are
    // found wherever it ends. No sentence has more than `longest` tokens. The first stretch that has lines enough settles
    // whether lines are sentences, for all that follow it.
    Cut cut(std::string_view text, Stretch stretch, std::size_t longest);

  private:
    struct Sentence {
        std::size_t first, last;  // of its tokens
        std::size_t begin, end;   // bytes of the text
    };
    // How far the source was counted, in bytes of the stretch at hand, characters and lines.
    struct Counted {
        std::size_t bytes = 0;
        std::int64_t letters = 0, lines = 1;
        void advance(std::string_view text, std::size_t to);
    };

    void find_tokens(std::string_view text);
    std::vector<std::uint32_t> ends_in(const Chunk& chunk) const;
    void cut_chunk(std::string_view text, std::size_t begin, std::size_t end);
    void join_tokens(std::string_view text);
    std::vector<BrokenLine> broken_lines(std::string_view text, std::span<const TokenView> views,
                                         std::span<const float> by_network) const;
    bool is_end(std::span<const TokenView> views, std::span<const float> by_network, std::size_t i, std::size_t length,
                Contexts& contexts) const;
    std::size_t settled_tokens(std::string_view text) const;
    std::vector<Sentence> sentences_of(std::string_view text, std::span<const TokenView> views, Stretch stretch,
                                       std::size_t longest);
    void add_sentence(std::string_view text, const Sentence& sentence, block::Table& table, block::TokenText& tokens);

    const TokenModel& model_;
    std::optional<bool> lines_are_sentences_;
    bool begins_paragraph_ = true;
    std::int64_t sentences_ = 0;
    std::size_t given_ = 0;  // bytes of the stretch whose sentences were given
    Counted counted_;
    std::vector<Token> tokens_;
    std::vector<block::Id> forms_;  // of the tokens
    EndReader reader_;
    std::unordered_map<Hash, std::vector<std::uint32_t>> memo_;  // of chunks: where their tokens end
};

// Sentences of a text: found, there, and found with both their ends.
struct EndCounts {
    std::int64_t found = 0, there = 0, right = 0;
};
// The scores above which a sentence may be said to end.
constexpr std::array<float, 51> end_thresholds = [] {
    std::array<float, 51> thresholds{};
    for (int i = 0; i < 51; ++i) thresholds[static_cast<std::size_t>(i)] = static_cast<float>(i - 30) / 10;
    return thresholds;
}();

class TokenTrainer {
  public:
    TokenTrainer(std::span<const conll::Run> runs, int bits);

    // Goes over the text once; how many decisions were wrong.
    std::int64_t learn();
    // The same for the ends of sentences alone.
    std::int64_t learn_ends();
    // Trains the network from nothing; its seed and the rates of its steps settle it. Then it is set.
    learn::BoundaryTrainer end_trainer(std::uint64_t seed);
    void set_end_network(const learn::BoundaryTrainer& trainer);
    // How the ends of the sentences of another text are found with each of the thresholds, its tokens being given. With a
    // share of the score, the network has to be learnt.
    std::array<EndCounts, end_thresholds.size()> try_ends(std::span<const conll::Run> held_out, float share) const;
    // Averaged so far; with the network if that has a share.
    TokenModel model(float end_threshold, float end_share) const;
    learn::AveragedWeights& table(const std::string& name);

  private:
    // A stretch of a token without spaces; most tokens are one.
    struct Piece {
        std::size_t begin, end;
        bool goes_on = false;
    };
    void find_pieces();
    std::int64_t learn_cuts();
    std::int64_t learn_joins();
    std::int64_t learn_expansions();

    std::string text_;
    std::vector<Token> gold_;
    std::vector<Piece> pieces_;
    TokenModel known_;  // all but the weights
    std::optional<EndNetwork> begun_end_network_, end_network_;
    learn::AveragedWeights cuts_, ends_, expands_, joined_;
};

// The score of a yes.
float yes_score(const learn::WeightTable& weights, const Contexts& contexts);

// The text of sentences, as far as CoNLL-U tells it, with its tokens and the words of multiword tokens; paragraphs are
// empty lines apart.
struct GoldText {
    std::string text;
    std::vector<Token> tokens;
    std::vector<std::vector<std::string>> words;  // of each token: none if it is a word itself
    std::vector<std::string> upos;                // of each token, "_" for several words
};
GoldText gold_text(std::span<const conll::Run> runs);

}  // namespace nonproj::text
