// How a head with its dependents becomes a complete item: what is lifted to it lands, and more is lifted away.
#include <algorithm>
#include <utility>
#include <vector>

#include "nonproj/grammar/chart.hpp"

namespace nonproj::grammar {

struct Chart::Finishing {
    int item;
    int i, j, state, head, category;
    double best, threshold;
    Groups read;              // the groups of the item, after its head was read
    std::vector<int> under;   // of each group
    std::vector<int> in;      // the categories of the dependents that were lifted here
    std::vector<int> chosen;  // the groups that they take from
    std::vector<int> outs;    // the categories that are lifted away
    double weight = 0;
};

// [i, j, q, in, LM]  gives  (i, j, C, LM')  when q, with dependents lifted away, is final
void Chart::finish(int item, double threshold) {
    const Item& part = items_[item];
    const int category = head_of_[part.what];
    if (outside_complete_[category] == never) return;
    if (part.best + out_finals_[part.what] + outside_complete_[category] < threshold) return;
    Finishing f{item, part.i, part.j, part.what, 0, category, part.best, threshold, {}, {}, ins_[part.in], {}, {}};
    for (const Group& group : groups_[part.lifted]) {
        f.read.push_back({conditions_.advanced(group.pending, category), group.count, -1});
        f.under.push_back(group.under);
    }
    land(f, 0);
}

// Say from where each dependent was lifted to the head.
void Chart::land(Finishing& f, std::size_t place) {
    if (is_too_large_) return;
    if (place == f.in.size()) {
        // No word is lifted from below itself, not in a circle either.
        for (std::size_t start = 0; start < f.in.size(); ++start) {
            int at = f.under[f.chosen[start]];
            for (std::size_t steps = 0; at >= 0 && steps <= f.in.size(); ++steps) at = f.under[f.chosen[at]];
            if (at >= 0) return;
        }
        lift_away(f, f.state, 0);
        return;
    }
    for (std::size_t g = 0; g < f.read.size(); ++g) {
        Group& group = f.read[g];
        if (group.count == 0 || conditions_.category(group.pending) != f.in[place]) continue;
        const double arrival = conditions_.arrival(group.pending);
        if (arrival == never) continue;
        // The edge has weighed the best rule already.
        const double more = options_.counts_lifts ? 0 : arrival - arrivals_[f.in[place]];
        if (f.best + f.weight + more + out_finals_[f.state] + outside_complete_[f.category] < f.threshold) continue;
        --group.count;
        f.chosen.push_back(static_cast<int>(g));
        const double weight = f.weight;
        f.weight += more;
        land(f, place + 1);
        f.weight = weight;
        f.chosen.pop_back();
        ++f.read[g].count;
    }
}

// Say what is lifted away from the head: categories in rising order, so that each choice is made once.
void Chart::lift_away(Finishing& f, int state, double weight) {
    if (finals_[state] > never) complete(f, weight + finals_[state]);
    if (static_cast<int>(f.outs.size()) >= std::min(options_.max_lifts, n_ - (f.j - f.i + 1))) return;
    for (const OutStep& step : out_[state]) {
        if (is_too_large_) return;
        if (!f.outs.empty() && step.dependent < f.outs.back()) continue;
        const double value = f.best + f.weight + weight + step.weight + out_finals_[step.to];
        if (value + outside_complete_[f.category] < f.threshold) continue;
        const auto before = std::count(f.outs.begin(), f.outs.end(), step.dependent);
        if (before >= supply(step.dependent, f.i, f.j)) continue;
        if (conditions_.begin(step.dependent, f.category) == Conditions::dead) continue;
        f.outs.push_back(step.dependent);
        lift_away(f, step.to, weight + step.weight);
        f.outs.pop_back();
    }
}

void Chart::complete(Finishing& f, double weight) {
    weight += f.weight;
    const double value = f.best + weight;
    if (value + outside_complete_[f.category] < f.threshold) return;
    if (f.read.empty() && f.in.empty() && f.outs.empty()) {
        add(f.category, 0, 0, true, {f.item, -1, -1, weight}, value);
        return;
    }
    Groups left;
    std::vector<int> from;
    for (std::size_t g = 0; g < f.read.size(); ++g)
        if (f.read[g].count > 0) {
            left.push_back(f.read[g]);
            from.push_back(static_cast<int>(g));
        }
    for (std::size_t o = 0; o < f.outs.size();) {
        std::size_t end = o;
        while (end < f.outs.size() && f.outs[end] == f.outs[o]) ++end;
        left.push_back({conditions_.begin(f.outs[o], f.category), static_cast<int>(end - o), -1});
        from.push_back(-1);
        o = end;
    }
    std::vector<int> order;
    const Groups sorted = merge({}, left, -1, &order);
    if (!can_land(f.i, f.j, sorted, 0)) return;
    const int told = static_cast<int>(lifts_told_.size());
    lifts_told_.insert(lifts_told_.end(), f.chosen.begin(), f.chosen.end());
    for (const int at : order) lifts_told_.push_back(from[at]);
    if (lifts_told_.size() > 4 * static_cast<std::size_t>(options_.max_ways)) is_too_large_ = true;
    add(f.category, 0, groups_.number(sorted), true, {f.item, -1, told, weight}, value);
}

}  // namespace nonproj::grammar
