// The best children of one word by itself: an automaton that reads the possible children of h away from it, first on its
// left, then on its right (Koo, Rush, Collins, Jaakkola & Sontag 2010: head automata). Under a given head g of h:
//
//   w(i)          gp(g, i) - price(i)                       what a child adds by itself
//   A(q, i)       the best children up to i, i the last one, q of them (q stops at the largest valency that is told apart)
//   A(q+1, i)   = w(i) + max over j < i of  A(q, j) + sib(j, i)                             A(0, 0) = 0
//   E(q)        = max over i of  A(q, i) + end(i)                                           E(0) = 0 as well
//   value       = max over l, r of  E_left(l) + E_right(r) + valency(l, r)
//
// With three siblings the states are pairs, A(q, i, j): the last child i, and j the one before it. O(k^2) for k possible
// children on a side, O(k^3) with three siblings; but where most parts score 0, a running maximum stands for them, and it
// takes no longer than there are parts that do not.
// A required child is not passed over: states before it are left behind. Under a single root, the dummy takes one child.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "nonproj/decode/parts/part_table.hpp"

namespace nonproj::parts {

class HeadAutomaton {
  public:
    // is_required[arc] tells which arcs must be in the tree; it is read whenever a best value is asked for.
    void assign(const PartTable& table, const std::vector<char>& is_required, bool single_root) {
        table_ = &table;
        is_required_ = &is_required;
        arcs_ = &table.arcs();
        single_root_ = single_root;
    }

    // The best value for the children of h, when its head is that of the arc `above`, or any that makes no difference
    // (none). price[arc] is subtracted for each child; an infinite price forbids it.
    double best(int h, int above, const double* price) {
        head_ = h;
        takes_one_ = h == 0 && single_root_;
        begin_ = arcs_->begin(h);
        set_ = table_->set(h, above);
        weigh(above, price);
        forward(sides_[0], begin_, arcs_->middle(h), table_->max_left());
        forward(sides_[1], arcs_->middle(h), arcs_->end(h), table_->max_right());
        double most = lowest;
        for (int l = 0; l <= sides_[0].cap; ++l)
            for (int r = 0; r <= sides_[1].cap; ++r) {
                const double sum = sides_[0].end[l] + sides_[1].end[r] + table_->valency(h, l, r);
                if (sum > most) most = sum, best_left_ = l, best_right_ = r;
            }
        return most;
    }

    // After best(), when its value is above -inf: visit(arc) for each child.
    template <class Visit>
    void each_child(const Visit& visit) const {
        trace(sides_[0], best_left_, visit);
        trace(sides_[1], best_right_, visit);
    }

    // After best(): raises value[arc], for each possible child of h, to the best that children with it can have less
    // `less`. Where parts below 0 are left out, that may be more than they can have, never less.
    void with_each_child(double less, double* value) {
        for (int s = 0; s < 2; ++s) {
            Side& side = sides_[s];
            const Side& other = sides_[1 - s];
            rest_.assign(side.cap + 1, lowest);
            for (int q = 0; q <= side.cap; ++q)
                for (int p = 0; p <= other.cap; ++p)
                    rest_[q] = std::max(rest_[q],
                                        other.end[p] - less + table_->valency(head_, s == 0 ? q : p, s == 0 ? p : q));
            if (table_->has_three(head_))
                backward_pairs(side, value);
            else
                backward(side, value);
        }
    }

  private:
    static constexpr double lowest = minus_infinity<double>;
    using Entry = PartTable::Entry;
    using ThreeEntry = PartTable::ThreeEntry;

    struct Side {
        int first = 0, size = 0, cap = 0;  // its first arc, how many there are, and the last count
        std::size_t stride = 0;            // states of a count
        std::vector<double> score;         // of the states
        std::vector<int> back;             // the state before: its place in `score`
        std::vector<double> end;           // by count
        std::vector<int> end_state;
    };
    static constexpr int at_start = -1;

    // Rooms only grow.
    template <class Value>
    static void fill(std::vector<Value>& room, std::size_t size, Value value) {
        if (room.size() < size) room.resize(size);
        std::fill_n(room.begin(), size, value);
    }
    static std::size_t pair(int i, int j) { return static_cast<std::size_t>(i) * (i - 1) / 2 + j; }

