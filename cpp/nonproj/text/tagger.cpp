#include "nonproj/text/tagger.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/text/by_company.hpp"

namespace nonproj::text {

namespace {

constexpr int longest_tag_ending = 7;
constexpr std::size_t shortest_stem = 3, shortest_tail = 4, longest_within = 24;  // known words in others
constexpr std::uint32_t rare = 10;       // forms this rare say which tags new words may have
constexpr std::size_t enough_tags = 16;  // candidates by endings
constexpr std::size_t likely_tags = 16;  // candidates that are looked at in a sentence
constexpr std::size_t named_ahead = 6;   // lines of parts that memory brings while one is summed
constexpr std::size_t agreements = 3;    // of a value of an attribute with those of words beside it
constexpr float margin = 1, longest_step = 0.005F;
constexpr std::size_t tag_memo_limit = 1 << 15;

Hash ending_key(const FormView& view, int length) {
    const Hash end = length == 0 ? 41 : view.suffixes[static_cast<std::size_t>(length) - 1];
    return combined(end, static_cast<Hash>(length) * 8 + view.has_capital * 4 + view.has_digit * 2 + view.has_mark);
}

void add_new(std::vector<std::uint32_t>& numbers, std::uint32_t number) {
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
}

// Names lines of weights, each of which begins where a line of the cache does.
class LineNames {
  public:
    template <class Table>
    explicit LineNames(const Table& weights)
        : shift_(32 - (std::countr_zero(weights.size()) - std::countr_zero(unsigned{tag_slots}))) {}
    // Of what is well mixed.
    NONPROJ_INLINE std::uint32_t operator()(std::uint32_t hash) const {
        constexpr std::uint32_t half_golden = 0x9e3779b1;
        return (hash * half_golden >> shift_) * tag_slots;
    }

  private:
    int shift_;
};
void prefetch_line(const float* line) {
    learn::prefetch(line);
    learn::prefetch(line + tag_slots / 2);
}
void prefetch_line(const std::int16_t* line) { learn::prefetch(line); }

// The sums of some lines, slot by slot.
void add_lines(const float* weights, std::span<const std::uint32_t> lines, float* sums) {
    using Four = Lanes<float, 16>;
    std::array<Four, tag_slots / Four::count> found{};
    for (const std::uint32_t line : lines)
        for (std::size_t k = 0; k < found.size(); ++k)
            found[k] = found[k] + Four::load(weights + line + k * Four::count);
    for (std::size_t k = 0; k < found.size(); ++k) found[k].store(sums + k * Four::count);
}
// Of so many lines the sums fit into 16 bits.
constexpr std::size_t lines_together = 8;
static_assert(lines_together * learn::SmallWeightTable::largest <= 32767);
void add_lines(const std::int16_t* weights, std::span<const std::uint32_t> lines, float* sums) {
    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
        using Small = Lanes<std::int16_t, Bytes>;
        using Pairs = Lanes<std::int32_t, Bytes>;
        constexpr int count = tag_slots / Small::count;
        typename Pairs::Vector low[count] = {}, high[count] = {};
        for (std::size_t begin = 0; begin < lines.size(); begin += lines_together) {
            typename Small::Vector some[count] = {};
            for (const std::uint32_t line : lines.subspan(begin, std::min(lines_together, lines.size() - begin)))
                for (int k = 0; k < count; ++k) some[k] += Small::load(weights + line + k * Small::count).lane;
            for (int k = 0; k < count; ++k) {
                const auto both = __builtin_bit_cast(typename Pairs::Vector, some[k]);
                low[k] += both << 16 >> 16;
                high[k] += both >> 16;
            }
        }
        constexpr int first = std::endian::native == std::endian::little ? 0 : 1;  // of a pair, the low one
        for (int k = 0; k < tag_slots / 2; ++k) {
            sums[2 * k + first] = static_cast<float>(low[k / Pairs::count][k % Pairs::count]);
            sums[2 * k + 1 - first] = static_cast<float>(high[k / Pairs::count][k % Pairs::count]);
        }
    });
}

