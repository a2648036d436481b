// Two registers for 2-crossing-interval trees (the idea is Pitler & McDonald's, 2015): derives exactly the trees of 2-C,
// in at most 4n + 2 transitions (the oracle: 3.5n + 1.5).
// Configuration (stack s, registers R1 R2, buffer b, arcs), and for the open interval, if R1 is filled: lo, the leftmost
// word that an arc of a register has touched; the floor F, below which the stack takes no arcs of its own; bar, the last
// word of the last closed interval. The dummy is the first word of the buffer. x is the top of s, w the front of b.
// Start ([], -, -, [0..n]), end ([0], -, -, []).
//
//   SHIFT     push w
//   STORE     the first free register := w, F := w; if it is R1, lo := w        R2 is free, w > bar
//   LA, RA    arc w -> x, pop x; arc x -> w                                      no interval is open, or x >= F
//   RWi, WRi  arc Ri -> w, w -> Ri; F := w
//   RXi, XRi  arc Ri -> x, pop x; x -> Ri; lo := min(lo, x)                      bar < x < Ri
//   REDUCE    pop x                                                              x has a head
//   CLOSE     if R1 = lo push R1; empty the registers; bar := w                  clear; R1 = lo or has a head; R2 free or
//                                                                                has a head
//   CLOSE-R   R2 is the front again, then as CLOSE                               clear; R1 = lo or has a head; R2 = F = w-1
//   ROOT      arc 0 -> x, pop x                                                  b is empty, no interval is open
//
// clear: s is empty, or x < lo, or x = lo is not R1. Every arc h -> m needs: m is not the dummy and has no head, no
// cycle, and the far test: if m is in no register it has no child beyond h, and if h is in no register its head does not
// lie between h and m. An arc of the stack covers no word that can get an arc later; so crossings are between arcs of the
// registers of one interval. Inside an open interval a legal sequence can get stuck: a headless word of the stack below
// the floor that dominates both registers.
// Single root: the dummy gets no second child; once it has one and words remain, the word just above it on the stack
// stays as a place to attach to (unless an interval is open and x > lo), and CLOSE with lo = 0 needs a front with a head.
#pragma once
#include "nonproj/transition/components.hpp"
#include "nonproj/transition/crossing_intervals.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj {

struct TwoRegister {
    bool single_root = false;

    enum : int { SHIFT, STORE, LA, RA, RW1, RW2, WR1, WR2, RX1, RX2, XR1, XR2, REDUCE, CLOSE, CLOSE_R, ROOT, COUNT };
    static constexpr int none = -1;

    struct Configuration {
        int words = 0, front = 0;
        std::array<int, 2> reg{none, none};
        int lo = none, floor = none, bar = none;
        int roots = 0;
        std::vector<int> stack, head;
        std::vector<int> leftmost, rightmost;  // child, or the word itself
        Components components;

        bool buffer_is_empty() const { return front > words; }
        bool is_open() const { return reg[0] != none; }
        bool is_register(int v) const { return v == reg[0] || v == reg[1]; }
        int x() const { return stack.empty() ? none : stack.back(); }
        bool has_head(int v) const { return head[v] != no_head; }
    };

    int transitions(int) const { return COUNT; }
    std::string name(int t) const {
        static constexpr const char* names[] = {"SHIFT", "STORE", "LA",  "RA",  "RW1",    "RW2",   "WR1",     "WR2",
                                                "RX1",   "RX2",   "XR1", "XR2", "REDUCE", "CLOSE", "CLOSE-R", "ROOT"};
        return names[t];
    }

