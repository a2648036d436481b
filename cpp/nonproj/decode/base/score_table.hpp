// A table of scores as a caller gives it, made ready for the decoders: checked, labels maximised away, and arcs that the
// caller rules out set to -inf. A plain table is checked in one pass and used where it lies.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/vectorised.hpp"
#include "nonproj/error.hpp"
#include "nonproj/tree/tree.hpp"

namespace nonproj {

// What the caller allows besides the scores.
struct ArcOptions {
    const bool* mask = nullptr;  // a table like the scores; false forbids
    std::span<const Arc> required, forbidden;

    bool any() const { return mask != nullptr || !required.empty() || !forbidden.empty(); }
};

template <class Real>
class ScoreTable {
  public:
    // `values` holds words + 1 rows and columns of `labels` scores each. They must outlive the table.
    const ArcScores<Real>& read(const Real* values, int words, int labels, const ArcOptions& options = {}) {
        width_ = static_cast<std::size_t>(words) + 1;
        values_ = values;
        labels_ = labels;
        const bool is_own = labels > 1 || options.any();
        if (is_own) own_.resize(width_ * width_);
        if (!(labels > 1 ? take_best_labels() : has_none_bad())) refuse();
        if (is_own) {
            if (labels == 1) std::copy_n(values_, own_.size(), own_.begin());
            apply(options);
            values = own_.data();
        }
        return scores_ = ArcScores<Real>(values, words);
    }

    const ArcScores<Real>& scores() const { return scores_; }

    // The best label of an arc, the first of equals.
    int label(int head, int dependent) const {
        const Real* const first = values_ + (head * width_ + dependent) * labels_;
        return static_cast<int>(std::max_element(first, first + labels_) - first);
    }

    // A word that no arc may enter is an error whatever is asked.
    void require_heads() const {
        for (std::size_t d = 1; d < width_; ++d) {
            std::size_t h = 0;
            while (h < width_ && (h == d || !(scores_.data()[h * width_ + d] > minus_infinity<Real>))) ++h;
            if (h == width_)
                throw Error("word " + std::to_string(d) +
                            " has no possible head: every arc into it is forbidden (-inf)");
        }
    }

  private:
    // Sums of a few thousand scores below this stay finite.
    static constexpr Real limit() {
        return sizeof(Real) == 4 ? std::numeric_limits<Real>::max() : static_cast<Real>(1e300);
    }
    static bool is_bad(Real score) { return !(score <= limit()) || (score < -limit() && score > minus_infinity<Real>); }

    // Keeps true the lanes of `good` whose score in a pack is not bad. (A bare vector cannot be returned: it has no ABI
    // without AVX.)
    template <int Bytes, class Good>
    static NONPROJ_INLINE void check(const Lanes<Real, Bytes>& scores, Good& good) {
        using Pack = Lanes<Real, Bytes>;
        good &= scores.lane <= Pack::all(limit()).lane;
        if constexpr (limit() < std::numeric_limits<Real>::max())  // else there is -inf alone below -limit()
            good &= (scores.lane >= Pack::all(-limit()).lane) | (scores.lane == Pack::all(minus_infinity<Real>).lane);
    }
    template <class Good>
    static NONPROJ_INLINE bool are_all_good(const Good& good, int count) {
        bool all_good = true;
        for (int l = 0; l < count; ++l) all_good &= good[l] != 0;
        return all_good;
    }

    bool has_none_bad() const {
        bool is_sound = false;
        vectorised([&]<int Bytes>()
                       NONPROJ_INLINE_LAMBDA { is_sound = has_none_bad<Bytes>(values_, width_ * width_ * labels_); });
        return is_sound;
    }
    template <int Bytes>
    static NONPROJ_INLINE bool has_none_bad(const Real* values, std::size_t size) {
        using Pack = Lanes<Real, Bytes>;
        const Pack any = Pack::all(0);
        auto good = any.lane == any.lane;
        std::size_t i = 0;
        for (; i + Pack::count <= size; i += Pack::count) check(Pack::load(values + i), good);
        bool all_good = are_all_good(good, Pack::count);
        for (; i < size; ++i) all_good &= !is_bad(values[i]);
        return all_good;
    }

