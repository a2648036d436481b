#include "nonproj/text/tokenizer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nonproj/conll/words.hpp"
#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::text {

namespace {

constexpr std::size_t longest_memo = 48, token_memo_limit = 1 << 17;
using Contexts = std::vector<Hash>;

float score(const learn::WeightTable& weights, const Contexts& contexts) {
    const learn::Addressing at = weights.addressing();
    float sum = 0;
    for (const Hash context : contexts) sum += weights[at.place(context)];
    return sum;
}

// A step of logistic regression towards yes or no; whether the answer was wrong.
bool step(learn::AveragedWeights& weights, const Contexts& contexts, bool is_yes) {
    const float sum = score(weights.now(), contexts);
    const float error = static_cast<float>(is_yes) - 1 / (1 + std::exp(-sum));
    if (std::abs(error) > 0.02F) {
        const learn::Addressing at = weights.now().addressing();
        for (const Hash context : contexts) weights.add(at.place(context), 0.25F * error);
    }
    weights.end_sentence();
    return (sum > 0) != is_yes;
}

Hash sort_of(Letter letter) {
    const Kind kind = kind_of(letter);
    return kind == Kind::mark || kind == Kind::sign ? 64 + letter : is_capital(letter) ? 7 : static_cast<Hash>(kind);
}

Hash token_key(std::string_view token) { return hash_of(token, 201); }

// A chunk of letters with where each begins, and what comes after it.
struct Chunk {
    std::vector<Letter> letters;
    std::vector<std::uint32_t> starts;  // and the end
    Hash after;                         // the kind of letter that follows the space
};

Chunk chunk_of(std::string_view text, std::size_t begin, std::size_t end) {
    Chunk chunk;
    for (std::size_t at = begin; at < end;) {
        chunk.starts.push_back(static_cast<std::uint32_t>(at - begin));
        chunk.letters.push_back(next_letter(text.substr(0, end), at));
    }
    chunk.starts.push_back(static_cast<std::uint32_t>(end - begin));
    std::size_t next = end;
    while (next < text.size() && kind_of(static_cast<unsigned char>(text[next])) == Kind::space && text[next] != '\n')
        ++next;
    chunk.after = next >= text.size() ? 0 : text[next] == '\n' ? 1 : 2 + sort_of(next_letter(text, next));
    return chunk;
}

// What speaks for or against a cut before letter i; `token` is where the token at hand begins.
void cut_contexts(const Lexicon& tokens, std::string_view text, const Chunk& chunk, std::size_t i, std::size_t token,
                  Contexts& contexts) {
    const auto letter = [&](std::ptrdiff_t offset) -> Hash {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + offset;
        if (at < 0) return 1;
        if (at >= static_cast<std::ptrdiff_t>(chunk.letters.size())) return 2;
        return small(chunk.letters[static_cast<std::size_t>(at)]);
    };
    const auto sort = [&](std::ptrdiff_t offset) -> Hash {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + offset;
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(chunk.letters.size())) return at < 0 ? 1000 : 1001;
        return sort_of(chunk.letters[static_cast<std::size_t>(at)]);
    };
    contexts.clear();
    contexts.push_back(mixed(300));
    const Hash left = letter(-1), right = letter(0);
    const Hash pair = combined(left, right), sorts = combined(sort(-1), sort(0));
    contexts.push_back(combined(301, pair));
    contexts.push_back(combined(302, combined(letter(-2), pair)));
    contexts.push_back(combined(303, combined(pair, letter(1))));
    contexts.push_back(combined(304, combined(combined(letter(-2), pair), letter(1))));
    contexts.push_back(combined(305, combined(combined(letter(-3), letter(-2)), left)));
    contexts.push_back(combined(306, combined(combined(right, letter(1)), letter(2))));
    contexts.push_back(combined(307, sorts));
    contexts.push_back(combined(308, combined(combined(sort(-2), sorts), sort(1))));
    contexts.push_back(
        combined(309, combined(combined(sort(-3), sort(-2)), combined(sorts, combined(sort(1), sort(2))))));
    contexts.push_back(combined(310, left));
    contexts.push_back(combined(311, right));
    // Whether what lies on both sides was seen as a token, and how far the ends are.
    const std::size_t size = chunk.letters.size();
    // No token is this long: the time of an endless word does not grow with its square.
    constexpr std::size_t too_long = 64;
    const auto part = [&](std::size_t from, std::size_t to) {
        if (to - from > too_long) return std::string_view();
        return text.substr(chunk.starts[from], chunk.starts[to] - chunk.starts[from]);
    };
    const auto seen = [&](std::string_view piece) -> Hash {
        const auto entries = tokens.find(token_key(piece));
        const std::uint32_t count = entries.empty() ? 0 : Lexicon::unpacked(entries[0]).count;
        return count == 0 ? 0 : count == 1 ? 1 : count < 6 ? 2 : 3;
    };
    const Hash before = seen(part(token, i)), after = seen(part(i, size)), whole = seen(part(token, size));
    contexts.push_back(combined(312, combined(combined(before, after), whole)));
    contexts.push_back(combined(313, combined(combined(before, whole), sorts)));
    contexts.push_back(combined(314, combined(combined(after, whole), pair)));
    contexts.push_back(combined(315, token_key(part(i, size))));
    contexts.push_back(combined(316, combined(token_key(part(token, i)), right)));
    contexts.push_back(combined(317, combined(std::min<Hash>(i - token, 4), std::min<Hash>(size - i, 4))));
    contexts.push_back(combined(318, combined(combined(std::min<Hash>(size - i, 4), chunk.after), sorts)));
    contexts.push_back(combined(319, combined(token_key(part(token, size)), chunk.after)));
}

