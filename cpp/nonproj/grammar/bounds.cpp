// Bounds on the weight of an analysis: the chart without liftings, filled from below and from above. What cannot lead to a
// better analysis than the threshold is then never built.
#include <algorithm>
#include <vector>

#include "nonproj/grammar/chart.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::grammar {

double Chart::weight_of_word(int word, int category) const {
    double weight = never;
    for (const Word& known : words_[word])
        if (known.category == category) weight = std::max(weight, known.weight);
    return weight;
}

// P (i, j, q)  = max of  P (i, k, p) + W (k+1, j, c) + step;  W (i, j, c) + first step;  P (i, j-1, p) + word j + head step
// W (i, j, C)  = max over q of  P (i, j, q) + the best way to end in q
void Chart::fill_coarse() {
    std::vector<double> partial(s_, never), complete(k_, never);
    std::vector<int> partials, completes;
    const auto raise = [](std::vector<double>& values, std::vector<int>& used, int at, double value) {
        if (values[at] == never) used.push_back(at);
        values[at] = std::max(values[at], value);
    };
    cells_.reserve(cell(0, n_));
    std::vector<Cell> column;
    for (int j = 0; j < n_; ++j) {
        column.assign(j + 1, {});
        for (int i = j; i >= 0; --i) {
            Interrupt::check();
            for (int middle = i; middle < j; ++middle) {
                const Cell &left = cells_[cell(i, middle)], &right = column[middle + 1];
                if (left.partials == left.completes || right.completes == right.end) continue;
                for (int p = left.partials; p < left.completes; ++p)
                    for (int w = right.completes; w < right.end; ++w) {
                        const std::size_t at = static_cast<std::size_t>(entries_[p].what) * k_ + entries_[w].what;
                        const double value = entries_[p].inside + entries_[w].inside;
                        if (own_[at].to >= 0) raise(partial, partials, own_[at].to, value + own_[at].weight);
                        if (in_[at].to >= 0) raise(partial, partials, in_[at].to, value + in_[at].weight);
                    }
            }
            if (i == j) {
                for (const Word& word : words_[j])
                    if (const Edge& edge = head_[start_[word.category]]; edge.to >= 0)
                        raise(partial, partials, edge.to, edge.weight + word.weight);
            } else {
                const Cell& left = cells_[cell(i, j - 1)];
                for (int p = left.partials; p < left.completes; ++p) {
                    const Edge& edge = head_[entries_[p].what];
                    if (edge.to < 0) continue;
                    const double weight = weight_of_word(j, head_of_[entries_[p].what]);
                    if (weight > never) raise(partial, partials, edge.to, entries_[p].inside + edge.weight + weight);
                }
            }
            for (const int s : partials)
                if (has_head_[s] && out_finals_[s] > never)
                    raise(complete, completes, head_of_[s], partial[s] + out_finals_[s]);
            for (const int c : completes)
                for (int head = 0; head < k_; ++head) {
                    if (last_[head] <= j) continue;
                    const std::size_t at = static_cast<std::size_t>(start_[head]) * k_ + c;
                    if (own_[at].to >= 0) raise(partial, partials, own_[at].to, complete[c] + own_[at].weight);
                    if (in_[at].to >= 0) raise(partial, partials, in_[at].to, complete[c] + in_[at].weight);
                }
            Cell& made = column[i];
            made.partials = static_cast<int>(entries_.size());
            for (const int s : partials) entries_.push_back({s, partial[s], never});
            made.completes = static_cast<int>(entries_.size());
            for (const int c : completes) entries_.push_back({c, complete[c], never});
            made.end = static_cast<int>(entries_.size());
            for (const int s : partials) partial[s] = never;
            for (const int c : completes) complete[c] = never;
            partials.clear();
            completes.clear();
        }
        cells_.insert(cells_.end(), column.begin(), column.end());
    }
    const Cell& whole = cells_[cell(0, n_ - 1)];
    for (int w = whole.completes; w < whole.end; ++w)
        bound_ = std::max(bound_, entries_[w].inside + starts_[entries_[w].what]);
}

// The same in reverse: what the rest of an analysis weighs at most.
void Chart::bound_outside() {
    if (!options_.is_pruned) {
        for (Entry& entry : entries_) entry.outside = 0;
        return;
    }
    const Cell& whole = cells_[cell(0, n_ - 1)];
    for (int w = whole.completes; w < whole.end; ++w) entries_[w].outside = starts_[entries_[w].what];
    std::vector<double> partial(s_, never), complete(k_, never);
    for (int j = n_ - 1; j >= 0; --j)
        for (int i = 0; i <= j; ++i) {
            const Cell here = cells_[cell(i, j)];
            if (here.partials == here.end) continue;
            Interrupt::check();
            for (int p = here.partials; p < here.completes; ++p) partial[entries_[p].what] = entries_[p].outside;
            bool is_alive = false;
            for (int w = here.completes; w < here.end; ++w) {
                double& outside = entries_[w].outside;
                for (int head = 0; head < k_; ++head) {
                    if (last_[head] <= j) continue;
                    const std::size_t at = static_cast<std::size_t>(start_[head]) * k_ + entries_[w].what;
                    if (own_[at].to >= 0) outside = std::max(outside, partial[own_[at].to] + own_[at].weight);
                    if (in_[at].to >= 0) outside = std::max(outside, partial[in_[at].to] + in_[at].weight);
                }
                complete[entries_[w].what] = outside;
            }
            for (int p = here.partials; p < here.completes; ++p) {
                const int s = entries_[p].what;
                if (has_head_[s] && out_finals_[s] > never)
                    partial[s] = std::max(partial[s], complete[head_of_[s]] + out_finals_[s]);
                entries_[p].outside = partial[s];
                is_alive |= partial[s] > never;
            }
            for (int middle = i; is_alive && middle < j; ++middle) {
                const Cell &left = cells_[cell(i, middle)], &right = cells_[cell(middle + 1, j)];
                for (int p = left.partials; p < left.completes; ++p)
                    for (int w = right.completes; w < right.end; ++w) {
                        const std::size_t at = static_cast<std::size_t>(entries_[p].what) * k_ + entries_[w].what;
                        double above = never;
                        if (own_[at].to >= 0) above = partial[own_[at].to] + own_[at].weight;
                        if (in_[at].to >= 0) above = std::max(above, partial[in_[at].to] + in_[at].weight);
                        if (above == never) continue;
                        ++plain_ways_;
                        entries_[p].outside = std::max(entries_[p].outside, above + entries_[w].inside);
                        entries_[w].outside = std::max(entries_[w].outside, above + entries_[p].inside);
                    }
            }
            if (is_alive && i < j) {
                const Cell& left = cells_[cell(i, j - 1)];
                for (int p = left.partials; p < left.completes; ++p) {
                    const Edge& edge = head_[entries_[p].what];
                    if (edge.to < 0) continue;
                    const double weight = weight_of_word(j, head_of_[entries_[p].what]);
                    if (weight > never)
                        entries_[p].outside = std::max(entries_[p].outside, partial[edge.to] + edge.weight + weight);
                }
            }
            for (int p = here.partials; p < here.completes; ++p) partial[entries_[p].what] = never;
            for (int w = here.completes; w < here.end; ++w) complete[entries_[w].what] = never;
        }
}

}  // namespace nonproj::grammar
