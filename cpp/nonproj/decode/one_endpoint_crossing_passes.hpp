// How the rules are carried out: one pass over the packs of a cell for each place that a third point can have.
// This file is read several times, each time for another set of machine instructions (see `_fill.hpp`), which
// NONPROJ_TARGET names and NONPROJ_KERNEL asks of each function.
namespace nonproj::one_endpoint_crossing::NONPROJ_TARGET {

template <Semiring S>
struct Packs {
    using Value = typename S::Value;
    using Pack = Value;
    static Pack load(const Value* from) { return *from; }
    static void store(Value* to, Pack a) { *to = a; }
    static Pack all(Value a) { return a; }
    static Pack plus(Pack a, Pack b) { return S::plus(a, b); }
    static Pack times(Pack a, Pack b) { return S::times(a, b); }
    static Value total(Pack a) { return a; }
    static Value first(Pack a) { return a; }
};

#if defined(__GNUC__)
template <class Scalar>
struct VectorPacks {
    using Value = Scalar;
    using Pack = typename VectorLanes<Scalar>::Pack;
    NONPROJ_KERNEL static Pack load(const Value* from) { return *reinterpret_cast<const Pack*>(from); }
    NONPROJ_KERNEL static void store(Value* to, Pack a) { *reinterpret_cast<Pack*>(to) = a; }
    NONPROJ_KERNEL static Pack all(Value a) { return a - Pack{}; }
    NONPROJ_KERNEL static Value first(Pack a) { return a[0]; }
};

template <class R>
struct Packs<Best<R>> : VectorPacks<R> {
    using typename VectorPacks<R>::Pack;
    NONPROJ_KERNEL static Pack plus(Pack a, Pack b) { return a > b ? a : b; }
    NONPROJ_KERNEL static Pack times(Pack a, Pack b) { return a + b; }
    NONPROJ_KERNEL static R total(Pack a) {
        R best = a[0];
        for (int lane = 1; lane < VectorLanes<R>::count; ++lane) best = best < a[lane] ? a[lane] : best;
        return best;
    }
};

template <>
struct Packs<Linear> : VectorPacks<double> {
    NONPROJ_KERNEL static Pack plus(Pack a, Pack b) { return a + b; }
    NONPROJ_KERNEL static Pack times(Pack a, Pack b) { return a * b; }
    NONPROJ_KERNEL static double total(Pack a) { return (a[0] + a[1]) + (a[2] + a[3]); }
};
#endif

// The points of a rule while it is applied; x is the first of a pack.
struct Points {
    int i, j, x, k;
    constexpr int operator[](Letter letter) const {
        return letter == i_ ? i : letter == j_ ? j : letter == x_ ? x : k;
    }
};

template <class Chart, Place place, bool top>
class Pass {
  public:
    NONPROJ_ENTRY static void compute(const Chart& chart, int i, int j) {
        if constexpr (place == Place::span) compute_spans(chart, i, j, std::make_index_sequence<G.rules>{});
        else compute_packs(chart, i, j);
    }

  private:
    static constexpr const Grammar& G = Chart::grammar;
    using S = typename Chart::Semiring;
    using P = Packs<S>;
    using Value = typename P::Value;
    using Pack = typename P::Pack;
    static constexpr int lanes = Chart::lanes;

    // Where the packs of a table stand among those computed in this pass.
    static constexpr int computed_before(int table) {
        int before = 0;
        for (int t = 0; t < table; ++t)
            if (computes(G.table[t])) before += G.table[t].states;
        return before;
    }
    static constexpr bool computes(const Table& table) { return table.place == place && table.top == top; }
    static constexpr bool computes(const Rule& rule) { return G.place(rule.out) == place && rule.top == top; }

    // How an operand is read: not at all, as a pack of x, as one value for all x, from the packs just computed, or as
    // one value for each x, when x is an end of the operand's cell.
    enum class Reading { none, pack, one, computed, each };
    static constexpr Reading reading(const Operand& part) {
        if (!part.exists()) return Reading::none;
        if (part.points == 2 && part.at[1] == x_ && part.item == arc_item) return Reading::pack;
        if (part.at[0] == x_ || part.at[1] == x_) return Reading::each;
        if (part.points == 2 || part.at[2] != x_) return Reading::one;
        const bool same_cell = part.at[0] == i_ && part.at[1] == j_;
        return same_cell && computes(G.table[part.table]) ? Reading::computed : Reading::pack;
    }
    static constexpr Order order(const Operand& part) { return part.at[0] == i_ ? Order::by_i : Order::by_j; }

