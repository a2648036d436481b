#include "nonproj/decode/well_nested/unlexicalised.hpp"

#include "nonproj/decode/well_nested/well_nested.hpp"

namespace nonproj::unlexicalised {

DecodedTree best(std::span<const std::int32_t> categories, const ArcScores<double>& scores, bool single_root) {
    return unlexicalised_best(categories, scores, single_root);
}
double bytes(int words, int categories) { return UnlexicalisedChart::bytes(words, categories); }

}  // namespace nonproj::unlexicalised
