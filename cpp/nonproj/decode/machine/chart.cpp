#include "nonproj/decode/machine/chart.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/machine/filling.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::nested {

Row Visitor::row(int table, int a, int b, int c, int d) const { return layout_.row(table, a, b, c, d); }

namespace {

// How much the goal grows with each value. `linked` gathers, for the arcs given to link(), the arc times that.
template <Semiring S>
class Deriving final : public Visitor {
  public:
    using Value = typename S::Value;
    using Math = RowCalls<S>;

    Deriving(const Layout& layout, const Value* cells, Value* derivatives, Value* linked)
        : Visitor(layout), cells_(cells), derivatives_(derivatives), linked_(linked) {}

    void begin(Row out, const RowStep& step) override {
        value_ = cells_ + out.at;
        by_ = derivatives_ + out.at;
        lo_ = step.lo, hi_ = step.hi;
    }
    void finish() override {}
    void add(int lo, int hi, Row a, Row b) override {
        lo = std::max(lo, lo_), hi = std::min(hi, hi_);
        Math::add_product(derivatives_ + a.at, cells_ + b.at, by_, lo, hi);
        Math::add_product(derivatives_ + b.at, cells_ + a.at, by_, lo, hi);
    }
    void add(int lo, int hi, const Item& a, Row b) override {
        lo = std::max(lo, lo_), hi = std::min(hi, hi_);
        Value& by_a = derivatives_[a.row.at + a.lane];
        by_a = S::plus(by_a, Math::inner_product(cells_ + b.at, by_, lo, hi));
        Math::add_scaled(derivatives_ + b.at, cells_[a.row.at + a.lane], by_, lo, hi);
    }
    void add(int lo, int hi, Row a) override {
        Value* to = derivatives_ + a.at;
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to[l] = S::plus(to[l], by_[l]);
    }
    void add(int lane, const Item& a) override {
        Value& to = derivatives_[a.row.at + a.lane];
        if (lo_ <= lane && lane < hi_) to = S::plus(to, by_[lane]);
    }
    void one(int, int) override {}
    void inner(int lane, Row a, Row b, int lo, int hi) override {
        if (lane < lo_ || lane >= hi_) return;
        Math::add_scaled(derivatives_ + a.at, by_[lane], cells_ + b.at, lo, hi);
        Math::add_scaled(derivatives_ + b.at, by_[lane], cells_ + a.at, lo, hi);
    }
    void link(Row arcs) override {
        Math::add_product(linked_ + arcs.at, value_, by_, lo_, hi_);
        Math::multiply(by_, cells_ + arcs.at, lo_, hi_);
    }
    void link(const Item& arc) override {
        Value& to = linked_[arc.row.at + arc.lane];
        to = S::plus(to, Math::inner_product(value_, by_, lo_, hi_));
        const Value factor = cells_[arc.row.at + arc.lane];
        for (int l = lo_; l < hi_; ++l) by_[l] = S::times(by_[l], factor);
    }
    void mask(int lo, int hi) override {
        for (int l = lo; l < hi; ++l) by_[l] = S::zero();
    }

  private:
    const Value* cells_;
    Value *derivatives_, *linked_;
    const Value* value_ = nullptr;
    Value* by_ = nullptr;
};

// A term of an item: the product of so many others.
template <Semiring S>
struct Term {
    typename S::Value value;
    int parts = 0;
    Item part[2];
};

// The terms of one item; those without a value are left out.
template <Semiring S>
class Listing final : public Visitor {
  public:
    using Value = typename S::Value;

    Listing(const Layout& layout, const Value* cells, int lane, std::vector<Term<S>>& terms)
        : Visitor(layout), cells_(cells), terms_(terms) {
        lo_ = lane, hi_ = lane + 1;
    }
    bool is_linked = false;
    Item arc{};

