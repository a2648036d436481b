#include <algorithm>
#include <cmath>

#include "nonproj/conll/words.hpp"
#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/text/tokenizer.hpp"

namespace nonproj::text {

namespace {

constexpr int join_bits = 10;

// A step of logistic regression towards yes or no; whether the answer was wrong.
bool step(learn::AveragedWeights& weights, const Contexts& contexts, bool is_yes) {
    const float sum = yes_score(weights.now(), contexts);
    const float error = static_cast<float>(is_yes) - 1 / (1 + std::exp(-sum));
    if (std::abs(error) > 0.02F) {
        const learn::Addressing at = weights.now().addressing();
        for (const Hash context : contexts) weights.add(at.place(context), 0.25F * error);
    }
    weights.end_sentence();
    return (sum > 0) != is_yes;
}

// How an end is scored; nothing by the network if that has no share.
struct EndScorer {
    const learn::WeightTable& weights;
    std::span<const float> by_network;
    float share;

    float score(std::span<const TokenView> views, std::size_t i, std::size_t length, Contexts& contexts) const {
        end_contexts(views, i, length, contexts);
        const float linear = yes_score(weights, contexts);
        return by_network.empty() ? linear : joined_score(linear, by_network[i], share);
    }
};

// A sentence is right when both its ends are found.
EndCounts count_ends(const EndScorer& scorer, std::span<const Token> gold, std::span<const TokenView> views,
                     float threshold) {
    EndCounts counts;
    bool begins_alike = true;
    Contexts contexts;
    for (std::size_t i = 0, begin = 0; i < gold.size(); ++i) {
        const bool is_end = i + 1 == gold.size() || views[i].has_paragraph_after ||
                            scorer.score(views, i, i - begin, contexts) > threshold;
        counts.found += is_end;
        counts.there += gold[i].ends_sentence;
        counts.right += is_end && gold[i].ends_sentence && begins_alike;
        if (is_end || gold[i].ends_sentence) begins_alike = is_end && gold[i].ends_sentence;
        if (is_end) begin = i + 1;
    }
    return counts;
}

// The tokens of one sentence, added to those before.
void add_gold(std::string_view all, const conll::Span& sentence, GoldText& gold) {
    std::int64_t covered = 0, number = 0;
    bool is_paragraph = false;
    const std::size_t first = gold.tokens.size();
    conll::each_line(all, sentence, [&](const conll::Line& line) {
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
            gold.words.back().push_back(form);
            return;
        }
        if (dash != std::string_view::npos)
            covered = conll::number_at(all, line.begin + dash + 1, line.column_end(conll::id)).value;
        if (gold.tokens.size() == first && is_paragraph && !gold.text.empty()) gold.text += "\n\n";
        gold.tokens.push_back({gold.text.size(), gold.text.size() + form.size()});
        gold.words.emplace_back();
        gold.upos.emplace_back(conll::cell_of(all, line, conll::upos));
        gold.text += form;
        const std::string_view misc = conll::cell_of(all, line, conll::misc);
        if (misc.find("SpaceAfter=No") == std::string_view::npos) gold.text += ' ';
    });
    if (gold.tokens.size() > first) gold.tokens.back().ends_sentence = true;
}

// The usual UPOS of each token that was seen twice, by numbers; tokens of several words have none.
Lexicon kinds_of(const std::vector<std::string>& upos, std::string_view text, std::span<const Token> tokens) {
    std::unordered_map<std::string, std::uint32_t> numbers;
    LexiconCounts counts;
    for (std::size_t i = 0; i < tokens.size() && numbers.size() < TokenModel::most_kinds; ++i) {
        if (upos[i] == "_") continue;
        const auto number = numbers.emplace(upos[i], static_cast<std::uint32_t>(numbers.size())).first->second;
        counts.add(view_of(text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin)).small, number);
    }
    return Lexicon(counts, 1, 2);
}

}  // namespace

GoldText gold_text(std::span<const conll::Run> runs) {
    GoldText gold;
    for (const conll::Run& run : runs)
        for (const conll::Span& sentence : run.sentences()) add_gold(run.text(), sentence, gold);
    return gold;
}

