// The machine that runs the charts of well-nested trees. A chart is a family of tables; each table's rule says of which
// products its rows are summed, and the family says in which order. From that one description come
//
//   filling      every row once, in order: the best tree, counts, sums
//   derivatives  every row once, in reverse order: marginals
//   descent      from the goal down, one term chosen for each item: the best tree, samples
//
// A *row* holds the items of a table that differ in their last index only, the lane. A rule is code that names, for a
// row, the terms of its items to a visitor:
//
//   add(lo, hi, a, b)   for the lanes lo <= l < hi:  row[l] (+)= a[l] (x) b[l]      a row, or one item of it (`a[k]`),
//                                                                                  which goes with every lane
//   add(lo, hi, a)                                   row[l] (+)= a[l]
//   one(lo, hi)                                      row[l] (+)= 1
//   lanes(each)                                      calls each(l) for the lanes of this row that are computed now
//   add(l, a[k])                                     row[l] (+)= a[k]
//   inner(l, a, b, lo, hi)                           row[l] (+)= (+)_k a[k] (x) b[k],  lo <= k < hi
//   link(s)                                          at last every lane is multiplied with the arc s; called first
//   mask(lo, hi)                                     there row[l] is zero, whatever is added; called first
//
// Some rows are computed in two steps: a second one adds an `own` term, a row that was not known before.
//
// Each tree has exactly one derivation, so the same rules serve every semiring.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::nested {

// How the rows of a table are packed, by their keys.
enum class Shape : std::uint8_t {
    word,     // (x | .)          0 <= x <= n + 1
    span,     // (i, j | h)       1 <= i <= j + 1
    ends,     // (i, h | j)
    triple,   // (x, y, z | h)    1 <= x <= y <= z
    corners,  // (i, p, q | j)    i <= p, p + 2 <= q <= j
    ring,     // (a, b, l, r | h) a < l <= r < b, those of a..b together
    gap,      // the same, those of l..r together
    stack     // (w, x, y, z | l) l < w <= x <= y <= z
};

struct Row {
    std::ptrdiff_t at;  // the value of lane l is cells[at + l]
    std::int16_t table, key[4];
};
struct Item {
    Row row;
    int lane;
};

// One row, or some lanes of it, that is to be computed.
struct Step {
    std::int16_t table, key[4], lo, hi;
    bool own;
};

// The tables that every family begins with.
enum : std::int16_t { arcs_into, arcs_from, first_own_table };  // (dependent | head), (head | dependent)

template <class Family>
class Layout {
  public:
    explicit Layout(int words) : words_(words), width_(words + 1) {
        const int n = words, side = n + 2;
        span_.resize(side);
        triple_.resize(static_cast<std::size_t>(side) * side);
        corners_.resize(triple_.size());
        ring_.resize(triple_.size());
        gap_.resize(triple_.size());
        stack_.resize(triple_.size());
        std::ptrdiff_t spans = 0, triples = 0, corners = 0, rings = 0, gaps = 0, stacks = 0;
        for (int i = 1; i <= n + 1; ++i) {
            span_[i] = spans - (i - 1);
            spans += n - i + 2;
            for (int j = i; j <= n; ++j) {
                triple_[i * side + j] = triples - j;
                triples += n - j + 1;
                corners_[i * side + j] = corners;
                corners += j + 2 <= n ? behind(j + 1) : 0;
                ring_[i * side + j] = rings;
                const std::ptrdiff_t inner = j - i - 1;
                rings += inner > 0 ? inner * (inner + 1) / 2 : 0;
                gap_[i * side + j] = gaps;
                gaps += static_cast<std::ptrdiff_t>(i - 1) * (n - j);
                stack_[i * side + j] = stacks;
                stacks += i * pairs(n - j + 1);
            }
        }
        const std::ptrdiff_t sizes[] = {width_ * side, width_ * spans, width_ * width_ * side, width_ * triples,
                                        corners,       width_ * rings, width_ * gaps,          stacks};
        start_.push_back(0);
        for (int t = 0; t < Family::tables; ++t)
            start_.push_back(start_.back() + sizes[static_cast<int>(Family::shapes[t])]);
        assert(static_cast<double>(size()) == cells(words));
    }

