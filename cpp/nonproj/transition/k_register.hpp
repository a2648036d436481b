// k registers for k-crossing-interval trees: derives exactly the trees of k-C, in at most 5n + 2 transitions (the oracle:
// 3.5n + 1.5). Pitler & McDonald (2015) have two registers for 2-C (two_register.hpp, which is simpler and to be used
// there); Gomez-Rodriguez (2016) says that more are possible in theory, and impractical: there are 8k + 8 transitions to
// choose from, and many legal sequences get stuck.
// Configuration (stack s, registers R1 < R2 < ..., buffer b, arcs), and bar, the last word of the last closed interval.
// An interval is open while registers are filled. x is the top of s, w the front of b; the dummy is the first word of b.
// Start ([], -, [0..n]), end ([0], -, []).
//
// A word is *covered* by an arc that it lies strictly under. Arcs of two kinds are made. Those of RW, WR, RX, XR, RL, LR
// have an end in a register and may be crossed. The others are *clean*: they cross no arc, and never will, since every
// word that they cover is done, or is a register that from now on is *bounded* by their ends.
//
//   SHIFT     push w
//   STORE     the next register := w                              fewer than k are filled, w > bar
//   LA, RA    arc w -> x, pop x; arc x -> w                       clean
//   RCi, CRi  arc Ri -> x, pop x; arc x -> Ri                     clean, x < Ri
//   RWi, WRi  arc Ri -> w, w -> Ri                                within the bounds of Ri
//   RXi, XRi  arc Ri -> x, pop x; arc x -> Ri                     within the bounds of Ri, bar < x < Ri
//   RLi, LRi  arc from Ri to the last register, and back          within the bounds of both
//   REDUCE    pop x                                               x has a head
//   CLOSE     registers that no arc covers go to their places     no word of the stack is covered by an arc of a register;
//             on the stack, the others leave; bar := w            covered registers have heads
//   CLOSE-R   the last register is the front again, then CLOSE    it is w - 1, w has no arcs yet; and as for CLOSE
//   ROOT      arc 0 -> x, pop x                                   b is empty, no interval is open
//
// Every arc h -> m needs: m is not the dummy and has no head, no cycle, and the far test of two_register.hpp: a word that
// is in no register gets no child beyond its head.
//
// Nothing else is derived: two arcs that cross are both of the second kind, of registers of one interval, since a word
// left of bar or at it takes no such arc again; so the crossed arcs of a group, whose hulls meet, belong to one interval,
// whose at most k registers touch them all. A word with a child beyond its head has a crossed arc to that child, and was a
// register when it was made.
// All of k-C is derived: the oracle stores a smallest set of registers for each group of crossed arcs, from left to right,
// and closes the interval when the end of the hull is reached. Arcs with a register wait, the others are made when their
// right end is the front: what lies above the left end on the stack has then only arcs with registers left, and is done
// first. Arcs between registers are made when the right one is filled, since both may get children beyond their heads.
// Arcs that leave the hull are of words that no crossed arc covers, where two parts of the group touch; they are clean.
#pragma once
#include <algorithm>
#include <limits>

#include "nonproj/transition/components.hpp"
#include "nonproj/transition/crossing_intervals.hpp"
#include "nonproj/transition/system.hpp"

namespace nonproj {

struct KRegister {
    int registers = 3;
    bool single_root = false;

    enum : int { SHIFT, STORE, LA, RA, REDUCE, CLOSE, CLOSE_R, ROOT, FIRST_OF_REGISTER };
    enum : int { RW, WR, RX, XR, RC, CR, RL, LR, KINDS };  // of each register, from FIRST_OF_REGISTER on
    static constexpr int none = -1;

    struct Register {
        int word;
        int leftmost, reach;  // the ends of its arcs farthest to the left and right, or the word itself
        int cover = none;     // the left end of the shortest arc that covers it
        int low = none, high = std::numeric_limits<int>::max();  // its bounds
    };
    struct Configuration {
        int words = 0, front = 0, bar = none, roots = 0;
        std::vector<Register> registers;
        std::vector<int> stack, head;
        std::vector<int> leftmost, rightmost;  // child, or the word itself
        Components components;

