// What the rules of a chart speak to. A rule is code that names, for a row, the terms of its items to a visitor:
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
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/machine/layout.hpp"

namespace nonproj::nested {

// One row, or some lanes of it, that is to be computed.
struct RowStep {
    std::int16_t table, key[4], lo, hi;
    bool own;
};

// Notes the steps of a chart in order.
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
    const std::vector<RowStep>& steps() const { return steps_; }

  private:
    static std::int16_t short_of(int value) { return static_cast<std::int16_t>(value); }
    std::vector<RowStep> steps_;
};

// What all visitors have for the rules to read.
class VisitorBase {
  public:
    explicit VisitorBase(const Layout& layout) : words(layout.words()), end(layout.words() + 1), layout_(layout) {}

    const int words, end;  // lanes run up to `end`, exclusive

    template <class Each>
    NONPROJ_INLINE void lanes(const Each& each) {
        for (int l = lo_; l < hi_; ++l) each(l);
    }
    template <Packing packing>
    NONPROJ_INLINE Row row_packed(int table, int a, int b = 0, int c = 0, int d = 0) const {
        return layout_.row(packing, table, a, b, c, d);
    }

  protected:
    const Layout& layout_;
    int lo_ = 0, hi_ = 0;  // the lanes that are computed now
};

// A visitor by way of calls: a rule is compiled once for all of them. Inlined into every rule, each visitor would take
// seconds to compile.
class Visitor : public VisitorBase {
  public:
    using VisitorBase::VisitorBase;
    Row row(int table, int a, int b = 0, int c = 0, int d = 0) const;

    virtual void begin(Row out, const RowStep& step) = 0;
    virtual void finish() = 0;
    virtual void add(int lo, int hi, Row a, Row b) = 0;
    virtual void add(int lo, int hi, const Item& a, Row b) = 0;
    virtual void add(int lo, int hi, Row a) = 0;
    virtual void add(int lane, const Item& a) = 0;
    virtual void one(int lo, int hi) = 0;
    virtual void inner(int lane, Row a, Row b, int lo, int hi) = 0;
    virtual void link(Row arcs) = 0;
    virtual void link(const Item& arc) = 0;
    virtual void mask(int lo, int hi) = 0;

  protected:
    ~Visitor() = default;
};

// The base of a visitor that is inlined into the rules of one chart.
template <class Recurrences>
class InlinedVisitor : public VisitorBase {
  public:
    using VisitorBase::VisitorBase;
    NONPROJ_INLINE Row row(int table, int a, int b = 0, int c = 0, int d = 0) const {
        return layout_.row(Recurrences::packings[table], table, a, b, c, d);
    }
};

}  // namespace nonproj::nested
