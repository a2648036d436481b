#include "nonproj/grammar/chart.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nonproj/error.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::grammar {

namespace {

std::vector<int> distinct_categories(const std::vector<std::vector<Word>>& words) {
    std::vector<int> found;
    for (const auto& known : words)
        for (const Word& word : known)
            if (std::find(found.begin(), found.end(), word.category) == found.end()) found.push_back(word.category);
    return found;
}

}  // namespace

int Conditions::read(int lifted, const std::vector<int>& places, int governor) {
    const LiftReader& reader = machine_.readers[machine_.reader_of[categories_[lifted]]];
    std::vector<int> after;
    for (const int place : places)
        if (reader.matches[place][categories_[governor]]) after.push_back(place);
    if (after.empty()) return dead;
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    const auto [at, is_new] = numbers_[lifted].try_emplace(std::move(after), static_cast<int>(states_.size()));
    if (is_new) {
        double arrival = never;
        for (const int place : at->first) arrival = std::max(arrival, reader.ends[place]);
        states_.push_back({lifted, &at->first, arrival});
        next_.resize(states_.size() * categories_.size(), unknown);
    }
    return at->second;
}

Groups merge(const Groups& before, const Groups& more, int under, std::vector<int>* origins) {
    Groups all = before;
    for (const Group& group : more) all.push_back({group.pending, group.count, under});
    std::vector<int> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return all[a] < all[b]; });
    Groups sorted;
    for (const int at : order) sorted.push_back(all[at]);
    if (origins != nullptr) *origins = std::move(order);
    return sorted;
}

Chart::Chart(const Machine& machine, std::vector<std::vector<Word>> words, const ChartOptions& options)
    : n_(static_cast<int>(words.size())),
      options_(options),
      words_(std::move(words)),
      categories_(distinct_categories(words_)),
      conditions_(machine, categories_) {
    if (n_ == 0 || n_ > 0xffff) throw Error("a chart needs 1 to 65535 words, not " + std::to_string(n_));
    prepare(machine);
    fill_coarse();
    bound_outside();
}

void Chart::prepare(const Machine& machine) {
    k_ = static_cast<int>(categories_.size());
    std::vector<int> place(machine.categories, -1);
    for (int c = 0; c < k_; ++c) place[categories_[c]] = c;
    last_.assign(k_, -1);
    known_before_.assign(k_, std::vector<int>(n_ + 1, 0));
    for (int w = 0; w < n_; ++w) {
        for (auto& row : known_before_) row[w + 1] = row[w];
        for (Word& word : words_[w]) {
            word.category = place[word.category];
            if (options_.counts_lifts) word.weight = 0;
            last_[word.category] = w;
            ++known_before_[word.category][w + 1];
        }
    }
    for (int c = 0; c < k_; ++c) {
        start_.push_back(s_);
        s_ += static_cast<int>(machine.fsms[categories_[c]].finals.size());
        head_of_.resize(s_, c);
        const double start = machine.starts[categories_[c]];
        starts_.push_back(options_.counts_lifts && start > never ? 0 : start);
    }
    own_.resize(static_cast<std::size_t>(s_) * k_);
    in_.resize(own_.size());
    head_.resize(s_);
    out_.resize(s_);
    has_head_.assign(s_, 0);
    // The best weight of any rule that lifts a category: what a lift adds at most.
    std::vector<double> arrivals(k_, never);
    for (int c = 0; c < k_; ++c)
        if (const int reader = machine.reader_of[categories_[c]]; reader >= 0)
            for (const double end : machine.readers[reader].ends) arrivals[c] = std::max(arrivals[c], end);
    for (int c = 0; c < k_; ++c) {
        const RuleFsm& fsm = machine.fsms[categories_[c]];
        for (const double weight : fsm.finals) finals_.push_back(options_.counts_lifts && weight > never ? 0 : weight);
        for (const Step& step : fsm.steps) {
            const int from = start_[c] + step.from, to = start_[c] + step.to;
            const double weight = options_.counts_lifts ? 0 : step.weight;
            if (step.role == head) {
                head_[from] = {to, weight};
                has_head_[to] = 1;
                continue;
            }
            const int dependent = place[step.dependent];
            if (dependent < 0) continue;
            const std::size_t at = static_cast<std::size_t>(from) * k_ + dependent;
            if (step.role == own) own_[at] = {to, weight};
            if (options_.max_lifts == 0 || arrivals[dependent] == never) continue;
            if (step.role == lifted_in) in_[at] = {to, options_.counts_lifts ? -0.5 : weight};
            if (step.role == lifted_out) out_[from].push_back({dependent, to, options_.counts_lifts ? -0.5 : weight});
            has_lifts_ = true;
        }
    }
    for (auto& steps : out_)
        std::sort(steps.begin(), steps.end(),
                  [](const OutStep& a, const OutStep& b) { return a.dependent < b.dependent; });
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int s = 0; s < s_; ++s) {
            if (!has_head_[s]) continue;
            const auto reach = [&](int to) {
                if (to < 0 || has_head_[to]) return;
                has_head_[to] = 1;
                goes_on = true;
            };
            for (int c = 0; c < k_; ++c) {
                reach(own_[static_cast<std::size_t>(s) * k_ + c].to);
                reach(in_[static_cast<std::size_t>(s) * k_ + c].to);
            }
            for (const OutStep& step : out_[s]) reach(step.to);
        }
    }
    out_finals_ = finals_;
    for (int lifts = 0; lifts < std::min(n_ - 1, options_.max_lifts); ++lifts) {
        std::vector<double> more = out_finals_;
        for (int s = 0; s < s_; ++s)
            for (const OutStep& step : out_[s]) more[s] = std::max(more[s], step.weight + out_finals_[step.to]);
        if (more == out_finals_) break;
        out_finals_ = std::move(more);
    }
    // What a lift weighs where it arrives is not known to the coarse chart: the best it can be.
    if (!options_.counts_lifts)
        for (int s = 0; s < s_; ++s)
            for (int c = 0; c < k_; ++c)
                if (Edge& edge = in_[static_cast<std::size_t>(s) * k_ + c]; edge.to >= 0) edge.weight += arrivals[c];
    arrivals_ = std::move(arrivals);
    plain_.assign(s_ + k_, -1);
}

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

