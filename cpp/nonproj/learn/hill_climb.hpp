// The best tree by arcs and families, by climbing (McDonald & Pereira 2006; Zhang, Lei, Barzilay & Jaakkola 2014): from a
// tree of the class, take the change of one or two arcs that gains most, for one word after the other, until no change
// gains. What comes is a tree of the class that no single such change improves; it need not be the best one.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/learn/child_lists.hpp"
#include "nonproj/learn/families.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// The heads that each word may have: those of word d are heads[begin[d - 1]] .. heads[begin[d] - 1].
struct Candidates {
    std::vector<std::int32_t> heads;
    std::vector<std::uint32_t> begin{0};

    std::span<const std::int32_t> of(int word) const {
        return {heads.data() + begin[word - 1], heads.data() + begin[word]};
    }
    bool allows(int head, int word) const {
        const auto own = of(word);
        return std::find(own.begin(), own.end(), head) != own.end();
    }
};

class HillClimb {
  public:
    // `arcs` is a table of words + 1 rows. `is_member(heads)` tells whether a tree is in the class.
    template <class IsMember>
    double climb(std::span<int> heads, const Candidates& candidates, const float* arcs, Families& families,
                 const WeightTable& weights, bool single_root, const IsMember& is_member) {
        heads_ = heads;
        candidates_ = &candidates;
        arcs_ = arcs;
        families_ = &families;
        weights_ = &weights;
        single_root_ = single_root;
        const int n = static_cast<int>(heads.size());
        children_.assign(heads);
        scores_.resize(static_cast<std::size_t>(n) + 1);
        double total = 0;
        numbers_.clear();
        for (int h = 0; h <= n; ++h) list(h);
        families.settle(weights);
        for (int h = 0; h <= n; ++h) total += scores_[h] = family(h);
        for (int m = 1; m <= n; ++m) total += arc(heads[m - 1], m);
        int still = 0;  // words in a row without a gain
        for (int m = 1; still < n; m = m % n + 1) {
            const double gain = improve(m, is_member);
            total += gain;
            still = gain > 0 ? 0 : still + 1;
        }
        return total;
    }

    // How much each likely arc would gain in the tree that was climbed to, in the place of the one that is there: a table
    // of words + 1 rows, -inf for other arcs.
    void weigh(std::vector<float>& gains) {
        const std::size_t width = heads_.size() + 1;
        gains.assign(width * width, minus_infinity<float>);
        for (int m = 1; m < static_cast<int>(width); ++m) {
            changes_.clear();
            numbers_.clear();
            gains[heads_[m - 1] * width + m] = 0;
            for (const int head : candidates_->of(m))
                if (head != heads_[m - 1]) consider({{{m, head}, {0, 0}}});
            settle();
            for (const Change& change : changes_)
                gains[change.edits[0].head * width + m] = static_cast<float>(change.gain);
        }
    }

    // The score of a tree, whatever its class.
    double score(std::span<const int> heads, const float* arcs, Families& families, const WeightTable& weights) {
        const std::size_t width = heads.size() + 1;
        children_.assign(heads);
        numbers_.clear();
        for (int h = 0; h < static_cast<int>(width); ++h)
            families.list(h, h == 0 ? -1 : heads[h - 1], children_[h], weights, numbers_);
        families.settle(weights);
        double total = families.sum(numbers_);
        for (std::size_t m = 1; m < width; ++m) total += arcs[heads[m - 1] * width + m];
        return total;
    }

  private:
    struct Edit {
        int word, head;
    };
    using Edits = std::array<Edit, 2>;  // the second may be {0, 0}: nothing
    struct Change {
        Edits edits;
        double gain;
        std::size_t end;  // of its parts
    };
    static constexpr double least_gain = 1e-6;

    template <class IsMember>
    double improve(int m, const IsMember& is_member) {
        changes_.clear();
        numbers_.clear();
        for (const int head : candidates_->of(m)) {
            if (head == heads_[m - 1] || is_below(head, m)) continue;
            if (head == 0 && single_root_)
                replace_root(m);
            else if (heads_[m - 1] != 0 || !single_root_)
                consider({{{m, head}, {0, 0}}});
        }
        rotate(m);
        settle();
        std::erase_if(changes_, [](const Change& change) { return change.gain <= least_gain; });
        std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.gain > b.gain; });
        for (const Change& change : changes_) {
            Edits undo = apply(change.edits);
            if (is_member(heads_)) {
                for (const int h : affected(change.edits, undo))
                    if (h >= 0) scores_[h] = family(h);
                return change.gain;
            }
            revert(undo);
        }
        return 0;
    }
    // m takes the place of its head, which becomes its child.
    void rotate(int m) {
        const int h = heads_[m - 1];
        if (h == 0 || !candidates_->allows(m, h) || !candidates_->allows(heads_[h - 1], m)) return;
        consider({{{m, heads_[h - 1]}, {h, m}}});
    }
    // m becomes the only root, and the old one goes below m.
    void replace_root(int m) {
        const int root = children_[0].front();
        for (const int head : candidates_->of(root))
            if (head != 0 && (head == m || is_below(head, m))) consider({{{m, 0}, {root, head}}});
    }

    void consider(const Edits& edits) {
        double gain = 0;
        for (const Edit& e : edits)
            if (e.word > 0) gain += arc(e.head, e.word) - arc(heads_[e.word - 1], e.word);
        const Edits undo = apply(edits);
        for (const int h : affected(edits, undo))
            if (h >= 0) {
                gain -= scores_[h];
                list(h);
            }
        revert(undo);
        changes_.push_back({edits, gain, numbers_.size()});
    }
    // Adds what the families after each change score.
    void settle() {
        families_->settle(*weights_);
        std::size_t begin = 0;
        for (Change& change : changes_) {
            change.gain += families_->sum(std::span(numbers_).subspan(begin, change.end - begin));
            begin = change.end;
        }
    }

    // Heads whose families change: those of the words that move, these words if they have children, and each once. To
    // be called after the change.
    std::array<int, 6> affected(const Edits& edits, const Edits& undo) const {
        std::array<int, 6> heads{-1, -1, -1, -1, -1, -1};
        int count = 0;
        const auto add = [&](int h) {
            if (std::find(heads.begin(), heads.begin() + count, h) == heads.begin() + count) heads[count++] = h;
        };
        for (int i = 0; i < 2; ++i)
            if (edits[i].word > 0) {
                if (!children_[edits[i].word].empty()) add(edits[i].word);
                add(edits[i].head);
            }
        for (const Edit& e : undo)
            if (e.word > 0) add(e.head);
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
    double arc(int head, int word) const { return arcs_[static_cast<std::size_t>(head) * (heads_.size() + 1) + word]; }
    // Adds the parts of the family of h, as it is now, to numbers_.
    void list(int h) { families_->list(h, h == 0 ? -1 : heads_[h - 1], children_[h], *weights_, numbers_); }
    // For families whose parts are settled.
    double family(int h) {
        numbers_.clear();
        list(h);
        return families_->sum(numbers_);
    }

    std::span<int> heads_;
    const Candidates* candidates_ = nullptr;
    const float* arcs_ = nullptr;
    Families* families_ = nullptr;
    const WeightTable* weights_ = nullptr;
    bool single_root_ = false;
    ChildLists children_;
    std::vector<double> scores_;  // of the families as they are
    std::vector<Change> changes_;
    std::vector<std::uint32_t> numbers_;  // of the parts of the families after each change
};

}  // namespace nonproj::learn
