#include "nonproj/text/token_features.hpp"

#include <algorithm>
#include <string>

#include "nonproj/text/line_breaks.hpp"

namespace nonproj::text {

namespace {

// Tokens that are seen less often are told by their shape and end alone: what is new will have no more.
constexpr std::uint32_t often_enough = 2;

std::uint32_t times_seen(const Lexicon& tokens, std::string_view token) {
    const auto entries = tokens.find(token_key(token));
    return entries.empty() ? 0 : Lexicon::unpacked(entries[0]).count;
}

Hash sort_of(Letter letter) {
    const Kind kind = kind_of(letter);
    return kind == Kind::mark || kind == Kind::sign ? 64 + letter : is_capital(letter) ? 7 : static_cast<Hash>(kind);
}

// The same for all digits, and for a letter and its capital.
Hash plain(Letter letter) { return kind_of(letter) == Kind::digit ? '0' : small(letter); }

}  // namespace

AfterChunk after_chunk(std::string_view text, std::size_t end) {
    constexpr int most_letters = 3;
    std::size_t next = end;
    while (next < text.size() && kind_of(static_cast<unsigned char>(text[next])) == Kind::space) ++next;
    const bool is_last = next >= text.size();
    // A single line break is a space like others, unless it ends the text.
    if (line_breaks(text.substr(end, next - end)) > (is_last ? 0 : 1)) return {1, 0};
    if (is_last) return {0, 0};
    std::size_t last = end - 1, at = next;
    while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xc0) == 0x80) --last;
    AfterChunk after{2 + sort_of(next_letter(text, at)), 0};
    if (const Kind kind = kind_of(next_letter(text, last)); kind != Kind::mark && kind != Kind::sign) return after;
    for (int i = 0; i < most_letters && next < text.size(); ++i) {
        const Letter letter = next_letter(text, next);
        if (kind_of(letter) == Kind::space) break;
        after.word = combined(after.word, plain(letter));
    }
    return after;
}

Chunk chunk_of(std::string_view text, std::size_t begin, std::size_t end) {
    Chunk chunk{text.substr(begin, end - begin), {}, {}, {}, after_chunk(text, end), 0};
    for (std::size_t at = 0; at < chunk.text.size();) {
        chunk.starts.push_back(static_cast<std::uint32_t>(at));
        const Letter letter = next_letter(chunk.text, at);
        chunk.letters.push_back(plain(letter));
        chunk.sorts.push_back(sort_of(letter));
    }
    chunk.starts.push_back(static_cast<std::uint32_t>(chunk.text.size()));
    const auto holds = [&](std::string_view piece) { return chunk.text.find(piece) != std::string_view::npos; };
    const std::size_t dot = chunk.text.find('.');
    chunk.traits = holds("://") + 2 * holds("@") + 4 * holds("www.") + 8 * holds("/") + 16 * holds("_") +
                   32 * (dot != std::string_view::npos && dot + 1 < chunk.text.size());
    return chunk;
}

bool is_word(const Lexicon& tokens, std::string_view chunk) {
    for (std::size_t at = 0; at < chunk.size();)
        if (kind_of(next_letter(chunk, at)) != Kind::letter) return false;
    return times_seen(tokens, chunk) >= often_enough;
}

namespace {

// The letters of a chunk as seen from a place in it.
struct Surroundings {
    const Chunk& chunk;
    std::ptrdiff_t at;

