// Decoding of tables of scores as callers have them: in single or double precision, with labels or without, with arcs that
// are required or forbidden; one sentence or many.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/decode/base/score_table.hpp"
#include "nonproj/decode/search/decode_options.hpp"

namespace nonproj {

// n + 1 rows and columns of one score for each label, row-major. They must outlive the call.
struct ScoredSentence {
    const void* values;
    bool is_double;  // else single precision
    int words;
    int labels;  // 0 when the scores have none
};

struct LabelledOutcome {
    Outcome outcome;
    std::vector<int> labels;  // empty when the scores have none
};

// Throws an Error when the class holds no tree without forbidden arcs.
LabelledOutcome decode_table(const ScoredSentence& sentence, const ArcOptions& arcs, const DecodeOptions& options);
std::vector<LabelledOutcome> k_best_of_table(const ScoredSentence& sentence, std::size_t count, const ArcOptions& arcs,
                                             const DecodeOptions& options);
// An error names its sentence.
std::vector<LabelledOutcome> decode_tables(std::span<const ScoredSentence> sentences, const DecodeOptions& options,
                                           int threads);

}  // namespace nonproj