    // As many values as `size`, without the tables.
    static double cells(int words) {
        const double n = words, width = n + 1, ordered = (n + 1) * n * (n - 1) * (n - 2) / 24;
        const double sizes[] = {width * (n + 2),
                                width * (n + 1) * (n + 2) / 2,
                                width * width * (n + 2),
                                width * (n + 2) * (n + 1) * n / 6,
                                ordered,
                                width * ordered,
                                width * ordered,
                                (n + 4) * (n + 3) * (n + 2) * (n + 1) * n / 120};
        double total = row_padding;
        for (int t = 0; t < Family::tables; ++t) total += sizes[static_cast<int>(Family::shapes[t])];
        return total;
    }

    int words() const { return words_; }
    std::size_t size() const { return static_cast<std::size_t>(start_.back()) + row_padding; }

    NONPROJ_INLINE Row row(int table, int a, int b, int c, int d) const {
        return row_shaped(Family::shapes[table], table, a, b, c, d);
    }
    NONPROJ_INLINE Row row_shaped(Shape shape, int table, int a, int b, int c, int d) const {
        return {start_[table] + offset(shape, a, b, c, d),
                static_cast<std::int16_t>(table),
                {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b), static_cast<std::int16_t>(c),
                 static_cast<std::int16_t>(d)}};
    }

  private:
    // x <= y among so many.
    static std::ptrdiff_t pairs(std::ptrdiff_t count) { return count * (count + 1) / 2; }
    // The values of the corner rows q + 1, ..., n.
    std::ptrdiff_t behind(int q) const { return static_cast<std::ptrdiff_t>(words_ - q) * (words_ - q + 1) / 2; }

    NONPROJ_INLINE std::ptrdiff_t offset(Shape shape, int a, int b, int c, int d) const {
        const int side = words_ + 2;
        switch (shape) {
            case Shape::word:
                return width_ * a;
            case Shape::span:
                return width_ * (span_[a] + b);
            case Shape::ends:
                return width_ * (width_ * a + b);
            case Shape::triple:
                return width_ * (triple_[a * side + b] + c);
            case Shape::corners:
                return corners_[a * side + b] + behind(c) - c;
            case Shape::gap:
                return width_ * (gap_[c * side + d] + static_cast<std::ptrdiff_t>(a - 1) * (words_ - d) + (b - d - 1));
            case Shape::stack:
                return stack_[a * side + b] + a * (pairs(words_ - b + 1) - pairs(words_ - c + 1) + (d - c));
            default: {
                const std::ptrdiff_t l = c - a - 1;
                return width_ * (ring_[a * side + b] + l * (b - a - 1) - l * (l - 1) / 2 + (d - c));
            }
        }
    }

    int words_;
    std::ptrdiff_t width_;
    std::vector<std::ptrdiff_t> start_, span_, triple_, corners_, ring_, gap_, stack_;
};

// The part of a visitor that rules read: where rows are, and how long they are.
template <class Family>
class Rows {
  public:
    explicit Rows(const Layout<Family>& layout) : words(layout.words()), end(layout.words() + 1), layout_(layout) {}

    const int words, end;  // lanes run up to `end`, exclusive

    NONPROJ_INLINE Row row(int table, int a, int b = 0, int c = 0, int d = 0) const {
        return layout_.row(table, a, b, c, d);
    }
    // The same, faster where `table` is not a constant.
    template <Shape shape>
    NONPROJ_INLINE Row row_shaped(int table, int a, int b = 0, int c = 0, int d = 0) const {
        return layout_.row_shaped(shape, table, a, b, c, d);
    }

  private:
    const Layout<Family>& layout_;
};
NONPROJ_INLINE Item item(const Row& row, int lane) { return {row, lane}; }

template <Semiring S, class Family, int Bytes>
class Filling : public Rows<Family> {
  public:
    using Value = typename S::Value;
    // The best tree is asked for most, on machines with wide vectors.
    static constexpr bool is_inlined = std::is_same_v<S, Best<double>> && Bytes == 32;
    using Math = std::conditional_t<is_inlined, RowMath<S, Bytes>, RowCalls<S, Bytes>>;

