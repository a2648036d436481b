// Trees with a good score of arcs and families, by climbing (McDonald & Pereira 2006; Zhang, Lei, Barzilay & Jaakkola
// 2014): for one word after the other, the change of one or two arcs that gains most, within the class, until no change
// gains. What comes is a tree of the class that no single such change improves; it need not be the best one.
//
// Scores are asked for family by family, and answered together: those that look up weights can wait for memory once.
//
//   words(), heads(word)              the words, and the heads that a word may have
//   allows(head, word), arc(h, d)     whether a word may have a head; the score of an arc
//   ask(h, above, children, answers)  asks for the score of a family; above is the head of h, -1 for the dummy
//   settle(answers)                   adds what was asked for and is not among the answers yet
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/tree/child_lists.hpp"

namespace nonproj::parts {

template <class Scores>
class Climb {
  public:
    // The scores must outlive this. Changes that gain no more than `least_gain` are not made.
    void assign(Scores& scores, bool single_root, double least_gain) {
        scores_ = &scores;
        single_root_ = single_root;
        least_gain_ = least_gain;
        heads_.clear();
    }

    // The score of a tree of possible arcs, whatever its class.
    double score(std::span<const int> heads) {
        start(heads);
        double sum = 0;
        for (int d = 1; d <= words(); ++d) sum += scores_->arc(heads[d - 1], d);
        for (const double family : family_) sum += family;
        return sum;
    }

    // Climbs from a tree of possible arcs, which is in the class, and returns the score of the tree it ends at.
    template <class IsMember>
    double climb(std::span<int> heads, const IsMember& is_member) {
        start(heads);
        int still = 0;  // words in a row without a gain
        // Each change gains, so that there is an end to them; but scores may be so large that gains are roundings.
        int changes_left = most_changes_of_a_word * words();
        for (int m = 1; still < words() && changes_left > 0; m = m % words() + 1) {
            if (!improve(m, is_member)) {
                ++still;
                continue;
            }
            still = 0;
            --changes_left;
            Interrupt::check();
        }
        std::copy(heads_.begin(), heads_.end(), heads.begin());
        return score(heads);
    }

    // How much each possible arc would gain in the tree that was climbed to, in the place of the one that is there: a
    // table of words + 1 rows, -inf for other arcs.
    void weigh(std::vector<float>& gains) {
        const std::size_t width = heads_.size() + 1;
        gains.assign(width * width, minus_infinity<float>);
        for (int m = 1; m < static_cast<int>(width); ++m) {
            changes_.clear();
            gains[heads_[m - 1] * width + m] = 0;
            for (const int head : scores_->heads(m))
                if (head != heads_[m - 1]) consider({{{m, head}, {0, 0}}});
            settle();
            for (const Change& change : changes_)
                gains[change.edits[0].head * width + m] = static_cast<float>(change.gain);
        }
    }

  private:
    static constexpr int none = -1;
    static constexpr int most_changes_of_a_word = 100;
    struct Edit {
        int word, head;
    };
    using Edits = std::array<Edit, 2>;  // the second may be {0, 0}: nothing
    struct Change {
        Edits edits;
        double gain;
        int families;  // how many it changes
    };

    int words() const { return scores_->words(); }
    void ask(int h) { scores_->ask(h, h == 0 ? none : heads_[h - 1], children_[h], asked_); }
    // The scores asked for since the last answers.
    std::span<const double> answers() {
        scores_->settle(asked_);
        answers_.swap(asked_);
        asked_.clear();
        return answers_;
    }

    // From the tree before, of the same sentence, only the families that change are asked for.
    void start(std::span<const int> heads) {
        if (heads_.empty()) {
            heads_.assign(heads.begin(), heads.end());
            children_.assign(heads);
            for (int h = 0; h <= words(); ++h) ask(h);
            const std::span<const double> scores = answers();
            family_.assign(scores.begin(), scores.end());
            changes_family_.assign(family_.size(), false);
            return;
        }
        for (int d = 1; d <= words(); ++d) {
            if (heads[d - 1] == heads_[d - 1]) continue;
            for (const int h : {heads_[d - 1], heads[d - 1], d}) changes_family_[h] = true;
            move({d, heads[d - 1]});
        }
        for (int h = 0; h <= words(); ++h)
            if (changes_family_[h]) ask(h);
        auto answer = answers().begin();
        for (int h = 0; h <= words(); ++h)
            if (std::exchange(changes_family_[h], false)) family_[h] = *answer++;
    }

