// Multiword tokens by rules: what is taken off the end of a token, and the words that come of it.
#include <algorithm>
#include <cstddef>

#include "nonproj/error.hpp"
#include "nonproj/text/tokenizer.hpp"

namespace nonproj::text {

namespace {

bool begins_with_capital(std::string_view text) {
    std::size_t at = 0;
    return !text.empty() && is_capital(next_letter(text, at));
}

std::string text_from(const std::vector<Letter>& letters, std::size_t begin) {
    std::string text;
    for (std::size_t i = begin; i < letters.size(); ++i) append(text, letters[i]);
    return text;
}

// The capital of a small letter: found by trying, since only a few words ask for it.
Letter capital_of(Letter letter) {
    for (const Letter distance : {32u, 1u, 48u, 80u, 8u})
        if (letter >= distance && small(letter - distance) == letter) return letter - distance;
    return letter;
}

}  // namespace

Expansion Expansion::between(std::string_view token, std::span<const std::string> words) {
    const std::vector<Letter> letters = letters_of(token), first = letters_of(words[0]);
    std::size_t same = 0;
    while (same < letters.size() && same < first.size() && small(letters[same]) == small(first[same])) ++same;
    Expansion rule;
    rule.taken = in_small_letters(text_from(letters, same));
    rule.added = in_small_letters(text_from(first, same));
    for (const std::string& word : words.subspan(1)) rule.others.push_back(in_small_letters(word));
    return rule;
}

std::string Expansion::text() const {
    std::string text = taken + "\t" + added;
    for (const std::string& word : others) text += "\t" + word;
    return text;
}

Expansion Expansion::parsed(std::string_view text) {
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\t', begin), text.size());
        cells.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    const auto is_bad = [](const std::string& cell) {
        return cell.find('\n') != cell.npos || cell.find('\0') != cell.npos;
    };
    if (cells.size() < 3 || std::ranges::any_of(cells, is_bad) ||
        std::any_of(cells.begin() + 2, cells.end(), [](const std::string& cell) { return cell.empty(); }))
        throw Error("a multiword token of the model is damaged");
    return {cells[0], cells[1], {cells.begin() + 2, cells.end()}};
}

std::vector<std::string> Expansion::apply(std::string_view token) const {
    const std::vector<Letter> letters = letters_of(token), end = letters_of(taken);
    if (letters.size() < end.size()) return {};
    const std::size_t kept = letters.size() - end.size();
    for (std::size_t i = 0; i < end.size(); ++i)
        if (small(letters[kept + i]) != end[i]) return {};
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < kept; ++i) append(words[0], letters[i]);
    if (kept == 0 && begins_with_capital(token) && !added.empty()) {
        const std::vector<Letter> first = letters_of(added);
        append(words[0], capital_of(first[0]));
        words[0] += text_from(first, 1);
    } else {
        words[0] += added;
    }
    if (words[0].empty()) return {};
    words.insert(words.end(), others.begin(), others.end());
    // Parts that are the token's own letters keep their capitals.
    std::size_t at = words[0].size();
    bool is_split = token.starts_with(words[0]);
    for (std::size_t i = 1; is_split && i < words.size(); ++i) {
        const std::string_view part = at <= token.size() ? token.substr(at, words[i].size()) : std::string_view();
        is_split = in_small_letters(part) == words[i];
        if (is_split) words[i] = std::string(part);
        at += words[i].size();
    }
    return words;
}

}  // namespace nonproj::text
