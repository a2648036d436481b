// The chart of section 5 of Kahane, Nasr & Rambow (1998), "Pseudo-projectivity": rule-FSMs with lift multisets.
//
//   [i, j, q, in, LM]   the linear dependents of a head that cover words i..j, and maybe the head itself, bring the
//                       rule-FSM of its category to state q; `in` are the categories of those that were lifted to it, LM
//                       what is being lifted out of i..j
//   (i, j, C, LM)       a complete subtree of a head of category C
//
// When a head is complete, its category is read by the conditions of LM; the dependents that were lifted to it take some of
// them away; those that it lacks, lifted away from it, add new ones.
//
// First a coarse chart without `in` and LM, in which lifted words come from nowhere and go nowhere: O(n^3 |G|). Its inside
// and outside weights bound those of all analyses, and an item that cannot be part of one above a threshold is never made.
// Without l-rules the coarse chart is exact. The items with the ways in which they came about are the packed forest, in an
// order in which parts come before wholes. Each analysis has one derivation.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "nonproj/grammar/lifting_conditions.hpp"
#include "nonproj/grammar/machine.hpp"

namespace nonproj::grammar {

struct Word {
    int category;
    double weight;
};

struct ChartOptions {
    int max_lifts = 1 << 20;             // how many words may be on their way up out of any part
    std::int64_t max_ways = 10'000'000;  // how large the forest may become
    bool counts_lifts = false;           // an analysis weighs minus the number of its lifts, whatever the rules weigh
    bool is_pruned = true;               // leave out what cannot be part of an analysis
};

struct Item {
    std::uint16_t i, j;
    bool is_complete;
    int what;  // the category of a complete item; the state of another, numbered across categories
    int in, lifted;
    double best;
    std::int64_t ways;  // where its ways begin; they end where those of the next item begin
};

struct Way {
    int before;     // of a partial item: the one before, -1 at the beginning; of a complete one: the partial item
    int dependent;  // -1 for the head itself and for complete items
    int detail;     // the role of a dependent; of a complete item: where its lifts are told, -1 without any
    double weight;
};

struct Derivation {
    double weight = 0;
    std::vector<int> categories, syntactic, linear;
};

class Chart {
  public:
    Chart(const Machine& machine, std::vector<std::vector<Word>> words, const ChartOptions& options);

    // No analysis weighs more; `never` proves that there is none.
    double bound() const { return bound_; }
    bool has_lifts() const { return has_lifts_; }

    // Make the items of all analyses that weigh at least the threshold. False when the forest became too large: then it has
    // none.
    bool fill(double threshold);

    const std::vector<Item>& items() const { return items_; }
    const std::vector<Way>& ways() const { return ways_; }
    std::int64_t end_of_ways(int item) const {
        return item + 1 < static_cast<int>(items_.size()) ? items_[item + 1].ways
                                                          : static_cast<std::int64_t>(ways_.size());
    }
    struct Goal {
        int item;
        double weight;
    };
    const std::vector<Goal>& goals() const { return goals_; }
    int category_of(int what, bool is_complete) const { return categories_[is_complete ? what : head_of_[what]]; }
    // The categories that are being lifted out of an item.
    std::vector<int> lifted(int item) const;
    // Which items are part of an analysis.
    std::vector<char> useful() const;

    // The derivation that takes chosen ways: choose(item, token) tells the way, and the tokens of its two parts.
    template <class Choose, class Token>
    Derivation derivation(const Goal& goal, Token token, Choose&& choose) const;

    int size() const { return n_; }

  private:
    struct Key {
        int a, b, c;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return ((key.a * 0x9e3779b97f4a7c15u + key.b) * 0x9e3779b97f4a7c15u + key.c) * 0x9e3779b97f4a7c15u >> 16;
        }
    };
    struct Entry {
        int what;
        double inside, outside;
    };
    struct Cell {
        int partials, completes, end;  // entries of partial items, then those of complete ones
    };
    struct FineCell {
        int begin, completes, headless,
            end;  // items: partial ones with their head, complete ones, partial ones without
    };
    struct Edge {
        int to = -1;
        double weight = 0;
    };
    struct OutStep {
        int dependent, to;
        double weight;
    };

    std::size_t cell(int i, int j) const { return static_cast<std::size_t>(j) * (j + 1) / 2 + i; }
    void prepare(const Machine& machine);
    void balance();
    void fill_coarse();
    void bound_outside();
    double weight_of_word(int word, int category) const;

    void fill_cell(int i, int j, double threshold);
    void read(int i, int j, double threshold);
    void read_head(int i, int j, double threshold);
    void begin_parts(int i, int j, double threshold);
    void finish(int item, double threshold);
    struct Finishing;
    void land(Finishing& f, std::size_t place);
    void lift_away(Finishing& f, int state, double weight);
    void complete(Finishing& f, double weight);
    bool survives(int lifted, int governor);
    int merged(int lifted, int more, int under);
    int total(int lifted);
    bool can_land(int i, int j, const Groups& lifted, int in) const;
    int supply(int category, int i, int j) const;
    void add(int what, int in, int lifted, bool is_complete, const Way& way, double value);
    void close_section(int i, int j, bool is_complete);

