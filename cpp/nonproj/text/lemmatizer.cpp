#include "nonproj/text/lemmatizer.hpp"

#include <algorithm>
#include <unordered_set>

namespace nonproj::text {

namespace {

constexpr int longest_lemma_ending = 6;
constexpr std::size_t enough_rules = 12;  // candidates
constexpr std::size_t lemma_memo_limit = 1 << 15;

Hash form_key(Hash form, Hash tag) { return combined(combined(61, form), tag); }
Hash ending_key(const FormView& view, int length, Hash upos) {
    const Hash end = length == 0 ? 62 : view.suffixes[static_cast<std::size_t>(length) - 1];
    return combined(combined(end, upos), static_cast<Hash>(length) * 2 + view.has_capital);
}
Hash lemma_key(std::string_view lemma, Hash upos) { return combined(hash_of(lemma, 63), upos); }

}  // namespace

std::vector<LemmaKnowledge::Lesson> LemmaKnowledge::learn(std::span<const std::vector<Row>> sentences,
                                                          const TagSet& known) {
    TagSet tags = known;
    std::unordered_map<std::string, std::uint32_t> numbers;
    LexiconCounts of_forms, of_endings, of_lemmas;
    std::vector<Lesson> lessons;
    std::unordered_set<Hash> is_done;
    for (const auto& sentence : sentences)
        for (const Row& row : sentence) {
            const EditRule rule = EditRule::between(row.form, row.lemma);
            const auto [at, is_new] = numbers.emplace(rule.text(), static_cast<std::uint32_t>(rules.size()));
            if (is_new) rules.push_back(rule);
            const std::uint32_t tag = tags.add(row.upos, row.xpos, row.feats), number = at->second;
            const FormView& view = row.seen->view;
            const Hash upos = tags[tag].upos_hash;
            of_forms.add(form_key(view.form, tags[tag].whole), number);
            of_forms.add(form_key(view.form, upos), number);
            if (!is_done.insert(combined(form_key(view.form, tags[tag].whole), number)).second) continue;
            lessons.push_back({row.seen, row.form, tag, number});
            of_lemmas.add(lemma_key(row.lemma, upos), 0);
            for (int length = 0; length <= std::min(longest_lemma_ending, view.suffix_count()); ++length)
                of_endings.add(ending_key(view, length, upos), number);
        }
    forms = Lexicon(of_forms, 1);
    endings = Lexicon(of_endings, 16);
    lemmas = Lexicon(of_lemmas);
    return lessons;
}

void LemmaSession::find_candidates(std::string_view form, const FormView& view, const Tag& tag) {
    candidates_.clear();
    SpeltForm spelt(form);
    for (int length = std::min(longest_lemma_ending, view.suffix_count());
         length >= 0 && candidates_.size() < enough_rules; --length)
        for (const std::uint64_t entry : knowledge_.endings.find(ending_key(view, length, tag.upos_hash))) {
            const std::uint32_t number = Lexicon::unpacked(entry).number;
            const EditRule& rule = knowledge_.rules[number];
            if (candidates_.size() >= enough_rules || rule.is_whole ||
                std::ranges::find(candidates_, number, &Candidate::rule) != candidates_.end())
                continue;
            candidates_.push_back({number, {}});
            if (!rule.apply(spelt, candidates_.back().lemma)) candidates_.pop_back();
        }
}

void LemmaSession::gather_contexts(const FormView& view, const Tag& tag) {
    contexts_.clear();
    contexts_.push_back(combined(120, tag.upos_hash));
    contexts_.push_back(combined(121, tag.whole));
    contexts_.push_back(combined(122, combined(view.shape, tag.upos_hash)));
    contexts_.push_back(combined(123, static_cast<Hash>(view.letters)));
    for (int i = 0; i < view.prefix_count(4); ++i) contexts_.push_back(combined(124 + i, view.prefixes[i]));
    for (int i = 0; i < view.suffix_count(); ++i) {
        contexts_.push_back(combined(130 + i, combined(view.suffixes[i], tag.upos_hash)));
        if (i < 5) contexts_.push_back(combined(140 + i, combined(view.suffixes[i], tag.whole)));
    }
}

// Whether other forms have this lemma.
Hash LemmaSession::lemma_context(const Candidate& candidate, const Tag& tag, std::uint32_t least) const {
    const auto entries = knowledge_.lemmas.find(lemma_key(candidate.lemma, tag.upos_hash));
    const bool is_known = !entries.empty() && Lexicon::unpacked(entries[0]).count >= least;
    return combined(150 + is_known, tag.upos_hash);
}

template <class Take>
void LemmaSession::each_place(const Candidate& candidate, const Tag& tag, const learn::WeightTable& weights,
                              std::uint32_t least, Take take) const {
    const learn::Addressing at = weights.addressing();
    const Hash seed = mixed(hash_of(knowledge_.rules[candidate.rule].add_end, 64) +
                            static_cast<Hash>(candidate.rule) * learn::golden);
    for (const Hash context : contexts_) take(at.place(context ^ seed));
    take(at.place(lemma_context(candidate, tag, least)));
}

const LemmaSession::Candidate& LemmaSession::best(const Tag& tag, const learn::WeightTable& weights,
                                                  std::uint32_t least) const {
    std::size_t best = 0;
    float best_score = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        float sum = 0;
        each_place(candidates_[i], tag, weights, least, [&](std::size_t place) { sum += weights[place]; });
        if (i == 0 || sum > best_score) {
            best = i;
            best_score = sum;
        }
    }
    return candidates_[best];
}

std::string LemmaSession::found(std::string_view form, const FormView& view, std::uint32_t tag,
                                const learn::WeightTable& weights) {
    std::string lemma;
    for (const Hash by : {tags_[tag].whole, tags_[tag].upos_hash})
        if (const auto entries = knowledge_.forms.find(form_key(view.form, by)); !entries.empty())
            if (knowledge_.rules[Lexicon::unpacked(entries[0]).number].apply(form, lemma)) return lemma;
    find_candidates(form, view, tags_[tag]);
    if (candidates_.empty()) return std::string(form);
    gather_contexts(view, tags_[tag]);
    return best(tags_[tag], weights, 1).lemma;
}

const std::string& LemmaSession::lemma(std::string_view form, const FormView& view, std::uint32_t tag,
                                       const learn::WeightTable& weights) {
    if (memo_.size() > lemma_memo_limit) memo_.clear();
    const auto [at, is_new] = memo_.try_emplace(combined(view.form, tag));
    if (is_new) at->second = found(form, view, tag, weights);
    return at->second;
}

bool LemmaSession::learn(const LemmaKnowledge::Lesson& lesson, learn::AveragedWeights& weights) {
    const FormView& view = lesson.seen->view;
    const Tag& tag = tags_[lesson.tag];
    find_candidates(lesson.form, view, tag);
    const auto gold = std::ranges::find(candidates_, lesson.rule, &Candidate::rule);
    if (gold == candidates_.end()) return true;
    gather_contexts(view, tag);
    // This form alone makes no lemma known.
    const Candidate& found = best(tag, weights.now(), 2);
    const bool is_wrong = found.rule != gold->rule && found.lemma != gold->lemma;
    if (is_wrong) {
        each_place(*gold, tag, weights.now(), 2, [&](std::size_t place) { weights.add(place, 1); });
        each_place(found, tag, weights.now(), 2, [&](std::size_t place) { weights.add(place, -1); });
    }
    weights.end_sentence();
    return is_wrong;
}

}  // namespace nonproj::text
