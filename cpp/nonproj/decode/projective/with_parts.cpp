#include "nonproj/decode/projective/eisner_with_families.hpp"
#include "nonproj/decode/projective/eisner_with_parts.hpp"
#include "nonproj/decode/projective/projective.hpp"

namespace nonproj::projective {

constinit const PartsChart parts_chart{
    true, [](int words, double, bool grandparents) { return 1.0 * SecondOrderEisner::bytes(words, grandparents); },
    [](int words, double, bool grandparents) {
        const double n = words;
        return 2000 + (grandparents ? n : 6) * n * n * n;
    },
    &second_order_best, &best_of_table};

}  // namespace nonproj::projective
