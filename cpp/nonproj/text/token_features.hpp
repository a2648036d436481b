// What the tokenizer looks at: the letters around a place inside a word, the tokens around the end of a sentence.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "nonproj/block/forms.hpp"
#include "nonproj/block/strings.hpp"
#include "nonproj/text/contexts.hpp"
#include "nonproj/text/lexicon.hpp"

namespace nonproj::text {

// A token of a text: where it lies and what follows.
struct Token {
    std::size_t begin, end;
    bool ends_sentence = false;
    std::uint32_t expansion = 0;  // 1 + its number, 0 for none
};

// How often a token was seen in training is asked by this.
inline Hash token_key(std::string_view token) { return hash_of(token, 201); }

// What follows the space after a chunk: the sort of letter, and after a mark, which may or may not belong to the word
// before it, also the first letters.
struct AfterChunk {
    Hash sort, word;
};
AfterChunk after_chunk(std::string_view text, std::size_t end);

// A stretch of letters without spaces: what each is and where it begins, and what comes after all of them.
struct Chunk {
    std::string_view text;
    std::vector<Hash> letters;          // in small letters and with every digit as 0
    std::vector<Hash> sorts;            // of letters: the kind, or which mark
    std::vector<std::uint32_t> starts;  // and the end
    AfterChunk after;
    Hash traits;  // of addresses: a dot inside, a slash, an @
};
Chunk chunk_of(std::string_view text, std::size_t begin, std::size_t end);

// Whether it is all letters, and was a token so often that it needs no looking into.
bool is_word(const Lexicon& tokens, std::string_view chunk);

// A place between two letters of a chunk; `token` is where the token at hand begins.
struct CutPlace {
    std::size_t at, token;
    // In training: which of the pieces before, after and around the place are tokens. They do not count as seen.
    bool before_is_own = false, after_is_own = false, whole_is_own = false;
};
// `kinds` has the usual UPOS of words by their `small_hash`.
void cut_contexts(const Lexicon& tokens, const Lexicon& kinds, const Chunk& chunk, const CutPlace& place,
                  Contexts& contexts);

// A token as those around it see it.
struct TokenView {
    Hash form, small, shape;
    Hash begin, end;  // its first four letters and its last three
    Hash capital;     // 1 if it begins with one, 2 if the same word was also seen without
    bool has_letter;
    bool has_space_after, has_line_after, has_paragraph_after;
    Hash word = 0, word_begin = 0;  // all of it in small letters, however rare it is, and its first three
};
// How each token is seen; its form is kept among the strings, each of which is looked at once, and `ids` gets its number.
std::vector<TokenView> views_of(const Lexicon& known, std::string_view text, std::span<const Token> tokens,
                                block::Strings& forms, std::vector<block::Id>& ids);
std::vector<TokenView> views_of(const Lexicon& known, std::string_view text, std::span<const Token> tokens);
// Of the end of a sentence after token i, which has `length` tokens so far.
void end_contexts(std::span<const TokenView> tokens, std::size_t i, std::size_t length, Contexts& contexts);

// Whether a token may go on after this stretch: a single space, which is no end of a line.
inline bool is_inner_space(std::string_view gap) { return gap == " " || gap == "\u00a0"; }
// Of a space inside a token, such as that of a long number; the first one says whether any was seen between such pieces.
void join_contexts(std::string_view before, std::string_view after, Contexts& contexts);

}  // namespace nonproj::text