    // The address of an operand's first state, for one x, and the distance to its next state.
    template <Operand part>
    NONPROJ_KERNEL static const Value* one(const Chart& chart, const Points& p) {
        if constexpr (part.points == 2 && order(part) == Order::by_i)
            return chart.span(part.table, p[part.at[0]], p[part.at[1]]);
        else if constexpr (part.points == 2)
            return chart.span_by_end(part.table, p[part.at[0]], p[part.at[1]]);
        else {
            const unsigned third = p[part.at[2]];
            return chart.template block<part.table, order(part)>(p[part.at[0]], p[part.at[1]], third / lanes) +
                   third % lanes;
        }
    }
    static constexpr int step(const Operand& part) { return part.points == 3 ? lanes : 1; }

    template <Operand part, Reading>
    struct View {
        const Value* from;
        NONPROJ_KERNEL Pack get(int slot) const { return P::load(from + slot * lanes); }
    };
    template <Operand part>
    struct View<part, Reading::one> {
        const Value* from;
        NONPROJ_KERNEL Pack get(int slot) const { return P::all(from[slot * step(part)]); }
    };
    template <Operand part>
    struct View<part, Reading::computed> {
        const Pack* from;
        NONPROJ_KERNEL Pack get(int slot) const { return from[slot]; }
    };
    template <Operand part>
    struct View<part, Reading::each> {
        const Value* from[lanes];
        NONPROJ_KERNEL Pack get(int slot) const {
            alignas(32) Value values[lanes];
            for (int lane = 0; lane < lanes; ++lane) values[lane] = from[lane][slot * step(part)];
            return P::load(values);
        }
    };
    template <Operand part>
    struct View<part, Reading::none> {};

    template <Operand part>
    NONPROJ_KERNEL static auto view(const Chart& chart, const Points& p, [[maybe_unused]] const Pack* computed) {
        constexpr Reading how = reading(part);
        const int pack = unsigned(p.x) / lanes;
        if constexpr (how == Reading::none) return View<part, how>{};
        else if constexpr (how == Reading::computed) return View<part, how>{computed + computed_before(part.table)};
        else if constexpr (how == Reading::one) return View<part, how>{one<part>(chart, p)};
        else if constexpr (how == Reading::pack && part.points == 2)
            return View<part, how>{chart.arcs(p[part.at[0]], pack)};
        else if constexpr (how == Reading::pack)
            return View<part, how>{
                chart.template block<part.table, order(part)>(p[part.at[0]], p[part.at[1]], pack)};
        else {
            View<part, how> each;
            for (int lane = 0; lane < lanes; ++lane) {
                const int x = p.x + lane;
                each.from[lane] = p.i < x && x < p.j ? one<part>(chart, {p.i, p.j, x, p.k}) : chart.zeros();
            }
            return each;
        }
    }

    template <int R, class Left, class Right, std::size_t... n>
    NONPROJ_KERNEL static void combine(Pack* out, const Left& left, const Right& right, std::index_sequence<n...>) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (!rule.right.exists()) (add<R, n>(out, left.get(rule.join[n].left)), ...);
        else (add<R, n>(out, P::times(left.get(rule.join[n].left), right.get(rule.join[n].right))), ...);
    }
    template <int R, int n>
    NONPROJ_KERNEL static void add(Pack* out, Pack term) {
        constexpr const Join& join = G.rule[R].join[n];
        constexpr bool assign = join.first && !G.rule[R].has(k_) && place != Place::span;
        out[join.out] = assign ? term : P::plus(out[join.out], term);
    }
    template <int R>
    NONPROJ_KERNEL static void clear(Pack* out) {
        for (int n = 0; n < G.rule[R].joins; ++n)
            if (G.rule[R].join[n].first) out[G.rule[R].join[n].out] = P::all(S::zero());
    }
    template <int R>
    NONPROJ_KERNEL static void combine(const Chart& chart, const Points& p, const Pack* computed, Pack* out) {
        constexpr const Rule& rule = G.rule[R];
        combine<R>(out, view<rule.left>(chart, p, computed), view<rule.right>(chart, p, computed),
                   std::make_index_sequence<G.rule[R].joins>{});
    }

