// Lemmas by edit rules: the rule that a form had with its tag, or the best of the rules of forms that end alike.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nonproj/learn/weights.hpp"
#include "nonproj/text/contexts.hpp"
#include "nonproj/text/edit_rule.hpp"
#include "nonproj/text/lexicon.hpp"
#include "nonproj/text/tagger.hpp"

namespace nonproj::text {

struct LemmaKnowledge {
    std::vector<EditRule> rules;
    Lexicon forms;    // rules by form and tag, and by form and UPOS
    Lexicon endings;  // rules by UPOS and end
    Lexicon lemmas;   // how many forms have this lemma, by lemma and UPOS

    // A form with a tag and a rule, as often as it occurs.
    struct Lesson {
        const Form* seen;
        std::string_view form;
        std::uint32_t tag, rule;
    };
    // What is known afterwards, and what the perceptron learns from: every lesson once. The forms must live as long.
    std::vector<Lesson> learn(std::span<const std::vector<Row>> sentences, const TagSet& tags);
};

class LemmaSession {
  public:
    LemmaSession(const LemmaKnowledge& knowledge, const TagSet& tags) : knowledge_(knowledge), tags_(tags) {}

    const std::string& lemma(std::string_view form, const FormView& view, std::uint32_t tag,
                             const learn::WeightTable& weights);
    // The perceptron on a form as if it were new; whether it was wrong.
    bool learn(const LemmaKnowledge::Lesson& lesson, learn::AveragedWeights& weights);

  private:
    struct Candidate {
        std::uint32_t rule;
        std::string lemma;
    };

    std::string found(std::string_view form, const FormView& view, std::uint32_t tag,
                      const learn::WeightTable& weights);
    void find_candidates(std::string_view form, const FormView& view, const Tag& tag);
    void gather_contexts(const FormView& view, const Tag& tag);
    Hash lemma_context(const Candidate& candidate, const Tag& tag, std::uint32_t least) const;
    const Candidate& best(const Tag& tag, const learn::WeightTable& weights, std::uint32_t least) const;
    template <class Take>
    void each_place(const Candidate& candidate, const Tag& tag, const learn::WeightTable& weights, std::uint32_t least,
                    Take take) const;

    const LemmaKnowledge& knowledge_;
    const TagSet& tags_;
    std::vector<Candidate> candidates_;
    Contexts contexts_;
    std::unordered_map<Hash, std::string> memo_;
};

}  // namespace nonproj::text