const Tag& outside_tag() {
    static const Tag tag{"", "", "", {}, mixed(45), mixed(46), {}};
    return tag;
}

}  // namespace

// Forms, endings and the tags that they were seen with, by the numbers that the tags have.
void TagKnowledge::count(std::span<const std::vector<Row>> sentences) {
    LexiconCounts of_forms, of_endings;
    std::unordered_map<Hash, std::uint32_t> counts;
    for (const auto& sentence : sentences)
        for (const Row& row : sentence) {
            const FormView& view = row.seen->view;
            const std::uint32_t tag = tags.add(row.upos, row.xpos, row.feats);
            of_forms.add(view.form, tag);
            if (view.small != view.form) of_forms.add(view.small, tag);
            ++counts[view.form];
        }
    std::unordered_map<Hash, bool> is_done;
    for (const auto& sentence : sentences)
        for (const Row& row : sentence) {
            const FormView& view = row.seen->view;
            const std::uint32_t tag = tags.add(row.upos, row.xpos, row.feats);
            if (counts[view.form] > rare || !is_done.emplace(combined(view.form, tag), true).second) continue;
            for (int length = 0; length <= std::min(longest_tag_ending, view.suffix_count()); ++length)
                of_endings.add(ending_key(view, length), tag);
        }
    forms = Lexicon(of_forms);
    endings = Lexicon(of_endings, 48, 2);
}

void TagKnowledge::learn(std::span<const std::vector<Row>> sentences) {
    count(sentences);
    TagSession session(*this);
    std::vector<std::vector<std::uint32_t>> candidates;  // of each form
    std::unordered_map<std::string_view, bool> is_done;
    for (const auto& sentence : sentences)
        for (const Row& row : sentence) {
            if (!is_done.emplace(row.form, true).second) continue;
            const bool is_rare = session.facts(*row.seen, false, nullptr).count <= rare;
            candidates.push_back(session.facts(*row.seen, is_rare, nullptr).candidates);
        }
    const std::vector<std::string> names = tags.names();
    std::vector<std::string> ordered;
    for (const std::uint32_t tag : by_company(candidates, names.size(), tag_slots)) ordered.push_back(names[tag]);
    tags = TagSet(ordered);
    count(sentences);
}

const FormFacts& TagSession::facts(const Form& form, bool is_hidden, const learn::SmallWeightTable* settled) {
    auto& memo = is_hidden ? hidden_ : known_;
    const Hash key = form.view.form;
    if (const auto found = memo.find(key); found != memo.end()) return found->second;
    FormFacts facts;
    facts.view = form.view;
    find_words_within(form.plain, facts);
    const FormView& view = facts.view;
    if (!is_hidden)
        for (const Hash by : {view.form, view.small}) {
            std::uint32_t total = 0;
            for (const std::uint64_t entry : knowledge_.forms.find(by)) {
                add_new(facts.candidates, Lexicon::unpacked(entry).number);
                total += Lexicon::unpacked(entry).count;
            }
            if (by == view.form) facts.count = total;
            if (total >= often) break;
        }
    if (facts.count < often) {
        std::size_t found = 0;
        for (int length = std::min(longest_tag_ending, view.suffix_count()); length >= 0 && found < enough_tags;
             --length)
            for (const std::uint64_t entry : knowledge_.endings.find(ending_key(view, length))) {
                if (found >= enough_tags) break;
                const std::size_t before = facts.candidates.size();
                add_new(facts.candidates, Lexicon::unpacked(entry).number);
                found += facts.candidates.size() - before;
            }
    }
    if (facts.candidates.empty())
        for (std::uint32_t tag = 0; tag < std::min<std::size_t>(knowledge_.tags.size(), 64); ++tag)
            facts.candidates.push_back(tag);
    // The most likely ones tell enough about the word to those beside it.
    Hash ambiguity = 42;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, facts.candidates.size()); ++i)
        ambiguity = combined(ambiguity, knowledge_.tags[facts.candidates[i]].upos_hash);
    facts.ambiguity = ambiguity;
    facts.likely = &knowledge_.tags[facts.candidates[0]];
    if (settled != nullptr && facts.candidates.size() > 1) keep_likely(*settled, facts);
    return memo.emplace(key, std::move(facts)).first->second;
}