    void weigh(int above, const double* price) {
        const int end = arcs_->end(head_);
        if (weight_.size() < static_cast<std::size_t>(end - begin_)) weight_.resize(end - begin_);
        for (int arc = begin_; arc < end; ++arc) weight_[arc - begin_] = -price[arc];
        if (above == none || !table_->is_own(above)) return;
        for (const auto& child : table_->grandparents(above)) weight_[child.place - begin_] += child.score;
        const int reverse = arcs_->number(head_, arcs_->head(above));
        if (reverse != none) weight_[reverse - begin_] = lowest;  // it cannot be the child of h as well
    }

    void forward(Side& side, int first, int end, int cap) {
        side.first = first;
        side.size = end - first;
        side.cap = cap;
        fill(side.end, cap + 1, lowest);
        fill(side.end_state, cap + 1, at_start);
        if (!takes_one_ || &side == &sides_[0]) side.end[0] = 0;
        if (table_->has_three(head_))
            forward_pairs(side);
        else if (cap == 0 && table_->has_whole_rows(set_))
            forward_whole(side);
        else
            forward_singles(side);
    }
    // Takes a state into those that may be the last.
    static void finish(Side& side, int q, std::size_t state, double score) {
        if (score > side.end[q]) side.end[q] = score, side.end_state[q] = static_cast<int>(state);
    }

    struct Choice {
        double score;
        int before;
    };
    // The best of scores[j] + part(j) for from <= j < end, where `row` has the parts that are not 0, and scores[top] is the
    // highest of all.
    template <class Row>
    static Choice choose(const double* scores, int from, int end, const Row& row, int top) {
        Choice best{lowest, from};
        bool is_top_lower = false;
        int seen = 0;
        for (const auto& entry : row) {
            const int j = position(entry);
            if (j < from) continue;
            ++seen;
            const double score = scores[j] + entry.score;
            if (score > best.score) best = {score, j};
            is_top_lower |= j == top && entry.score < 0;
        }
        if (seen == end - from) return best;
        if (!is_top_lower) return scores[top] > best.score ? Choice{scores[top], top} : best;
        auto entry = row.begin();
        for (int j = 0; j < end; ++j) {
            if (entry != row.end() && position(*entry) == j)
                ++entry;
            else if (j >= from && scores[j] > best.score)
                best = {scores[j], j};
        }
        return best;
    }
    static int position(const Entry& entry) { return entry.place; }
    static int position(const ThreeEntry& entry) { return entry.first; }

    void forward_singles(Side& side) {
        const int size = side.size, cap = side.cap;
        side.stride = size + 1;
        fill(side.score, side.stride * (cap + 1), lowest);
        if (side.back.size() < side.score.size()) side.back.resize(side.score.size());
        side.score[0] = 0;
        side.back[0] = at_start;
        fill(top_, cap + 1, 0);
        int from = 0;  // the last required child
        for (int i = 1; i <= size; ++i) {
            const int arc = side.first + i - 1;
            const double weight = weight_[arc - begin_];
            const bool is_required = (*is_required_)[arc];
            if (weight == lowest && !is_required) continue;
            const auto row = table_->row(set_, arc);
            for (int q = cap; q >= 0; --q) {  // from the top: what is written at i is not read again
                const double* const scores = side.score.data() + q * side.stride;
                if (scores[top_[q]] == lowest) continue;
                const Choice best = choose(scores, from, i, row, top_[q]);
                const double sum = best.score + weight;
                const int next = std::min(q + 1, cap);
                const std::size_t state = next * side.stride + i;
                if (!(sum > side.score[state])) continue;
                side.back[state] = static_cast<int>(q * side.stride + best.before);
                side.score[state] = sum;
            }
            if (is_required) {
                from = i;
                std::fill_n(top_.begin(), cap + 1, i);
                std::fill_n(side.end.begin(), cap + 1, lowest);
            }
            for (int q = 0; q <= cap; ++q) {
                const std::size_t state = q * side.stride + i;
                const double sum = side.score[state];
                if (sum == lowest) continue;
                finish(side, q, state, sum + table_->end(arc));
                if (takes_one_)
                    side.score[state] = lowest;  // no child follows; its way back stays
                else if (sum > side.score[q * side.stride + top_[q]])
                    top_[q] = i;
            }
        }
    }

