// The best tree of a class under scores of larger parts, by the chart of the class.
#pragma once
#include "nonproj/decode/base/part_scores.hpp"
#include "nonproj/decode/search/decode_options.hpp"

namespace nonproj {

// With `rearrange` the tree is then improved by climbing among all trees, and no longer proven. Throws an Error when the
// class has no such chart, it does not fit, or there is no tree.
Outcome decode_parts(const SecondOrderScores& scores, const DecodeOptions& options, bool rearrange);

}  // namespace nonproj