// The tag that a word, by its hash in small letters, was seen with most.
const Tag* TagSession::most_often(Hash small) const {
    const auto seen = knowledge_.forms.find(small);
    return seen.empty() ? nullptr : &knowledge_.tags[Lexicon::unpacked(seen[0]).number];
}

void TagSession::find_words_within(std::span<const Letter> letters, FormFacts& facts) const {
    const std::size_t longest = std::min(std::max<std::size_t>(letters.size(), 1) - 1, longest_within);
    std::array<Hash, longest_within + 1> beginnings;  // by length
    beginnings[0] = small_hash({});
    for (std::size_t i = 0; i < longest; ++i) beginnings[i + 1] = combined(beginnings[i], letters[i]);
    std::size_t length = longest;
    for (; facts.stem == nullptr && length >= shortest_stem; --length) facts.stem = most_often(beginnings[length]);
    if (facts.stem != nullptr) facts.rest = small_hash(letters.subspan(length + 1));
    for (length = longest; facts.tail == nullptr && length >= shortest_tail; --length)
        facts.tail = most_often(small_hash(letters.last(length)));
}

// Scores the candidates by the form alone, and leaves those out that have no chance.
void TagSession::keep_likely(const learn::SmallWeightTable& weights, FormFacts& facts) {
    contexts_.clear();
    own_contexts(facts, contexts_);
    own_ = contexts_.size();
    score_parts(weights, facts.candidates, nullptr);
    scored_.clear();
    for (const std::uint32_t tag : facts.candidates)
        scored_.push_back({score(tag), static_cast<std::uint32_t>(scored_.size()), tag});
    const std::size_t kept = std::min(scored_.size(), likely_tags);
    std::partial_sort(
        scored_.begin(), scored_.begin() + static_cast<std::ptrdiff_t>(kept), scored_.end(),
        [](const Scored& a, const Scored& b) { return a.score != b.score ? a.score > b.score : a.place < b.place; });
    facts.candidates.clear();
    facts.scores.reserve(kept);
    for (const Scored& each : std::span(scored_).first(kept)) {
        facts.scores.push_back(each.score);
        facts.candidates.push_back(each.tag);
    }
}

void TagSession::prepare(std::span<const Row> sentence, Hash draw, bool is_learning,
                         const learn::SmallWeightTable* settled) {
    if (known_.size() > tag_memo_limit) known_.clear();
    words_.clear();
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const FormFacts* facts = &this->facts(*sentence[i].seen, false, settled);
        // Words seen once or twice are taken for new ones now and then, so that new ones are learnt.
        if (is_learning && facts->count <= 2 && (combined(draw, i) & 3) < 4 - 2 * facts->count + (facts->count == 2))
            facts = &this->facts(*sentence[i].seen, true, settled);
        words_.push_back(facts);
    }
}

TagSession::Place TagSession::place(std::size_t word) const {
    static const FormFacts outside = [] {
        FormFacts facts;
        facts.view = FormView::outside(43);
        facts.ambiguity = mixed(44);
        facts.likely = &outside_tag();
        return facts;
    }();
    const auto at = [&](std::ptrdiff_t i) {
        return i >= 0 && i < static_cast<std::ptrdiff_t>(words_.size()) ? words_[static_cast<std::size_t>(i)]
                                                                        : &outside;
    };
    const auto i = static_cast<std::ptrdiff_t>(word);
    return {at(i - 2), at(i - 1), at(i), at(i + 1), at(i + 2), word == 0};
}

