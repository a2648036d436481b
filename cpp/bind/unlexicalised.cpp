// Trees whose arcs are scored by the categories of their words. Private functions; the package nonproj.decode checks and
// explains.
#include "nonproj/decode/well_nested/unlexicalised.hpp"

#include <string>

#include "support/score_array.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Categories = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

ScoreAndHeads best(const Categories& categories, const ScoreArray<double>& scores, bool single_root) {
    const std::size_t side = scores.shape(0), words = categories.shape(0);
    if (side != scores.shape(1) || side == 0 || side > 100000 || words > 4096)
        throw Error("scores must be a square table of categories, for at most 4096 words");
    const std::span<const std::int32_t> of_words(categories.data(), words);
    for (const std::int32_t category : of_words)
        if (category < 1 || category >= static_cast<std::int64_t>(side))
            throw Error("there is no category " + std::to_string(category));
    const ArcScores<double> by_category(scores.data(), static_cast<int>(side) - 1);
    return score_and_heads(without_gil([&] { return unlexicalised_best(of_words, by_category, single_root); }));
}

}  // namespace

void bind_unlexicalised(nb::module_& m) {
    m.def(
        "unlexicalised_best", &best, "categories"_a.noconvert(), "scores"_a.noconvert(), "single_root"_a,
        "The score and the heads of the best WG_1 tree with scores by category; (-inf, no heads) when there is none.");
    m.def("unlexicalised_bytes", &UnlexicalisedChart::bytes, "words"_a, "categories"_a,
          "The memory of the chart for a sentence with so many different categories.");
}