// A token as those around it see it.
struct TokenView {
    Hash form, small, shape, end;
    bool begins_with_capital, has_letter;
    bool has_space_after, has_line_after, has_paragraph_after;
};

TokenView token_view(std::string_view text, std::size_t begin, std::size_t end, std::size_t next) {
    const FormView view = view_of(text.substr(begin, end - begin));
    const std::string_view space = text.substr(end, next - end);
    const auto lines = std::ranges::count(space, '\n');
    std::size_t at = begin;
    const Letter first = next_letter(text, at);
    return {view.form,         view.small,
            view.shape,        view.suffixes[static_cast<std::size_t>(std::max(0, std::min(3, view.letters) - 1))],
            is_capital(first), kind_of(first) == Kind::letter,
            !space.empty(),    lines > 0,
            lines > 1};
}

// What speaks for or against the end of a sentence after token i, which has `length` tokens so far.
void end_contexts(std::span<const TokenView> tokens, std::size_t i, std::size_t length, Contexts& contexts) {
    static const TokenView outside{mixed(331), mixed(332), mixed(333), mixed(334), false, false, true, false, false};
    const auto at = [&](std::ptrdiff_t offset) -> const TokenView& {
        const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(i) + offset;
        return place >= 0 && place < static_cast<std::ptrdiff_t>(tokens.size())
                   ? tokens[static_cast<std::size_t>(place)]
                   : outside;
    };
    const TokenView &here = at(0), &before = at(-1), &next = at(1), &after = at(2);
    const Hash gap = here.has_space_after + 2 * here.has_line_after;
    const Hash spot = next.begins_with_capital * 2 + next.has_letter;
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
}

std::vector<TokenView> views_of(std::string_view text, std::span<const Token> tokens) {
    std::vector<TokenView> views;
    views.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i)
        views.push_back(token_view(text, tokens[i].begin, tokens[i].end,
                                   i + 1 < tokens.size() ? tokens[i + 1].begin : text.size()));
    return views;
}

struct Expanding {
    std::vector<std::uint32_t> rules;
    Contexts contexts;
};

