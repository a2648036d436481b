#include "nonproj/text/tokenizer.hpp"

#include <algorithm>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/text/token_rows.hpp"

namespace nonproj::text {

namespace {

constexpr std::size_t longest_memo = 48, token_memo_limit = 1 << 17;

std::string_view between(std::string_view text, std::size_t begin, std::size_t end) {
    return text.substr(begin, end - begin);
}

bool is_space_at(std::string_view text, std::size_t at, std::size_t& next) {
    next = at;
    return kind_of(next_letter(text, next)) == Kind::space;
}

}  // namespace

float yes_score(const learn::WeightTable& weights, const Contexts& contexts) {
    const learn::Addressing at = weights.addressing();
    float sum = 0;
    for (const Hash context : contexts) sum += weights[at.place(context)];
    return sum;
}

Lexicon& TokenModel::lexicon(const std::string& name) {
    if (name == "tokens") return tokens;
    if (name == "kinds") return kinds;
    if (name == "expansions") return expansions;
    if (name == "joins") return joins;
    throw Error("a tokenizer has no lexicon " + name);
}

learn::WeightTable& TokenModel::table(const std::string& name) {
    if (name == "cut") return cuts;
    if (name == "end") return ends;
    if (name == "expand") return expands;
    if (name == "join") return joined;
    throw Error("a tokenizer has no table " + name);
}

bool TokenModel::is_joined(std::string_view before, std::string_view gap, std::string_view after,
                           Contexts& contexts) const {
    if (joins.keys().empty() || !is_inner_space(gap)) return false;
    join_contexts(before, after, contexts);
    return !joins.find(contexts[0]).empty() && yes_score(joined, contexts) > 0;
}

// Where the tokens of a chunk end.
std::vector<std::uint32_t> TokenSession::ends_in(const Chunk& chunk) const {
    std::vector<std::uint32_t> ends;
    Contexts contexts;
    std::size_t token = 0;
    for (std::size_t i = 1; i < chunk.letters.size(); ++i) {
        cut_contexts(model_.tokens, model_.kinds, chunk, {i, token}, contexts);
        if (yes_score(model_.cuts, contexts) <= 0) continue;
        ends.push_back(chunk.starts[i]);
        token = i;
    }
    ends.push_back(static_cast<std::uint32_t>(chunk.text.size()));
    return ends;
}

void TokenSession::cut_chunk(std::string_view text, std::size_t begin, std::size_t end) {
    const auto add = [&](const std::vector<std::uint32_t>& ends) {
        std::size_t from = begin;
        for (const std::uint32_t stop : ends) {
            tokens_.push_back({from, begin + stop});
            from = begin + stop;
        }
    };
    const std::string_view chunk = between(text, begin, end);
    const auto find_ends = [&]() -> std::vector<std::uint32_t> {
        if (is_word(model_.tokens, chunk)) return {static_cast<std::uint32_t>(chunk.size())};
        return ends_in(chunk_of(text, begin, end));
    };
    if (chunk.size() > longest_memo) return add(find_ends());
    if (memo_.size() > token_memo_limit) memo_.clear();
    const AfterChunk after = after_chunk(text, end);
    const auto [kept, is_new] = memo_.try_emplace(combined(hash_of(chunk, 204), combined(after.sort, after.word)));
    if (is_new) kept->second = find_ends();
    add(kept->second);
}

// Puts pieces together where a space is part of a token.
void TokenSession::join_tokens(std::string_view text) {
    if (model_.joins.keys().empty() || tokens_.empty()) return;
    Contexts contexts;
    std::size_t kept = 0;
    Token last = tokens_[0];  // as it was before it was joined to others
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
        const Token next = tokens_[i];
        if (model_.is_joined(between(text, last.begin, last.end), between(text, last.end, next.begin),
                             between(text, next.begin, next.end), contexts))
            tokens_[kept].end = next.end;
        else
            tokens_[++kept] = next;
        last = next;
    }
    tokens_.resize(kept + 1);
}