void TagSession::own_contexts(const FormFacts& facts, Contexts& contexts) {
    const FormView& view = facts.view;
    contexts.push_back(mixed(50));
    contexts.push_back(combined(51, view.form));
    contexts.push_back(combined(52, view.small));
    contexts.push_back(combined(53, view.shape));
    contexts.push_back(combined(54, view.has_capital * 4 + view.has_digit * 2 + view.has_mark));
    for (int i = 0; i < view.prefix_count(); ++i) contexts.push_back(combined(60 + i, view.prefixes[i]));
    for (int i = 0; i < view.suffix_count(); ++i) contexts.push_back(combined(70 + i, view.suffixes[i]));
    if (facts.stem != nullptr) {
        contexts.push_back(combined(55, facts.stem->whole));
        contexts.push_back(combined(56, combined(facts.stem->whole, facts.rest)));
        contexts.push_back(combined(57, facts.rest));
    }
    if (facts.tail != nullptr) contexts.push_back(combined(58, facts.tail->whole));
}

void TagSession::neighbour_contexts(const Place& p, Contexts& contexts) {
    const FormView &here = p.here->view, &before = p.before->view, &after = p.after->view;
    const Hash end = here.suffixes[std::max(0, std::min(3, here.letters) - 1)];
    const auto end_of = [](const FormView& view) { return view.suffixes[std::max(0, std::min(3, view.letters) - 1)]; };
    contexts.push_back(combined(80, before.small));
    contexts.push_back(combined(81, after.small));
    contexts.push_back(combined(82, p.before2->view.small));
    contexts.push_back(combined(83, p.after2->view.small));
    contexts.push_back(combined(84, end_of(before)));
    contexts.push_back(combined(85, end_of(after)));
    contexts.push_back(combined(86, p.after->ambiguity));
    contexts.push_back(combined(87, combined(p.after->ambiguity, p.after2->ambiguity)));
    contexts.push_back(combined(88, combined(before.small, here.small)));
    contexts.push_back(combined(89, combined(here.small, after.small)));
    contexts.push_back(combined(90, combined(here.shape, p.is_first)));
    contexts.push_back(combined(91, combined(end, p.after->ambiguity)));
    contexts.push_back(combined(92, combined(end, after.small)));
    contexts.push_back(combined(93, combined(end_of(before), end)));
    contexts.push_back(combined(94, combined(end, end_of(after))));
}

void TagSession::tag_contexts(const Place& p, const TagsBeside& tags, Contexts& contexts) {
    const FormView& here = p.here->view;
    const Hash before = tags.before->whole, end = here.suffixes[std::max(0, std::min(3, here.letters) - 1)];
    contexts.push_back(combined(100, before));
    contexts.push_back(combined(101, combined(tags.before->upos_hash, tags.before2->upos_hash)));
    contexts.push_back(combined(102, combined(before, tags.before2->whole)));
    contexts.push_back(combined(103, combined(before, here.small)));
    contexts.push_back(combined(104, combined(before, p.after->ambiguity)));
    contexts.push_back(combined(105, combined(before, end)));
    contexts.push_back(combined(106, combined(tags.before->upos_hash, p.after->view.small)));
    contexts.push_back(combined(107, tags.before2->whole));
}

// The value that another word has for the attribute of this group.
Hash TagSession::agreement(const PartGroup& group, const Tag* other, Hash kind) {
    for (const auto& [attribute, value] : other->values)
        if (attribute == group.attribute) return combined(kind, combined(value, other->upos_hash));
    return combined(kind, other->upos_hash);
}

