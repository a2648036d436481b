// Trees with a good score of arcs and families, by climbing (McDonald & Pereira 2006): for one word after the other, the
// change of one or two arcs that gains most, within the class, until no change gains.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "nonproj/decode/parts/arc_list.hpp"
#include "nonproj/decode/parts/families.hpp"

namespace nonproj::parts {

class Climb {
  public:
    void assign(const Families& families, const ArcScores<double>& scores, bool single_root, double least_gain) {
        families_ = &families;
        arcs_ = &families.arcs();
        scores_ = scores;
        single_root_ = single_root;
        least_gain_ = least_gain;
        if (children_.size() < static_cast<std::size_t>(scores.words()) + 1) children_.resize(scores.words() + 1);
    }

    // The score of a tree of possible arcs.
    double score(std::span<const int> heads) {
        heads_.assign(heads.begin(), heads.end());
        list_children();
        double sum = 0;
        for (int d = 1; d <= words(); ++d) sum += scores_(heads[d - 1], d);
        for (int h = 0; h <= words(); ++h) sum += families_->score(h, above(h), children_[h]);
        return sum;
    }

    // Climbs from a tree of possible arcs, which is in the class, and returns the score of the tree it ends at.
    template <class IsMember>
    double climb(std::span<int> heads, const IsMember& is_member) {
        heads_.assign(heads.begin(), heads.end());
        list_children();
        family_.resize(words() + 1);
        for (int h = 0; h <= words(); ++h) family_[h] = family(h);
        int still = 0;  // words in a row without a gain
        for (int m = 1; still < words(); m = m % words() + 1) still = improve(m, is_member) ? 0 : still + 1;
        std::copy(heads_.begin(), heads_.end(), heads.begin());
        return score(heads);
    }

  private:
    struct Edit {
        int word, head;
    };
    using Edits = std::array<Edit, 2>;  // the second may be {0, 0}: nothing
    struct Change {
        double gain;
        Edits edits;
    };

    int words() const { return scores_.words(); }
    int above(int h) const { return h == 0 ? none : arcs_->number(heads_[h - 1], h); }
    // Forbidden parts are very bad, but can be told from each other.
    double family(int h) const { return std::max(-1e100, families_->score(h, above(h), children_[h])); }

    void list_children() {
        for (int h = 0; h <= words(); ++h) children_[h].clear();
        for (int d = 1; d <= words(); ++d) children_[heads_[d - 1]].push_back(d);
    }

    template <class IsMember>
    bool improve(int m, const IsMember& is_member) {
        changes_.clear();
        for (const int arc : arcs_->into(m)) {
            const int head = arcs_->head(arc);
            if (head == heads_[m - 1] || is_below(head, m)) continue;
            if (head == 0 && single_root_)
                replace_root(m);
            else if (heads_[m - 1] != 0 || !single_root_)
                consider({{{m, head}, {0, 0}}});
        }
        rotate(m);
        std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.gain > b.gain; });
        for (const Change& change : changes_) {
            const Edits undo = apply(change.edits);
            if (is_member(std::span<const int>(heads_))) {
                for (const int h : affected(change.edits, undo))
                    if (h >= 0) family_[h] = family(h);
                return true;
            }
            revert(undo);
        }
        return false;
    }
    // m takes the place of its head, which becomes its child.
    void rotate(int m) {
        const int h = heads_[m - 1];
        if (h == 0 || arcs_->number(m, h) == none || arcs_->number(heads_[h - 1], m) == none) return;
        consider({{{m, heads_[h - 1]}, {h, m}}});
    }
    // m becomes the only root, and the old one goes below m.
    void replace_root(int m) {
        const int root = children_[0].front();
        for (const int arc : arcs_->into(root)) {
            const int head = arcs_->head(arc);
            if (head != 0 && (head == m || is_below(head, m))) consider({{{m, 0}, {root, head}}});
        }
    }

    void consider(const Edits& edits) {
        double gain = 0;
        for (const Edit& e : edits)
            if (e.word > 0) gain += scores_(e.head, e.word) - scores_(heads_[e.word - 1], e.word);
        const Edits undo = apply(edits);
        for (const int h : affected(edits, undo))
            if (h >= 0) gain += family(h) - family_[h];
        revert(undo);
        if (gain > least_gain_) changes_.push_back({gain, edits});
    }

    // Heads whose families change, each once. To be called after the change.
    std::array<int, 6> affected(const Edits& edits, const Edits& undo) const {
        std::array<int, 6> heads{none, none, none, none, none, none};
        int count = 0;
        const auto add = [&](int h) {
            if (!families_->is_scored(h)) return;
            if (std::find(heads.begin(), heads.begin() + count, h) == heads.begin() + count) heads[count++] = h;
        };
        for (int i = 0; i < 2; ++i)
            if (edits[i].word > 0) {
                if (families_->sees_head(edits[i].word)) add(edits[i].word);
                add(edits[i].head);
                add(undo[i].head);
            }
        return heads;
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

    const Families* families_ = nullptr;
    const ArcList* arcs_ = nullptr;
    ArcScores<double> scores_{nullptr, 0};
    bool single_root_ = false;
    double least_gain_ = 0;
    std::vector<int> heads_;
    std::vector<std::vector<int>> children_;
    std::vector<double> family_;  // the scores of the families as they are
    std::vector<Change> changes_;
};

}  // namespace nonproj::parts