// The rules that a token's end asks for, and what speaks for each.
void find_expansions(const TokenModel& model, std::string_view text, std::span<const Token> tokens, std::size_t i,
                     Expanding& expanding) {
    expanding.rules.clear();
    // The time of an endless word does not grow with its square, nor do rules fit it.
    if (model.rules.empty() || tokens[i].end - tokens[i].begin > 1000) return;
    const std::string token = in_small_letters(text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin));
    for (std::size_t begin = 0; begin < token.size(); ++begin) {
        if ((token[begin] & 0xc0) == 0x80) continue;
        for (const std::uint64_t entry : model.expansions.find(hash_of(std::string_view(token).substr(begin), 202))) {
            const std::uint32_t rule = Lexicon::unpacked(entry).number;
            // A rule that takes nothing else than the whole of another word does not fit this one.
            if (std::ranges::find(expanding.rules, rule) == expanding.rules.end() && expanding.rules.size() < 16)
                expanding.rules.push_back(rule);
        }
    }
    if (expanding.rules.empty()) return;
    const auto neighbour = [&](std::ptrdiff_t offset) -> Hash {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + offset;
        if (at < 0 || at >= static_cast<std::ptrdiff_t>(tokens.size())) return 5;
        const Token& other = tokens[static_cast<std::size_t>(at)];
        return hash_of(in_small_letters(text.substr(other.begin, other.end - other.begin)), 203);
    };
    const FormView view = view_of(text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin));
    Contexts& contexts = expanding.contexts;
    contexts.clear();
    contexts.push_back(mixed(370));
    contexts.push_back(combined(371, view.small));
    contexts.push_back(combined(372, view.form));
    contexts.push_back(combined(373, view.shape));
    contexts.push_back(combined(374, combined(view.small, neighbour(-1))));
    contexts.push_back(combined(375, combined(view.small, neighbour(1))));
    contexts.push_back(combined(376, neighbour(-1)));
    contexts.push_back(combined(377, neighbour(1)));
    contexts.push_back(combined(378, static_cast<Hash>(std::min(view.letters, 12))));
    for (int k = 0; k < view.suffix_count(); ++k) contexts.push_back(combined(380 + k, view.suffixes[k]));
    for (int k = 0; k < view.prefix_count(); ++k) contexts.push_back(combined(390 + k, view.prefixes[k]));
}

float expansion_score(const learn::WeightTable& weights, const Contexts& contexts, std::uint32_t rule) {
    const learn::Addressing at = weights.addressing();
    const Hash seed = mixed(rule + 400);
    float sum = 0;
    for (const Hash context : contexts) sum += weights[at.place(context ^ seed)];
    return sum;
}

// 1 + the number of the best rule, 0 for none.
std::uint32_t best_expansion(const learn::WeightTable& weights, const Expanding& expanding) {
    std::uint32_t best = 0;
    float best_score = 0;  // of none
    for (const std::uint32_t rule : expanding.rules)
        if (const float found = expansion_score(weights, expanding.contexts, rule); found > best_score) {
            best = rule + 1;
            best_score = found;
        }
    return best;
}

void change_expansion(learn::AveragedWeights& weights, const Contexts& contexts, std::uint32_t expansion,
                      float change) {
    if (expansion == 0) return;
    const learn::Addressing at = weights.now().addressing();
    for (const Hash context : contexts) weights.add(at.place(context ^ mixed(expansion - 1 + 400)), change);
}

bool is_space_at(std::string_view text, std::size_t at, std::size_t& next) {
    next = at;
    return kind_of(next_letter(text, next)) == Kind::space;
}

void append_escaped(std::string& result, std::string_view space) {
    for (const char c : space) switch (c) {
            case ' ':
                result += "\\s";
                break;
            case '\t':
                result += "\\t";
                break;
            case '\n':
                result += "\\n";
                break;
            case '\r':
                result += "\\r";
                break;
            default:
                result += c;
        }
}

// MISC of a token: what is not a single space around it.
std::string misc_of(std::string_view before, std::string_view after) {
    std::string misc;
    if (!before.empty()) append_escaped(misc = "SpacesBefore=", before);
    if (after == " ") return misc.empty() ? "_" : misc;
    if (!misc.empty()) misc += '|';
    if (after.empty()) return misc + "SpaceAfter=No";
    misc += "SpacesAfter=";
    append_escaped(misc, after);
    return misc;
}