    Filling(const Layout<Family>& layout, Value* cells) : Rows<Family>(layout), cells_(cells) {}

    NONPROJ_INLINE void begin(const Row& out, const Step& step) {
        to_ = cells_ + out.at;
        lo_ = step.lo, hi_ = step.hi;
        if (!step.own) std::fill(to_ + lo_, to_ + hi_, S::zero());
        masks_ = 0;
        link_ = nullptr;
        links_ = false;
    }
    NONPROJ_INLINE void finish() {
        if (link_ != nullptr)
            Math::multiply(to_, link_, lo_, hi_);
        else if (links_)
            for (int l = lo_; l < hi_; ++l) to_[l] = S::times(to_[l], factor_);
        for (int m = 0; m < masks_; ++m) std::fill(to_ + masked_[m][0], to_ + masked_[m][1], S::zero());
    }
    NONPROJ_INLINE void mask(int lo, int hi) {
        if (lo >= hi) return;
        masked_[masks_][0] = lo;
        masked_[masks_++][1] = hi;
    }

    NONPROJ_INLINE void add(int lo, int hi, const Row& a, const Row& b) {
        Math::add_product(to_, cells_ + a.at, cells_ + b.at, std::max(lo, lo_), std::min(hi, hi_));
    }
    NONPROJ_INLINE void add(int lo, int hi, const Item& a, const Row& b) {
        const Value factor = cells_[a.row.at + a.lane];
        if (is_zero<S>(factor)) return;
        Math::add_scaled(to_, factor, cells_ + b.at, std::max(lo, lo_), std::min(hi, hi_));
    }
    NONPROJ_INLINE void add(int lo, int hi, const Row& a) {
        const Value* from = cells_ + a.at;
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to_[l] = S::plus(to_[l], from[l]);
    }
    NONPROJ_INLINE void add(int lane, const Item& a) {
        if (lo_ <= lane && lane < hi_) to_[lane] = S::plus(to_[lane], cells_[a.row.at + a.lane]);
    }
    // Calls each(lane) for the lanes that are asked for.
    template <class Each>
    NONPROJ_INLINE void lanes(const Each& each) {
        for (int l = lo_; l < hi_; ++l) each(l);
    }
    NONPROJ_INLINE void one(int lo, int hi) {
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to_[l] = S::plus(to_[l], S::one());
    }
    NONPROJ_INLINE void inner(int lane, const Row& a, const Row& b, int lo, int hi) {
        if (lane < lo_ || lane >= hi_) return;
        to_[lane] = S::plus(to_[lane], Math::inner_product(cells_ + a.at, cells_ + b.at, lo, hi));
    }
    NONPROJ_INLINE void link(const Row& arcs) { link_ = cells_ + arcs.at; }
    NONPROJ_INLINE void link(const Item& arc) {
        factor_ = cells_[arc.row.at + arc.lane];
        links_ = true;
        if (is_zero<S>(factor_)) hi_ = lo_;  // nothing is worth adding
    }

  private:
    Value* cells_;
    Value* to_ = nullptr;
    int lo_ = 0, hi_ = 0;
    const Value* link_ = nullptr;
    bool links_ = false;
    Value factor_ = S::zero();
    int masks_ = 0, masked_[2][2] = {};
};

// How much the goal grows with each value. `linked` gathers, for the arcs given to link(), the arc times that.
template <Semiring S, class Family, int Bytes>
class Deriving : public Rows<Family> {
  public:
    using Value = typename S::Value;
    using Math = RowCalls<S, Bytes>;

    Deriving(const Layout<Family>& layout, const Value* cells, Value* derivatives, Value* linked)
        : Rows<Family>(layout), cells_(cells), derivatives_(derivatives), linked_(linked) {}

    NONPROJ_INLINE void begin(const Row& out, const Step& step) {
        value_ = cells_ + out.at;
        by_ = derivatives_ + out.at;
        lo_ = step.lo, hi_ = step.hi;
    }
    NONPROJ_INLINE void finish() {}
    NONPROJ_INLINE void mask(int lo, int hi) {
        for (int l = lo; l < hi; ++l) by_[l] = S::zero();
    }

