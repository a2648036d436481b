#include "nonproj/text/expansion.hpp"

#include <algorithm>
#include <cstddef>

#include "nonproj/error.hpp"

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

namespace {

std::uint32_t times_seen_as_token(const Lexicon& tokens, std::string_view token) {
    const auto entries = tokens.find(token_key(token));
    return entries.empty() ? 0 : Lexicon::unpacked(entries[0]).count;
}

// Whether the first word by a rule is a token elsewhere; what is left of the token when the rule's end is taken off.
Hash fit_of(const ExpansionRules& known, std::string_view token, std::size_t taken, const Expansion& rule) {
    const std::string_view kept = token.substr(0, token.size() - taken);
    const std::uint32_t count = times_seen_as_token(known.tokens, std::string(kept) + rule.added);
    const Hash size = std::min<Hash>(kept.size(), 3);
    return combined(size * 4 + (count == 0 ? 0u : count < 3 ? 1u : 2u), rule.added.empty());
}

}  // namespace

void ExpansionChoice::find(const ExpansionRules& known, std::string_view text, std::span<const Token> tokens,
                           std::size_t i, bool is_own) {
    constexpr std::size_t enough_expansions = 16, longest_token = 256;
    rules.clear();
    contexts.clear();
    if (known.all.empty() || tokens[i].end - tokens[i].begin > longest_token) return;
    const auto form_of = [&](const Token& token) { return text.substr(token.begin, token.end - token.begin); };
    const std::string token = in_small_letters(form_of(tokens[i]));
    for (std::size_t begin = 0; begin < token.size(); ++begin) {
        if ((token[begin] & 0xc0) == 0x80) continue;
        for (const std::uint64_t entry : known.by_end.find(expansion_key(std::string_view(token).substr(begin)))) {
            const std::uint32_t rule = Lexicon::unpacked(entry).number;
            if (std::ranges::find(rules, rule, &Rule::number) == rules.end() && rules.size() < enough_expansions)
                rules.push_back({rule, fit_of(known, token, token.size() - begin, known.all[rule])});
        }
    }
    if (rules.empty()) return;
    const Hash before = i == 0 ? 5 : hash_of(in_small_letters(form_of(tokens[i - 1])), 203);
    const Hash after = i + 1 == tokens.size() ? 5 : hash_of(in_small_letters(form_of(tokens[i + 1])), 203);
    const FormView view = view_of(form_of(tokens[i]));
    contexts.push_back(mixed(370));
    contexts.push_back(combined(373, view.shape));
    contexts.push_back(combined(376, before));
    contexts.push_back(combined(377, after));
    contexts.push_back(combined(378, static_cast<Hash>(std::min(view.letters, 12))));
    // What was seen nowhere else says nothing by its own name.
    if (times_seen_as_token(known.tokens, form_of(tokens[i])) > is_own) {
        contexts.push_back(combined(371, view.small));
        contexts.push_back(combined(372, view.form));
        contexts.push_back(combined(374, combined(view.small, before)));
        contexts.push_back(combined(375, combined(view.small, after)));
    }
    for (int k = 0; k < view.suffix_count(); ++k) contexts.push_back(combined(380 + k, view.suffixes[k]));
    for (int k = 0; k < view.prefix_count(4); ++k) contexts.push_back(combined(390 + k, view.prefixes[k]));
}

template <class Take>
void ExpansionChoice::each_place(const learn::Addressing& at, const Rule& rule, Take take) const {
    const Hash seed = mixed(rule.number + 400);
    for (const Hash context : contexts) take(at.place(context ^ seed));
    take(at.place(combined(379, rule.fit)));
    take(at.place(combined(369, rule.fit) ^ seed));
}

std::uint32_t ExpansionChoice::best(const learn::WeightTable& weights) const {
    std::uint32_t best = 0;
    float best_score = 0;  // of none
    for (const Rule& rule : rules) {
        float sum = 0;
        each_place(weights.addressing(), rule, [&](std::size_t place) { sum += weights[place]; });
        if (sum > best_score) {
            best = rule.number + 1;
            best_score = sum;
        }
    }
    return best;
}

void ExpansionChoice::change(learn::AveragedWeights& weights, std::uint32_t expansion, float change) const {
    const auto rule = std::ranges::find(rules, expansion - 1, &Rule::number);
    if (expansion == 0 || rule == rules.end()) return;
    each_place(weights.now().addressing(), *rule, [&](std::size_t place) { weights.add(place, change); });
}

}  // namespace nonproj::text