void add_row(std::string& result, const std::string& id, std::string_view form, std::string_view misc) {
    result += id;
    result += '\t';
    result += form;
    result += "\t_\t_\t_\t_\t_\t_\t_\t";
    result += misc;
    result += '\n';
}

// A sentence as CoNLL-U; `until` is where the text after its last token ends.
void add_sentence(const TokenModel& model, std::string_view text, std::span<const Token> tokens, std::size_t from,
                  std::size_t until, std::int64_t number, bool is_paragraph, std::string& result) {
    if (is_paragraph) result += "# newpar\n";
    result += "# sent_id = " + std::to_string(number) + "\n# text = ";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        result += text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
        if (i + 1 < tokens.size() && tokens[i + 1].begin > tokens[i].end) result += ' ';
    }
    result += '\n';
    std::size_t word = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const std::string_view form = text.substr(token.begin, token.end - token.begin);
        const std::size_t next = i + 1 < tokens.size() ? tokens[i + 1].begin : until;
        const std::string misc = misc_of(i == 0 ? text.substr(from, token.begin - from) : std::string_view(),
                                         text.substr(token.end, next - token.end));
        std::vector<std::string> words;
        if (token.expansion != 0) words = model.rules[token.expansion - 1].apply(form);
        if (words.size() < 2) {
            add_row(result, std::to_string(word++), form, misc);
            continue;
        }
        add_row(result, std::to_string(word) + "-" + std::to_string(word + words.size() - 1), form, misc);
        for (const std::string& each : words) add_row(result, std::to_string(word++), each, "_");
    }
    result += '\n';
}

}  // namespace

Lexicon& TokenModel::lexicon(const std::string& name) {
    if (name == "tokens") return tokens;
    if (name == "expansions") return expansions;
    throw Error("a tokenizer has no lexicon " + name);
}

learn::WeightTable& TokenModel::table(const std::string& name) {
    if (name == "cut") return cuts;
    if (name == "end") return ends;
    if (name == "expand") return expands;
    throw Error("a tokenizer has no table " + name);
}

void TokenSession::cut_chunk(std::string_view text, std::size_t begin, std::size_t end) {
    const Chunk chunk = chunk_of(text, begin, end);
    const std::string_view letters = text.substr(begin, end - begin);
    const bool is_short = letters.size() <= longest_memo;
    const Hash key = combined(hash_of(letters, 204), chunk.after);
    std::vector<std::uint32_t> found;
    if (is_short && memo_.size() > token_memo_limit) memo_.clear();
    const auto kept = is_short ? memo_.find(key) : memo_.end();
    if (kept != memo_.end()) {
        found = kept->second;
    } else {
        Contexts contexts;
        std::size_t token = 0;
        for (std::size_t i = 1; i < chunk.letters.size(); ++i) {
            cut_contexts(model_.tokens, letters, chunk, i, token, contexts);
            if (score(model_.cuts, contexts) <= 0) continue;
            found.push_back(chunk.starts[i]);
            token = i;
        }
        found.push_back(static_cast<std::uint32_t>(letters.size()));
        if (is_short) memo_.emplace(key, found);
    }
    std::size_t from = begin;
    for (const std::uint32_t stop : found) {
        tokens_.push_back({from, begin + stop});
        from = begin + stop;
    }
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
}

