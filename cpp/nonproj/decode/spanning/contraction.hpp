// Contraction of a dense table of arc scores into a best spanning tree with root 0: O(n^2) time and space.
// Edmonds 1967; Tarjan 1977 for dense graphs; grown along a path as in Gabow, Galil, Spencer & Tarjan 1986.
//
//   node S       a word, or a cycle of nodes (its members) contracted into one
//   in(d, h)   = s(h, d)                                                    for a word d
//   in(S, h)   = max over the members C of S of in(C, h) - z(C)             for a head h outside S
//   z(S)       = max_h in(S, h), and pick(S) is the head h that attains it
//
// Following picks from a node ends at the root or closes a cycle, which is contracted. When no cycle is left
// the nodes are opened, outermost first: the arc that enters S enters the member that attained the maximum,
// and the other members keep the arc they had picked. A node is scanned once when it is made and once when it
// is merged, and there are fewer than 2n nodes. The arcs from the root are kept apart, as root(S).
//
// Rank::fewest_roots ranks trees by (fewest root arcs, then score), for an exact single root. Such pairs form
// an ordered group, and the algorithm asks no more of its scores. A root arc (-1, s) loses to any arc (0, s')
// between words; so it is picked only by a node that no other arc enters, never lies on a cycle, and no z
// with a first half other than 0 is ever subtracted. What remains is the rule: pick a root arc when nothing
// else is left. No penalty enters the scores, so nothing is rounded that would not be rounded without the
// constraint.
//
// A score of -inf (or NaN) forbids an arc; +inf is not a score. Ties go to the smaller head, and to any word
// before the root. Reduced scores are kept in double.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/tree/tree.hpp"

namespace nonproj {

enum class Rank { score, fewest_roots };

// A workspace: a call allocates nothing when the sentence is no longer than those before.
template <class Real>
class Contraction {
  public:
    // The scores and the forbidden arcs must outlive the calls below.
    void read(const ArcScores<Real>& scores, std::span<const Arc> forbidden) {
        scores_ = scores.data();
        forbidden_ = forbidden;
        resize(scores.words());
        best_head_among_words();
        for (const Arc& arc : forbidden_) forbid(arc);
    }

    // False when there is no tree or, with `one_root`, when the best tree in this rank has several root arcs.
    // A picked root arc is final, so that is known as soon as a second one is picked.
    bool contract(Rank rank, bool one_root) {
        rank_ = rank;
        nodes_ = words_;
        int roots = 0;
        for (int d = 1; d <= words_; ++d) {
            parent_[d] = 0;
            first_word_[d] = last_word_[d] = top_[d] = d;
            state_[d] = untouched;
            if (!pick(d, static_cast<int>(best_head_[d]), best_score_[d])) return false;
            if (pick_[d] == 0 && ++roots > 1 && one_root) return false;
        }
        roots = 0;
        for (int d = 1; d <= words_; ++d) {
            path_.clear();
            int node = top_[d];
            while (state_[node] != settled) {
                if (state_[node] == untouched) {
                    path_.push_back(node);
                    state_[node] = on_path;
                } else {
                    if (!contract_path_from(node)) return false;
                    node = path_.back();
                }
                node = top_[pick_[node]];
            }
            if (node == 0 && ++roots > 1 && one_root) return false;
            for (int member : path_) state_[member] = settled;
        }
        return true;
    }

    // The heads of the best tree, after contract() returned true.
    void open(std::span<int> heads) {
        std::fill_n(is_entered_.begin(), nodes_ + 1, false);
        for (int outer = nodes_; outer > 0; --outer) {
            if (is_entered_[outer]) continue;
            const int head = pick_[outer];
            int node = outer;
            while (node > words_) {
                node = entered_member(node, head);
                is_entered_[node] = true;
            }
            heads[node - 1] = head;
        }
    }

