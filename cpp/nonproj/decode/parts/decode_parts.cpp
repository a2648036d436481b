#include "nonproj/decode/parts/decode_parts.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "nonproj/decode/parts/parts_decoder.hpp"
#include "nonproj/decode/projective/rearrangement.hpp"
#include "nonproj/decode/search/graded.hpp"
#include "nonproj/decode/search/limits.hpp"
#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj {

namespace {

constexpr double least_patience = 8;  // steps that are worth a try

// The road by the chart of the class.
class Chart {
  public:
    Chart(const PartList& given, const DecodeOptions& options)
        : given_(given), options_(options), chart_(options.solver.row().parts_chart) {
        if (chart_ == nullptr || !takes_parts()) return;
        const double heads = 1.0 * given.possible_arcs() / given.words();
        bytes_ = chart_->bytes(given.words(), heads, given.has_grandparents());
        nanoseconds_ = chart_->nanoseconds(given.words(), heads, given.has_grandparents());
    }

    bool is_open() const {
        return chart_ != nullptr && takes_parts() && bytes_ <= options_.memory_limit &&
               nanoseconds_ <= std::min(options_.max_nanoseconds, 1e9 * options_.time_limit);
    }
    double nanoseconds() const { return nanoseconds_; }
    // An error when there is no such chart, or it takes too much memory.
    void require() const {
        const std::string& name = options_.solver.name();
        const std::string remedy = ": use strategy 'auto' or 'relax'";
        if (chart_ == nullptr)
            throw Error("charts of siblings and grandparents are for Pr, and of grandparents for M0I, not for " + name +
                        remedy);
        if (given_.has_more_than_pairs())
            throw Error("charts take siblings and grandparents, no larger parts" + remedy);
        if (!takes_parts()) throw Error("the chart of " + name + " takes grandparents; siblings are for Pr" + remedy);
        if (bytes_ > options_.memory_limit)
            throw Error("the chart for " + std::to_string(given_.words()) + " words needs about " + mebibytes(bytes_) +
                        ", more than memory_limit (" + mebibytes(options_.memory_limit) +
                        "): raise it, or allow fewer heads (mask), or use strategy 'auto' or 'relax'");
        if (nanoseconds_ > 1e9 * options_.time_limit)
            throw Error("the chart for " + std::to_string(given_.words()) + " words takes about " +
                        std::to_string(nanoseconds_ / 1e9) + " s, more than time_limit" + remedy);
    }
    Outcome best(int relaxations) const {
        DecodedTree tree = chart_->best(given_, options_.single_root);
        return {tree.score, tree.score, Road::chart, relaxations, std::move(tree.heads)};
    }

  private:
    bool takes_parts() const {
        return !given_.has_more_than_pairs() && (!given_.has_siblings() || chart_->takes_siblings);
    }

    const PartList& given_;
    const DecodeOptions& options_;
    const PartsChart* chart_;
    double bytes_ = 0, nanoseconds_ = 0;
};

// Sentences of a usual length share one decoder a thread.
Outcome relaxed(const PartList& given, const DecodeOptions& options, int limit) {
    if (given.words() > 128) return PartsDecoder().decode(given, options, limit);
    thread_local PartsDecoder kept;
    return kept.decode(given, options, limit);
}

// Relaxation for about half as long as the chart would take, then the chart.
Outcome by_shorter_road(const PartList& given, const DecodeOptions& options, const Chart& chart) {
    const int limit = work_limit_of(options);
    if (options.strategy == Strategy::relax || !chart.is_open()) return relaxed(given, options, limit);
    const double patience = chart.nanoseconds() / 2 / PartsDecoder::nanoseconds_of_step(given);
    if (patience < least_patience) return chart.best(0);
    Outcome found = relaxed(given, options, static_cast<int>(std::min(1.0 * limit, patience)));
    return found.is_optimal() ? found : chart.best(found.relaxations);
}

Outcome best(const PartList& given, const DecodeOptions& options) {
    if (options.grades != nullptr) {
        Membership membership;
        return best_of_grades(options, membership, [&](const auto& of_class) { return best(given, of_class); });
    }
    const Chart chart(given, options);
    if (options.strategy != Strategy::chart) return by_shorter_road(given, options, chart);
    chart.require();
    return chart.best(0);
}

}  // namespace

Outcome decode_parts(const PartList& given, const DecodeOptions& options, bool rearrange) {
    Outcome found = best(given, options);
    if (found.heads.empty()) {
        if (found.bound == minus_infinity<double>) options.solver.refuse_no_tree(options.single_root);
        if (options.must_find)
            throw Error("no " + options.solver.name() + " tree was found by solving " +
                        std::to_string(found.relaxations) +
                        " spanning trees, nor is it proven that there is none: raise work_limit or memory_limit");
    }
    if (rearrange && !found.heads.empty()) {
        DecodedTree tree = rearranged(given, {found.score, std::move(found.heads)}, options.single_root);
        return {tree.score, std::numeric_limits<double>::infinity(), Road::climb, found.relaxations,
                std::move(tree.heads)};
    }
    return found;
}

std::vector<Outcome> decode_parts(std::span<const PartList* const> sentences, const DecodeOptions& options,
                                  bool rearrange, int threads) {
    std::vector<Outcome> decoded(sentences.size());
    parallel_for(sentences.size(), threads, [&](std::size_t i) {
        try {
            decoded[i] = decode_parts(*sentences[i], options, rearrange);
        } catch (const Error& error) {
            throw Error("sentence " + std::to_string(i) + ": " + error.what());
        }
    });
    return decoded;
}

}  // namespace nonproj