Cut TokenSession::cut(std::string_view text, bool is_last, std::int64_t first, std::size_t longest) {
    find_tokens(text);
    const std::vector<TokenView> views = views_of(text, tokens_);
    Contexts contexts;
    Expanding expanding;
    Cut result;
    result.conllu.reserve(text.size() * 8);
    bool is_paragraph = first == 1;
    for (std::size_t begin = 0, i = 0; i < tokens_.size(); ++i) {
        if (i % 1024 == 0) Interrupt::check();
        find_expansions(model_, text, tokens_, i, expanding);
        tokens_[i].expansion = best_expansion(model_.expands, expanding);
        const bool is_end = i + 1 == tokens_.size();
        bool ends = views[i].has_paragraph_after || i + 1 - begin >= longest || is_end;
        if (!ends) {
            end_contexts(views, i, i - begin, contexts);
            ends = score(model_.ends, contexts) > model_.end_threshold;
        }
        if (!ends) continue;
        // The last sentence may go on in the text that follows.
        if (is_end && !is_last && result.sentences > 0) break;
        const std::size_t until = is_end ? text.size() : tokens_[i + 1].begin;
        add_sentence(model_, text, std::span(tokens_).subspan(begin, i + 1 - begin), result.consumed, until,
                     first + result.sentences, is_paragraph, result.conllu);
        is_paragraph = views[i].has_paragraph_after;
        result.consumed = until;
        ++result.sentences;
        begin = i + 1;
    }
    return result;
}

std::string text_of(std::span<const conll::Run> runs, std::vector<Token>& tokens,
                    std::vector<std::vector<std::string>>* words) {
    std::string text;
    for (const conll::Run& run : runs)
        for (const conll::Span& sentence : run.sentences()) {
            std::int64_t covered = 0, number = 0;
            bool is_paragraph = false;
            const std::size_t first = tokens.size();
            conll::each_line(run.text(), sentence, [&](const conll::Line& line) {
                const std::string_view all = run.text();
                if (all[line.begin] == '#') {
                    const std::string_view comment = all.substr(line.begin, line.end - line.begin);
                    is_paragraph |= comment.starts_with("# newpar") || comment.starts_with("# newdoc");
                    return;
                }
                const std::string_view id = conll::cell_of(all, line, conll::id);
                if (line.tabs != conll::columns - 1 || id.find('.') != std::string_view::npos) return;
                const std::string form(conll::cell_of(all, line, conll::form));
                const std::size_t dash = id.find('-');
                if (dash == std::string_view::npos && ++number <= covered) {
                    if (words != nullptr) words->back().push_back(form);
                    return;
                }
                if (dash != std::string_view::npos)
                    covered = conll::number_at(all, line.begin + dash + 1, line.column_end(conll::id)).value;
                if (tokens.size() == first && is_paragraph && !text.empty()) text += "\n\n";
                tokens.push_back({text.size(), text.size() + form.size()});
                if (words != nullptr) words->emplace_back();
                text += form;
                const std::string_view misc = conll::cell_of(all, line, conll::misc);
                if (misc.find("SpaceAfter=No") == std::string_view::npos) text += ' ';
            });
            if (tokens.size() > first) tokens.back().ends_sentence = true;
        }
    return text;
}

TokenTrainer::TokenTrainer(std::span<const conll::Run> runs, int bits)
    : known_(10), cuts_(bits), ends_(bits), expands_(bits) {
    std::vector<std::vector<std::string>> words;
    text_ = text_of(runs, gold_, &words);
    LexiconCounts tokens, expansions;
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (std::size_t i = 0; i < gold_.size(); ++i) {
        const std::string_view form = std::string_view(text_).substr(gold_[i].begin, gold_[i].end - gold_[i].begin);
        tokens.add(token_key(form), 0);
        if (words[i].size() < 2) continue;
        const Expansion rule = Expansion::between(form, words[i]);
        const auto [at, is_new] = numbers.emplace(rule.text(), static_cast<std::uint32_t>(known_.rules.size()));
        if (is_new) known_.rules.push_back(rule);
        gold_[i].expansion = at->second + 1;
        if (!rule.taken.empty()) expansions.add(hash_of(rule.taken, 202), at->second);
    }
    known_.tokens = Lexicon(tokens);
    known_.expansions = Lexicon(expansions, 8);
}

