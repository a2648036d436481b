// The best well-nested tree of gap degree 1 (WG_1) when the score of an arc depends on the categories of its words alone:
// section 3.3 of Gomez-Rodriguez, Weir & Carroll (2009). O(c n^6 + c^2 n^4) time and O(c n^4) space for c categories.
//
// The rules are those of gap_inheriting.hpp. There items speak of a head h, and h matters in two ways: by the scores of its
// arcs, which its category tells, and by its place, of which it is enough to know whether it is among the words of the
// item: *in*, or *out*. A category q stands in the place of h, and in p * q, of two sets of words side by side, the head may be
// in one of the two:
//
//   (p * q)(out) = p(out) + q(out)         (p * q)(in) = max(p(in) + q(out), p(out) + q(in))
//
//   F(i, j | q)       = max_k  C(i, k | q) * F(k+1, j | q)                   F(i, i-1 | q)(out) = 0
//   C(h, h | q)(in)   = 0                                                    q the category of h
//   C(a, b | q)(out)  = max_d  F(a, b | d)(in) + s(q, d)
//   C(a, b | q)       = max_{l, r}  X(a, b, l, r | q) + F(l, r | q)           in and out
//   X(a, b, l, r | q) = max_d  G(a, b, l, r | d)(in) + s(q, d)
//   V(a, b, l, r | q) = max_{a < x <= l, r <= y < b}  X(a, b, x, y | q) + G(x, y, l, r | q)
//   U(a, j, l, r | q) = max_{r < b <= j}  V(a, b, l, r | q) * F(b+1, j | q)
//   G(i, j, l, r | q) = max of  F(i, l-1 | q) * F(r+1, j | q)  and  max_{i <= a < l}  F(i, a-1 | q) * U(a, j, l, r | q)
// with G(l, y, l, r | q) = F(r+1, y | q) and G(x, r, l, r | q) = F(x, l-1 | q).
//
// The whole sentence is F(1, n | root)(out), or max_d  s(root, d) + F(1, n | d)(in) for a single root.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/cells.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