template <class Table>
void TagSession::score_parts(const Table& weights, std::span<const std::uint32_t> candidates,
                             const TagsBeside* beside) {
    const TagSet& tags = knowledge_.tags;
    scores_.resize(tags.lines() * tag_slots);
    line_names_.resize(tags.lines());
    group_names_.resize(tags.groups());
    ++stamp_;
    lines_.clear();
    groups_.clear();
    for (const std::uint32_t tag : candidates)
        for (const std::uint32_t part : tags[tag].parts) {
            const std::uint32_t number = tags.group_of(part);
            if (std::exchange(group_names_[number].stamp, stamp_) == stamp_) continue;
            const PartGroup& group = tags.group(number);
            if (std::exchange(line_names_[group.line].stamp, stamp_) != stamp_) lines_.push_back(group.line);
            if (group.attribute != 0 && beside != nullptr) groups_.push_back(number);
        }
    const LineNames name_of(weights);
    std::array<std::uint32_t, Contexts::most> halves;
    for (std::size_t k = 0; k < contexts_.size(); ++k) halves[k] = static_cast<std::uint32_t>(contexts_[k]);
    names_.resize(lines_.size() * contexts_.size() + groups_.size() * agreements);
    std::uint32_t named = 0;
    for (const std::uint32_t number : groups_) {
        const PartGroup& group = tags.group(number);
        group_names_[number].begin = named;
        const Hash seed = combined(group.kind, group.line);
        for (const Hash hash : {agreement(group, beside->before, 110), agreement(group, beside->before2, 111),
                                agreement(group, beside->after, 112)}) {
            names_[named] = name_of(static_cast<std::uint32_t>(hash ^ seed));
            prefetch_line(weights.data() + names_[named++]);
        }
    }
    for (std::size_t i = 0, next = 0; i < lines_.size(); ++i) {
        for (; next < std::min(i + named_ahead, lines_.size()); ++next) {
            const auto seed = static_cast<std::uint32_t>(combined(38, lines_[next]));
            const std::size_t count = contexts_of(lines_[next]);
            std::uint32_t* const names = names_.data() + named;
            vectorised([&]<int>() NONPROJ_INLINE_LAMBDA {
                for (std::size_t k = 0; k < count; ++k) names[k] = name_of(halves[k] ^ seed);
            });
            for (std::size_t k = 0; k < count; ++k) prefetch_line(weights.data() + names[k]);
            line_names_[lines_[next]].begin = std::exchange(named, named + static_cast<std::uint32_t>(count));
        }
        add_lines(weights.data(), names_of_line(lines_[i]), scores_.data() + lines_[i] * tag_slots);
    }
    for (const std::uint32_t number : groups_) {
        const PartGroup& group = tags.group(number);
        for (const std::uint32_t line : names_of(group_names_[number], agreements))
            for (int slot = group.first_slot; slot < group.first_slot + group.size; ++slot)
                scores_[group.line * tag_slots + slot] += static_cast<float>(weights[line + slot]);
    }
}

float TagSession::score(std::uint32_t tag) const {
    float sum = 0;
    for (const std::uint32_t part : knowledge_.tags[tag].parts) sum += scores_[knowledge_.tags.place(part)];
    return sum;
}

// The place of the best candidate; the first one among equals. `scores` are what each has already, or nothing.
template <class Table>
std::size_t TagSession::best(const Table& weights, std::span<const std::uint32_t> candidates,
                             std::span<const float> scores, const TagsBeside& beside) {
    score_parts(weights, candidates, &beside);
    std::size_t best = 0;
    float best_score = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const float sum = (scores.empty() ? 0 : scores[i]) + score(candidates[i]);
        if (i == 0 || sum > best_score) {
            best = i;
            best_score = sum;
        }
    }
    return best;
}

std::vector<std::uint32_t> TagSession::allowed(const FormFacts& facts, const Row& row, const Kept& kept) const {
    const TagSet& tags = knowledge_.tags;
    const auto agrees = [&](std::uint32_t tag) {
        return (!kept.upos || tags[tag].upos == row.upos) && (!kept.xpos || tags[tag].xpos == row.xpos) &&
               (!kept.feats || tags[tag].feats == row.feats);
    };
    std::vector<std::uint32_t> found;
    for (const std::uint32_t tag : facts.candidates)
        if (agrees(tag)) found.push_back(tag);
    for (std::uint32_t tag = 0; found.empty() && tag < tags.size(); ++tag)
        if (agrees(tag)) found.push_back(tag);
    return found.empty() ? facts.candidates : found;
}