bool Chart::fill(double threshold) {
    items_.clear();
    ways_.clear();
    lifts_told_.clear();
    goals_.clear();
    fine_.assign(cells_.size(), {});
    is_too_large_ = false;
    outside_partial_.assign(s_, never);
    outside_complete_.assign(k_, never);
    // Growing would copy the forest and touch its memory twice.
    if (threshold == never)
        ways_.reserve(std::min(plain_ways_ + 4 * entries_.size(), static_cast<std::size_t>(options_.max_ways)));
    // Sums in another order differ in their last bits.
    if (threshold > never) threshold -= 1e-9 * (1 + std::abs(threshold));
    for (int j = 0; j < n_ && !is_too_large_; ++j)
        for (int i = j; i >= 0 && !is_too_large_; --i) fill_cell(i, j, threshold);
    if (is_too_large_) {
        items_.clear();
        ways_.clear();
        return false;
    }
    const FineCell& whole = fine_[cell(0, n_ - 1)];
    for (int item = whole.completes; item < whole.headless; ++item)
        if (const double start = starts_[items_[item].what]; items_[item].lifted == 0 && start > never)
            goals_.push_back({item, start});
    return true;
}

void Chart::fill_cell(int i, int j, double threshold) {
    const Cell& coarse = cells_[cell(i, j)];
    FineCell& here = fine_[cell(i, j)];
    here.begin = here.completes = here.headless = here.end = static_cast<int>(items_.size());
    if (coarse.partials == coarse.end) return;
    Interrupt::check();
    bool is_alive = false;
    for (int e = coarse.partials; e < coarse.end; ++e) {
        const Entry& entry = entries_[e];
        if (entry.outside == never || entry.inside + entry.outside < threshold) continue;
        (e < coarse.completes ? outside_partial_ : outside_complete_)[entry.what] = entry.outside;
        is_alive = true;
    }
    if (is_alive) {
        read(i, j, threshold);
        read_head(i, j, threshold);
        close_section(i, j, false);
        here.completes = static_cast<int>(items_.size());
        for (int item = here.begin; item < here.completes && !is_too_large_; ++item) finish(item, threshold);
        close_section(i, j, true);
        here.headless = static_cast<int>(items_.size());
        for (const Delayed& late : delayed_) add(late.what, late.in, late.lifted, false, late.way, late.value);
        delayed_.clear();
        begin_parts(i, j, threshold);
        close_section(i, j, false);
        here.end = static_cast<int>(items_.size());
    }
    for (int e = coarse.partials; e < coarse.end; ++e)
        (e < coarse.completes ? outside_partial_ : outside_complete_)[entries_[e].what] = never;
}

