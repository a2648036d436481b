// The machine that runs charts. A chart is a set of tables; each table's rule says of which products its rows are summed
// (visitor.hpp), and the steps say in which order. From that one description come
//
//   filling      every row once, in order: the best tree, counts, sums
//   derivatives  every row once, in reverse order: marginals
//   descent      from the goal down, one term chosen for each item: the best tree, samples
//
// Each tree has exactly one derivation, so the same rules serve every semiring.
//
// The machine is compiled once for each semiring, in chart.cpp, and the rules of a class once for all semirings, where its
// charts are instantiated; for the best tree, which is asked for most, also into one piece with the arithmetic.
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/machine/filling.hpp"
#include "nonproj/decode/machine/visitor.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::nested {

// A class's steps and rules behind pointers.
struct RuleCalls {
    Packings packings;
    void (*steps)(bool single_root, StepList& list, int words, int i);
    void (*rule)(bool single_root, Visitor& visitor, Row out, bool own);
    // Fills the rows of these steps for the best tree; for machines with wide vectors.
    void (*fill_best)(bool single_root, const Layout& layout, double* cells, const std::vector<RowStep>& steps);
};

// Calls each(step, row) for all steps, or from the last to the first.
template <class Each>
NONPROJ_INLINE void for_each_step(const std::vector<RowStep>& steps, bool backwards, const Layout& layout,
                                  const Each& each) {
    const RowStep* step = steps.data() + (backwards ? steps.size() - 1 : 0);
    for (std::size_t left = steps.size(); left > 0; --left, step += backwards ? -1 : 1) {
        if (left % 1024 == 0) Interrupt::check();
        each(*step, layout.row(step->table, step->key[0], step->key[1], step->key[2], step->key[3]));
    }
}

// Not members of a chart, so that they are compiled once for all semirings.
template <class Recurrences>
void call_steps(bool single_root, StepList& list, int words, int i) {
    Recurrences{single_root}.steps(list, words, i);
}
template <class Recurrences>
void call_rule(bool single_root, Visitor& visitor, Row out, bool own) {
    Recurrences{single_root}.rule(visitor, out, own);
}

// A term of an item: the product of so many others.
template <Semiring S>
struct Term {
    typename S::Value value;
    int parts = 0;
    Item part[2];
};

// The chart of any class.
template <Semiring S>
class AnyChart {
  public:
    using Value = typename S::Value;

    int words() const { return layout_.words(); }
    // The sum over all trees.
    Value total() const { return cells_[goal().row.at]; }

    // One derivation, from the goal down: `choose(terms)` picks one of the terms of an item.
    template <class Choose>
    void derive(Choose&& choose, std::int32_t* heads) const {
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
                const Term<S>& term = terms[choose(terms)];
                open.insert(open.end() - is_linked, term.part, term.part + term.parts);
            }
        }
    }

    // Calls arc(head, dependent, weight of all trees that hold the arc).
    template <class Arc>
    void for_each_arc(const Arc& arc) const {
        const std::vector<Value> weights = arc_weights();
        for (int head = 0; head <= words(); ++head)
            for (int dependent = 1; dependent <= words(); ++dependent)
                if (head != dependent)
                    arc(head, dependent, weights[static_cast<std::size_t>(head) * (words() + 1) + dependent]);
    }

  protected:
    AnyChart(const RuleCalls& calls, int words, bool single_root);

    void set_arc(int head, int dependent, const Value& weight) {
        cells_[place(arcs_into, dependent, head)] = cells_[place(arcs_from, head, dependent)] = weight;
    }
    void fill();

  private:
    std::ptrdiff_t place(int table, int key, int lane) const {
        return layout_.row(Packing::word, table, key, 0, 0, 0).at + lane;
    }
    Item goal() const { return item(layout_.row(first_own_table, 0, 0, 0, 0), 0); }
    // The terms of an item. Whether there is an arc besides, which is added to `open`.
    bool list(const Item& of, std::vector<Term<S>>& terms, std::vector<Item>& open) const;
    std::vector<Value> arc_weights() const;

    const RuleCalls& calls_;
    bool single_root_;
    Layout layout_;
    ChartCells<Value> cells_;
};

// The chart of one class. Recurrences has `packings` of its tables, the first of which (`first_own_table`) is that of the
// goal; steps(list, words, i) and rule(visitor, row, own).
template <Semiring S, class Recurrences>
class Chart : public AnyChart<S> {
  public:
    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    Chart(int words, bool single_root, const Weight& weight) : AnyChart<S>(calls, words, single_root) {
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent) this->set_arc(head, dependent, weight(head, dependent));
        this->fill();
    }

    static double bytes(int words) { return Layout::cells(words, packings) * sizeof(typename S::Value); }

  private:
    NONPROJ_WIDE static void fill_best(bool single_root, const Layout& layout, double* cells,
                                       const std::vector<RowStep>& steps) {
        const Recurrences recurrences{single_root};
        Filling<Best<double>, RowMath<Best<double>, 32>, InlinedVisitor<Recurrences>> filling(layout, cells);
        for_each_step(steps, false, layout, [&](const RowStep& step, Row out) NONPROJ_INLINE_LAMBDA {
            filling.begin(out, step);
            recurrences.rule(filling, out, step.own);
            filling.finish();
        });
    }
    static constexpr auto best_filler() {
        if constexpr (std::is_same_v<S, Best<double>>)
            return &fill_best;
        else
            return nullptr;
    }
    static constexpr Packings packings = Packings(Recurrences::packings).first(Recurrences::tables);
    static constexpr RuleCalls calls{packings, &call_steps<Recurrences>, &call_rule<Recurrences>, best_filler()};
};

}  // namespace nonproj::nested
