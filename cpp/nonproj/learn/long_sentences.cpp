// Sentences that are too long for tables of all pairs of words: memory and time grow with their length alone.
//
//   windows   The heads of a piece of the sentence are pruned among the words of a window, which holds the piece and a
//             margin on both sides. So arcs are no longer than a margin and a piece; those of the root are.
//   pieces    A first tree: the best tree of each piece by its arcs, and with a single root, the root of each but one
//             under the root of the piece next to it. In most classes such a tree is in the class if its pieces are;
//             where it is not, projective pieces take their place.
//   climbing  From there through the trees of the class (decode/parts/climb.hpp), over all likely arcs and those of the
//             first tree, with all larger parts. What comes is not proven to be best, and no bound is known.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "nonproj/decode/search/innermost.hpp"
#include "nonproj/learn/graph_parser.hpp"

namespace nonproj::learn {

namespace {

constexpr int piece = 128, margin = 64;

}  // namespace

Proof GraphParser::find_in_windows(const GraphWeights& weights) {
    prune_by_windows(weights.pruner);
    score_candidates(weights.tree);
    const Grades* const grades = options_.grades.get();
    std::vector<std::vector<int>> starts;
    if (grades == nullptr) starts.push_back(start_within(options_.solver, decoder_));
    for (std::size_t k = 0; grades != nullptr && k < grades->size(); ++k)
        starts.push_back(start_within((*grades)[k].solver, grade_decoders_[k]));
    for (const auto& start : starts) candidates_ = candidates_.with(start);
    score_candidates(weights.tree);
    part_features_.assign(views_);
    ask_for_parts(weights.tree);

    double best = minus_infinity<double>;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        TreeDecoder& decoder = grades == nullptr ? decoder_ : grade_decoders_[k];
        std::vector<int>& heads = starts[k];
        double score = asked_climb_.climb(heads, [&](std::span<const int> tree) { return decoder.is_member(tree); });
        if (grades != nullptr) score -= (*grades)[grades->smallest(heads, k, membership_)].price;
        if (k == 0 || score > best) best = score, heads_ = std::move(heads);
    }
    if (options_.rearrange) best = asked_climb_.climb(heads_, [](std::span<const int>) { return true; });
    return {best, std::numeric_limits<double>::infinity(), 0};
}

void GraphParser::prune_by_windows(const WeightTable& weights) {
    const int words = views_.size();
    candidates_ = {};
    pruner_.assign(views_);
    for (int first = 0; first < words; first += piece) {
        const int last = std::min(words, first + piece);
        const int begin = std::max(0, first - margin), end = std::min(words, last + margin);
        pruner_.look_at(begin, end - begin);
        pruner_.score(weights);
        if (options_.max_length > 0) pruner_.forbid_long(options_.max_length);
        pruner_.marginals(options_.single_root);
        const Candidates likely = pruner_.likely(options_.parsing, {});
        for (int d = first + 1; d <= last; ++d) {
            for (const int h : likely.of(d - begin)) candidates_.heads.push_back(h == 0 ? 0 : begin + h);
            candidates_.end_word();
        }
    }
}

std::vector<int> GraphParser::start_within(const ClassSolver& solver, TreeDecoder& decoder) {
    std::vector<int> heads = joined_pieces(decoder);
    if (decoder.is_member(heads)) return heads;
    const ClassRule innermost = innermost_within(solver.rule());
    TreeDecoder projective(ClassSolver(class_name(innermost), innermost), options_.single_root);
    heads = joined_pieces(projective);
    if (!decoder.is_member(heads))
        throw Error("no tree of the class was found for " + std::to_string(views_.size()) +
                    " words: cut the sentence, or parse among all trees");
    return heads;
}

std::vector<int> GraphParser::joined_pieces(TreeDecoder& decoder) {
    const int words = views_.size();
    std::vector<int> heads(words);
    for (int first = 0; first < words; first += piece)
        decode_piece(first, std::min(words, first + piece), decoder, heads);
    if (options_.single_root) join_roots(heads);
    return heads;
}

// The words first + 1 .. last by themselves; where their likely arcs hold no tree, each under the word before it.
void GraphParser::decode_piece(int first, int last, TreeDecoder& decoder, std::span<int> heads) {
    const int words = last - first;
    const std::size_t width = words + 1;
    arcs_.assign(width * width, minus_infinity<float>);
    for (int d = 1; d <= words; ++d)
        for (std::size_t i = candidates_.begin[first + d - 1]; i < candidates_.begin[first + d]; ++i) {
            const int h = candidates_.heads[i];
            if (h == 0 || (first < h && h <= last)) arcs_[(h == 0 ? 0 : h - first) * width + d] = candidate_scores_[i];
        }
    const std::span<int> own = heads.subspan(first, words);
    if (!decoder.decode({arcs_.data(), words}, own))
        for (int d = 1; d <= words; ++d) own[d - 1] = d - 1;
    for (int& h : own)
        if (h != 0) h += first;
}

// Of the roots of pieces the one with the best arc stays; the others go under the next one on its side.
void GraphParser::join_roots(std::span<int> heads) const {
    std::vector<int> roots;
    for (int d = 1; d <= views_.size(); ++d)
        if (heads[d - 1] == 0) roots.push_back(d);
    const auto score = [&](int d) {
        return candidates_.allows(0, d) ? candidate_scores_[candidates_.place(0, d)] : minus_infinity<float>;
    };
    const auto best = std::max_element(roots.begin(), roots.end(), [&](int a, int b) { return score(a) < score(b); });
    for (auto root = roots.begin(); root != roots.end(); ++root)
        if (root != best) heads[*root - 1] = *(root < best ? root + 1 : root - 1);
}

}  // namespace nonproj::learn