    int n_;
    ChartOptions options_;
    std::vector<std::vector<Word>> words_;  // their categories by their places in categories_
    std::vector<int> categories_;           // of the sentence, by their numbers in the machine
    int k_ = 0, s_ = 0;                     // how many categories, how many states
    std::vector<int> start_, head_of_;
    std::vector<char> has_head_;
    std::vector<Edge> own_, in_, head_;  // by state and category; by state
    std::vector<std::vector<OutStep>> out_;
    std::vector<double> finals_, out_finals_;  // ending in a state; with the best words lifted away before that
    std::vector<double> starts_, arrivals_;    // to be the root; the best rule that lifts a category
    std::vector<int> last_;                    // the last word that may have a category
    std::vector<std::vector<int>> known_before_;
    bool has_lifts_ = false;
    bool is_too_large_ = false;
    double bound_ = never;
    std::size_t plain_ways_ = 0;  // ways that join two parts without lifts, all told

    std::vector<Entry> entries_;
    std::vector<Cell> cells_;

    Conditions conditions_;
    Interned<Groups> groups_;
    Interned<std::vector<int>> ins_;
    std::unordered_map<Key, int, KeyHash> merged_;
    std::vector<int> totals_;  // how many words a list has
    std::vector<Item> items_;
    std::vector<Way> ways_;
    std::vector<int> lifts_told_;
    std::vector<FineCell> fine_;
    std::vector<Goal> goals_;

    // Of the cell that is being filled.
    struct Found {
        int item;
        Way way;
    };
    struct Delayed {
        int what, in, lifted;
        Way way;
        double value;
    };
    std::vector<double> outside_partial_, outside_complete_;
    std::vector<int> plain_;  // the item of a state or category without lifts
    std::vector<int> plain_used_;
    std::unordered_map<Key, int, KeyHash> others_;
    std::vector<Found> found_;
    std::vector<Delayed> delayed_;
    std::vector<Item> section_;
};

// The list of a partial item after one more dependent: sorted, with where each group came from (the groups of the dependent
// come after those before).
Groups merge(const Groups& before, const Groups& more, int under, std::vector<int>* origins = nullptr);

template <class Choose, class Token>
Derivation Chart::derivation(const Goal& goal, Token token, Choose&& choose) const {
    Derivation d;
    d.categories.assign(n_, 0);
    d.syntactic.assign(n_, 0);
    d.linear.assign(n_, 0);
    struct Subtree {
        int head;
        std::vector<int> governors;  // of the groups that are being lifted out of it
    };
    // A complete item: walk its dependents from left to right, then say where the lifted ones come from.
    auto walk = [&](auto& self, int item, Token at) -> Subtree {
        struct Link {
            int item;
            Way way;
            Token dependent;
        };
        const auto finishing = choose(item, at);
        const Way finish = ways_[finishing.way];
        d.weight += finish.weight;
        std::vector<Link> links;
        Token rest = finishing.before;
        for (int part = finish.before; part >= 0;) {
            const auto chosen = choose(part, rest);
            links.push_back({part, ways_[chosen.way], chosen.dependent});
            d.weight += links.back().way.weight;
            part = links.back().way.before;
            rest = chosen.before;
        }
        Subtree tree{0, {}};
        std::vector<int> own_words, in_words, origins, kept;
        int lifted = 0;
        for (auto link = links.rbegin(); link != links.rend(); ++link) {
            if (link->way.dependent < 0) {
                tree.head = items_[link->item].j + 1;
            } else {
                Subtree below = self(self, link->way.dependent, link->dependent);
                const bool is_in = link->way.detail == lifted_in;
                if (!below.governors.empty()) {
                    std::vector<int> all = tree.governors;
                    all.insert(all.end(), below.governors.begin(), below.governors.end());
                    merge(groups_[lifted], groups_[items_[link->way.dependent].lifted],
                          is_in ? static_cast<int>(in_words.size()) : -1, &origins);
                    tree.governors.clear();
                    for (const int origin : origins) tree.governors.push_back(all[origin]);
                }
                (is_in ? in_words : own_words).push_back(below.head);
            }
            lifted = items_[link->item].lifted;
        }
        const int word = tree.head;
        d.categories[word - 1] = categories_[items_[item].what];
        for (const int dependent : own_words) d.syntactic[dependent - 1] = d.linear[dependent - 1] = word;
        if (finish.detail >= 0) {
            const int* told = &lifts_told_[finish.detail];
            for (const int dependent : in_words) {
                d.linear[dependent - 1] = word;
                d.syntactic[dependent - 1] = tree.governors[*told++];
            }
            for (std::size_t group = 0; group < groups_[items_[item].lifted].size(); ++group, ++told)
                kept.push_back(*told < 0 ? word : tree.governors[*told]);
        }
        tree.governors = std::move(kept);
        return tree;
    };
    walk(walk, goal.item, token);
    d.weight += goal.weight;
    return d;
}

}  // namespace nonproj::grammar
