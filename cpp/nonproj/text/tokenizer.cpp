#include "nonproj/text/tokenizer.hpp"

#include <algorithm>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

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
std::vector<std::uint32_t> Tokenizing::ends_in(const Chunk& chunk) const {
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

void Tokenizing::cut_chunk(std::string_view text, std::size_t begin, std::size_t end) {
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
void Tokenizing::join_tokens(std::string_view text) {
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

void Tokenizing::find_tokens(std::string_view text) {
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
bool Tokenizing::is_end(std::span<const TokenView> views, std::span<const float> by_network, std::size_t i,
                        std::size_t length, Contexts& contexts) const {
    end_contexts(views, i, length, contexts);
    float score = yes_score(model_.ends, contexts);
    if (!by_network.empty()) score = joined_score(score, by_network[i], model_.end_share);
    return score > model_.end_threshold;
}

std::vector<BrokenLine> Tokenizing::broken_lines(std::string_view text, std::span<const TokenView> views,
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

void Tokenizing::begin_text() {
    lines_are_sentences_.reset();
    begins_paragraph_ = true;
    sentences_ = 0;
    given_ = 0;
    counted_ = {};
}

void Tokenizing::Counted::advance(std::string_view text, std::size_t to) {
    const std::string_view more = between(text, bytes, to);
    letters += std::ranges::count_if(more, [](char c) { return !block::is_inside_letter(c); });
    lines += static_cast<std::int64_t>(line_breaks(more));
    bytes = to;
}

// Of the beginning of a stretch, which ends in a space: as many tokens as are the same whatever follows, and which token
// comes after them. What follows the last chunk may tell how that is cut, and whether the one before goes on in it.
std::size_t Tokenizing::settled_tokens(std::string_view text) const {
    std::size_t chunk = text.size();
    for (int back = 0; back < 2; ++back) {
        bool is_inside = false;
        while (chunk > 0) {
            std::size_t at = chunk - 1;
            while (at > 0 && block::is_inside_letter(text[at])) --at;
            std::size_t next;
            const bool is_space = is_space_at(text, at, next);
            if (is_inside && is_space) break;
            is_inside |= !is_space;
            chunk = at;
        }
    }
    const auto after = std::ranges::find_if(tokens_, [&](const Token& token) { return token.end > chunk; });
    return static_cast<std::size_t>(after - tokens_.begin());
}

// All sentences of the stretch whose ends are known, those that were given too.
std::vector<Tokenizing::Sentence> Tokenizing::sentences_of(std::string_view text, std::span<const TokenView> views,
                                                           Stretch stretch, std::size_t longest) {
    const std::span<const float> by_network =
        model_.end_network ? reader_.read(*model_.end_network, views) : std::span<const float>();
    const bool is_beginning = stretch == Stretch::beginning;
    if (!lines_are_sentences_ && !is_beginning)
        lines_are_sentences_ = are_sentences(broken_lines(text, views, by_network));
    const bool ends_with_lines = lines_are_sentences_.value_or(false);
    std::size_t count = tokens_.size();
    if (is_beginning) {
        const std::size_t settled = settled_tokens(text), seen_ahead = 2;
        count = std::max(settled, seen_ahead) - seen_ahead;
        if (model_.end_network) count = std::min(count, learn::BoundaryPass::settled(settled));
    }
    std::vector<Sentence> found;
    Contexts contexts;
    for (std::size_t begin = 0, i = 0; i < count; ++i) {
        if (i % 1024 == 0) Interrupt::check();
        const bool is_final = i + 1 == tokens_.size();
        const bool ends = views[i].has_paragraph_after || (ends_with_lines && views[i].has_line_after) ||
                          i + 1 - begin >= longest || is_final || is_end(views, by_network, i, i - begin, contexts);
        // Whether this line ends a sentence the whole stretch will tell.
        if (!ends && is_beginning && !lines_are_sentences_ && views[i].has_line_after) break;
        if (!ends) continue;
        // The last sentence may go on in the text that follows.
        if (is_final && stretch != Stretch::last && !found.empty()) break;
        found.push_back(
            {begin, i, found.empty() ? 0 : found.back().end, is_final ? text.size() : tokens_[i + 1].begin});
        begin = i + 1;
    }
    return found;
}

void Tokenizing::add_sentence(std::string_view text, const Sentence& sentence, block::Table& table,
                              block::TokenText& cut) {
    counted_.advance(text, tokens_[sentence.first].begin);
    cut.sentences.push_back({cut.tokens.size(), sentence.begin - given_, sentence.end - given_, ++sentences_,
                             counted_.lines, begins_paragraph_});
    ExpansionChoice expansion;
    for (std::size_t i = sentence.first; i <= sentence.last; ++i) {
        const Token& token = tokens_[i];
        counted_.advance(text, token.begin);
        const std::int64_t first_letter = counted_.letters;
        counted_.advance(text, token.end);
        expansion.find(model_.expansion_rules(), text, tokens_, i, false);
        std::vector<std::string> words;
        if (const std::uint32_t best = expansion.best(model_.expands); best != 0)
            words = model_.rules[best - 1].apply(between(text, token.begin, token.end));
        if (words.size() < 2)
            table.add_word(forms_[i]);
        else
            for (const std::string& word : words) table.add_word(table.form.values.add(word));
        const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(words.size(), 1));
        cut.tokens.push_back({token.begin - given_, token.end - given_, first_letter, counted_.letters, count});
    }
    counted_.advance(text, sentence.end);
    begins_paragraph_ = line_breaks(between(text, tokens_[sentence.last].end, sentence.end)) > 1;
    table.end_sentence();
}

Cut Tokenizing::cut(std::string_view text, Stretch stretch, std::size_t longest) {
    auto table = std::make_shared<block::Table>();
    find_tokens(text);
    const std::vector<TokenView> views = views_of(model_.tokens, text, tokens_, table->form.values, forms_);
    const std::vector<Sentence> sentences = sentences_of(text, views, stretch, longest);
    block::TokenText cut;
    for (const Sentence& sentence : sentences)
        if (sentence.end > given_) add_sentence(text, sentence, *table, cut);
    const std::size_t end = std::max(given_, sentences.empty() ? 0 : sentences.back().end);
    cut.text = between(text, given_, end);
    table->source = std::move(cut);
    given_ = stretch == Stretch::beginning ? end : 0;
    if (stretch != Stretch::beginning) counted_.bytes = 0;
    return {block::Block(std::move(table)), stretch == Stretch::beginning ? 0 : end};
}

}  // namespace nonproj::text