// [i, k, p, in, LM], (k+1, j, c, LM')  gives  [i, j, q, in (c), LM LM']
void Chart::read(int i, int j, double threshold) {
    for (int middle = i; middle < j; ++middle) {
        const FineCell &left = fine_[cell(i, middle)], &right = fine_[cell(middle + 1, j)];
        if (left.begin == left.end || right.completes == right.headless) continue;
        for (int b = left.begin; b < left.end; ++b) {
            if (b == left.completes) b = left.headless;
            if (b == left.end) break;
            const Item& before = items_[b];
            for (int d = right.completes; d < right.headless; ++d) {
                const Item& dependent = items_[d];
                const std::size_t at = static_cast<std::size_t>(before.what) * k_ + dependent.what;
                for (const int role : {own, lifted_in}) {
                    const Edge& edge = role == own ? own_[at] : in_[at];
                    if (edge.to < 0 || outside_partial_[edge.to] == never) continue;
                    const double value = before.best + dependent.best + edge.weight;
                    if (value + outside_partial_[edge.to] < threshold) continue;
                    int in = before.in, lifted = before.lifted;
                    std::size_t place = 0;
                    if (role == lifted_in) {
                        std::vector<int> categories = ins_[in];
                        place = categories.size();
                        if (static_cast<int>(place) == options_.max_lifts) continue;
                        categories.push_back(dependent.what);
                        in = ins_.number(categories);
                    }
                    if (dependent.lifted != 0) {
                        const int most =
                            std::min(n_ - (j - i + 1), options_.max_lifts) + static_cast<int>(ins_[in].size());
                        if (total(before.lifted) + total(dependent.lifted) > most) continue;
                        if (!survives(dependent.lifted, head_of_[before.what])) continue;
                        lifted = merged(lifted, dependent.lifted, role == lifted_in ? static_cast<int>(place) : -1);
                    }
                    if (lifted != 0 && !can_land(i, j, groups_[lifted], in)) continue;
                    const Way way{b, d, role, edge.weight};
                    if (has_head_[edge.to])
                        add(edge.to, in, lifted, false, way, value);
                    else
                        delayed_.push_back({edge.to, in, lifted, way, value});
                    if (is_too_large_) return;
                }
            }
        }
    }
}

void Chart::read_head(int i, int j, double threshold) {
    const auto step = [&](int state, int before, int in, int lifted, double value, double weight) {
        const Edge& edge = head_[state];
        if (edge.to < 0 || outside_partial_[edge.to] == never) return;
        value += edge.weight + weight;
        if (value + outside_partial_[edge.to] < threshold) return;
        add(edge.to, in, lifted, false, {before, -1, head, edge.weight + weight}, value);
    };
    if (i == j) {
        for (const Word& word : words_[j]) step(start_[word.category], -1, 0, 0, 0, word.weight);
        return;
    }
    const FineCell left = fine_[cell(i, j - 1)];
    for (int b = left.headless; b < left.end; ++b) {
        const Item before = items_[b];
        const double weight = weight_of_word(j, head_of_[before.what]);
        if (weight > never) step(before.what, b, before.in, before.lifted, before.best, weight);
    }
}

void Chart::begin_parts(int i, int j, double threshold) {
    const FineCell here = fine_[cell(i, j)];
    for (int d = here.completes; d < here.headless && !is_too_large_; ++d) {
        const Item dependent = items_[d];
        for (int head = 0; head < k_; ++head) {
            if (last_[head] <= j) continue;
            const std::size_t at = static_cast<std::size_t>(start_[head]) * k_ + dependent.what;
            for (const int role : {own, lifted_in}) {
                const Edge& edge = role == own ? own_[at] : in_[at];
                if (edge.to < 0 || outside_partial_[edge.to] == never) continue;
                const double value = dependent.best + edge.weight;
                if (value + outside_partial_[edge.to] < threshold) continue;
                int lifted = 0;
                if (dependent.lifted != 0) {
                    if (!survives(dependent.lifted, head)) continue;
                    lifted = merged(0, dependent.lifted, role == lifted_in ? 0 : -1);
                }
                const int in = role == lifted_in ? ins_.number({dependent.what}) : 0;
                add(edge.to, in, lifted, false, {-1, d, role, edge.weight}, value);
            }
        }
    }
}

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

