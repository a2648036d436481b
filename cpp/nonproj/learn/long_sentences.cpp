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
#include "nonproj/error.hpp"
#include "nonproj/learn/scorer.hpp"
#include "nonproj/learn/searcher.hpp"

namespace nonproj::learn {

namespace {

constexpr int piece = 128, margin = 64;

// Of the roots of pieces the one with the best arc stays; the others go under the next one on its side.
void join_roots(const ScoredArcs& arcs, std::span<int> heads) {
    std::vector<int> roots;
    for (int d = 1; d <= arcs.words(); ++d)
        if (heads[d - 1] == 0) roots.push_back(d);
    const auto score = [&](int d) { return arcs.candidates.allows(0, d) ? arcs.of(0, d) : minus_infinity<float>; };
    const auto best = std::max_element(roots.begin(), roots.end(), [&](int a, int b) { return score(a) < score(b); });
    for (auto root = roots.begin(); root != roots.end(); ++root)
        if (root != best) heads[*root - 1] = *(root < best ? root + 1 : root - 1);
}

}  // namespace

Candidates Scorer::prune_by_windows(const WeightTable& weights, const PruningLimits& limits) {
    const int words = views_.size();
    Candidates candidates;
    pruner_.assign(views_);
    for (int first = 0; first < words; first += piece) {
        const int last = std::min(words, first + piece);
        const int begin = std::max(0, first - margin), end = std::min(words, last + margin);
        pruner_.look_at(begin, end - begin);
        pruner_.score(weights);
        if (max_length_ > 0) pruner_.forbid_long(max_length_);
        pruner_.marginals(single_root_);
        const Candidates likely = pruner_.likely(limits, {});
        for (int d = first + 1; d <= last; ++d) {
            for (const int h : likely.of(d - begin)) candidates.heads.push_back(h == 0 ? 0 : begin + h);
            candidates.end_word();
        }
    }
    return candidates;
}

std::vector<std::vector<int>> Searcher::first_trees(const ScoredArcs& arcs) {
    std::vector<std::vector<int>> trees;
    for (Class& of_class : classes_) {
        std::vector<int> heads = joined_pieces(arcs, of_class.decoder);
        if (!of_class.decoder.is_member(heads)) {
            const ClassRule innermost = innermost_within(of_class.solver.rule());
            TreeDecoder projective(ClassSolver(class_name(innermost), innermost), options_.single_root);
            heads = joined_pieces(arcs, projective);
        }
        if (!of_class.decoder.is_member(heads))
            throw Error("no tree of the class was found for " + std::to_string(arcs.words()) +
                        " words: cut the sentence, or parse among all trees");
        trees.push_back(std::move(heads));
    }
    return trees;
}

Searcher::Found Searcher::climb_from(std::vector<std::vector<int>> trees, AskedParts& parts) {
    auto& climb = climb_of(parts);
    Found found;
    for (std::size_t k = 0; k < trees.size(); ++k) {
        TreeDecoder& decoder = classes_[k].decoder;
        std::vector<int>& heads = trees[k];
        double score = climb.climb(heads, [&](std::span<const int> tree) { return decoder.is_member(tree); });
        score -= price(heads, k, options_.grades.get());
        if (k == 0 || score > found.proof.score) found.proof.score = score, found.heads = std::move(heads);
    }
    found.proof.gap = std::numeric_limits<double>::infinity();
    if (options_.rearrange) found.proof.score = climb.climb(found.heads, [](std::span<const int>) { return true; });
    return found;
}

std::vector<int> Searcher::joined_pieces(const ScoredArcs& arcs, TreeDecoder& decoder) {
    const int words = arcs.words();
    std::vector<int> heads(words);
    for (int first = 0; first < words; first += piece)
        decode_piece(arcs, first, std::min(words, first + piece), decoder, heads);
    if (options_.single_root) join_roots(arcs, heads);
    return heads;
}

// The words first + 1 .. last by themselves; where their likely arcs hold no tree, each under the word before it.
void Searcher::decode_piece(const ScoredArcs& arcs, int first, int last, TreeDecoder& decoder, std::span<int> heads) {
    const int words = last - first;
    const std::size_t width = words + 1;
    const Candidates& likely = arcs.candidates;
    room_.assign(width * width, minus_infinity<float>);
    for (int d = 1; d <= words; ++d)
        for (std::size_t i = likely.begin[first + d - 1]; i < likely.begin[first + d]; ++i) {
            const int h = likely.heads[i];
            if (h == 0 || (first < h && h <= last)) room_[(h == 0 ? 0 : h - first) * width + d] = arcs.scores[i];
        }
    const std::span<int> own = heads.subspan(first, words);
    if (!decoder.decode({room_.data(), words}, own).any)
        for (int d = 1; d <= words; ++d) own[d - 1] = d - 1;
    for (int& h : own)
        if (h != 0) h += first;
}

}  // namespace nonproj::learn