TokenTrainer::TokenTrainer(std::span<const conll::Run> runs, int bits)
    : known_(10), cuts_(bits), ends_(bits), expands_(bits), joined_(join_bits) {
    GoldText gold = gold_text(runs);
    text_ = std::move(gold.text);
    gold_ = std::move(gold.tokens);
    find_pieces();
    const std::string_view text = text_;
    LexiconCounts tokens, expansions, joins;
    Contexts contexts;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const std::string_view form = text.substr(pieces_[i].begin, pieces_[i].end - pieces_[i].begin);
        tokens.add(token_key(form), 0);
        if (!pieces_[i].goes_on) continue;
        join_contexts(form, text.substr(pieces_[i + 1].begin, pieces_[i + 1].end - pieces_[i + 1].begin), contexts);
        joins.add(contexts[0], 0);
    }
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (std::size_t i = 0; i < gold_.size(); ++i) {
        if (gold.words[i].size() < 2) continue;
        const Expansion rule =
            Expansion::between(text.substr(gold_[i].begin, gold_[i].end - gold_[i].begin), gold.words[i]);
        const auto [at, is_new] = numbers.emplace(rule.text(), static_cast<std::uint32_t>(known_.rules.size()));
        if (is_new) known_.rules.push_back(rule);
        gold_[i].expansion = at->second + 1;
        if (!rule.taken.empty()) expansions.add(expansion_key(rule.taken), at->second);
    }
    known_.kinds = kinds_of(gold.upos, text_, gold_);
    known_.tokens = Lexicon(tokens);
    known_.expansions = Lexicon(expansions, 8);
    known_.joins = Lexicon(joins);
}

void TokenTrainer::find_pieces() {
    const std::string_view text = text_;
    for (const Token& token : gold_) {
        std::size_t begin = token.begin;
        for (std::size_t at = token.begin, next = at; at < token.end; at = next) {
            if (kind_of(next_letter(text, next)) != Kind::space) continue;
            // A space at the beginning or the end, or a second one, is none that joins.
            if (at > begin && next < token.end) pieces_.push_back({begin, at, true});
            begin = next;
        }
        if (begin < token.end)
            pieces_.push_back({begin, token.end});
        else if (!pieces_.empty())
            pieces_.back().goes_on = false;
    }
}

std::int64_t TokenTrainer::learn_cuts() {
    std::int64_t wrong = 0;
    Contexts contexts;
    for (std::size_t first = 0, last; first < pieces_.size(); first = last + 1) {
        if (first % 1024 == 0) Interrupt::check();
        // The tokens without spaces between them are one chunk.
        for (last = first; last + 1 < pieces_.size() && pieces_[last].end == pieces_[last + 1].begin;) ++last;
        const std::size_t start = pieces_[first].begin;
        const Chunk chunk = chunk_of(text_, start, pieces_[last].end);
        for (std::size_t k = 1, at = first, token = 0; k < chunk.letters.size(); ++k) {
            const bool is_cut = pieces_[at].end == start + chunk.starts[k];
            const CutPlace place{k, token, is_cut, is_cut && at + 1 == last, at == last};
            cut_contexts(known_.tokens, known_.kinds, chunk, place, contexts);
            wrong += step(cuts_, contexts, is_cut);
            if (is_cut) {
                ++at;
                token = k;
            }
        }
    }
    return wrong;
}

std::int64_t TokenTrainer::learn_joins() {
    if (known_.joins.keys().empty()) return 0;
    const std::string_view text = text_;
    std::int64_t wrong = 0;
    Contexts contexts;
    for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
        const Piece &left = pieces_[i], &right = pieces_[i + 1];
        if (!is_inner_space(text.substr(left.end, right.begin - left.end))) continue;
        join_contexts(text.substr(left.begin, left.end - left.begin), text.substr(right.begin, right.end - right.begin),
                      contexts);
        if (!known_.joins.find(contexts[0]).empty()) wrong += step(joined_, contexts, left.goes_on);
    }
    return wrong;
}