bool Chart::survives(int lifted, int governor) {
    for (const Group& group : groups_[lifted])
        if (conditions_.advanced(group.pending, governor) == Conditions::dead) return false;
    return true;
}

int Chart::merged(int lifted, int more, int under) {
    return groups_.number(merge(groups_[lifted], groups_[more], under));
}

int Chart::total(int lifted) {
    for (int list = static_cast<int>(totals_.size()); list <= lifted; ++list) {
        totals_.push_back(0);
        for (const Group& group : groups_[list]) totals_.back() += group.count;
    }
    return totals_[lifted];
}

int Chart::supply(int category, int i, int j) const {
    const auto& before = known_before_[category];
    return before[n_] - (before[j + 1] - before[i]);
}

// Whether there are words for all that is being lifted out of i..j: outside, or landed already.
bool Chart::can_land(int i, int j, const Groups& lifted, int in) const {
    const std::vector<int>& landed = ins_[in];
    int total = 0;
    for (const Group& group : lifted) total += group.count;
    if (total > std::min(n_ - (j - i + 1), options_.max_lifts) + static_cast<int>(landed.size())) return false;
    for (std::size_t g = 0; g < lifted.size(); ++g) {
        const int category = conditions_.category(lifted[g].pending);
        int wanted = 0;
        for (const Group& group : lifted)
            if (conditions_.category(group.pending) == category) wanted += group.count;
        if (wanted > supply(category, i, j) + std::count(landed.begin(), landed.end(), category)) return false;
    }
    return true;
}

void Chart::add(int what, int in, int lifted, bool is_complete, const Way& way, double value) {
    int* known;
    if (in == 0 && lifted == 0) {
        known = &plain_[is_complete ? s_ + what : what];
        if (*known < 0) plain_used_.push_back(is_complete ? s_ + what : what);
    } else {
        known = &others_.try_emplace({what, in, lifted}, -1).first->second;
    }
    if (*known < 0) {
        *known = static_cast<int>(section_.size());
        section_.push_back({0, 0, is_complete, what, in, lifted, value, 0});
    }
    section_[*known].best = std::max(section_[*known].best, value);
    section_[*known].ways++;
    found_.push_back({*known, way});
    if (static_cast<std::int64_t>(ways_.size() + found_.size()) > options_.max_ways) is_too_large_ = true;
    if ((found_.size() & 0xfff) == 0) Interrupt::check();
}

// The items found since the last call, with their ways together.
void Chart::close_section(int i, int j, bool is_complete) {
    std::int64_t at = static_cast<std::int64_t>(ways_.size());
    ways_.resize(ways_.size() + found_.size());
    for (Item& item : section_) {
        const std::int64_t count = item.ways;
        item.i = static_cast<std::uint16_t>(i);
        item.j = static_cast<std::uint16_t>(j);
        item.is_complete = is_complete;
        item.ways = at;
        at += count;
    }
    items_.insert(items_.end(), section_.begin(), section_.end());
    for (const Found& found : found_) ways_[section_[found.item].ways++] = found.way;
    section_.clear();
    found_.clear();
    others_.clear();
    for (const int used : plain_used_) plain_[used] = -1;
    plain_used_.clear();
}

std::vector<int> Chart::lifted(int item) const {
    std::vector<int> found;
    for (const Group& group : groups_[items_[item].lifted])
        found.insert(found.end(), group.count, categories_[conditions_.category(group.pending)]);
    return found;
}

std::vector<char> Chart::useful() const {
    std::vector<char> found(items_.size(), 0);
    for (const Goal& goal : goals_) found[goal.item] = 1;
    for (int item = static_cast<int>(items_.size()) - 1; item >= 0; --item) {
        if (!found[item]) continue;
        for (std::int64_t way = items_[item].ways; way < end_of_ways(item); ++way) {
            if (ways_[way].before >= 0) found[ways_[way].before] = 1;
            if (ways_[way].dependent >= 0) found[ways_[way].dependent] = 1;
        }
    }
    return found;
}

}  // namespace nonproj::grammar