    // The same where no children are counted and every part has an entry: looks at children that are left only.
    void forward_whole(Side& side) {
        side.stride = side.size + 1;
        if (side.score.size() < side.stride) side.score.resize(side.stride);
        if (side.back.size() < side.stride) side.back.resize(side.stride);
        std::fill_n(side.score.begin() + 1, side.size, lowest);
        side.score[0] = 0;
        side.back[0] = at_start;
        left_.clear();
        left_.push_back(0);
        for (int i = 1; i <= side.size; ++i) {
            const int arc = side.first + i - 1;
            const double weight = weight_[arc - begin_];
            const bool is_required = (*is_required_)[arc];
            if (weight == lowest && !is_required) continue;
            const Entry* const row = table_->row(set_, arc).data();
            Choice best{lowest, 0};
            for (const int j : left_) {
                const double score = side.score[j] + row[j].score;
                if (score > best.score) best = {score, j};
            }
            if (is_required) {
                left_.clear();
                side.end[0] = lowest;
            }
            const double sum = best.score + weight;
            if (sum == lowest) continue;
            side.back[i] = best.before;
            finish(side, 0, i, sum + table_->end(arc));
            if (takes_one_) continue;
            side.score[i] = sum;
            left_.push_back(i);
        }
    }

    void forward_pairs(Side& side) {
        const int size = side.size, cap = side.cap;
        side.stride = pair(size + 1, 0);
        fill(side.score, side.stride * (cap + 1), lowest);
        if (side.back.size() < side.score.size()) side.back.resize(side.score.size());
        pair_top_.assign(static_cast<std::size_t>(size + 1) * (cap + 1), 0);
        int from = 0;
        for (int i = 1; i <= size; ++i) {
            const int arc = side.first + i - 1;
            const double weight = weight_[arc - begin_];
            const bool is_required = (*is_required_)[arc];
            if (weight == lowest && !is_required) continue;
            spread(table_->row(set_, arc), i);
            const auto three = table_->three_row(arc);
            auto entry = three.begin();
            for (int j = 0; j < i; ++j) {
                const auto begin = entry;
                while (entry != three.end() && entry->before == j) ++entry;
                if (j < from) continue;
                const std::span<const ThreeEntry> row(begin, entry);
                for (int q = 0; q <= cap; ++q) {
                    if (j == 0 ? q > 0 : takes_one_) continue;
                    const double* const scores = side.score.data() + q * side.stride + pair(j, 0);
                    const int top = pair_top_[static_cast<std::size_t>(q) * (size + 1) + j];
                    if (j > 0 && scores[top] == lowest) continue;
                    const Choice best = j == 0 ? Choice{0, 0} : choose(scores, 0, j, row, top);
                    const double sum = best.score + weight + sibling_[j];
                    const int next = std::min(q + 1, cap);
                    const std::size_t state = next * side.stride + pair(i, j);
                    if (!(sum > side.score[state])) continue;
                    side.score[state] = sum;
                    side.back[state] = j == 0 ? at_start : static_cast<int>(q * side.stride + pair(j, best.before));
                }
            }
            if (is_required) {
                from = i;
                std::fill_n(side.end.begin(), cap + 1, lowest);
            }
            for (int q = 0; q <= cap; ++q) {
                int& top = pair_top_[static_cast<std::size_t>(q) * (size + 1) + i];
                const double* const scores = side.score.data() + q * side.stride + pair(i, 0);
                for (int j = 1; j < i; ++j)
                    if (scores[j] > scores[top]) top = j;
                if (scores[top] > lowest)
                    finish(side, q, q * side.stride + pair(i, top), scores[top] + table_->end(arc));
            }
        }
    }
    // The row as an array by position.
    void spread(std::span<const Entry> row, int count) {
        sibling_.assign(count, 0);
        for (const Entry& entry : row) sibling_[entry.place] = entry.score;
    }

    template <class Visit>
    void trace(const Side& side, int count, const Visit& visit) const {
        const bool has_pairs = table_->has_three(head_);
        for (int state = side.end_state[count]; state != at_start; state = side.back[state]) {
            const auto place = static_cast<int>(state % side.stride);
            int i = place;
            if (has_pairs)
                for (i = 1; pair(i + 1, 0) <= static_cast<std::size_t>(place);) ++i;
            if (i > 0) visit(side.first + i - 1);
        }
    }