    NONPROJ_INLINE void add(int lo, int hi, const Row& a, const Row& b) {
        lo = std::max(lo, lo_), hi = std::min(hi, hi_);
        Math::add_product(derivatives_ + a.at, cells_ + b.at, by_, lo, hi);
        Math::add_product(derivatives_ + b.at, cells_ + a.at, by_, lo, hi);
    }
    NONPROJ_INLINE void add(int lo, int hi, const Item& a, const Row& b) {
        lo = std::max(lo, lo_), hi = std::min(hi, hi_);
        Value& by_a = derivatives_[a.row.at + a.lane];
        by_a = S::plus(by_a, Math::inner_product(cells_ + b.at, by_, lo, hi));
        Math::add_scaled(derivatives_ + b.at, cells_[a.row.at + a.lane], by_, lo, hi);
    }
    NONPROJ_INLINE void add(int lo, int hi, const Row& a) {
        Value* to = derivatives_ + a.at;
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to[l] = S::plus(to[l], by_[l]);
    }
    NONPROJ_INLINE void add(int lane, const Item& a) {
        Value& to = derivatives_[a.row.at + a.lane];
        if (lo_ <= lane && lane < hi_) to = S::plus(to, by_[lane]);
    }
    template <class Each>
    NONPROJ_INLINE void lanes(const Each& each) {
        for (int l = lo_; l < hi_; ++l) each(l);
    }
    NONPROJ_INLINE void one(int, int) {}
    NONPROJ_INLINE void inner(int lane, const Row& a, const Row& b, int lo, int hi) {
        if (lane < lo_ || lane >= hi_) return;
        Math::add_scaled(derivatives_ + a.at, by_[lane], cells_ + b.at, lo, hi);
        Math::add_scaled(derivatives_ + b.at, by_[lane], cells_ + a.at, lo, hi);
    }
    NONPROJ_INLINE void link(const Row& arcs) {
        Math::add_product(linked_ + arcs.at, value_, by_, lo_, hi_);
        Math::multiply(by_, cells_ + arcs.at, lo_, hi_);
    }
    NONPROJ_INLINE void link(const Item& arc) {
        Value& to = linked_[arc.row.at + arc.lane];
        to = S::plus(to, Math::inner_product(value_, by_, lo_, hi_));
        const Value factor = cells_[arc.row.at + arc.lane];
        for (int l = lo_; l < hi_; ++l) by_[l] = S::times(by_[l], factor);
    }

  private:
    const Value* cells_;
    Value *derivatives_, *linked_;
    const Value* value_ = nullptr;
    Value* by_ = nullptr;
    int lo_ = 0, hi_ = 0;
};

// A visitor by way of calls. Inlined into every rule, visitors take minutes to compile: only the best tree is worth it.
#define NONPROJ_CALLED __attribute__((noinline))
template <class Family, class Visitor>
class Called : public Rows<Family> {
  public:
    template <class... Arguments>
    explicit Called(const Layout<Family>& layout, Arguments... arguments)
        : Rows<Family>(layout), visitor_(layout, arguments...) {}

    NONPROJ_CALLED void begin(const Row& out, const Step& step) { visitor_.begin(out, step); }
    NONPROJ_CALLED void finish() { visitor_.finish(); }
    NONPROJ_CALLED void mask(int lo, int hi) { visitor_.mask(lo, hi); }
    NONPROJ_CALLED void add(int lo, int hi, const Row& a, const Row& b) { visitor_.add(lo, hi, a, b); }
    NONPROJ_CALLED void add(int lo, int hi, const Item& a, const Row& b) { visitor_.add(lo, hi, a, b); }
    NONPROJ_CALLED void add(int lo, int hi, const Row& a) { visitor_.add(lo, hi, a); }
    NONPROJ_CALLED void add(int lane, const Item& a) { visitor_.add(lane, a); }
    template <class Each>
    void lanes(const Each& each) {
        visitor_.lanes(each);
    }
    NONPROJ_CALLED void one(int lo, int hi) { visitor_.one(lo, hi); }
    NONPROJ_CALLED void inner(int lane, const Row& a, const Row& b, int lo, int hi) {
        visitor_.inner(lane, a, b, lo, hi);
    }
    NONPROJ_CALLED void link(const Row& arcs) { visitor_.link(arcs); }
    NONPROJ_CALLED void link(const Item& arc) { visitor_.link(arc); }
    NONPROJ_CALLED Row row(int table, int a, int b = 0, int c = 0, int d = 0) const {
        return visitor_.row(table, a, b, c, d);
    }

