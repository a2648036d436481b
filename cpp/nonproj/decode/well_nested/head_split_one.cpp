#include "nonproj/decode/well_nested/head_split_one.hpp"

#include <cmath>

#include "nonproj/decode/machine/solve.hpp"
#include "nonproj/decode/well_nested/well_nested.hpp"

namespace nonproj::head_split_one {

namespace {

using Recurrences = nested::HeadSplitOne;

double nanoseconds(int words, int) { return 1.1 * std::pow(words, 5); }

}  // namespace

constinit const ClassChart chart =
    nested::Questions<Recurrences>::class_chart("head-split, one inherits", &nanoseconds);
constinit const ChartSums sums = nested::Questions<Recurrences>::sums();

}  // namespace nonproj::head_split_one
