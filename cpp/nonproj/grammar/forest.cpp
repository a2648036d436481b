#include "nonproj/grammar/forest.hpp"

#include <algorithm>
#include <cmath>

#include "nonproj/interrupt.hpp"

namespace nonproj::grammar {

std::uint64_t count(const Chart& chart, std::uint64_t modulus) {
    std::vector<std::uint64_t> counts(chart.items().size());
    for (int item = 0; item < static_cast<int>(counts.size()); ++item) {
        // Counts are below 2^62, so eight products fit: a division is the slow part.
        unsigned __int128 sum = 0;
        const std::int64_t begin = chart.items()[item].ways;
        for (std::int64_t w = begin; w < chart.end_of_ways(item); ++w) {
            const Way& way = chart.ways()[w];
            unsigned __int128 product = way.before < 0 ? 1 : counts[way.before];
            if (way.dependent >= 0) product *= counts[way.dependent];
            sum += product;
            if (((w - begin) & 7) == 7) sum %= modulus;
        }
        counts[item] = static_cast<std::uint64_t>(sum % modulus);
        if ((item & 0xfff) == 0) Interrupt::check();
    }
    unsigned __int128 total = 0;
    for (const Chart::Goal& goal : chart.goals()) total += counts[goal.item];
    return static_cast<std::uint64_t>(total % modulus);
}

namespace {

double weigh(const Way& way, const std::vector<double>& items) {
    return way.weight + (way.before < 0 ? 0 : items[way.before]) + (way.dependent < 0 ? 0 : items[way.dependent]);
}

}  // namespace

LogSums log_sums(const Chart& chart, bool is_weighted) {
    LogSums sums{never, std::vector<double>(chart.items().size())};
    std::vector<double> terms;
    const auto summed = [&] {
        const double largest = *std::max_element(terms.begin(), terms.end());
        double total = 0;
        for (const double term : terms) total += std::exp(term - largest);
        return largest + std::log(total);
    };
    for (int item = 0; item < static_cast<int>(sums.items.size()); ++item) {
        terms.clear();
        for (std::int64_t w = chart.items()[item].ways; w < chart.end_of_ways(item); ++w)
            terms.push_back(weigh(chart.ways()[w], sums.items) - (is_weighted ? 0 : chart.ways()[w].weight));
        sums.items[item] = summed();
        if ((item & 0xfff) == 0) Interrupt::check();
    }
    terms.clear();
    for (const Chart::Goal& goal : chart.goals())
        terms.push_back(sums.items[goal.item] + (is_weighted ? goal.weight : 0));
    if (!terms.empty()) sums.total = summed();
    return sums;
}

namespace {

struct Chosen {
    std::int64_t way;
    int before, dependent;
};

}  // namespace

Derivation sample(const Chart& chart, const LogSums& sums, std::mt19937_64& random) {
    const auto draw = [&](double total, auto begin, auto end, auto&& weight) {
        double left = std::uniform_real_distribution<double>()(random);
        auto at = begin;
        for (; at + 1 < end; ++at)
            if ((left -= std::exp(weight(at) - total)) < 0) break;
        return at;
    };
    const auto& goals = chart.goals();
    const auto goal = draw(sums.total, std::size_t{0}, goals.size(),
                           [&](std::size_t g) { return sums.items[goals[g].item] + goals[g].weight; });
    return chart.derivation(goals[goal], 0, [&](int item, int) {
        const std::int64_t way = draw(sums.items[item], chart.items()[item].ways, chart.end_of_ways(item),
                                      [&](std::int64_t w) { return weigh(chart.ways()[w], sums.items); });
        return Chosen{way, 0, 0};
    });
}

BestFirst::BestFirst(const Chart& chart) : chart_(chart), rankings_(chart.items().size()) {
    for (int g = 0; g < static_cast<int>(chart.goals().size()); ++g) {
        const Chart::Goal& goal = chart.goals()[g];
        goals_.push({chart.items()[goal.item].best + goal.weight, g, 0, 0});
    }
}

bool BestFirst::find(int rank, Derivation& derivation) {
    while (static_cast<int>(found_.size()) <= rank) {
        Interrupt::check();
        if (!found_.empty()) {
            const Ranked last = found_.back();
            const Chart::Goal& goal = chart_.goals()[last.way];
            if (reach(goal.item, last.before + 1))
                goals_.push(
                    {rankings_[goal.item].found[last.before + 1].weight + goal.weight, last.way, last.before + 1, 0});
        }
        if (goals_.empty()) return false;
        found_.push_back(goals_.top());
        goals_.pop();
    }
    derivation = chart_.derivation(chart_.goals()[found_[rank].way], found_[rank].before, [&](int item, int at) {
        reach(item, at);
        const Ranked& ranked = rankings_[item].found[at];
        return Chosen{chart_.items()[item].ways + ranked.way, ranked.before, ranked.dependent};
    });
    return true;
}

// Find the derivations of an item up to a rank; false when there are not so many.
bool BestFirst::reach(int item, int rank) {
    Ranking& ranking = rankings_[item];
    if (!ranking.is_started) {
        ranking.is_started = true;
        const std::int64_t begin = chart_.items()[item].ways;
        for (std::int64_t w = begin; w < chart_.end_of_ways(item); ++w) {
            const Way& way = chart_.ways()[w];
            const double weight = way.weight + (way.before < 0 ? 0 : chart_.items()[way.before].best) +
                                  (way.dependent < 0 ? 0 : chart_.items()[way.dependent].best);
            ranking.candidates.push({weight, static_cast<int>(w - begin), 0, 0});
        }
    }
    while (static_cast<int>(ranking.found.size()) <= rank) {
        if (!ranking.found.empty()) follow(item, Ranked(ranking.found.back()));
        if (ranking.candidates.empty()) return false;
        ranking.found.push_back(ranking.candidates.top());
        ranking.candidates.pop();
    }
    return true;
}

// After a derivation has been found: its neighbours, one part one rank lower. The part before goes down only where the other
// is at its best, so that each neighbour is met once.
void BestFirst::follow(int item, const Ranked& last) {
    const Way& way = chart_.ways()[chart_.items()[item].ways + last.way];
    Ranking& ranking = rankings_[item];
    if (way.dependent >= 0 && reach(way.dependent, last.dependent + 1)) {
        const auto& found = rankings_[way.dependent].found;
        const double weight = last.weight - found[last.dependent].weight + found[last.dependent + 1].weight;
        ranking.candidates.push({weight, last.way, last.before, last.dependent + 1});
    }
    if (way.before >= 0 && last.dependent == 0 && reach(way.before, last.before + 1)) {
        const auto& found = rankings_[way.before].found;
        const double weight = last.weight - found[last.before].weight + found[last.before + 1].weight;
        ranking.candidates.push({weight, last.way, last.before + 1, last.dependent});
    }
}

}  // namespace nonproj::grammar