    void begin(Row, const RowStep&) override {}
    void finish() override {}
    void add(int lo, int hi, Row a, Row b) override {
        if (has(lo, hi)) push(item(a, lo_), item(b, lo_));
    }
    void add(int lo, int hi, const Item& a, Row b) override {
        if (has(lo, hi)) push(a, item(b, lo_));
    }
    void add(int lo, int hi, Row a) override {
        if (has(lo, hi)) push(item(a, lo_));
    }
    void add(int lane, const Item& a) override {
        if (lane == lo_) push(a);
    }
    void one(int lo, int hi) override {
        if (has(lo, hi)) terms_.push_back({S::one(), 0, {}});
    }
    void inner(int lane, Row a, Row b, int lo, int hi) override {
        for (int k = lo; k < hi && lane == lo_; ++k) push(item(a, k), item(b, k));
    }
    void link(Row arcs) override { link(item(arcs, lo_)); }
    void link(const Item& given) override {
        is_linked = true;
        arc = given;
    }
    void mask(int, int) override {}  // items without a value are never listed

  private:
    bool has(int lo, int hi) const { return lo <= lo_ && lo_ < hi; }
    Value value(const Item& a) const { return cells_[a.row.at + a.lane]; }
    void push(const Item& a, const Item& b) {
        const Value product = S::times(value(a), value(b));
        if (!is_zero<S>(product)) terms_.push_back({product, 2, {a, b}});
    }
    void push(const Item& a) {
        if (!is_zero<S>(value(a))) terms_.push_back({value(a), 1, {a, {}}});
    }

    const Value* cells_;
    std::vector<Term<S>>& terms_;
};

// The chart of any class.
template <Semiring S>
class Chart {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    Chart(const RuleCalls& calls, FillBest fill_best, int words, bool single_root, const Weight& weight)
        : calls_(calls), single_root_(single_root), layout_(words, calls.packings), cells_(layout_.size(), S::zero()) {
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent)
                    cells_[place(arcs_into, dependent, head)] = cells_[place(arcs_from, head, dependent)] =
                        weight(head, dependent);
        fill(fill_best);
    }

    int words() const { return layout_.words(); }
    // The sum over all trees.
    Value total() const { return cells_[goal().row.at]; }

    // One derivation, from the goal down; a choice (sums/lot.hpp) picks one term of each sum.
    template <class Choice>
    void derive(Choice& choice, std::int32_t* heads) const {
        std::vector<Item> open{goal()};
        std::vector<Term<S>> terms;
        while (!open.empty()) {
            const Item next = open.back();
            open.pop_back();
            if (next.row.table() == arcs_into) {
                heads[next.row.keys()[0] - 1] = next.lane;
            } else if (next.row.table() == arcs_from) {
                heads[next.lane - 1] = next.row.keys()[0];
            } else {
                const bool is_linked = list(next, terms, open);
                assert(!terms.empty());
                const Term<S>& term = terms[pick(choice, terms)];
                open.insert(open.end() - is_linked, term.part, term.part + term.parts);
            }
        }
    }
    // Of every arc, chance[head * (words + 1) + dependent].
    void chances(std::span<typename ChanceIn<S>::Type> chance) const {
        const std::vector<Value> weights = arc_weights();
        const std::size_t side = static_cast<std::size_t>(words()) + 1;
        for (std::size_t head = 0; head < side; ++head)
            for (std::size_t dependent = 1; dependent < side; ++dependent)
                if (head != dependent)
                    chance[head * side + dependent] = S::ratio(weights[head * side + dependent], total());
    }

  private:
    std::ptrdiff_t place(int table, int key, int lane) const {
        return layout_.row(Packing::word, table, key, 0, 0, 0).at + lane;
    }
    Item goal() const { return item(layout_.row(first_own_table, 0, 0, 0, 0), 0); }
    void fill(FillBest fill_best);
    // The weight of all trees that hold an arc.
    std::vector<Value> arc_weights() const;
    // The terms of an item. Whether there is an arc besides, which is added to `open`.
    bool list(const Item& of, std::vector<Term<S>>& terms, std::vector<Item>& open) const;

    template <class Choice>
    static std::size_t pick(Choice& choice, const std::vector<Term<S>>& terms) {
        Value whole = terms[0].value;
        for (std::size_t t = 1; t < terms.size(); ++t) whole = S::plus(whole, terms[t].value);
        choice.start(whole);
        std::size_t chosen = 0;
        for (std::size_t t = 0; t < terms.size() && !choice.finished(); ++t)
            if (choice.take(terms[t].value)) chosen = t;
        return chosen;
    }

