#include "nonproj/text/edit_rule.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "nonproj/error.hpp"

namespace nonproj::text {

namespace {

using Letters = std::vector<Letter>;

Letters with_capitals(Letters letters, EditRule::Capitals capitals) {
    for (std::size_t i = capitals == EditRule::small_after_first ? 1 : 0; i < letters.size(); ++i)
        if (capitals != EditRule::keep) letters[i] = small(letters[i]);
    return letters;
}

std::string text_of(const Letters& letters, std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) append(text, letters[i]);
    return text;
}

constexpr std::size_t longest_word = 1000;  // what is longer takes the square of its length, and is no word

struct Common {
    std::size_t in_form = 0, in_lemma = 0, length = 0;
};

// The longest common stretch, the first one among equals.
Common longest_common(const Letters& form, const Letters& lemma) {
    Common best;
    if (form.size() > longest_word || lemma.size() > longest_word) return best;
    std::vector<std::size_t> run(lemma.size() + 1, 0), next(lemma.size() + 1, 0);
    for (std::size_t i = 0; i < form.size(); ++i) {
        for (std::size_t j = 0; j < lemma.size(); ++j) {
            next[j + 1] = form[i] == lemma[j] ? run[j] + 1 : 0;
            if (next[j + 1] > best.length) best = {i + 1 - next[j + 1], j + 1 - next[j + 1], next[j + 1]};
        }
        std::swap(run, next);
    }
    return best;
}

}  // namespace

EditRule EditRule::between(std::string_view form, std::string_view lemma) {
    const Letters letters = letters_of(form), wanted = letters_of(lemma);
    EditRule best;
    std::size_t best_length = 0;
    for (const Capitals capitals : {keep, all_small, small_after_first}) {
        const Letters changed = with_capitals(letters, capitals);
        if (capitals != keep && changed == letters) continue;
        const Common common = longest_common(changed, wanted);
        if (common.length <= best_length) continue;
        best_length = common.length;
        best.capitals = capitals;
        best.take_begin = static_cast<int>(common.in_form);
        best.take_end = static_cast<int>(letters.size() - common.in_form - common.length);
        best.add_begin = text_of(wanted, 0, common.in_lemma);
        best.add_end = text_of(wanted, common.in_lemma + common.length, wanted.size());
    }
    // What has hardly anything in common is learnt by heart.
    if (best_length == 0 || best_length * 4 < wanted.size()) {
        best = {};
        best.is_whole = true;
        best.add_end = std::string(lemma);
    }
    return best;
}

std::string EditRule::text() const {
    if (is_whole) return "=" + add_end;
    return std::to_string(capitals) + "\t" + std::to_string(take_begin) + "\t" + add_begin + "\t" +
           std::to_string(take_end) + "\t" + add_end;
}

EditRule EditRule::parsed(std::string_view text) {
    EditRule rule;
    // What it makes is a cell of a row.
    const bool is_whole = text.starts_with('=');
    if (text.find('\n') != text.npos || text.find('\0') != text.npos || (is_whole && text.find('\t') != text.npos))
        throw Error("a rule for lemmas is damaged");
    if (is_whole) {
        rule.is_whole = true;
        rule.add_end = std::string(text.substr(1));
        return rule;
    }
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\t', begin), text.size());
        cells.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    const auto number = [](std::string_view cell, int most) {
        int value = -1;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || value < 0 || value > most)
            throw Error("a rule for lemmas is damaged");
        return value;
    };
    if (cells.size() != 5) throw Error("a rule for lemmas is damaged");
    rule.capitals = static_cast<Capitals>(number(cells[0], 2));
    rule.take_begin = number(cells[1], 1 << 20);
    rule.add_begin = std::string(cells[2]);
    rule.take_end = number(cells[3], 1 << 20);
    rule.add_end = std::string(cells[4]);
    return rule;
}

const SpeltForm::Spelt& SpeltForm::spelt(int way) {
    Spelt& all = spelt_[static_cast<std::size_t>(way)];
    if (!all.begins.empty()) return all;
    for (std::size_t at = 0; at < form_.size();) {
        const bool is_kept = way == EditRule::keep || (way == EditRule::small_after_first && at == 0);
        const Letter letter = next_letter(form_, at);
        all.begins.push_back(all.text.size());
        append(all.text, is_kept ? letter : small(letter));
    }
    all.begins.push_back(all.text.size());
    return all;
}

bool EditRule::apply(SpeltForm& form, std::string& lemma) const {
    if (is_whole) {
        lemma = add_end;
        return true;
    }
    const std::size_t letters = form.letters(), first = static_cast<std::size_t>(take_begin),
                      after = static_cast<std::size_t>(take_end);
    if (letters < first + after || (letters == first + after && add_begin.empty() && add_end.empty())) return false;
    lemma = add_begin;
    lemma += form.between(capitals, first, letters - after);
    lemma += add_end;
    return true;
}

}  // namespace nonproj::text