std::int64_t TokenTrainer::learn() {
    std::int64_t wrong = 0;
    Contexts contexts;
    Expanding expanding;
    const std::vector<TokenView> views = views_of(text_, gold_);
    const std::string_view text = text_;
    for (std::size_t i = 0, begin = 0; i < gold_.size(); ++i) {
        if (i % 1024 == 0) Interrupt::check();
        // The cuts of the chunk that begins here.
        if (i == 0 || gold_[i - 1].end < gold_[i].begin) {
            std::size_t last = i;
            while (last + 1 < gold_.size() && gold_[last].end == gold_[last + 1].begin) ++last;
            const std::size_t start = gold_[i].begin;
            const Chunk chunk = chunk_of(text, start, gold_[last].end);
            const std::string_view letters = text.substr(start, gold_[last].end - start);
            for (std::size_t k = 1, at = i, token = 0; k < chunk.letters.size(); ++k) {
                const bool is_cut = gold_[at].end == start + chunk.starts[k];
                if (kind_of(chunk.letters[k]) == Kind::space || kind_of(chunk.letters[k - 1]) == Kind::space) continue;
                cut_contexts(known_.tokens, letters, chunk, k, token, contexts);
                wrong += step(cuts_, contexts, is_cut);
                if (is_cut) {
                    ++at;
                    token = k;
                }
            }
        }
        if (i + 1 < gold_.size() && !views[i].has_paragraph_after) {
            end_contexts(views, i, i - begin, contexts);
            wrong += step(ends_, contexts, gold_[i].ends_sentence);
        }
        if (gold_[i].ends_sentence) begin = i + 1;
        find_expansions(known_, text, gold_, i, expanding);
        const bool has_gold = gold_[i].expansion == 0 ||
                              std::ranges::find(expanding.rules, gold_[i].expansion - 1) != expanding.rules.end();
        if (expanding.rules.empty() || !has_gold) continue;
        const std::uint32_t found = best_expansion(expands_.now(), expanding);
        if (found != gold_[i].expansion) {
            ++wrong;
            change_expansion(expands_, expanding.contexts, gold_[i].expansion, 1);
            change_expansion(expands_, expanding.contexts, found, -1);
        }
        expands_.end_sentence();
    }
    return wrong;
}

TokenModel TokenTrainer::model(std::span<const conll::Run> dev) const {
    TokenModel model = known_;
    model.cuts = cuts_.average();
    model.ends = ends_.average();
    model.expands = expands_.average();
    std::vector<Token> own;
    const std::string text = dev.empty() ? std::string() : text_of(dev, own, nullptr);
    if (own.size() < 100) return model;
    // Sentences by their gold tokens: those whose both ends are found are right.
    float best_threshold = 0;
    double best = -1;
    const std::vector<TokenView> views = views_of(text, own);
    Contexts contexts;
    for (int tenth = -30; tenth <= 20; ++tenth) {
        const float threshold = static_cast<float>(tenth) / 10;
        std::int64_t found = 0, gold = 0, right = 0;
        bool begins_alike = true;
        for (std::size_t i = 0, begin = 0; i < own.size(); ++i) {
            end_contexts(views, i, i - begin, contexts);
            const bool ends =
                i + 1 == own.size() || views[i].has_paragraph_after || score(model.ends, contexts) > threshold;
            found += ends;
            gold += own[i].ends_sentence;
            right += ends && own[i].ends_sentence && begins_alike;
            if (ends || own[i].ends_sentence) begins_alike = ends && own[i].ends_sentence;
            if (ends) begin = i + 1;
        }
        const double f1 = 2.0 * static_cast<double>(right) / static_cast<double>(found + gold);
        if (f1 > best || (f1 == best && std::abs(threshold) < std::abs(best_threshold))) {
            best = f1;
            best_threshold = threshold;
        }
    }
    model.end_threshold = best_threshold;
    return model;
}

learn::AveragedWeights& TokenTrainer::table(const std::string& name) {
    if (name == "cut") return cuts_;
    if (name == "end") return ends_;
    if (name == "expand") return expands_;
    throw Error("a tokenizer does not learn a table " + name);
}

}  // namespace nonproj::text