    void start(Configuration& c, int words) const {
        c.words = words;
        c.front = c.roots = 0;
        c.reg = {none, none};
        c.lo = c.floor = c.bar = none;
        c.stack.clear();
        c.head.assign(words + 1, no_head);
        c.leftmost.resize(words + 1);
        for (int w = 0; w <= words; ++w) c.leftmost[w] = w;
        c.rightmost = c.leftmost;
        c.components.start(words);
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && !c.is_open() && c.stack.size() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == REDUCE) return objection_to_reduce(c);
        if (t == CLOSE || t == CLOSE_R) return objection_to_close(c, t == CLOSE_R);
        if (t >= RX1 && t <= XR2) {
            if (c.reg[of(t)] == none) return "the register is empty";
            if (c.x() == none) return "the stack is empty";
            if (!(c.bar < c.x() && c.x() < c.reg[of(t)])) return "the top of the stack is not within the open interval";
            return objection_to_arc(c, arc(c, t));
        }
        if (t == ROOT) {
            if (!c.buffer_is_empty() || c.is_open())
                return "roots are settled when the buffer and the registers are empty";
            if (c.x() <= 0) return "the stack holds nothing but the root";
            return objection_to_arc(c, arc(c, t));
        }
        if (c.buffer_is_empty()) return "the buffer is empty";
        if (t == SHIFT) return nullptr;
        if (t == STORE) {
            if (c.reg[1] != none) return "both registers are filled";
            return c.front <= c.bar ? "the word belongs to the last interval" : nullptr;
        }
        if (t == LA || t == RA) {
            if (c.x() == none) return "the stack is empty";
            if (c.is_open() && c.x() < c.floor) return "the top of the stack is below the floor of the open interval";
        } else if (c.reg[of(t)] == none) {
            return "the register is empty";
        }
        return objection_to_arc(c, arc(c, t));
    }
    Arc arc(const Configuration& c, int t) const {
        const int w = c.front, x = c.x();
        switch (t) {
            case LA:
                return {w, x};
            case RA:
                return {x, w};
            case RW1:
            case RW2:
                return {c.reg[of(t)], w};
            case WR1:
            case WR2:
                return {w, c.reg[of(t)]};
            case RX1:
            case RX2:
                return {c.reg[of(t)], x};
            case XR1:
            case XR2:
                return {x, c.reg[of(t)]};
            case ROOT:
                return {0, x};
            default:
                return no_arc;
        }
    }
    void apply(Configuration& c, int t) const {
        if (const Arc made = arc(c, t); made != no_arc) link(c, made);
        switch (t) {
            case SHIFT:
                c.stack.push_back(c.front++);
                break;
            case STORE:
                if (c.reg[0] == none) c.lo = c.front;
                c.reg[c.reg[0] != none] = c.floor = c.front++;
                break;
            case RW1:
            case RW2:
            case WR1:
            case WR2:
                c.floor = c.front;
                break;
            case RX1:
            case RX2:
            case XR1:
            case XR2:
                c.lo = std::min(c.lo, c.x());
                if (t == RX1 || t == RX2) c.stack.pop_back();
                break;
            case LA:
            case REDUCE:
            case ROOT:
                c.stack.pop_back();
                break;
            case CLOSE:
            case CLOSE_R:
                c.front -= t == CLOSE_R;
                if (c.reg[0] == c.lo) c.stack.push_back(c.reg[0]);
                c.reg = {none, none};
                c.lo = c.floor = none;
                c.bar = c.front;
                break;
            default:
                break;
        }
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        const auto intervals = CrossingIntervals().find(tree);
        if (!intervals) return false;
        Gold gold{tree, *intervals, std::vector<int>(tree.words() + 1)};
        for (int w = 1; w <= tree.words(); ++w) ++gold.to_do[w], ++gold.to_do[tree.head(w)];
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        while (!is_final(c)) {
            const int t = next(c, gold);
            if (objection(c, t) != nullptr) return false;
            if (const Arc made = arc(c, t); made != no_arc) --gold.to_do[made.head], --gold.to_do[made.dependent];
            apply(c, t);
            gold.interval += t == CLOSE || t == CLOSE_R;
            sequence.push_back(t);
        }
        return true;
    }

    // Every word leaves the buffer once more than CLOSE-R puts it back; the dummy is one of them.
    int words_of(const std::vector<int>& sequence) const {
        using transition_detail::count;
        return count(sequence, SHIFT) + count(sequence, STORE) - count(sequence, CLOSE_R) - 1;
    }
    Focus focus(const Configuration& c) const {
        Focus focus;
        focus.see_stack(c.stack);
        focus.beside = c.reg;
        focus.see_buffer(c.front, c.words);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        const auto filled = [](int r) { return r == none ? std::vector<int>{} : std::vector<int>{r}; };
        return {{"stack", TraceColumn::Kind::words, c.stack},
                {"R1", TraceColumn::Kind::word, filled(c.reg[0])},
                {"R2", TraceColumn::Kind::word, filled(c.reg[1])},
                {"lo", TraceColumn::Kind::word, filled(c.lo)},
                {"F", TraceColumn::Kind::word, filled(c.floor)},
                {"bar", TraceColumn::Kind::word, filled(c.bar)},
                {"buffer", TraceColumn::Kind::words, transition_detail::range(c.front, c.words)}};
    }

  private:
    struct Gold {
        const Tree& tree;
        const std::vector<CrossingInterval>& intervals;
        std::vector<int> to_do;    // arcs at each word that are not made yet
        std::size_t interval = 0;  // the next one, or the open one
    };

    // Which register, for RW1 .. XR2.
    static int of(int t) { return (t - RW1) % 2; }

    const char* objection_to_arc(const Configuration& c, const Arc& a) const {
        const auto [h, m] = a;
        if (m == 0) return "the root takes no head";
        if (c.has_head(m)) return "the word has a head already";
        if (c.components.joined(h, m)) return "the arc would close a cycle";
        const bool reaches_over = h > m ? c.rightmost[m] > h : c.leftmost[m] < h;
        if (!c.is_register(m) && reaches_over) return "the dependent would have a child beyond its head";
        const int g = c.head[h];
        if (!c.is_register(h) && g != no_head && a.left() < g && g < a.right())
            return "the head would have a child beyond its own head";
        return single_root && h == 0 && c.roots > 0 ? "there is a root already" : nullptr;
    }
    const char* objection_to_reduce(const Configuration& c) const {
        if (c.stack.empty()) return "the stack is empty";
        if (!c.has_head(c.x())) return "the top of the stack has no head yet";
        return keeps_a_place(c) ? "the last place to attach to must stay" : nullptr;
    }
    // Single root: x is the last word, next to the dummy, that later words can be attached to.
    bool keeps_a_place(const Configuration& c) const {
        const bool is_above_root = c.stack.size() == 2 && c.stack[0] == 0;
        return single_root && c.roots > 0 && !c.buffer_is_empty() && is_above_root && !(c.is_open() && c.x() > c.lo);
    }
    const char* objection_to_close(const Configuration& c, bool at_register) const {
        if (!c.is_open()) return "no interval is open";
        if (!(c.x() < c.lo || (c.x() == c.lo && c.x() != c.reg[0])))
            return "the stack still holds words of the interval";
        if (c.reg[0] != c.lo && !c.has_head(c.reg[0])) return "the first register has no head yet";
        const int r2 = c.reg[1];
        if (at_register && !(r2 != none && r2 == c.floor && r2 == c.front - 1))
            return "the second register is not the last word linked";
        if (!at_register && r2 != none && !c.has_head(r2)) return "the second register has no head yet";
        const int last = at_register ? r2 : c.buffer_is_empty() ? none : c.front;
        if (single_root && c.lo == 0 && last != none && !c.has_head(last))
            return "the end of the interval has no head yet";
        return nullptr;
    }
    void link(Configuration& c, const Arc& a) const {
        c.head[a.dependent] = a.head;
        c.roots += a.head == 0;
        c.leftmost[a.head] = std::min(c.leftmost[a.head], a.dependent);
        c.rightmost[a.head] = std::max(c.rightmost[a.head], a.dependent);
        c.components.join(a.head, a.dependent);
    }

    // The first of nine rules that applies.
    int next(const Configuration& c, const Gold& gold) const {
        const auto unbuilt = [&](int h, int m) { return m > 0 && gold.tree.head(m) == h && !c.has_head(m); };
        const bool open = c.is_open(), has_front = !c.buffer_is_empty();
        const int x = c.x(), w = c.front;
        const bool has_interval = gold.interval < gold.intervals.size();
        const CrossingInterval interval =
            has_interval ? gold.intervals[gold.interval] : CrossingInterval{none, none, none, none};
        const bool stored_next = has_front && has_interval && (w == interval.r1 || w == interval.r2);
        if (open && x != none && x >= interval.lo)
            for (int i : {0, 1})
                if (c.reg[i] != none && x < c.reg[i]) {
                    if (unbuilt(x, c.reg[i])) return XR1 + i;
                    if (unbuilt(c.reg[i], x)) return RX1 + i;
                }
        if (x > 0 && gold.to_do[x] == 0 && !keeps_a_place(c)) return REDUCE;
        if (open && c.reg[1] == interval.hi) return CLOSE_R;
        if (has_front && x != none && (!open || (!stored_next && x >= c.floor))) {
            if (unbuilt(w, x)) return LA;
            if (unbuilt(x, w)) return RA;
        }
        if (open && has_front)
            for (int i : {0, 1})
                if (c.reg[i] != none) {
                    if (unbuilt(c.reg[i], w)) return RW1 + i;
                    if (unbuilt(w, c.reg[i])) return WR1 + i;
                }
        if (open && w == interval.hi && !stored_next) return CLOSE;
        return stored_next ? STORE : SHIFT;
    }
};

static_assert(TransitionSystem<TwoRegister>);

}  // namespace nonproj