  private:
    Visitor visitor_;
};

// The terms of one item.
template <Semiring S, class Family>
class Listing : public Rows<Family> {
  public:
    using Value = typename S::Value;
    struct Term {
        Value value;
        int parts = 0;
        Item part[2];
    };

    Listing(const Layout<Family>& layout, const Value* cells) : Rows<Family>(layout), cells_(cells) {}

    std::vector<Term> terms;
    bool is_linked = false;
    Item arc{};

    void begin(int lane) {
        lane_ = lane;
        terms.clear();
        is_linked = false;
    }
    NONPROJ_CALLED void mask(int, int) {}  // items without a value are never listed

    NONPROJ_CALLED void add(int lo, int hi, const Row& a, const Row& b) {
        if (lo <= lane_ && lane_ < hi) push(item(a, lane_), item(b, lane_));
    }
    NONPROJ_CALLED void add(int lo, int hi, const Item& a, const Row& b) {
        if (lo <= lane_ && lane_ < hi) push(a, item(b, lane_));
    }
    NONPROJ_CALLED void add(int lo, int hi, const Row& a) {
        if (lo <= lane_ && lane_ < hi) push(item(a, lane_));
    }
    NONPROJ_CALLED void add(int lane, const Item& a) {
        if (lane == lane_) push(a);
    }
    template <class Each>
    void lanes(const Each& each) {
        each(lane_);
    }
    NONPROJ_CALLED void one(int lo, int hi) {
        if (lo <= lane_ && lane_ < hi) terms.push_back({S::one(), 0, {}});
    }
    NONPROJ_CALLED void inner(int lane, const Row& a, const Row& b, int lo, int hi) {
        for (int k = lo; k < hi && lane == lane_; ++k) push(item(a, k), item(b, k));
    }
    NONPROJ_CALLED void link(const Row& arcs) {
        is_linked = true;
        arc = item(arcs, lane_);
    }
    NONPROJ_CALLED void link(const Item& given) {
        is_linked = true;
        arc = given;
    }

  private:
    Value value(const Item& a) const { return cells_[a.row.at + a.lane]; }
    void push(const Item& a, const Item& b) {
        const Value product = S::times(value(a), value(b));
        if (!is_zero<S>(product)) terms.push_back({product, 2, {a, b}});
    }
    void push(const Item& a) {
        if (!is_zero<S>(value(a))) terms.push_back({value(a), 1, {a, {}}});
    }

    const Value* cells_;
    int lane_ = 0;
};

// Runs `loop` with vectors if the semiring has any.
template <Semiring S, class Loop>
void run_rows(const Loop& loop) {
    if constexpr (RowMath<S, 16>::has_vectors)
        vectorised(loop);
    else
        loop.template operator()<16>();
}

// Notes the steps of a family in order.
class StepList {
  public:
    void clear() { steps_.clear(); }
    void row(int table, int a, int b, int c, int d, int lo, int hi, bool own = false) {
        if (lo < hi)
            steps_.push_back({short_of(table),
                              {short_of(a), short_of(b), short_of(c), short_of(d)},
                              short_of(lo),
                              short_of(hi),
                              own});
    }
    const std::vector<Step>& steps() const { return steps_; }

  private:
    static std::int16_t short_of(int value) { return static_cast<std::int16_t>(value); }
    std::vector<Step> steps_;
};

// Family has `shapes`, `tables`, `goal(v)` by way of the table `goal_table`, steps(list, words, i) and rule(v, row, own).
template <Semiring S, class Family>
class Chart {
  public:
    using Value = typename S::Value;