        bool buffer_is_empty() const { return front > words; }
        bool is_open() const { return !registers.empty(); }
        bool is_register(int v) const {
            return std::any_of(registers.begin(), registers.end(), [v](const Register& r) { return r.word == v; });
        }
        int x() const { return stack.empty() ? none : stack.back(); }
        bool has_head(int v) const { return head[v] != no_head; }
    };

    int transitions(int) const { return FIRST_OF_REGISTER + KINDS * registers; }
    std::string name(int t) const {
        static constexpr const char* names[] = {"SHIFT", "STORE", "LA", "RA", "REDUCE", "CLOSE", "CLOSE-R", "ROOT"};
        static constexpr const char* kinds[] = {"RW", "WR", "RX", "XR", "RC", "CR", "RL", "LR"};
        return t < FIRST_OF_REGISTER ? names[t] : kinds[kind(t)] + std::to_string(which(t) + 1);
    }

    void start(Configuration& c, int words) const {
        c.words = words;
        c.front = c.roots = 0;
        c.bar = none;
        c.registers.clear();
        c.stack.clear();
        c.head.assign(words + 1, no_head);
        c.leftmost.resize(words + 1);
        for (int w = 0; w <= words; ++w) c.leftmost[w] = w;
        c.rightmost = c.leftmost;
        c.components.start(words);
    }
    bool is_final(const Configuration& c) const { return c.buffer_is_empty() && !c.is_open() && c.stack.size() == 1; }