    // B(q, i): the best that may follow the child i, the q-th; D(q): the same for a child before i, by parts of 0.
    void backward(const Side& side, double* value) {
        const int size = side.size, cap = side.cap;
        after_.assign(side.stride * (cap + 1), lowest);
        default_.assign(cap + 1, lowest);
        find_last_required(side);
        for (int i = size; i >= 1; --i) {
            const int arc = side.first + i - 1, from = last_required_[i - 1];
            const double weight = weight_[arc - begin_];
            if (weight == lowest) continue;
            const auto row = table_->row(set_, arc);
            const bool is_full = static_cast<int>(row.size()) == i;
            for (int q = 0; q <= cap; ++q) {
                double& after = after_[q * side.stride + i];
                after = std::max(after, default_[q]);
                if (i >= last_required_[size]) after = std::max(after, table_->end(arc) + rest_[q]);
            }
            if ((*is_required_)[arc]) std::fill(default_.begin(), default_.end(), lowest);
            for (int q = 0; q <= cap; ++q) {
                const double follows = weight + after_[std::min(q + 1, cap) * side.stride + i];
                if (takes_one_) {
                    if (q > 0) continue;
                    double first = is_full ? lowest : 0;
                    for (const Entry& entry : row)
                        if (entry.place == 0) first = entry.score;
                    value[arc] = std::max(value[arc], first + follows);
                    continue;
                }
                double reached = lowest;
                for (const Entry& entry : row) {
                    if (entry.place < from) continue;
                    reached = std::max(reached, side.score[q * side.stride + entry.place] + entry.score);
                    double& before = after_[q * side.stride + entry.place];
                    before = std::max(before, follows + entry.score);
                }
                if (!is_full) {
                    reached = std::max(reached, highest(side, q, from, i));
                    default_[q] = std::max(default_[q], follows);
                }
                value[arc] = std::max(value[arc], reached + follows);
            }
        }
    }
    // last_required_[i]: the last required child up to i, or 0.
    void find_last_required(const Side& side) {
        last_required_.assign(side.size + 1, 0);
        for (int i = 1; i <= side.size; ++i)
            last_required_[i] = (*is_required_)[side.first + i - 1] ? i : last_required_[i - 1];
    }
    static double highest(const Side& side, int q, int from, int end) {
        double highest = lowest;
        for (int j = from; j < end; ++j) highest = std::max(highest, side.score[q * side.stride + j]);
        return highest;
    }

    void backward_pairs(const Side& side, double* value) {
        const int size = side.size, cap = side.cap;
        after_.assign(side.stride * (cap + 1), lowest);
        default_.assign(static_cast<std::size_t>(size + 1) * (cap + 1), lowest);
        find_last_required(side);
        for (int i = size; i >= 1; --i) {
            const int arc = side.first + i - 1, from = last_required_[i - 1];
            const double weight = weight_[arc - begin_];
            if (weight == lowest) continue;
            for (int q = 0; q <= cap; ++q)
                for (int j = 0; j < i; ++j) {
                    const std::size_t state = q * side.stride + pair(i, j);
                    after_[state] = std::max(after_[state], default_[static_cast<std::size_t>(q) * (size + 1) + i]);
                    if (i >= last_required_[size]) after_[state] = std::max(after_[state], table_->end(arc) + rest_[q]);
                    value[arc] = std::max(value[arc], side.score[state] + after_[state]);
                }
            if (takes_one_) continue;
            spread(table_->row(set_, arc), i);
            const auto three = table_->three_row(arc);
            auto entry = three.begin();
            for (int j = 0; j < i; ++j) {
                const auto begin = entry;
                while (entry != three.end() && entry->before == j) ++entry;
                if (j == 0 || j < from) continue;
                const std::span<const ThreeEntry> row(begin, entry);
                for (int q = 0; q <= cap; ++q) {
                    const double follows =
                        weight + sibling_[j] + after_[std::min(q + 1, cap) * side.stride + pair(i, j)];
                    for (const ThreeEntry& three_siblings : row) {
                        double& before = after_[q * side.stride + pair(j, three_siblings.first)];
                        before = std::max(before, follows + three_siblings.score);
                    }
                    double& by_default = default_[static_cast<std::size_t>(q) * (size + 1) + j];
                    if (static_cast<int>(row.size()) < j) by_default = std::max(by_default, follows);
                }
            }
        }
    }

    const PartTable* table_ = nullptr;
    const ArcList* arcs_ = nullptr;
    const std::vector<char>* is_required_ = nullptr;
    bool single_root_ = false, takes_one_ = false;
    int head_ = 0, begin_ = 0, set_ = none;
    int best_left_ = 0, best_right_ = 0;
    std::array<Side, 2> sides_;
    std::vector<double> weight_, rest_, after_, default_, sibling_;
    std::vector<int> top_, pair_top_, last_required_, left_;
};

}  // namespace nonproj::parts