std::int64_t TokenTrainer::learn_ends() {
    const std::vector<TokenView> views = views_of(known_.tokens, text_, gold_);
    std::int64_t wrong = 0;
    Contexts contexts;
    for (std::size_t i = 0, begin = 0; i + 1 < gold_.size(); ++i) {
        if (i % 1024 == 0) Interrupt::check();
        if (!views[i].has_paragraph_after) {
            end_contexts(views, i, i - begin, contexts);
            wrong += step(ends_, contexts, gold_[i].ends_sentence);
        }
        if (gold_[i].ends_sentence) begin = i + 1;
    }
    return wrong;
}

std::int64_t TokenTrainer::learn_expansions() {
    std::int64_t wrong = 0;
    ExpansionChoice choice;
    for (std::size_t i = 0; i < gold_.size(); ++i) {
        if (i % 1024 == 0) Interrupt::check();
        const std::uint32_t gold = gold_[i].expansion;
        choice.find(known_.expansion_rules(), text_, gold_, i, true);
        const bool has_gold = gold == 0 || std::ranges::find(choice.rules, gold - 1, &ExpansionChoice::Rule::number) !=
                                               choice.rules.end();
        if (choice.rules.empty() || !has_gold) continue;
        if (const std::uint32_t found = choice.best(expands_.now()); found != gold) {
            ++wrong;
            choice.change(expands_, gold, 1);
            choice.change(expands_, found, -1);
        }
        expands_.end_sentence();
    }
    return wrong;
}

std::int64_t TokenTrainer::learn() { return learn_cuts() + learn_joins() + learn_ends() + learn_expansions(); }

learn::BoundaryTrainer TokenTrainer::end_trainer(std::uint64_t seed) {
    const std::vector<TokenView> views = views_of(known_.tokens, text_, gold_);
    begun_end_network_.emplace(views);
    return boundary_trainer(*begun_end_network_, gold_, views, seed);
}

void TokenTrainer::set_end_network(const learn::BoundaryTrainer& trainer) {
    if (!begun_end_network_ || trainer.network().sizes.rows != begun_end_network_->weights().sizes.rows)
        throw Error("the network was trained for another tokenizer: take the trainer of this one");
    end_network_ = begun_end_network_;
    end_network_->set(trainer.averaged());
}

std::array<EndCounts, end_thresholds.size()> TokenTrainer::try_ends(std::span<const conll::Run> held_out,
                                                                    float share) const {
    if (share != 0 && !end_network_) throw Error("the network of a tokenizer is tried before it is learnt");
    const GoldText gold = gold_text(held_out);
    const std::vector<TokenView> views = views_of(known_.tokens, gold.text, gold.tokens);
    const learn::WeightTable ends = ends_.average();
    EndReader reader;
    const EndScorer scorer{ends, share != 0 ? reader.read(*end_network_, views) : std::span<const float>(), share};
    std::array<EndCounts, end_thresholds.size()> counts;
    for (std::size_t i = 0; i < end_thresholds.size(); ++i) {
        Interrupt::check();
        counts[i] = count_ends(scorer, gold.tokens, views, end_thresholds[i]);
    }
    return counts;
}

TokenModel TokenTrainer::model(float end_threshold, float end_share) const {
    if (end_share != 0 && !end_network_) throw Error("the network of a tokenizer is kept before it is learnt");
    TokenModel model = known_;
    model.cuts = cuts_.average();
    model.ends = ends_.average();
    model.expands = expands_.average();
    model.joined = joined_.average();
    model.end_threshold = end_threshold;
    model.end_share = end_share;
    if (end_share != 0) model.end_network = end_network_;
    return model;
}

learn::AveragedWeights& TokenTrainer::table(const std::string& name) {
    if (name == "cut") return cuts_;
    if (name == "end") return ends_;
    if (name == "expand") return expands_;
    if (name == "join") return joined_;
    throw Error("a tokenizer does not learn a table " + name);
}

}  // namespace nonproj::text