    const char* objection(const Configuration& c, int t) const {
        if (t == REDUCE) {
            if (c.stack.empty()) return "the stack is empty";
            return c.has_head(c.x()) ? nullptr : "the top of the stack has no head yet";
        }
        if (t == CLOSE || t == CLOSE_R) return objection_to_close(c, t == CLOSE_R);
        if (t == ROOT) {
            if (!c.buffer_is_empty() || c.is_open())
                return "roots are settled when the buffer and the registers are empty";
            return c.x() <= 0 ? "the stack holds nothing but the root" : objection_to_arc(c, arc(c, t));
        }
        if (t >= FIRST_OF_REGISTER) return objection_to_register(c, t);
        if (c.buffer_is_empty()) return "the buffer is empty";
        if (t == SHIFT) return nullptr;
        if (t == STORE) {
            if (static_cast<int>(c.registers.size()) == registers) return "all registers are filled";
            return c.front <= c.bar ? "the word belongs to the last interval" : nullptr;
        }
        if (c.stack.empty()) return "the stack is empty";
        if (!is_clean(c, c.x(), c.front)) return "the arc would be crossed";
        return objection_to_arc(c, arc(c, t));
    }
    Arc arc(const Configuration& c, int t) const {
        if (t < FIRST_OF_REGISTER) {
            if (t == LA) return {c.front, c.x()};
            if (t == RA) return {c.x(), c.front};
            return t == ROOT ? Arc{0, c.x()} : no_arc;
        }
        const int r = c.registers[which(t)].word;
        const int other = is_kind(t, RW) ? c.front : is_kind(t, RL) ? c.registers.back().word : c.x();
        return kind(t) % 2 == 0 ? Arc{r, other} : Arc{other, r};
    }
    void apply(Configuration& c, int t) const {
        if (const Arc made = arc(c, t); made != no_arc) link(c, made, is_clean_kind(t));
        if (t == SHIFT) {
            c.stack.push_back(c.front++);
        } else if (t == STORE) {
            const int w = c.front++;
            const int head = c.has_head(w) ? c.head[w] : w;
            c.registers.push_back({w, std::min(c.leftmost[w], head), w});
        } else if (t == CLOSE || t == CLOSE_R) {
            close(c, t == CLOSE_R);
        } else if (t == LA || t == REDUCE || t == ROOT ||
                   (t >= FIRST_OF_REGISTER && (kind(t) == RX || kind(t) == RC))) {
            c.stack.pop_back();
        }
    }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const {
        Gold gold{tree, CrossingIntervals().hulls(tree), std::vector<int>(tree.words() + 1)};
        for (const CrossingHull& hull : gold.hulls)
            if (static_cast<int>(hull.registers.size()) > registers) return false;
        for (int w = 1; w <= tree.words(); ++w) ++gold.to_do[w], ++gold.to_do[tree.head(w)];
        Configuration c;
        start(c, tree.words());
        sequence.clear();
        while (!is_final(c)) {
            const int t = next(c, gold);
            if (objection(c, t) != nullptr) return false;
            if (const Arc made = arc(c, t); made != no_arc) --gold.to_do[made.head], --gold.to_do[made.dependent];
            apply(c, t);
            gold.hull += t == CLOSE || t == CLOSE_R;
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
        for (std::size_t i = 0; i < focus.beside.size() && i < c.registers.size(); ++i)
            focus.beside[i] = c.registers[c.registers.size() - 1 - i].word;
        focus.see_buffer(c.front, c.words);
        return focus;
    }
    std::vector<TraceColumn> columns(const Configuration& c) const {
        using Kind = TraceColumn::Kind;
        std::vector<TraceColumn> columns{{"stack", Kind::words, c.stack},
                                         {"registers", Kind::words, {}},
                                         {"bounds", Kind::words, {}},
                                         {"bar", Kind::word, {}}};
        for (const Register& r : c.registers) {
            columns[1].values.push_back(r.word);
            if (r.low != none) columns[2].values.insert(columns[2].values.end(), {r.low, r.high});
        }
        if (c.bar != none) columns[3].values.push_back(c.bar);
        columns.push_back({"buffer", Kind::words, transition_detail::range(c.front, c.words)});
        return columns;
    }

  private:
    struct Gold {
        const Tree& tree;
        std::vector<CrossingHull> hulls;
        std::vector<int> to_do;  // arcs at each word that are not made yet
        std::size_t hull = 0;    // the next one, or the open one
    };

    static int kind(int t) { return (t - FIRST_OF_REGISTER) % KINDS; }
    static int which(int t) { return (t - FIRST_OF_REGISTER) / KINDS; }
    static int numbered(int kind, std::size_t i) { return FIRST_OF_REGISTER + KINDS * static_cast<int>(i) + kind; }
    // Whether it is of this kind, or the same the other way round.
    static bool is_kind(int t, int wanted) { return kind(t) / 2 == wanted / 2; }
    static bool is_clean_kind(int t) { return t == LA || t == RA || (t >= FIRST_OF_REGISTER && is_kind(t, RC)); }

    const char* objection_to_arc(const Configuration& c, const Arc& a) const {
        const auto [h, m] = a;
        if (m == 0) return "the root takes no head";
        if (c.has_head(m)) return "the word has a head already";
        if (c.components.joined(h, m)) return "the arc would close a cycle";
        const bool reaches_over = h > m ? c.rightmost[m] > h : c.leftmost[m] < h;
        if (reaches_over && !c.is_register(m)) return "the dependent would have a child beyond its head";
        const int g = c.head[h];
        if (g != no_head && a.left() < g && g < a.right() && !c.is_register(h))
            return "the head would have a child beyond its own head";
        return single_root && h == 0 && c.roots > 0 ? "there is a root already" : nullptr;
    }
    const char* objection_to_register(const Configuration& c, int t) const {
        if (which(t) >= static_cast<int>(c.registers.size())) return "the register is empty";
        const Register& r = c.registers[which(t)];
        const char* const bounded = "the register is under an arc that would be crossed";
        if (is_kind(t, RW)) {
            if (c.buffer_is_empty()) return "the buffer is empty";
            if (c.front > r.high) return bounded;
        } else if (is_kind(t, RL)) {
            const Register& last = c.registers.back();
            if (r.word == last.word) return "the register is the last one";
            if (last.word > r.high || r.word < last.low) return bounded;
        } else {
            if (c.x() == none) return "the stack is empty";
            if (c.x() > r.word) return "the top of the stack is not left of the register";
            if (c.x() < r.low) return bounded;
            if (is_clean_kind(t)) {
                if (!is_clean(c, c.x(), r.word)) return "the arc would be crossed";
            } else if (c.x() <= c.bar) {
                return "the top of the stack is not within the open interval";
            }
        }
        return objection_to_arc(c, arc(c, t));
    }
    // Whether the arc from the top of the stack to the front or a register crosses none. Words under it that are neither
    // on the stack nor in a register are done; an arc of theirs that leaves it covers one of its ends.
    bool is_clean(const Configuration& c, int left, int right) const {
        return std::all_of(c.registers.begin(), c.registers.end(), [&](const Register& r) {
            if (r.word < left) return r.reach <= left;
            if (r.word < right) return r.leftmost >= left && r.reach <= right;
            return r.word > right || r.cover <= left;
        });
    }
    const char* objection_to_close(const Configuration& c, bool at_register) const {
        if (!c.is_open()) return "no interval is open";
        const Register& last = c.registers.back();
        if (at_register) {
            if (last.word != c.front - 1) return "the last register is not the last word read";
            if (!c.buffer_is_empty() && (c.has_head(c.front) || c.leftmost[c.front] != c.front))
                return "the front has arcs already";
        }
        for (const Register& r : c.registers) {
            const auto above = std::upper_bound(c.stack.begin(), c.stack.end(), r.word);
            if (above != c.stack.end() && *above < r.reach) return "the stack still holds words of the interval";
            if (r.cover != none && !c.has_head(r.word)) return "a register has no head yet";
        }
        return nullptr;
    }
    void close(Configuration& c, bool at_register) const {
        if (at_register) {
            c.registers.pop_back();
            --c.front;
        }
        for (const Register& r : c.registers)
            if (r.cover == none) c.stack.insert(std::upper_bound(c.stack.begin(), c.stack.end(), r.word), r.word);
        c.registers.clear();
        c.bar = c.front;
    }
    void link(Configuration& c, const Arc& a, bool is_clean) const {
        c.head[a.dependent] = a.head;
        c.roots += a.head == 0;
        c.leftmost[a.head] = std::min(c.leftmost[a.head], a.dependent);
        c.rightmost[a.head] = std::max(c.rightmost[a.head], a.dependent);
        c.components.join(a.head, a.dependent);
        for (Register& r : c.registers) {
            if (r.word == a.left()) r.reach = std::max(r.reach, a.right());
            if (r.word == a.right()) r.leftmost = std::min(r.leftmost, a.left());
            if (r.word <= a.left() || r.word >= a.right()) continue;
            r.cover = std::max(r.cover, a.left());
            if (!is_clean) continue;
            r.low = std::max(r.low, a.left());
            r.high = std::min(r.high, a.right());
        }
    }

    // The first rule that applies.
    int next(const Configuration& c, const Gold& gold) const {
        const auto unbuilt = [&](int h, int m) { return m > 0 && gold.tree.head(m) == h && !c.has_head(m); };
        const bool open = c.is_open(), has_front = !c.buffer_is_empty();
        const int x = c.x(), w = c.front;
        const CrossingHull* hull = gold.hull < gold.hulls.size() ? &gold.hulls[gold.hull] : nullptr;
        const bool stored_next =
            has_front && hull != nullptr && std::binary_search(hull->registers.begin(), hull->registers.end(), w);
        for (std::size_t i = 0; i + 1 < c.registers.size(); ++i) {
            const int r = c.registers[i].word, last = c.registers.back().word;
            if (unbuilt(r, last)) return numbered(RL, i);
            if (unbuilt(last, r)) return numbered(LR, i);
        }
        if (open && x != none) {
            const bool is_within = x >= hull->lo;
            for (std::size_t i = 0; i < c.registers.size(); ++i) {
                const int r = c.registers[i].word;
                if (x > r) continue;
                if (unbuilt(x, r)) return numbered(is_within ? XR : CR, i);
                if (unbuilt(r, x)) return numbered(is_within ? RX : RC, i);
            }
        }
        if (x > 0 && gold.to_do[x] == 0) return REDUCE;
        if (open && c.registers.back().word == hull->hi) return CLOSE_R;
        if (has_front && x != none && !(open && stored_next)) {
            if (unbuilt(w, x)) return LA;
            if (unbuilt(x, w)) return RA;
        }
        if (open && has_front && !stored_next)
            for (std::size_t i = 0; i < c.registers.size(); ++i) {
                if (unbuilt(c.registers[i].word, w)) return numbered(RW, i);
                if (unbuilt(w, c.registers[i].word)) return numbered(WR, i);
            }
        if (open && w == hull->hi && !stored_next) return CLOSE;
        return stored_next ? STORE : SHIFT;
    }
};

static_assert(TransitionSystem<KRegister>);

}  // namespace nonproj