    // visit(h, sum of z(S) over the nodes S that the arc h -> d enters, that is, d in S and h not in S).
    template <class Visit>
    void for_each_entered(int d, Visit visit) const {
        double entered = value_[d];
        int node = d;
        for (int outer = parent_[d]; outer != 0; outer = parent_[outer]) {
            for (int member = first_member_[outer]; member != 0; member = next_member_[member])
                if (member != node) for_each_word(member, [&](int h) { visit(h, entered); });
            node = outer;
            entered += value_[node];
        }
        for (int h = 0; h <= words_; ++h)
            if (top_[h] != node) visit(h, entered);
    }

    // The largest |z(S)|, to judge rounding by.
    double largest_value() const {
        double largest = 0;
        for (int node = 1; node <= nodes_; ++node) largest = std::max(largest, std::abs(value_[node]));
        return largest;
    }

    Rank rank() const { return rank_; }
    Real score(int head, int dependent) const {
        return scores_[static_cast<std::size_t>(head) * (words_ + 1) + dependent];
    }

    // Whether the outermost node that holds d is entered from the root.
    bool is_below_root_pick(int d) const { return pick_[top_[d]] == 0; }

    double total(std::span<const int> heads) const {
        double sum = 0;
        for (int d = 1; d <= words_; ++d) sum += score(heads[d - 1], d);
        return sum;
    }

  private:
    // As wide as a Real, so that both can be chosen under one vector mask.
    using Index = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
    enum State : std::uint8_t { untouched, on_path, settled };
    static constexpr int lanes = 8;

    // Runs a loop over all words, in wide vectors where there are words enough to fill them.
    template <class Loop>
    auto along_words(const Loop& loop) const {
        return words_ < 16 ? loop.template operator()<16>() : vectorised(loop);
    }

    double* column(int node) { return columns_.data() + static_cast<std::size_t>(node - 1) * stride_; }

    template <class Visit>
    void for_each_word(int node, Visit visit) const {
        for (int w = first_word_[node];; w = next_word_[w]) {
            visit(w);
            if (w == last_word_[node]) return;
        }
    }

    void resize(int words) {
        if (words != words_) {
            words_ = words;
            stride_ = (words + lanes) / lanes * lanes;
            const std::size_t nodes = 2 * static_cast<std::size_t>(words) + 1;
            at_least(columns_, nodes * stride_);
            for (auto* field : {&pick_, &parent_, &first_member_, &next_member_, &first_word_, &last_word_})
                at_least(*field, nodes);
            for (auto* field : {&value_, &root_}) at_least(*field, nodes);
            for (auto* field : {&next_word_, &top_}) at_least(*field, words + 1);
            at_least(state_, nodes);
            at_least(is_entered_, nodes);
            at_least(is_loaded_, words + 1);
            at_least(best_score_, words + 1);
            at_least(best_head_, words + 1);
            path_.reserve(words + 1);
        }
        std::fill_n(is_loaded_.begin(), words_ + 1, false);
        state_[0] = settled;
        top_[0] = 0;
    }
    template <class T>
    static void at_least(std::vector<T>& field, std::size_t size) {
        if (field.size() < size) field.resize(size);
    }

    // Row by row, so that the table is read once and in order: for scores that are nearly a tree this is most
    // of the work, and columns are gathered only for the words on a cycle.
    void best_head_among_words() {
        const int width = words_ + 1;
        Real* const best_score = best_score_.data();
        Index* const best_head = best_head_.data();
        for (int d = 1; d < width; ++d) {
            root_[d] = std::max(minus_infinity<double>, static_cast<double>(scores_[d]));
            best_score[d] = minus_infinity<Real>;
            best_head[d] = 0;
        }
        const auto compare_all = [=, scores = scores_]<int>() NONPROJ_INLINE_LAMBDA {
            for (int h = 1; h < width; ++h) {
                const Real* const row = scores + static_cast<std::size_t>(h) * width;
                const Real own_score = best_score[h];
                const Index own_head = best_head[h];
                for (int d = 1; d < width; ++d) {
                    const bool is_better = row[d] > best_score[d];
                    best_score[d] = is_better ? row[d] : best_score[d];
                    best_head[d] = is_better ? Index{h} : best_head[d];
                }
                best_score[h] = own_score;  // the diagonal does not count
                best_head[h] = own_head;
            }
        };
        along_words(compare_all);
    }

