// Raw text to words and sentences, by linear models of where a word ends, where a sentence ends, and which words a
// multiword token stands for.
//
// Text falls into chunks at spaces. Inside a chunk every place between two letters may be cut; a sentence may end after
// any token, and does at an empty line. Both are decided by averaged logistic regression on what is around the place.
// A token that ends like a multiword token of the treebank is expanded by one of the rules found there, or by none.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/conll/run.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/text/forms.hpp"
#include "nonproj/text/lexicon.hpp"

namespace nonproj::text {

// A multiword token: letters off its end, others in their place as the first word, and the words that follow.
// Written "taken\tadded\tsecond\tthird...".
struct Expansion {
    std::string taken, added;
    std::vector<std::string> others;

    static Expansion between(std::string_view token, std::span<const std::string> words);
    static Expansion parsed(std::string_view text);
    std::string text() const;
    // Empty when the token does not end so, or nothing is left of it.
    std::vector<std::string> apply(std::string_view token) const;
};

// A token of a text that is known: where it lies and what follows.
struct Token {
    std::size_t begin, end;
    bool ends_sentence = false;
    std::uint32_t expansion = 0;  // 1 + its number, 0 for none
};

struct TokenModel {
    Lexicon tokens;      // how often each token of the treebank occurs, by its hash; the number is always 0
    Lexicon expansions;  // by what is taken off the end, in small letters
    std::vector<Expansion> rules;
    learn::WeightTable cuts, ends, expands;
    float end_threshold = 0;

    explicit TokenModel(int bits) : cuts(bits), ends(bits), expands(bits) {}
    // tokens, expansions
    Lexicon& lexicon(const std::string& name);
    std::size_t numbers_of(const std::string& lexicon) const { return lexicon == "tokens" ? 1 : rules.size(); }
    // cut, end, expand
    learn::WeightTable& table(const std::string& name);
};

struct Cut {
    std::string conllu;
    std::size_t consumed = 0;    // bytes of the text that it holds
    std::int64_t sentences = 0;  // in it
};

class TokenSession {
  public:
    explicit TokenSession(const TokenModel& model) : model_(model) {}

    // CoNLL-U of the sentences of a text, numbered from `first`. When more text follows, the last sentence, which may
    // not be whole, is left, unless it is all there is. No sentence has more than `longest` tokens.
    Cut cut(std::string_view text, bool is_last, std::int64_t first, std::size_t longest);

  private:
    void find_tokens(std::string_view text);
    void cut_chunk(std::string_view text, std::size_t begin, std::size_t end);

    const TokenModel& model_;
    std::vector<Token> tokens_;
    std::unordered_map<Hash, std::vector<std::uint32_t>> memo_;  // of chunks: where their tokens end
};

class TokenTrainer {
  public:
    TokenTrainer(std::span<const conll::Run> runs, int bits);

    // Goes over the text once; how many decisions were wrong.
    std::int64_t learn();
    // Averaged so far; sentences end where that gives the best F1 on the text of `dev`, if there is any.
    TokenModel model(std::span<const conll::Run> dev) const;
    learn::AveragedWeights& table(const std::string& name);

  private:
    std::string text_;
    std::vector<Token> gold_;
    TokenModel known_;  // all but the weights
    learn::AveragedWeights cuts_, ends_, expands_;
};

// The text of sentences, as far as CoNLL-U tells it, with its tokens; paragraphs are empty lines apart.
std::string text_of(std::span<const conll::Run> runs, std::vector<Token>& tokens,
                    std::vector<std::vector<std::string>>* words);

}  // namespace nonproj::text