    const RuleCalls& calls_;
    bool single_root_;
    Layout layout_;
    ChartCells<Value> cells_;
};

template <Semiring S>
void Chart<S>::fill([[maybe_unused]] FillBest fill_best) {
    Filling<S, RowCalls<S>, Visitor> filling(layout_, cells_.data());
    StepList list;
    for (int i = words() + 1; i >= 0; --i) {
        list.clear();
        calls_.steps(single_root_, list, words(), i);
        if constexpr (std::is_same_v<S, Best<double>>)
            if (has_wide_vectors) {
                fill_best(single_root_, layout_, cells_.data(), list.steps());
                continue;
            }
        for_each_step(list.steps(), false, layout_, [&](const RowStep& step, Row out) {
            filling.begin(out, step);
            calls_.rule(single_root_, filling, out, step.own);
            filling.finish();
        });
    }
}

template <Semiring S>
std::vector<typename S::Value> Chart<S>::arc_weights() const {
    const std::ptrdiff_t arcs = layout_.row(first_own_table, 0, 0, 0, 0).at;
    ChartCells<Value> derivatives(cells_.size(), S::zero()), linked(arcs + row_padding, S::zero());
    derivatives[goal().row.at] = S::one();
    Deriving<S> deriving(layout_, cells_.data(), derivatives.data(), linked.data());
    StepList list;
    for (int i = 0; i <= words() + 1; ++i) {
        list.clear();
        calls_.steps(single_root_, list, words(), i);
        for_each_step(list.steps(), true, layout_, [&](const RowStep& step, Row out) {
            deriving.begin(out, step);
            calls_.rule(single_root_, deriving, out, step.own);
        });
    }
    const std::size_t side = static_cast<std::size_t>(words()) + 1;
    std::vector<Value> weights(side * side, S::zero());
    for (int head = 0; head <= words(); ++head)
        for (int dependent = 1; dependent <= words(); ++dependent) {
            if (head == dependent) continue;
            const std::ptrdiff_t into = place(arcs_into, dependent, head), from = place(arcs_from, head, dependent);
            const Value used = S::times(cells_[into], S::plus(derivatives[into], derivatives[from]));
            weights[head * side + dependent] = S::plus(used, S::plus(linked[into], linked[from]));
        }
    return weights;
}

template <Semiring S>
bool Chart<S>::list(const Item& of, std::vector<Term<S>>& terms, std::vector<Item>& open) const {
    terms.clear();
    Listing<S> listing(layout_, cells_.data(), of.lane, terms);
    calls_.rule(single_root_, listing, of.row, false);
    if (listing.is_linked) open.push_back(listing.arc);
    return listing.is_linked;
}

}  // namespace

DecodedTree best_tree(const RuleCalls& calls, FillBest fill_best, const ArcScores<double>& scores, bool single_root) {
    if (scores.words() == 0) return {0, {}};
    const Chart<Best<double>> chart(calls, fill_best, scores.words(), single_root, scores);
    return best_derivation(chart, scores);
}

template <Semiring S>
std::unique_ptr<SumChart<S>> make_sum_chart(const RuleCalls& calls, const ArcWeights<S>& weights, bool single_root) {
    return std::make_unique<SumChartOf<S, Chart<S>>>(calls, nullptr, weights.words(), single_root, weights);
}
template std::unique_ptr<SumChart<Linear>> make_sum_chart(const RuleCalls&, const ArcWeights<Linear>&, bool);
template std::unique_ptr<SumChart<WideSum>> make_sum_chart(const RuleCalls&, const ArcWeights<WideSum>&, bool);
template std::unique_ptr<SumChart<Dual<Linear>>> make_sum_chart(const RuleCalls&, const ArcWeights<Dual<Linear>>&,
                                                                bool);
template std::unique_ptr<SumChart<Dual<WideSum>>> make_sum_chart(const RuleCalls&, const ArcWeights<Dual<WideSum>>&,
                                                                 bool);
template std::unique_ptr<SumChart<Count<double>>> make_sum_chart(const RuleCalls&, const ArcWeights<Count<double>>&,
                                                                 bool);

}  // namespace nonproj::nested