    void forbid(const Arc& arc) {
        const auto [h, d] = arc;
        assert(0 <= h && h <= words_ && 1 <= d && d <= words_);
        if (h == 0) root_[d] = minus_infinity<double>;
        if (h == 0 || best_head_[d] != h) return;
        load(d);
        best_head_[d] = place_of_highest(column(d));
        best_score_[d] = static_cast<Real>(column(d)[best_head_[d]]);
    }

    // in(d, .) of a word without its forbidden arcs.
    void load(int d) {
        if (is_loaded_[d]) return;
        is_loaded_[d] = true;
        double* const in = column(d);
        std::fill_n(in, stride_, minus_infinity<double>);
        for (int h = 1; h <= words_; ++h) in[h] = std::max(in[h], static_cast<double>(score(h, d)));
        in[d] = minus_infinity<double>;
        for (const Arc& arc : forbidden_)
            if (arc.dependent == d) in[arc.head] = minus_infinity<double>;
    }

    // Chooses between the best word and the root; false when neither can be the head.
    bool pick(int node, int word, double score) {
        const bool is_root = rank_ == Rank::score ? root_[node] > score : !(score > minus_infinity<double>);
        pick_[node] = is_root ? 0 : word;
        value_[node] = is_root ? root_[node] : score;
        return value_[node] > minus_infinity<double>;
    }

    // The cycle is the end of the path, from `entry` on.
    bool contract_path_from(int entry) {
        const int node = ++nodes_;
        double* const in = column(node);
        std::fill_n(in, stride_, minus_infinity<double>);
        root_[node] = minus_infinity<double>;
        first_member_[node] = 0;
        parent_[node] = 0;
        for (int member = 0; member != entry;) {
            member = path_.back();
            path_.pop_back();
            adopt(node, member);
            if (member <= words_) load(member);
            const double* const from = column(member);
            const double z = value_[member];
            along_words([=, size = stride_]<int>() NONPROJ_INLINE_LAMBDA {
                for (int h = 0; h < size; ++h) in[h] = std::max(in[h], from[h] - z);
            });
            root_[node] = std::max(root_[node], root_[member] - z);
        }
        for_each_word(node, [&](int w) {
            in[w] = minus_infinity<double>;
            top_[w] = node;
        });
        path_.push_back(node);
        state_[node] = on_path;
        const int h = place_of_highest(in);
        return pick(node, h, in[h]);
    }

    // The words of a node form a chain; a new member's chain goes in front.
    void adopt(int node, int member) {
        const int front = first_member_[node];
        next_member_[member] = front;
        first_member_[node] = member;
        parent_[member] = node;
        first_word_[node] = first_word_[member];
        if (front == 0)
            last_word_[node] = last_word_[member];
        else
            next_word_[last_word_[member]] = first_word_[front];
    }

    // The first position of the maximum of a column.
    int place_of_highest(const double* in) const {
        return along_words([in, size = stride_, last = words_]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            using Pack = Lanes<double, Bytes>;
            Pack best = Pack::load(in);
            for (int h = Pack::count; h < size; h += Pack::count) best = higher(best, Pack::load(in + h));
            const double most = highest(best);
            int h = 0;
            while (h < last && in[h] != most) ++h;
            return h;
        });
    }

    int entered_member(int node, int head) {
        const auto reduced = [&](int member) {
            return (head == 0 ? root_[member] : column(member)[head]) - value_[member];
        };
        int best = first_member_[node];
        for (int member = next_member_[best]; member != 0; member = next_member_[member])
            if (reduced(member) > reduced(best)) best = member;
        return best;
    }

    const Real* scores_ = nullptr;
    std::span<const Arc> forbidden_;
    Rank rank_ = Rank::score;
    int words_ = -1;
    int nodes_ = 0;
    int stride_ = 0;
    std::vector<Real> best_score_;
    std::vector<Index> best_head_;
    std::vector<double> columns_, value_, root_;
    std::vector<int> pick_, parent_, first_member_, next_member_, first_word_, last_word_, next_word_, top_, path_;
    std::vector<std::uint8_t> is_loaded_, is_entered_;
    std::vector<State> state_;
};

}  // namespace nonproj
