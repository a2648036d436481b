// The visitor that computes rows. It is a Visitor, or with InlinedVisitor as its base it is inlined into the rules.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/decode/machine/visitor.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::nested {

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

template <Semiring S, class Math, class Base>
class Filling final : public Base {
  public:
    using Value = typename S::Value;

    Filling(const Layout& layout, Value* cells) : Base(layout), cells_(cells) {}

    NONPROJ_INLINE void begin(Row out, const RowStep& step) {
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
    NONPROJ_INLINE void add(int lo, int hi, Row a, Row b) {
        Math::add_product(to_, cells_ + a.at, cells_ + b.at, std::max(lo, lo_), std::min(hi, hi_));
    }
    NONPROJ_INLINE void add(int lo, int hi, const Item& a, Row b) {
        const Value factor = cells_[a.row.at + a.lane];
        if (is_zero<S>(factor)) return;
        Math::add_scaled(to_, factor, cells_ + b.at, std::max(lo, lo_), std::min(hi, hi_));
    }
    NONPROJ_INLINE void add(int lo, int hi, Row a) {
        const Value* from = cells_ + a.at;
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to_[l] = S::plus(to_[l], from[l]);
    }
    NONPROJ_INLINE void add(int lane, const Item& a) {
        if (lo_ <= lane && lane < hi_) to_[lane] = S::plus(to_[lane], cells_[a.row.at + a.lane]);
    }
    NONPROJ_INLINE void one(int lo, int hi) {
        for (int l = std::max(lo, lo_); l < std::min(hi, hi_); ++l) to_[l] = S::plus(to_[l], S::one());
    }
    NONPROJ_INLINE void inner(int lane, Row a, Row b, int lo, int hi) {
        if (lane < lo_ || lane >= hi_) return;
        to_[lane] = S::plus(to_[lane], Math::inner_product(cells_ + a.at, cells_ + b.at, lo, hi));
    }
    NONPROJ_INLINE void link(Row arcs) { link_ = cells_ + arcs.at; }
    NONPROJ_INLINE void link(const Item& arc) {
        factor_ = cells_[arc.row.at + arc.lane];
        links_ = true;
        if (is_zero<S>(factor_)) hi_ = lo_;  // nothing is worth adding
    }
    NONPROJ_INLINE void mask(int lo, int hi) {
        if (lo >= hi) return;
        masked_[masks_][0] = lo;
        masked_[masks_++][1] = hi;
    }

  private:
    using Base::hi_, Base::lo_;
    Value* cells_;
    Value* to_ = nullptr;
    const Value* link_ = nullptr;
    bool links_ = false;
    Value factor_ = S::zero();
    int masks_ = 0, masked_[2][2] = {};
};

}  // namespace nonproj::nested