    // weight(head, dependent) is the value of an arc.
    template <class Weight>
    Chart(int words, bool single_root, const Weight& weight)
        : family_{single_root}, layout_(words), cells_(layout_.size(), S::zero()) {
        for (int head = 0; head <= words; ++head)
            for (int dependent = 1; dependent <= words; ++dependent)
                if (head != dependent)
                    cell(arcs_into, dependent, head) = cell(arcs_from, head, dependent) = weight(head, dependent);
        StepList list;
        for (int i = words + 1; i >= 0; --i) {
            list.clear();
            family_.steps(list, words, i);
            run_rows<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                using Fill = Filling<S, Family, Bytes>;
                std::conditional_t<Fill::is_inlined, Fill, Called<Family, Fill>> filling(layout_, cells_.data());
                run(filling, list.steps().data(), static_cast<std::ptrdiff_t>(list.steps().size()), 1);
            });
        }
    }

    static double bytes(int words) { return Layout<Family>::cells(words) * sizeof(Value); }

    int words() const { return layout_.words(); }
    // The sum over all trees.
    Value total() const { return cells_[goal().row.at]; }

    // One derivation, from the goal down: `choose(terms)` picks one of the terms of an item.
    template <class Choose>
    void derive(Choose&& choose, std::int32_t* heads) const {
        Listing<S, Family> listing(layout_, cells_.data());
        std::vector<Item> open{goal()};
        while (!open.empty()) {
            const Item next = open.back();
            open.pop_back();
            if (next.row.table == arcs_into) {
                heads[next.row.key[0] - 1] = next.lane;
            } else if (next.row.table == arcs_from) {
                heads[next.lane - 1] = next.row.key[0];
            } else {
                listing.begin(next.lane);
                family_.rule(listing, next.row, false);
                assert(!listing.terms.empty());
                const auto& term = listing.terms[choose(listing.terms)];
                for (int part = 0; part < term.parts; ++part) open.push_back(term.part[part]);
                if (listing.is_linked) open.push_back(listing.arc);
            }
        }
    }

    // Calls arc(head, dependent, weight of all trees that hold the arc).
    template <class Arc>
    void for_each_arc(const Arc& arc) const {
        Cells<Value> derivatives(cells_.size(), S::zero()), linked(cells_of_arcs() + row_padding, S::zero());
        derivatives[goal().row.at] = S::one();
        StepList list;
        for (int i = 0; i <= words() + 1; ++i) {
            list.clear();
            family_.steps(list, words(), i);
            run_rows<S>([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                Called<Family, Deriving<S, Family, Bytes>> deriving(layout_, cells_.data(), derivatives.data(),
                                                                    linked.data());
                const auto count = static_cast<std::ptrdiff_t>(list.steps().size());
                run(deriving, list.steps().data() + (count - 1), count, -1);
            });
        }
        for (int head = 0; head <= words(); ++head)
            for (int dependent = 1; dependent <= words(); ++dependent) {
                if (head == dependent) continue;
                const std::ptrdiff_t into = place(arcs_into, dependent, head), from = place(arcs_from, head, dependent);
                const Value used = S::times(cells_[into], S::plus(derivatives[into], derivatives[from]));
                arc(head, dependent, S::plus(used, S::plus(linked[into], linked[from])));
            }
    }

  private:
    std::size_t cells_of_arcs() const { return static_cast<std::size_t>(layout_.row(first_own_table, 0, 0, 0, 0).at); }
    std::ptrdiff_t place(int table, int key, int lane) const { return layout_.row(table, key, 0, 0, 0).at + lane; }
    Value& cell(int table, int key, int lane) { return cells_[place(table, key, lane)]; }
    Item goal() const { return item(layout_.row(first_own_table, 0, 0, 0, 0), 0); }

    template <class Visitor>
    NONPROJ_INLINE void run(Visitor& visitor, const Step* step, std::ptrdiff_t count, std::ptrdiff_t direction) const {
        for (std::ptrdiff_t left = count; left > 0; --left, step += direction) {
            if (left % 1024 == 0) Interrupt::check();
            const Row out = layout_.row(step->table, step->key[0], step->key[1], step->key[2], step->key[3]);
            visitor.begin(out, *step);
            family_.rule(visitor, out, step->own);
            visitor.finish();
        }
    }

    Family family_;
    Layout<Family> layout_;
    Cells<Value> cells_;
};

}  // namespace nonproj::nested