void TagSession::tag(std::span<const Row> sentence, const Kept& kept, const learn::SmallWeightTable& weights,
                     std::span<std::uint32_t> tags) {
    prepare(sentence, 0, false, &weights);
    const Tag *before = &outside_tag(), *before2 = before;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const FormFacts& facts = *words_[i];
        std::vector<std::uint32_t> chosen;
        if (kept.any()) chosen = allowed(facts, sentence[i], kept);
        const bool is_free = !kept.any() || chosen == facts.candidates;
        const std::span<const std::uint32_t> candidates = is_free ? facts.candidates : chosen;
        std::size_t found = 0;
        if (candidates.size() > 1) {
            contexts_.clear();
            if (!is_free) own_contexts(facts, contexts_);
            own_ = contexts_.size();
            const Place here = place(i);
            const TagsBeside beside{before, before2, here.after->likely};
            neighbour_contexts(here, contexts_);
            tag_contexts(here, beside, contexts_);
            found = best(weights, candidates, is_free ? std::span<const float>(facts.scores) : std::span<const float>(),
                         beside);
        }
        tags[i] = candidates[found];
        before2 = std::exchange(before, &knowledge_.tags[tags[i]]);
    }
}

template <class Take>
void TagSession::each_difference(std::uint32_t gold, std::uint32_t found, Take take) const {
    const TagSet& tags = knowledge_.tags;
    const auto of_one = [&](std::uint32_t tag, std::uint32_t other, bool is_gold) {
        const auto& shared = tags[other].parts;
        for (const std::uint32_t part : tags[tag].parts) {
            if (std::ranges::find(shared, part) != shared.end()) continue;
            const std::uint32_t group = tags.group_of(part), slot = tags.place(part) % tag_slots;
            for (const std::uint32_t line : names_of_line(tags.group(group).line)) take(line + slot, is_gold);
            if (tags.group(group).attribute == 0) continue;
            for (const std::uint32_t line : names_of(group_names_[group], agreements)) take(line + slot, is_gold);
        }
    };
    of_one(gold, found, true);
    of_one(found, gold, false);
}

void TagSession::step(learn::AveragedWeights& weights, std::uint32_t gold, std::uint32_t found) {
    const float loss = margin + score(found) - score(gold);
    std::size_t features = 0;
    each_difference(gold, found, [&](std::size_t, bool) { ++features; });
    const float change = std::min(longest_step, loss / static_cast<float>(std::max<std::size_t>(features, 1)));
    each_difference(gold, found,
                    [&](std::size_t place, bool is_gold) { weights.add(place, is_gold ? change : -change); });
}

int TagSession::learn(std::span<const Row> sentence, std::span<const std::uint32_t> gold,
                      learn::AveragedWeights& weights, Hash draw) {
    prepare(sentence, draw, true, nullptr);
    const Tag *before = &outside_tag(), *before2 = before;
    int wrong = 0;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        const FormFacts& facts = *words_[i];
        std::uint32_t found = facts.candidates[0];
        const auto at_gold = std::ranges::find(facts.candidates, gold[i]);
        if (facts.candidates.size() > 1 && at_gold != facts.candidates.end()) {
            contexts_.clear();
            own_contexts(facts, contexts_);
            own_ = contexts_.size();
            const Place here = place(i);
            const TagsBeside beside{before, before2, here.after->likely};
            neighbour_contexts(here, contexts_);
            tag_contexts(here, beside, contexts_);
            // The right tag has to win by a margin.
            handicaps_.assign(facts.candidates.size(), 0);
            handicaps_[static_cast<std::size_t>(at_gold - facts.candidates.begin())] = -margin;
            found = facts.candidates[best(weights.now(), facts.candidates, handicaps_, beside)];
            if (found != gold[i]) step(weights, gold[i], found);
        }
        wrong += found != gold[i];
        before2 = std::exchange(before, &knowledge_.tags[found]);
    }
    weights.end_sentence();
    return wrong;
}

}  // namespace nonproj::text