    template <class IsMember>
    bool improve(int m, const IsMember& is_member) {
        changes_.clear();
        for (const int head : scores_->heads(m)) {
            if (head == heads_[m - 1] || is_below(head, m)) continue;
            if (head == 0 && single_root_)
                replace_root(m);
            else if (heads_[m - 1] != 0 || !single_root_)
                consider({{{m, head}, {0, 0}}});
        }
        rotate(m);
        settle();
        std::erase_if(changes_, [&](const Change& change) { return !(change.gain > least_gain_); });
        std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.gain > b.gain; });
        for (const Change& change : changes_) {
            const Edits undo = apply(change.edits);
            if (is_member(std::span<const int>(heads_))) {
                renew(affected(change.edits, undo));
                return true;
            }
            revert(undo);
        }
        return false;
    }
    // m takes the place of its head, which becomes its child.
    void rotate(int m) {
        const int h = heads_[m - 1];
        if (h == 0 || !scores_->allows(m, h) || !scores_->allows(heads_[h - 1], m)) return;
        consider({{{m, heads_[h - 1]}, {h, m}}});
    }
    // m becomes the only root, and the old one goes below m.
    void replace_root(int m) {
        const int root = children_[0].front();
        for (const int head : scores_->heads(root))
            if (head != 0 && (head == m || is_below(head, m))) consider({{{m, 0}, {root, head}}});
    }

    void consider(const Edits& edits) {
        double gain = 0;
        for (const Edit& e : edits)
            if (e.word > 0) gain += scores_->arc(e.head, e.word) - scores_->arc(heads_[e.word - 1], e.word);
        const Edits undo = apply(edits);
        int families = 0;
        for (const int h : affected(edits, undo)) {
            if (h == none) break;
            gain -= family_[h];
            ask(h);
            ++families;
        }
        revert(undo);
        changes_.push_back({edits, gain, families});
    }
    // Adds what the families after each change score.
    void settle() {
        auto answer = answers().begin();
        for (Change& change : changes_)
            for (int i = 0; i < change.families; ++i) change.gain += *answer++;
    }

    using Affected = std::array<int, 6>;
    // Heads whose families change: those of the words that move, these words if they have children, and each once; then
    // none. To be called after the change.
    Affected affected(const Edits& edits, const Edits& undo) const {
        Affected heads;
        heads.fill(none);
        int count = 0;
        const auto add = [&](int h) {
            if (std::find(heads.begin(), heads.begin() + count, h) == heads.begin() + count) heads[count++] = h;
        };
        for (int i = 0; i < 2; ++i)
            if (edits[i].word > 0) {
                if (!children_[edits[i].word].empty()) add(edits[i].word);
                add(edits[i].head);
                add(undo[i].head);
            }
        return heads;
    }
    void renew(const Affected& heads) {
        for (const int h : heads)
            if (h != none) ask(h);
        auto answer = answers().begin();
        for (const int h : heads)
            if (h != none) family_[h] = *answer++;
    }

    // Returns what undoes it.
    Edits apply(const Edits& edits) {
        Edits undo{};
        for (int i = 0; i < 2; ++i)
            if (edits[i].word > 0) {
                undo[i] = {edits[i].word, heads_[edits[i].word - 1]};
                move(edits[i]);
            }
        return undo;
    }
    void revert(const Edits& undo) {
        for (int i = 1; i >= 0; --i)
            if (undo[i].word > 0) move(undo[i]);
    }
    void move(const Edit& edit) {
        auto& from = children_[heads_[edit.word - 1]];
        from.erase(std::find(from.begin(), from.end(), edit.word));
        auto& to = children_[edit.head];
        to.insert(std::lower_bound(to.begin(), to.end(), edit.word), edit.word);
        heads_[edit.word - 1] = edit.head;
    }
    bool is_below(int word, int top) const {
        for (; word != 0; word = heads_[word - 1])
            if (word == top) return true;
        return false;
    }

    Scores* scores_ = nullptr;
    bool single_root_ = false;
    double least_gain_ = 0;
    std::vector<int> heads_;
    ChildLists children_;
    std::vector<double> family_;  // the scores of the families as they are
    std::vector<char> changes_family_;
    std::vector<Change> changes_;
    std::vector<double> asked_, answers_;
};

}  // namespace nonproj::parts
