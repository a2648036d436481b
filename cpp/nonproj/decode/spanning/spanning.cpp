#include "nonproj/decode/spanning/spanning.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "nonproj/decode/spanning/marginal_changes.hpp"
#include "nonproj/decode/spanning/matrix_tree.hpp"
#include "nonproj/decode/spanning/side_by_side.hpp"
#include "nonproj/decode/spanning/tree_count.hpp"
#include "nonproj/decode/spanning/tree_sampler.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

template unsigned SideBySide<32>::marginals(const Padded<float>*, int, std::size_t, bool);
template unsigned SideBySide<32>::marginals(const Padded<double>*, int, std::size_t, bool);
template unsigned SideBySide<64>::marginals(const Padded<float>*, int, std::size_t, bool);
template unsigned SideBySide<64>::marginals(const Padded<double>*, int, std::size_t, bool);

}  // namespace nonproj

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
int MatrixTreeSums::together() const {
    return has_widest_vectors ? SideBySide<64>::lanes : has_wide_vectors ? SideBySide<32>::lanes : 1;
}
void MatrixTreeSums::marginals_together(std::span<const Padded<float>> sentences, std::size_t width,
                                        bool single_root) const {
    side_by_side(sentences, width, single_root);
}
void MatrixTreeSums::marginals_together(std::span<const Padded<double>> sentences, std::size_t width,
                                        bool single_root) const {
    side_by_side(sentences, width, single_root);
}
template <class Real>
void MatrixTreeSums::side_by_side(std::span<const Padded<Real>> sentences, std::size_t width, bool single_root) const {
    if (has_widest_vectors) return side_by_side<64>(sentences, width, single_root);
    if (has_wide_vectors) return side_by_side<32>(sentences, width, single_root);
    for (const auto& sentence : sentences) marginals_of(sentence, width, single_root);
}
template <int Bytes, class Real>
void MatrixTreeSums::side_by_side(std::span<const Padded<Real>> sentences, std::size_t width, bool single_root) const {
    using Workspace = SideBySide<Bytes>;
    for (std::size_t first = 0; first < sentences.size(); first += Workspace::lanes) {
        const auto some = sentences.subspan(first, std::min<std::size_t>(Workspace::lanes, sentences.size() - first));
        // Side by side all take as long as the longest, which is about as long as three of it one by one.
        double longest = 0, cubes = 0;
        for (const auto& sentence : some) {
            longest = std::max<double>(longest, sentence.words);
            cubes += static_cast<double>(sentence.words) * sentence.words * sentence.words;
        }
        unsigned sound = 0;
        if (longest <= Workspace::longest && cubes >= 3 * longest * longest * longest) {
            thread_local Workspace kept;
            sound = kept.marginals(some.data(), static_cast<int>(some.size()), width, single_root);
        }
        for (std::size_t l = 0; l < some.size(); ++l)
            if ((sound >> l & 1) == 0) marginals_of(some[l], width, single_root);
    }
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
