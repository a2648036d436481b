// Multiword tokens by rules: what is taken off the end of a token, and the words that come of it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/learn/weights.hpp"
#include "nonproj/text/lexicon.hpp"
#include "nonproj/text/token_features.hpp"

namespace nonproj::text {

// Letters off the end of a token, others in their place as the first word, and the words that follow.
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

struct ExpansionRules {
    std::span<const Expansion> all;
    const Lexicon& by_end;  // by what they take off, in small letters, as `expansion_key` names it
    const Lexicon& tokens;
};

// The rules that a token's end asks for, and what speaks for each.
struct ExpansionChoice {
    struct Rule {
        std::uint32_t number;
        Hash fit;  // whether its first word is known, and how much of the token is in it
    };
    std::vector<Rule> rules;
    Contexts contexts;

    // `is_own`: the token is one of those that the lexicons were learnt from.
    void find(const ExpansionRules& known, std::string_view text, std::span<const Token> tokens, std::size_t i,
              bool is_own);
    // 1 + the number of the best rule, 0 for none.
    std::uint32_t best(const learn::WeightTable& weights) const;
    void change(learn::AveragedWeights& weights, std::uint32_t expansion, float change) const;

  private:
    template <class Take>
    void each_place(const learn::Addressing& at, const Rule& rule, Take take) const;
};

inline Hash expansion_key(std::string_view taken) { return hash_of(taken, 202); }

}  // namespace nonproj::text
