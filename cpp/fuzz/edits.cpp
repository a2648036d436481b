// Rules for lemmas and multiword tokens, of two words or of any text: what is made of a word is that word again, and what
// is read is written as the same.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/conll/utf8.hpp"
#include "nonproj/error.hpp"
#include "nonproj/text/edit_rule.hpp"
#include "nonproj/text/tokenizer.hpp"

namespace nonproj::fuzz {

using namespace nonproj::text;

namespace {

bool is_utf8(std::string_view text) { return conll::first_invalid_utf8(text) == text.size(); }

void check_lemma(std::string_view form, std::string_view lemma) {
    const EditRule rule = EditRule::between(form, lemma);
    std::string made;
    const auto what = [&] { return std::string(form) + " to " + std::string(lemma) + " by " + rule.text(); };
    require(rule.apply(form, made) && made == lemma, [&] { return "another lemma, " + what(); });
    require(EditRule::parsed(rule.text()).text() == rule.text(), [&] { return "read as another, " + what(); });
}

// Only words whose capitals are found again can come back as they were; their number and letters always do.
void check_expansion(const std::string& token, const std::vector<std::string>& words) {
    const Expansion rule = Expansion::between(token, words);
    require(Expansion::parsed(rule.text()).text() == rule.text(), [&] { return "read as another: " + rule.text(); });
    const std::vector<std::string> made = rule.apply(token);
    if (made.empty()) return;
    require(made.size() == words.size(), [&] { return "as many words: " + rule.text(); });
    for (std::size_t i = 0; i < words.size(); ++i)
        require(is_utf8(made[i]) && in_small_letters(made[i]) == in_small_letters(words[i]),
                [&] { return made[i] + " instead of " + words[i] + ": " + rule.text(); });
}

// Refused, or something that keeps the rows of a sentence whole.
void check_read(std::string_view text, const std::string& form) {
    const auto is_cell = [](std::string_view cell) { return cell.find_first_of("\t\n") == std::string_view::npos; };
    try {
        const EditRule rule = EditRule::parsed(text);
        require(rule.text() == text || EditRule::parsed(rule.text()).text() == rule.text(), "read as another");
        std::string lemma;
        if (rule.apply(form, lemma)) require(is_cell(lemma), [&] { return "no cell: " + lemma; });
    } catch (const Error&) {
    }
    try {
        const Expansion rule = Expansion::parsed(text);
        require(rule.text() == text, "written as another");
        for (const std::string& word : rule.apply(form)) require(is_cell(word), [&] { return "no cell: " + word; });
    } catch (const Error&) {
    }
}

}  // namespace

void edits(Bytes bytes) {
    Choices choices(bytes);
    const int kind = choices.byte();
    const Bytes rest = choices.rest();
    const std::string_view all(reinterpret_cast<const char*>(rest.data()), rest.size());
    if (!is_utf8(all)) return;
    const std::size_t first = std::min(all.find('\n'), all.size());
    const std::string form(all.substr(0, first)), other(all.substr(std::min(first + 1, all.size())));
    const auto is_word = [](std::string_view word) {
        return !word.empty() && word.find_first_of("\t\n\r") == std::string_view::npos;
    };
    if (kind % 3 == 0 && is_word(form)) return check_read(other, form);
    if (!is_word(form) || !is_word(other)) return;
    if (kind % 3 == 1) return check_lemma(form, other);
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= other.size();) {
        const std::size_t end = std::min(other.find(' ', begin), other.size());
        if (end > begin) words.push_back(other.substr(begin, end - begin));
        begin = end + 1;
    }
    if (words.size() > 1) check_expansion(form, words);
}

}  // namespace nonproj::fuzz
