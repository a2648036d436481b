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
        for (int d = -1; d < k_; ++d) {
            const int dependent = d < 0 ? -1 : categories_[d];
            auto step = std::lower_bound(fsm.steps.begin(), fsm.steps.end(), dependent,
                                         [](const Step& a, int b) { return a.dependent < b; });
            for (; step != fsm.steps.end() && step->dependent == dependent; ++step) {
                const int from = start_[c] + step->from, to = start_[c] + step->to;
                const double weight = options_.counts_lifts ? 0 : step->weight;
                if (step->role == head) {
                    head_[from] = {to, weight};
                    has_head_[to] = 1;
                    continue;
                }
                const std::size_t at = static_cast<std::size_t>(from) * k_ + d;
                if (step->role == own) own_[at] = {to, weight};
                if (options_.max_lifts == 0 || arrivals[d] == never) continue;
                if (step->role == lifted_in) in_[at] = {to, options_.counts_lifts ? -0.5 : weight};
                if (step->role == lifted_out) out_[from].push_back({d, to, options_.counts_lifts ? -0.5 : weight});
            }
        }
    }
    for (auto& steps : out_)
        std::sort(steps.begin(), steps.end(),
                  [](const OutStep& a, const OutStep& b) { return a.dependent < b.dependent; });
    // What a lift weighs where it arrives is not known to the coarse chart: the best it can be.
    if (!options_.counts_lifts)
        for (int s = 0; s < s_; ++s)
            for (int c = 0; c < k_; ++c)
                if (Edge& edge = in_[static_cast<std::size_t>(s) * k_ + c]; edge.to >= 0) edge.weight += arrivals[c];
    balance();
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
    arrivals_ = std::move(arrivals);
    plain_.assign(s_ + k_, -1);
}

// Every analysis has as many words of a category lifted in as lifted away: so what they weigh may be moved from the one to
// the other. The bounds, which see only one end of a lift, are tightest when both ends cost about the same. A category that
// has one end only is never lifted.
void Chart::balance() {
    std::vector<double> in(k_, never), out(k_, never), moved(k_, 0);
    for (int s = 0; s < s_; ++s) {
        for (int c = 0; c < k_; ++c)
            if (const Edge& edge = in_[static_cast<std::size_t>(s) * k_ + c]; edge.to >= 0)
                in[c] = std::max(in[c], edge.weight);
        for (const OutStep& step : out_[s]) out[step.dependent] = std::max(out[step.dependent], step.weight);
    }
    const auto is_lifted = [&](int c) { return in[c] > never && out[c] > never; };
    for (int c = 0; c < k_; ++c) {
        if (is_lifted(c)) moved[c] = (out[c] - in[c]) / 2;
        has_lifts_ |= is_lifted(c);
    }
    for (int s = 0; s < s_; ++s) {
        for (int c = 0; c < k_; ++c) {
            Edge& edge = in_[static_cast<std::size_t>(s) * k_ + c];
            if (is_lifted(c))
                edge.weight += moved[c];
            else
                edge = {};
        }
        std::erase_if(out_[s], [&](const OutStep& step) { return !is_lifted(step.dependent); });
        for (OutStep& step : out_[s]) step.weight -= moved[step.dependent];
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
