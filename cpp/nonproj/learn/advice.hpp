// What another model, such as a network, says about the arcs of a corpus: a graph-based parser adds it to its own scores.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/learn/corpus.hpp"

namespace nonproj::learn {

// Logarithms of the chances of arcs, a table of words + 1 rows for each sentence, one after the other. The pruner adds them to
// its own scores, or takes them alone if the advice `prunes`; to the scores of arcs they are added `weight` times.
struct Advice {
    std::span<const float> arcs;
    float weight = 0;
    bool prunes = false;
};

// The advice about each sentence of a corpus.
class AdviceByPlace {
  public:
    AdviceByPlace(const Corpus& corpus, const Advice& whole) : whole_(whole) {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < corpus.sentences(); ++i) {
            begins_.push_back(begin);
            const std::size_t width = static_cast<std::size_t>(corpus.offsets()[i + 1] - corpus.offsets()[i]) + 1;
            begin += width * width;
        }
        begins_.push_back(begin);
        if (begin != whole.arcs.size()) throw Error("advice must be a table of words + 1 rows for each sentence");
    }
    Advice of(std::size_t sentence) const {
        const std::size_t begin = begins_[sentence];
        return {whole_.arcs.subspan(begin, begins_[sentence + 1] - begin), whole_.weight};
    }

  private:
    Advice whole_;
    std::vector<std::size_t> begins_;
};

}  // namespace nonproj::learn
