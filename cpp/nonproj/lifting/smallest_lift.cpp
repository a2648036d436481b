#include "nonproj/lifting/smallest_lift.hpp"

#include <algorithm>
#include <cstddef>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/projective/projective.hpp"

namespace nonproj {

void SmallestLift::lift(std::span<const std::int32_t> heads, std::int32_t* lifted) {
    std::copy(heads.begin(), heads.end(), lifted);
    if (is_projective(heads)) return;
    const int words = static_cast<int>(heads.size());
    const std::size_t side = heads.size() + 1;
    table_.assign(side * side, minus_infinity<double>);
    for (int d = 1; d <= words; ++d) {
        double steps = 0;
        for (int h = heads[d - 1];; h = heads[h - 1], ++steps) {
            // Steps first, then words that moved: there are fewer than n + 1 of them.
            table_[h * side + d] = steps == 0 ? 0 : -(steps * static_cast<double>(side) + 1);
            if (h == 0) break;
        }
    }
    const DecodedTree best = projective::chart.best(ArcScores<double>(table_.data(), words), 0, false);
    std::copy(best.heads.begin(), best.heads.end(), lifted);
}

// Every yield is an interval: as many words as from its first to its last. Words are folded into their heads from
// the leaves up.
bool SmallestLift::is_projective(std::span<const std::int32_t> heads) {
    const auto words = static_cast<std::int32_t>(heads.size());
    first_.resize(words + 1), last_.resize(words + 1);
    size_.assign(words + 1, 1), waiting_.assign(words + 1, 0);
    for (std::int32_t v = 0; v <= words; ++v) first_[v] = last_[v] = v;
    for (const std::int32_t head : heads) ++waiting_[head];
    leaves_.clear();
    for (std::int32_t v = 1; v <= words; ++v)
        if (waiting_[v] == 0) leaves_.push_back(v);
    for (std::size_t read = 0; read < leaves_.size(); ++read) {
        const std::int32_t v = leaves_[read], head = heads[v - 1];
        if (last_[v] - first_[v] + 1 != size_[v]) return false;
        first_[head] = std::min(first_[head], first_[v]), last_[head] = std::max(last_[head], last_[v]);
        size_[head] += size_[v];
        if (--waiting_[head] == 0 && head != 0) leaves_.push_back(head);
    }
    return true;
}

}  // namespace nonproj
