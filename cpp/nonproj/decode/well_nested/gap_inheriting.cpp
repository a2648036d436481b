#include "nonproj/decode/well_nested/gap_inheriting.hpp"

#include <cmath>

#include "nonproj/decode/machine/solve.hpp"
#include "nonproj/decode/well_nested/well_nested.hpp"

namespace nonproj::any_inherit {

namespace {

using Recurrences = nested::GapInheriting<false>;

double nanoseconds(int words, int) { return 0.004 * std::pow(words, 7); }

}  // namespace

constinit const ClassChart chart = nested::Questions<Recurrences>::class_chart("well-nested", &nanoseconds);
constinit const ChartSums sums = nested::Questions<Recurrences>::sums();

}  // namespace nonproj::any_inherit

namespace nonproj::one_inherits {

namespace {

using Recurrences = nested::GapInheriting<true>;

double nanoseconds(int words, int) { return 0.055 * std::pow(words, 6); }

}  // namespace

constinit const ClassChart chart = nested::Questions<Recurrences>::class_chart("one inherits", &nanoseconds);
constinit const ChartSums sums = nested::Questions<Recurrences>::sums();

}  // namespace nonproj::one_inherits
