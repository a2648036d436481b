#include "nonproj/decode/search/table_decoder.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "nonproj/decode/search/decoder.hpp"
#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj {

namespace {

// Everything a thread needs to decode one sentence after the other.
template <class Real>
class TableDecoder {
  public:
    LabelledOutcome decode(const ScoredSentence& sentence, const ArcOptions& arcs, const DecodeOptions& options) {
        const auto& scores = read(sentence, arcs);
        Outcome outcome = decoder_.decode(scores, options);
        if (outcome.heads.empty()) {
            table_.require_heads();
            options.solver.refuse_no_tree(options.single_root);
        }
        return with_labels(sentence, std::move(outcome));
    }
    std::vector<LabelledOutcome> k_best(const ScoredSentence& sentence, std::size_t count, const ArcOptions& arcs,
                                        const DecodeOptions& options) {
        const auto& scores = read(sentence, arcs);
        table_.require_heads();
        std::vector<LabelledOutcome> trees;
        for (Outcome& outcome : decoder_.k_best(scores, count, options))
            trees.push_back(with_labels(sentence, std::move(outcome)));
        return trees;
    }

  private:
    const ArcScores<Real>& read(const ScoredSentence& sentence, const ArcOptions& arcs) {
        return table_.read(static_cast<const Real*>(sentence.values), sentence.words, std::max(1, sentence.labels),
                           arcs);
    }
    LabelledOutcome with_labels(const ScoredSentence& sentence, Outcome&& outcome) const {
        LabelledOutcome labelled{std::move(outcome), {}};
        for (int d = 1; d <= sentence.words && sentence.labels > 0; ++d)
            labelled.labels.push_back(table_.label(labelled.outcome.heads[d - 1], d));
        return labelled;
    }

    ScoreTable<Real> table_;
    Decoder<Real> decoder_;
};

// Calls work(decoder). Sentences of a usual length share one decoder a thread.
template <class Real, class Work>
auto with_decoder_of(int words, const Work& work) {
    if (words > 128) {
        TableDecoder<Real> once;
        return work(once);
    }
    thread_local TableDecoder<Real> kept;
    return work(kept);
}
template <class Work>
auto with_decoder(const ScoredSentence& sentence, const Work& work) {
    return sentence.is_double ? with_decoder_of<double>(sentence.words, work)
                              : with_decoder_of<float>(sentence.words, work);
}

}  // namespace

LabelledOutcome decode_table(const ScoredSentence& sentence, const ArcOptions& arcs, const DecodeOptions& options) {
    return with_decoder(sentence, [&](auto& decoder) { return decoder.decode(sentence, arcs, options); });
}

std::vector<LabelledOutcome> k_best_of_table(const ScoredSentence& sentence, std::size_t count, const ArcOptions& arcs,
                                             const DecodeOptions& options) {
    return with_decoder(sentence, [&](auto& decoder) { return decoder.k_best(sentence, count, arcs, options); });
}

std::vector<LabelledOutcome> decode_tables(std::span<const ScoredSentence> sentences, const DecodeOptions& options,
                                           int threads) {
    std::vector<LabelledOutcome> decoded(sentences.size());
    parallel_for(sentences.size(), threads, [&](std::size_t i) {
        try {
            decoded[i] = decode_table(sentences[i], {}, options);
        } catch (const Error& error) {
            throw Error("sentence " + std::to_string(i) + ": " + error.what());
        }
    });
    return decoded;
}

}  // namespace nonproj
