// The best tree of a class under scores of larger parts, by whichever road is shorter: relaxation (parts_decoder.hpp), or
// the chart of the class where it has one for these parts.
#pragma once
#include <span>
#include <vector>

#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/search/decode_options.hpp"

namespace nonproj {

// With `rearrange` the tree is then improved by climbing among all trees, and no longer proven. Throws an Error when a
// chart is asked for that there is not, or that does not fit; or when there is no tree.
Outcome decode_parts(const PartList& given, const DecodeOptions& options, bool rearrange);
// An error names its sentence.
std::vector<Outcome> decode_parts(std::span<const PartList* const> sentences, const DecodeOptions& options,
                                  bool rearrange, int threads);

}  // namespace nonproj