    NONPROJ_KERNEL static void compute_packs(const Chart& chart, int i, int j) {
        const int end = chart.at().end(place, i, j);
        for (int pack = chart.at().first(place, i, j); pack < end; ++pack) {
            Pack computed[computed_before(G.table.size())];
            compute_pack(chart, i, j, pack, computed, std::make_index_sequence<G.rules>{});
            store(chart, i, j, pack, computed, std::make_index_sequence<G.table.size()>{});
        }
    }
    template <std::size_t... R>
    NONPROJ_KERNEL static void compute_pack(const Chart& chart, int i, int j, int pack, Pack* computed,
                                            std::index_sequence<R...>) {
        (compute_pack<R>(chart, i, j, pack, computed), ...);
    }
    template <int R>
    NONPROJ_KERNEL static void compute_pack(const Chart& chart, int i, int j, int pack, Pack* computed) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            Pack* out = computed + computed_before(rule.out.table);
            if constexpr (rule.has(k_)) clear<R>(out);
            if constexpr (rule.has(k_))
                for (int k = i + 1; k < j; ++k) combine<R>(chart, {i, j, pack * lanes, k}, computed, out);
            else combine<R>(chart, {i, j, pack * lanes, 0}, computed, out);
        }
    }
    template <std::size_t... t>
    NONPROJ_KERNEL static void store(const Chart& chart, int i, int j, int pack, const Pack* computed,
                                     std::index_sequence<t...>) {
        (store<t>(chart, i, j, pack, computed + computed_before(t)), ...);
    }
    template <int t>
    NONPROJ_KERNEL static void store(const Chart& chart, int i, int j, int pack, const Pack* computed) {
        constexpr const Table& table = G.table[t];
        if constexpr (computes(table)) {
            if constexpr (table.by_i || (table.by_cell && !table.stored()))
                store(chart.template block<t, Order::by_i>(i, j, pack), computed, table.states);
            if constexpr (table.by_j)
                store(chart.template block<t, Order::by_j>(i, j, pack), computed, table.states);
        }
    }
    NONPROJ_KERNEL static void store(Value* to, const Pack* computed, int states) {
        for (int s = 0; s < states; ++s) P::store(to + s * lanes, computed[s]);
    }

    template <std::size_t... R>
    NONPROJ_KERNEL static void compute_spans(const Chart& chart, int i, int j, std::index_sequence<R...>) {
        (compute_span<R>(chart, i, j), ...);
    }
    template <int R>
    NONPROJ_KERNEL static void compute_span(const Chart& chart, int i, int j) {
        constexpr const Rule& rule = G.rule[R];
        if constexpr (computes(rule)) {
            constexpr int states = G.table[rule.out.table].states;
            Value* out = chart.span(rule.out.table, i, j);
            for (int n = 0; n < rule.joins; ++n)
                if (rule.join[n].first) out[rule.join[n].out] = S::zero();
            Pack packs[states];
            for (Pack& pack : packs) pack = P::all(S::zero());
            if constexpr (rule.has(x_)) {
                const int end = chart.at().end(Place::inner, i, j - 1);
                for (int pack = chart.at().first(Place::inner, i, j); pack < end; ++pack)
                    for (int k = std::max(i + 2, pack * lanes + 1); k < j; ++k)
                        combine<R>(chart, {i, j, pack * lanes, k}, nullptr, packs);
                for (int s = 0; s < states; ++s) out[s] = S::plus(out[s], P::total(packs[s]));
            } else {
                for (int k = rule.has(k_) ? i + 1 : j - 1; k < j; ++k)
                    combine<R>(chart, {i, j, 0, k}, nullptr, packs);
                for (int s = 0; s < states; ++s) out[s] = S::plus(out[s], P::first(packs[s]));
            }
            for (int s = 0; s < states; ++s) chart.span_by_end(rule.out.table, i, j)[s] = out[s];
        }
    }
};

}  // namespace nonproj::one_endpoint_crossing::NONPROJ_TARGET