    // Fills own_ with the score of each arc's best label; false if some score is bad.
    bool take_best_labels() {
        bool is_sound = false;
        vectorised([&]<int Bytes>() NONPROJ_INLINE_LAMBDA {
            if (labels_ >= Lanes<Real, Bytes>::count) {
                is_sound = take_best_of_many<Bytes>(values_, labels_, own_.data(), own_.size());
            } else {
                is_sound = has_none_bad<Bytes>(values_, labels_ * own_.size());
                for (std::size_t arc = 0; arc < own_.size(); ++arc) own_[arc] = best_of_few(arc);
            }
        });
        return is_sound;
    }
    NONPROJ_INLINE Real best_of_few(std::size_t arc) const {
        Real best = values_[arc * labels_];
        for (std::size_t l = 1; l < labels_; ++l) best = std::max(best, values_[arc * labels_ + l]);
        return best;
    }
    // The last pack of an arc overlaps the one before it: no label is left over.
    template <int Bytes>
    static NONPROJ_INLINE bool take_best_of_many(const Real* values, std::size_t labels, Real* best, std::size_t arcs) {
        using Pack = Lanes<Real, Bytes>;
        const Pack any = Pack::all(0);
        auto good = any.lane == any.lane;
        for (std::size_t arc = 0; arc < arcs; ++arc, values += labels) {
            Pack found = Pack::load(values + labels - Pack::count);
            check(found, good);
            for (std::size_t l = 0; l + Pack::count < labels; l += Pack::count) {
                const Pack scores = Pack::load(values + l);
                check(scores, good);
                found = higher(found, scores);
            }
            best[arc] = highest(found);
        }
        return are_all_good(good, Pack::count);
    }

    // The diagonal and column 0 are never read, whatever they hold.
    void refuse() const {
        for (std::size_t h = 0; h < width_; ++h)
            for (std::size_t d = 1; d < width_; ++d)
                for (std::size_t l = 0; l < labels_ && h != d; ++l) {
                    const Real score = values_[(h * width_ + d) * labels_ + l];
                    if (!is_bad(score)) continue;
                    const std::string place = "scores[" + std::to_string(h) + ", " + std::to_string(d) +
                                              (labels_ > 1 ? ", " + std::to_string(l) : "") + "] is ";
                    if (std::isnan(score)) throw Error(place + "NaN: every score must be a number or -inf");
                    if (score > 0 && std::isinf(score))
                        throw Error(place + "+inf: name arcs that must be in the tree as `required` instead");
                    throw Error(place + std::to_string(score) + ": scores must lie within +-1e300, or be -inf");
                }
    }

    void apply(const ArcOptions& options) {
        if (options.mask != nullptr)
            for (std::size_t i = 0; i < own_.size(); ++i)
                if (!options.mask[i]) own_[i] = minus_infinity<Real>;
        for (const Arc& arc : options.forbidden) {
            check("forbidden", arc);
            own_[arc.head * width_ + arc.dependent] = minus_infinity<Real>;
        }
        for (const Arc& arc : options.required) {
            check("required", arc);
            for (std::size_t h = 0; h < width_; ++h)
                if (h != static_cast<std::size_t>(arc.head)) own_[h * width_ + arc.dependent] = minus_infinity<Real>;
        }
    }
    void check(const char* what, const Arc& arc) const {
        const int words = static_cast<int>(width_) - 1;
        if (arc.head < 0 || arc.head > words || arc.dependent < 1 || arc.dependent > words || arc.head == arc.dependent)
            throw Error(std::string(what) + " arc (" + std::to_string(arc.head) + ", " + std::to_string(arc.dependent) +
                        "): expected a head from 0 to " + std::to_string(words) + " and another word from 1 to " +
                        std::to_string(words) + " as its dependent");
    }

    const Real* values_ = nullptr;
    std::size_t width_ = 1, labels_ = 1;
    ArcScores<Real> scores_{nullptr, 0};
    std::vector<Real> own_;
};

}  // namespace nonproj
