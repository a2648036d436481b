#include "nonproj/decode/spanning/spanning.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "nonproj/decode/spanning/marginal_changes.hpp"
#include "nonproj/decode/spanning/matrix_tree.hpp"
#include "nonproj/decode/spanning/tree_count.hpp"
#include "nonproj/decode/spanning/tree_sampler.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj::spanning {

namespace {

// Calls ask(workspace). Sentences of a usual length share one workspace a thread.
template <class Ask>
double with_workspace(int words, const Ask& ask) {
    if (words > 128) {
        MatrixTree once;
        return ask(once);
    }
    thread_local MatrixTree kept;
    return ask(kept);
}

}  // namespace

constinit const MatrixTreeSums sums;

double MatrixTreeSums::bytes(int words) const { return 5.0 * sizeof(Wide) * (words + 1) * (words + 1); }

double MatrixTreeSums::log_partition(const Scores& scores, bool single_root) const {
    return with_workspace(scores.words(), [&](MatrixTree& sums) { return sums.log_partition(scores, single_root); });
}
double MatrixTreeSums::marginals(const Scores& scores, bool single_root, std::span<double> chance) const {
    return with_workspace(scores.words(),
                          [&](MatrixTree& sums) { return sums.marginals(scores, single_root, chance); });
}
void MatrixTreeSums::marginal_changes(const Scores& scores, bool single_root, std::span<const double> direction,
                                      std::span<double> change) const {
    std::fill(change.begin(), change.end(), 0.0);
    std::vector<double> chance(change.size());
    if (scores.words() == 0 || marginals(scores, single_root, chance) == minus_infinity<double>) return;
    MarginalChanges(scores, single_root).find(direction, chance, change);
}
double MatrixTreeSums::entropy(const Scores& scores, bool single_root) const {
    return with_workspace(scores.words(), [&](MatrixTree& sums) { return sums.entropy(scores, single_root); });
}
std::uint64_t MatrixTreeSums::count(const Scores& scores, bool single_root, std::uint64_t prime) const {
    return TreeCount(prime).count(scores, single_root);
}
bool MatrixTreeSums::sample(const Scores& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                            std::int32_t* heads) const {
    const std::size_t words = scores.words();
    TreeSampler sampler;
    if (!sampler.read(scores, single_root)) return false;
    std::mt19937_64 random(seed);
    for (std::size_t drawn = 0; drawn < samples; ++drawn) {
        Interrupt::check();
        sampler.draw(random, {heads + drawn * words, words});
    }
    return true;
}

}  // namespace nonproj::spanning
