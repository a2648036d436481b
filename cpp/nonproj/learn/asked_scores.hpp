// The scores of a model as climbing asks for them (decode/parts/climb.hpp): only parts that some tree on the way has are
// scored, each once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/families.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class AskedScores {
  public:
    // `scores` are those of the candidates, in their order. All of them must outlive this.
    void assign(const Candidates& candidates, std::span<const float> scores, Families& families,
                const WeightTable& weights) {
        candidates_ = &candidates;
        scores_ = scores;
        families_ = &families;
        weights_ = &weights;
        numbers_.clear();
        ends_.clear();
    }

    int words() const { return static_cast<int>(candidates_->begin.size()) - 1; }
    std::span<const int> heads(int word) const { return candidates_->of(word); }
    bool allows(int head, int word) const { return candidates_->allows(head, word); }
    double arc(int head, int word) const { return scores_[candidates_->place(head, word)]; }
    void ask(int h, int above, std::span<const int> children) {
        families_->list(h, above, children, *weights_, numbers_);
        ends_.push_back(numbers_.size());
    }
    std::span<const double> answers() {
        families_->settle(*weights_);
        answers_.clear();
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            answers_.push_back(families_->sum(std::span(numbers_).subspan(begin, end - begin)));
            begin = end;
        }
        numbers_.clear();
        ends_.clear();
        return answers_;
    }

  private:
    const Candidates* candidates_ = nullptr;
    std::span<const float> scores_;
    Families* families_ = nullptr;
    const WeightTable* weights_ = nullptr;
    std::vector<std::uint32_t> numbers_;  // of the parts of the families asked for
    std::vector<std::size_t> ends_;
    std::vector<double> answers_;
};

}  // namespace nonproj::learn