void TokenSession::find_tokens(std::string_view text) {
    tokens_.clear();
    std::size_t begin = 0, next = 0;
    bool is_inside = false;
    for (std::size_t at = 0; at < text.size(); at = next) {
        const bool is_space = is_space_at(text, at, next);
        if (is_inside && is_space) cut_chunk(text, begin, at);
        if (!is_inside && !is_space) begin = at;
        is_inside = !is_space;
    }
    if (is_inside) cut_chunk(text, begin, text.size());
    join_tokens(text);
}

// Whether the model says that a sentence ends after token i, which has `length` tokens so far.
bool TokenSession::is_end(std::span<const TokenView> views, std::span<const float> by_network, std::size_t i,
                          std::size_t length, Contexts& contexts) const {
    end_contexts(views, i, length, contexts);
    float score = yes_score(model_.ends, contexts);
    if (!by_network.empty()) score = joined_score(score, by_network[i], model_.end_share);
    return score > model_.end_threshold;
}

std::vector<BrokenLine> TokenSession::broken_lines(std::string_view text, std::span<const TokenView> views,
                                                   std::span<const float> by_network) const {
    const auto letters = [&](std::size_t begin, std::size_t end) {
        return static_cast<std::size_t>(
            std::ranges::count_if(between(text, begin, end), [](char c) { return (c & 0xc0) != 0x80; }));
    };
    std::vector<BrokenLine> lines;
    Contexts contexts;
    for (std::size_t i = 0, begin = 0; i + 1 < tokens_.size(); ++i) {
        if (!views[i].has_line_after) continue;
        if (!views[i].has_paragraph_after) {
            std::size_t last = i + 1;  // of the next word
            while (last + 1 < tokens_.size() && tokens_[last].end == tokens_[last + 1].begin) ++last;
            lines.push_back({letters(tokens_[begin].begin, tokens_[i].end),
                             letters(tokens_[i + 1].begin, tokens_[last].end),
                             is_end(views, by_network, i, i - begin, contexts)});
        }
        begin = i + 1;
    }
    return lines;
}

Cut TokenSession::cut(std::string_view text, bool is_last, std::int64_t first, std::size_t longest) {
    find_tokens(text);
    const std::vector<TokenView> views = views_of(model_.tokens, text, tokens_);
    const std::span<const float> by_network =
        model_.end_network ? reader_.read(*model_.end_network, views) : std::span<const float>();
    if (!lines_are_sentences_) lines_are_sentences_ = are_sentences(broken_lines(text, views, by_network));
    const bool ends_with_lines = lines_are_sentences_.value_or(false);
    Contexts contexts;
    ExpansionChoice expansion;
    Cut result;
    result.conllu.reserve(text.size() * 8);
    for (std::size_t begin = 0, i = 0; i < tokens_.size(); ++i) {
        if (i % 1024 == 0) Interrupt::check();
        expansion.find(model_.expansion_rules(), text, tokens_, i, false);
        tokens_[i].expansion = expansion.best(model_.expands);
        const bool is_final = i + 1 == tokens_.size();
        const bool ends = views[i].has_paragraph_after || (ends_with_lines && views[i].has_line_after) ||
                          i + 1 - begin >= longest || is_final || is_end(views, by_network, i, i - begin, contexts);
        if (!ends) continue;
        // The last sentence may go on in the text that follows.
        if (is_final && !is_last && result.sentences > 0) break;
        const std::size_t until = is_final ? text.size() : tokens_[i + 1].begin;
        const std::span<const Token> sentence = std::span(tokens_).subspan(begin, i + 1 - begin);
        add_sentence(model_.rules, text,
                     {sentence, result.consumed, until, first + result.sentences, begins_paragraph_}, result.conllu);
        begins_paragraph_ = views[i].has_paragraph_after;
        result.consumed = until;
        ++result.sentences;
        begin = i + 1;
    }
    return result;
}

}  // namespace nonproj::text
