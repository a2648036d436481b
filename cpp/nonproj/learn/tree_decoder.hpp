// The best tree of a class by its arcs (decode/search/decoder.hpp), and membership, for learners.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/search/decoder.hpp"

namespace nonproj::learn {

class TreeDecoder {
  public:
    TreeDecoder(const ClassSolver& solver, bool single_root, std::shared_ptr<const Grades> grades = nullptr)
        : options_{solver, single_root, Strategy::automatic, work_limit} {
        options_.max_nanoseconds = max_nanoseconds;
        options_.must_find = false;
        options_.grades = std::move(grades);
    }

    struct Found {
        bool any;
        double score, gap;  // how much more another tree may score: 0 when this one is proven best
    };
    // None, and the heads as they were, when no tree of the class without forbidden arcs was found. Where the search reaches
    // its limit and a chart would take long, or there is none, the best tree found so far.
    Found decode(const ArcScores<float>& scores, std::span<int> heads) {
        Outcome outcome = decoder_->decode(scores, options_);
        if (!outcome.is_optimal()) prove(scores, outcome);
        std::copy(outcome.heads.begin(), outcome.heads.end(), heads.begin());
        return {!outcome.heads.empty(), outcome.score, outcome.bound - outcome.score};
    }
    bool is_member(std::span<const int> heads) { return decoder_->membership().settle(heads, options_.solver) == 1; }

  private:
    // A parser looks at thousands of trees: on a hard one the best found soon is good enough.
    static constexpr int work_limit = 500;
    static constexpr double max_nanoseconds = 2e8;

    // By the chart of a class for few possible arcs, which is quick where that for all arcs would take too long.
    void prove(const ArcScores<float>& scores, Outcome& outcome) const {
        const ClassChart* const chart = options_.grades == nullptr ? options_.solver.row().chart : nullptr;
        if (chart == nullptr || chart->nanoseconds_of_few == nullptr) return;
        const int words = scores.words();
        const std::size_t width = static_cast<std::size_t>(words) + 1;
        const std::vector<double> wide(scores.data(), scores.data() + width * width);
        double arcs = 0;
        for (int h = 0; h <= words; ++h)
            for (int d = 1; d <= words; ++d) arcs += h != d && scores(h, d) > minus_infinity<float>;
        if (chart->nanoseconds_of_few(words, arcs) > max_nanoseconds) return;
        if (chart->bytes_of_few(words, arcs) > options_.memory_limit) return;
        DecodedTree tree = chart->best({wide.data(), words}, options_.solver.rule().k, options_.single_root);
        if (tree.heads.empty()) return;
        outcome = {tree.score, tree.score, Road::chart, outcome.relaxations, std::move(tree.heads)};
    }

    DecodeOptions options_;
    std::unique_ptr<Decoder<float>> decoder_ = std::make_unique<Decoder<float>>();
};

}  // namespace nonproj::learn