    Hash letter(std::ptrdiff_t offset) const {
        const std::ptrdiff_t place = at + offset;
        if (place < 0 || place >= std::ssize(chunk.letters)) return place < 0 ? 1 : 2;
        return chunk.letters[static_cast<std::size_t>(place)];
    }
    Hash sort(std::ptrdiff_t offset) const {
        const std::ptrdiff_t place = at + offset;
        if (place < 0 || place >= std::ssize(chunk.letters)) return place < 0 ? 1000 : 1001;
        return chunk.sorts[static_cast<std::size_t>(place)];
    }
};

void letter_contexts(const Surroundings& s, Contexts& contexts) {
    const Hash left = s.letter(-1), right = s.letter(0);
    const Hash pair = combined(left, right), sorts = combined(s.sort(-1), s.sort(0));
    contexts.push_back(mixed(300));
    contexts.push_back(combined(301, pair));
    contexts.push_back(combined(302, combined(s.letter(-2), pair)));
    contexts.push_back(combined(303, combined(pair, s.letter(1))));
    contexts.push_back(combined(304, combined(combined(s.letter(-2), pair), s.letter(1))));
    contexts.push_back(combined(305, combined(combined(s.letter(-3), s.letter(-2)), left)));
    contexts.push_back(combined(306, combined(combined(right, s.letter(1)), s.letter(2))));
    contexts.push_back(combined(307, sorts));
    contexts.push_back(combined(308, combined(combined(s.sort(-2), sorts), s.sort(1))));
    contexts.push_back(
        combined(309, combined(combined(s.sort(-3), s.sort(-2)), combined(sorts, combined(s.sort(1), s.sort(2))))));
    contexts.push_back(combined(310, left));
    contexts.push_back(combined(311, right));
    const Hash end = combined(combined(s.letter(-4), s.letter(-3)), combined(s.letter(-2), left));
    contexts.push_back(combined(322, combined(end, right)));
    contexts.push_back(combined(323, combined(combined(combined(s.letter(-2), left), right), s.chunk.after.sort)));
    contexts.push_back(combined(320, combined(s.chunk.traits, sorts)));
    contexts.push_back(combined(321, combined(s.chunk.traits, pair)));
}

// A piece of a chunk: how often it is a token elsewhere, and which one, if that says anything.
struct Piece {
    Hash seen = 0, key = 0;
};

Piece piece_of(const Lexicon& tokens, const Chunk& chunk, std::size_t from, std::size_t to, bool is_own) {
    // No token is this long: the time of an endless word does not grow with its square.
    constexpr std::size_t too_long = 64;
    if (to - from > too_long) return {};
    const std::string_view text = chunk.text.substr(chunk.starts[from], chunk.starts[to] - chunk.starts[from]);
    const std::uint32_t count = times_seen(tokens, text) - is_own;
    return {count == 0 ? 0u : count == 1 ? 1u : count < 6 ? 2u : 3u, count == 0 ? 0 : token_key(text)};
}

// 1 + the kind of a word, or else of the longest known word that it ends with ("yetmiş|sekiz"); 0 if there is none.
Hash word_kind(const Lexicon& kinds, std::span<const Hash> letters) {
    constexpr std::size_t shortest_end = 3, longest = 24;
    const std::vector<Letter> plain(letters.begin(), letters.end());
    for (std::size_t size = std::min(plain.size(), longest); size > 0; --size) {
        if (size < plain.size() && size < shortest_end) break;
        const auto found = kinds.find(small_hash(std::span(plain).last(size)));
        if (!found.empty()) return 1 + Lexicon::unpacked(found[0]).number;
    }
    return 0;
}

}  // namespace