class UnlexicalisedChart {
  public:
    // The category of each word, from 1 on. scores(q, d) is the score of an arc from a word of category q to one of category
    // d; 0 is the root.
    UnlexicalisedChart(std::span<const std::int32_t> categories, const ArcScores<double>& scores, bool single_root)
        : words_(static_cast<int>(categories.size())), single_root_(single_root) {
        read(categories, scores);
        make_room();
        for (int i = words_ + 1; i >= 1; --i) {
            std::fill_n(F(i, i - 1), width_, 0.0);
            // Gaps l..r outside, hulls i..j inside: the G of one gap are at hand for all of them.
            for (int l = i + 1; l <= words_ + 1; ++l) {
                vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { close<Bytes>(i, l - 1); });
                for (int r = words_ - 1; r >= l; --r) {
                    Interrupt::check();
                    vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
                        for (int j = r + 1; j <= words_; ++j) fill_ring<Bytes>(i, j, l, r);
                    });
                }
            }
        }
        reach_goal();
    }

    double best() const { return best_; }

    // The heads of a best tree; there must be one.
    std::vector<std::int32_t> heads() const { return Walk(*this).heads(); }

    static double bytes(int words, int categories) {
        const double n = words, ordered = (n + 1) * n * (n - 1) * (n - 2) / 24, width = padded(categories + 1);
        return sizeof(double) * width * (7 * ordered + 4 * (n + 2) * (n + 2));
    }

  private:
    static constexpr double none = minus_infinity<double>;
    template <int Bytes>
    using Math = nested::RowMath<Best<double>, Bytes>;

    int words_;
    bool single_root_;
    int lanes_ = 1, width_ = 0;  // categories that there are, the root first; the same in whole vectors
    std::vector<int> lane_of_;   // the category of a word
    std::vector<double> into_;   // [d][q]: s(q, d)
    std::vector<std::ptrdiff_t> ring_at_, gap_at_;
    std::optional<ChartCells<double>> room_;
    double *F_, *C_, *X_, *V_, *U_, *G_;  // a row is `out`, then `in`; X has no `in`
    double best_ = none;
    int root_ = 0;

    static std::ptrdiff_t padded(std::ptrdiff_t lanes) { return (lanes + 3) / 4 * 4; }

    void read(std::span<const std::int32_t> categories, const ArcScores<double>& scores) {
        std::vector<int> lane(scores.words() + 1, 0), category{0};
        lane_of_.assign(words_ + 1, 0);
        for (int d = 1; d <= words_; ++d) {
            int& found = lane[categories[d - 1]];
            if (found == 0) found = lanes_++, category.push_back(categories[d - 1]);
            lane_of_[d] = found;
        }
        width_ = static_cast<int>(padded(lanes_));
        into_.assign(static_cast<std::size_t>(width_) * lanes_, none);
        for (int d = 1; d < lanes_; ++d)
            for (int q = 0; q < lanes_; ++q) into_[d * width_ + q] = scores(category[q], category[d]);
    }
    void make_room() {
        const std::ptrdiff_t n = words_, side = n + 2;
        ring_at_.assign(side * side, 0);
        gap_at_.assign(side * side, 0);
        std::ptrdiff_t rings = 0, gaps = 0;
        for (std::ptrdiff_t i = 1; i <= n; ++i)
            for (std::ptrdiff_t j = i; j <= n; ++j) {
                ring_at_[i * side + j] = rings;
                rings += j > i ? (j - i - 1) * (j - i) / 2 : 0;
                gap_at_[i * side + j] = gaps;
                gaps += (i - 1) * (n - j);
            }
        const std::ptrdiff_t of_spans = side * side * 2 * width_, of_gaps = gaps * 2 * width_;
        room_.emplace(2 * of_spans + rings * width_ + 3 * of_gaps, none);
        F_ = room_->data();
        C_ = F_ + of_spans;
        X_ = C_ + of_spans;
        V_ = X_ + rings * width_;
        U_ = V_ + of_gaps;
        G_ = U_ + of_gaps;
    }

    std::ptrdiff_t span(int i, int j) const { return (static_cast<std::ptrdiff_t>(i) * (words_ + 2) + j) * 2 * width_; }
    NONPROJ_INLINE std::ptrdiff_t ring(int a, int b, int l, int r) const {
        const std::ptrdiff_t left = l - a - 1;
        return (ring_at_[a * (words_ + 2) + b] + left * (b - a - 1) - left * (left - 1) / 2 + (r - l)) * width_;
    }
    NONPROJ_INLINE std::ptrdiff_t gap(int a, int b, int l, int r) const {
        const std::ptrdiff_t left = a - 1;
        return (gap_at_[l * (words_ + 2) + r] + left * (words_ - r) + (b - r - 1)) * 2 * width_;
    }
    NONPROJ_INLINE double* F(int i, int j) { return &F_[span(i, j)]; }
    NONPROJ_INLINE const double* F(int i, int j) const { return &F_[span(i, j)]; }
    // G, also where one of the sides is empty.
    NONPROJ_INLINE const double* around(int x, int y, int l, int r) const {
        return x == l ? F(r + 1, y) : y == r ? F(x, l - 1) : &G_[gap(x, y, l, r)];
    }

    // to = max(to, p * q)
    template <int Bytes>
    NONPROJ_INLINE void add(double* to, const double* p, const double* q) const {
        Math<Bytes>::add_product(to, p, q, 0, width_);
        Math<Bytes>::add_product(to + width_, p + width_, q, 0, width_);
        Math<Bytes>::add_product(to + width_, p, q + width_, 0, width_);
    }
    // to = max(to, from), in so many lanes
    static NONPROJ_INLINE void take(double* to, const double* from, int lanes) {
        for (int q = 0; q < lanes; ++q) to[q] = std::max(to[q], from[q]);
    }
    // to(q) = max(to(q), max_d  inner(d) + s(q, d))
    template <int Bytes>
    NONPROJ_INLINE void link(double* to, const double* inner) const {
        for (int d = 1; d < lanes_; ++d)
            if (inner[d] != none) Math<Bytes>::add_scaled(to, inner[d], &into_[d * width_], 0, width_);
    }

    template <int Bytes>
    NONPROJ_INLINE void close(int a, int b) {
        double* closed = &C_[span(a, b)];
        double* filled = F(a, b);
        if (a == b) closed[width_ + lane_of_[a]] = 0;
        for (int l = a + 1; l < b; ++l)
            for (int r = l; r < b; ++r) {
                const double *child = &X_[ring(a, b, l, r)], *others = F(l, r);
                Math<Bytes>::add_product(closed, child, others, 0, width_);
                Math<Bytes>::add_product(closed + width_, child, others + width_, 0, width_);
            }
        for (int k = a; k < b; ++k) add<Bytes>(filled, &C_[span(a, k)], F(k + 1, b));
        take(filled + width_, closed + width_, width_);
        link<Bytes>(closed, filled + width_);
        take(filled, closed, width_);
    }
    // V, U and G without the child that has just this hull and gap; then this child, whose head is out.
    template <int Bytes>
    NONPROJ_INLINE void fill_ring(int a, int b, int l, int r) {
        double *v = &V_[gap(a, b, l, r)], *u = &U_[gap(a, b, l, r)], *g = &G_[gap(a, b, l, r)];
        for (int x = a + 1; x <= l; ++x)
            for (int y = x < l ? r : r + 1; y < b; ++y) {
                const double *child = &X_[ring(a, b, x, y)], *inner = around(x, y, l, r);
                Math<Bytes>::add_product(v, child, inner, 0, width_);
                Math<Bytes>::add_product(v + width_, child, inner + width_, 0, width_);
            }
        for (int end = r + 1; end < b; ++end) add<Bytes>(u, &V_[gap(a, end, l, r)], F(end + 1, b));
        take(u, v, 2 * width_);
        add<Bytes>(g, F(a, l - 1), F(r + 1, b));
        for (int begin = a + 1; begin < l; ++begin) add<Bytes>(g, F(a, begin - 1), &U_[gap(begin, b, l, r)]);
        take(g, u, 2 * width_);
        double* child = &X_[ring(a, b, l, r)];
        link<Bytes>(child, g + width_);
        for (double* to : {v, u, g}) take(to, child, width_);
    }

    void reach_goal() {
        const double* whole = F(1, words_);
        if (!single_root_) best_ = whole[0];
        for (int d = 1; d < lanes_ && single_root_; ++d) {
            const double sum = into_[d * width_] + whole[width_ + d];
            if (sum > best_) best_ = sum, root_ = d;
        }
    }

    // From the whole sentence down. The word that is the head of an item is met later than its arcs: until then it is the
    // number of an *unknown*.
    class Walk {
      public:
        explicit Walk(const UnlexicalisedChart& chart) : c_(chart) {}

        std::vector<std::int32_t> heads() {
            const int root = known(0, -1);
            if (c_.single_root_)
                open_.push_back({Kind::F, 1, c_.words_, 0, 0, c_.root_, true, known(-1, root)});
            else
                open_.push_back({Kind::F, 1, c_.words_, 0, 0, 0, false, root});
            while (!open_.empty()) {
                const Item item = open_.back();
                open_.pop_back();
                undo(item);
            }
            std::vector<std::int32_t> heads(c_.words_);
            for (const Unknown& unknown : unknowns_)
                if (unknown.word > 0) heads[unknown.word - 1] = unknowns_[unknown.head].word;
            return heads;
        }

      private:
        enum class Kind : std::uint8_t { F, C, X, V, U, G };
        struct Item {
            Kind kind;
            int a, b, l, r;
            int lane;
            bool in;
            int head;  // an unknown
        };
        struct Unknown {
            int word, head;
        };
        using Parts = std::array<Item, 2>;

        const UnlexicalisedChart& c_;
        std::vector<Item> open_;
        std::vector<Unknown> unknowns_;
        double max_ = none;
        Parts best_{};

        int known(int word, int head) {
            unknowns_.push_back({word, head});
            return static_cast<int>(unknowns_.size()) - 1;
        }
        double value(const Item& item) const {
            const auto [kind, a, b, l, r, lane, in, head] = item;
            const std::ptrdiff_t at = lane + (in ? c_.width_ : 0);
            switch (kind) {
                case Kind::F:
                    return c_.F_[c_.span(a, b) + at];
                case Kind::C:
                    return c_.C_[c_.span(a, b) + at];
                case Kind::X:
                    return c_.X_[c_.ring(a, b, l, r) + lane];
                case Kind::V:
                    return c_.V_[c_.gap(a, b, l, r) + at];
                case Kind::U:
                    return c_.U_[c_.gap(a, b, l, r) + at];
                default:
                    return c_.G_[c_.gap(a, b, l, r) + at];
            }
        }
        void offer(const Item& p, const Item& q) {
            const double sum = value(p) + value(q);
            if (sum > max_) max_ = sum, best_ = {p, q};
        }
        // p * q
        void offer_both(Item p, Item q, bool in) {
            p.in = in, q.in = false;
            offer(p, q);
            p.in = false, q.in = true;
            if (in) offer(p, q);
        }
        static Item part(const Item& of, Kind kind, int a, int b, int l = 0, int r = 0) {
            return {kind, a, b, l, r, of.lane, of.in, of.head};
        }

        void undo(const Item& item) {
            const auto [kind, a, b, l, r, lane, in, head] = item;
            if (kind == Kind::F && b < a) return;
            if (kind == Kind::C && a == b && in) {
                unknowns_[head].word = a;
                return;
            }
            max_ = none;
            switch (kind) {
                case Kind::F:
                    for (int k = a; k <= b; ++k)
                        offer_both(part(item, Kind::C, a, k), part(item, Kind::F, k + 1, b), in);
                    break;
                case Kind::C:
                    for (int left = a + 1; left < b; ++left)
                        for (int right = left; right < b; ++right)
                            offer(part(item, Kind::X, a, b, left, right), part(item, Kind::F, left, right));
                    if (!in && undo_link({Kind::F, a, b, 0, 0, 0, true, 0}, item)) return;
                    break;
                case Kind::X:
                    undo_link({Kind::G, a, b, l, r, 0, true, 0}, item);
                    return;
                case Kind::V:
                    for (int x = a + 1; x <= l; ++x)
                        for (int y = r; y < b; ++y)
                            offer(part(item, Kind::X, a, b, x, y), x == l   ? part(item, Kind::F, r + 1, y)
                                                                   : y == r ? part(item, Kind::F, x, l - 1)
                                                                            : part(item, Kind::G, x, y, l, r));
                    break;
                case Kind::U:
                    for (int end = r + 1; end <= b; ++end)
                        offer_both(part(item, Kind::V, a, end, l, r), part(item, Kind::F, end + 1, b), in);
                    break;
                case Kind::G:
                    offer_both(part(item, Kind::F, a, l - 1), part(item, Kind::F, r + 1, b), in);
                    for (int begin = a; begin < l; ++begin)
                        offer_both(part(item, Kind::F, a, begin - 1), part(item, Kind::U, begin, b, l, r), in);
                    break;
            }
            open_.insert(open_.end(), best_.begin(), best_.end());
        }
        // The best category of a child that fills `child`, if it is as good as what was offered.
        bool undo_link(Item child, const Item& item) {
            int best = 0;
            for (int d = 1; d < c_.lanes_; ++d) {
                child.lane = d;
                const double sum = value(child) + c_.into_[d * c_.width_ + item.lane];
                if (sum > max_) max_ = sum, best = d;
            }
            if (best == 0) return false;
            child.lane = best;
            child.head = known(-1, item.head);
            open_.push_back(child);
            return true;
        }
    };
};

inline DecodedTree unlexicalised_best(std::span<const std::int32_t> categories, const ArcScores<double>& scores,
                                      bool single_root) {
    if (categories.empty()) return {0, {}};
    const UnlexicalisedChart chart(categories, scores, single_root);
    if (chart.best() == minus_infinity<double>) return {};
    std::vector<std::int32_t> heads = chart.heads();
    const auto category = [&](int word) { return word == 0 ? 0 : categories[word - 1]; };
    double score = 0;
    for (std::size_t d = 1; d <= heads.size(); ++d)
        score += scores(category(heads[d - 1]), category(static_cast<int>(d)));
    return {score, std::move(heads)};
}

}  // namespace nonproj