void cut_contexts(const Lexicon& tokens, const Lexicon& kinds, const Chunk& chunk, const CutPlace& place,
                  Contexts& contexts) {
    const Surroundings s{chunk, static_cast<std::ptrdiff_t>(place.at)};
    contexts.clear();
    letter_contexts(s, contexts);
    const Hash pair = combined(s.letter(-1), s.letter(0)), sorts = combined(s.sort(-1), s.sort(0));
    // Whether what lies on both sides was seen as a token, and how far the ends are.
    const std::size_t size = chunk.letters.size();
    const Piece before = piece_of(tokens, chunk, place.token, place.at, place.before_is_own);
    const Piece after = piece_of(tokens, chunk, place.at, size, place.after_is_own);
    const Piece whole = piece_of(tokens, chunk, place.token, size, place.whole_is_own);
    const Hash begun = std::min<Hash>(place.at - place.token, 4), left = std::min<Hash>(size - place.at, 4);
    contexts.push_back(combined(312, combined(combined(before.seen, after.seen), whole.seen)));
    contexts.push_back(combined(313, combined(combined(before.seen, whole.seen), sorts)));
    contexts.push_back(combined(314, combined(combined(after.seen, whole.seen), pair)));
    contexts.push_back(combined(317, combined(begun, left)));
    contexts.push_back(combined(318, combined(combined(left, chunk.after.sort), sorts)));
    if (left == 1 && chunk.after.word != 0) {
        contexts.push_back(combined(324, combined(pair, chunk.after.word)));
        contexts.push_back(combined(325, combined(sorts, chunk.after.word)));
        // A number and a point, and then a small letter, is an ordinal ("yedi. yüzyıl").
        const auto word = std::span(chunk.letters).subspan(place.token, place.at - place.token);
        if (const Hash kind = word_kind(kinds, word); kind != 0) {
            const Hash of_kind = combined(kind, s.letter(0));
            contexts.push_back(combined(326, of_kind));
            contexts.push_back(combined(327, combined(of_kind, chunk.after.sort)));
            contexts.push_back(combined(328, combined(of_kind, chunk.after.word)));
            contexts.push_back(combined(329, combined(of_kind, combined(before.seen > 0, chunk.after.sort))));
        }
    }
    if (after.key != 0) contexts.push_back(combined(315, after.key));
    if (before.key != 0) contexts.push_back(combined(316, combined(before.key, s.letter(0))));
    if (whole.key != 0) contexts.push_back(combined(319, combined(whole.key, chunk.after.sort)));
}

namespace {

// All but what follows the token.
TokenView form_as_token(const Lexicon& known, std::string_view form) {
    const FormView view = view_of(form);
    std::size_t at = 0;
    const Letter first = next_letter(form, at);
    const bool is_rare = times_seen(known, form) < often_enough;
    const bool begins_big = is_capital(first);
    // A word that is written small elsewhere has a capital because something begins here.
    const bool is_small_elsewhere = begins_big && times_seen(known, in_small_letters(form)) > 0;
    return {.form = is_rare ? combined(335, view.shape) : view.form,
            .small = is_rare ? combined(336, view.shape) : view.small,
            .shape = view.shape,
            .begin = view.prefixes[static_cast<std::size_t>(std::max(0, view.prefix_count(4) - 1))],
            .end = view.suffixes[static_cast<std::size_t>(std::max(0, std::min(3, view.letters) - 1))],
            .capital = static_cast<Hash>(begins_big + is_small_elsewhere),
            .has_letter = kind_of(first) == Kind::letter,
            .has_space_after = false,
            .has_line_after = false,
            .has_paragraph_after = false,
            .word = view.small,
            .word_begin = view.prefixes[static_cast<std::size_t>(std::max(0, view.prefix_count(3) - 1))]};
}

}  // namespace

void end_contexts(std::span<const TokenView> tokens, std::size_t i, std::size_t length, Contexts& contexts) {
    static const TokenView outside{mixed(331), mixed(332), mixed(333), mixed(334), mixed(334),
                                   3,          false,      true,       false,      false};
    const auto at = [&](std::ptrdiff_t offset) -> const TokenView& {
        const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i) + offset;
        return place >= 0 && place < static_cast<std::ptrdiff_t>(tokens.size())
                   ? tokens[static_cast<std::size_t>(place)]
                   : outside;
    };
    const TokenView &here = at(0), &before = at(-1), &next = at(1), &after = at(2);
    const Hash gap = here.has_space_after;
    const Hash spot = (next.capital > 0) * 2 + next.has_letter;
    const Hash size = length < 4 ? length : length < 8 ? 4 : length < 16 ? 5 : length < 32 ? 6 : 7;
    contexts.clear();
    contexts.push_back(combined(340, gap));
    contexts.push_back(combined(341, combined(here.form, gap)));
    contexts.push_back(combined(342, combined(here.form, combined(spot, gap))));
    contexts.push_back(combined(343, next.form));
    contexts.push_back(combined(344, next.small));
    contexts.push_back(combined(345, combined(here.form, next.shape)));
    contexts.push_back(combined(346, combined(here.small, next.form)));
    contexts.push_back(combined(347, combined(combined(here.shape, next.shape), gap)));
    contexts.push_back(combined(348, combined(before.small, here.form)));
    contexts.push_back(combined(349, combined(before.shape, combined(here.form, next.shape))));
    contexts.push_back(combined(350, combined(next.form, after.small)));
    contexts.push_back(combined(351, combined(here.form, combined(next.shape, after.shape))));
    contexts.push_back(combined(352, combined(here.end, next.end)));
    contexts.push_back(combined(353, here.end));
    contexts.push_back(combined(354, combined(size, combined(here.shape, spot))));
    contexts.push_back(combined(355, combined(size, next.form)));
    contexts.push_back(combined(356, combined(before.end, here.end)));
    contexts.push_back(combined(357, after.small));
    contexts.push_back(combined(358, combined(next.end, after.end)));
    contexts.push_back(combined(359, combined(at(-2).small, before.small)));
    contexts.push_back(combined(360, combined(here.form, size)));
    contexts.push_back(combined(361, before.small));
    contexts.push_back(combined(362, combined(next.capital, combined(here.shape, gap))));
    contexts.push_back(combined(363, combined(next.capital, combined(here.form, gap))));
    contexts.push_back(combined(364, combined(combined(before.end, here.form), spot)));
    contexts.push_back(combined(365, combined(combined(next.capital, after.capital), here.shape)));
    contexts.push_back(combined(366, combined(combined(next.capital, size), here.shape)));
    contexts.push_back(combined(367, combined(combined(here.form, next.begin), spot)));
    contexts.push_back(combined(368, combined(combined(before.begin, here.form), spot)));
}

std::vector<TokenView> views_of(const Lexicon& known, std::string_view text, std::span<const Token> tokens,
                                block::Strings& forms, std::vector<block::Id>& ids) {
    constexpr std::uint32_t unseen = ~0u;
    std::vector<std::uint32_t> first_with(forms.size(), unseen);  // of each form
    std::vector<TokenView> views;
    views.reserve(tokens.size());
    ids.clear();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view form = text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
        const block::Id id = forms.add(form);
        ids.push_back(id);
        first_with.resize(std::max<std::size_t>(first_with.size(), id + 1), unseen);
        if (first_with[id] == unseen) {
            first_with[id] = static_cast<std::uint32_t>(i);
            views.push_back(form_as_token(known, form));
        } else {
            views.push_back(views[first_with[id]]);
        }
        const std::size_t next = i + 1 < tokens.size() ? tokens[i + 1].begin : text.size();
        const std::string_view space = text.substr(tokens[i].end, next - tokens[i].end);
        const std::size_t lines = line_breaks(space);
        views.back().has_space_after = !space.empty();
        views.back().has_line_after = lines > 0;
        views.back().has_paragraph_after = lines > 1;
    }
    return views;
}

std::vector<TokenView> views_of(const Lexicon& known, std::string_view text, std::span<const Token> tokens) {
    block::Strings forms;
    std::vector<block::Id> ids;
    return views_of(known, text, tokens, forms, ids);
}

void join_contexts(std::string_view before, std::string_view after, Contexts& contexts) {
    const FormView left = view_of(before), right = view_of(after);
    const Hash shapes = combined(left.shape, right.shape);
    contexts.clear();
    contexts.push_back(combined(322, shapes));
    contexts.push_back(
        combined(323, combined(shapes, combined(std::min(left.letters, 6), std::min(right.letters, 6)))));
    contexts.push_back(combined(324, left.form));
    contexts.push_back(combined(325, right.form));
    contexts.push_back(combined(326, combined(left.form, right.form)));
    contexts.push_back(combined(327, combined(left.small, right.shape)));
    contexts.push_back(combined(328, combined(left.shape, right.small)));
}

}  // namespace nonproj::text
