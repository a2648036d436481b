// Larger parts that a model scores when climbing asks for them (decode/parts/climb.hpp): only those that some tree on the way
// has, and each once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/memo.hpp"
#include "nonproj/learn/part_features.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class AskedParts {
  public:
    // All of them must outlive this.
    void assign(const ScoredArcs& arcs, const PartFeatures& features, const PartKinds& kinds,
                const WeightTable& weights) {
        arcs_ = &arcs;
        features_ = &features;
        kinds_ = kinds;
        weights_ = &weights;
        memo_.clear(words());
        scores_.clear();
        gathering_.clear();
        numbers_.clear();
        ends_.clear();
    }

    int words() const { return arcs_->words(); }
    std::span<const int> heads(int word) const { return arcs_->candidates.of(word); }
    bool allows(int head, int word) const { return arcs_->candidates.allows(head, word); }
    double arc(int head, int word) const { return arcs_->of(head, word); }

    // The weights of parts that are new are asked for; the answers come when many families were asked for together, so that
    // memory works on all of them at once.
    void ask(int h, int above, std::span<const int> children, std::vector<double>&) {
        const Addressing at = weights_->addressing();
        const std::size_t begin = numbers_.size();
        numbers_.resize(begin + 2 * children.size() + 2);  // two for each child, and the ends of both sides
        std::uint32_t* next = numbers_.data() + begin;
        features_->each_of_family(kinds_, h, above, children, [&](std::uint64_t key, const auto& name) {
            const std::uint32_t known = memo_.size(), number = memo_.number(key);
            *next++ = number;
            if (number < known) return;
            name(at, gathering_.features());
            gathering_.end_sum();
        });
        numbers_.resize(static_cast<std::size_t>(next - numbers_.data()));
        ends_.push_back(numbers_.size());
    }
    void settle(std::vector<double>& answers) {
        gathering_.each_sum(*weights_, [&](std::size_t, float sum) { scores_.push_back(sum); });
        std::size_t next = 0;
        for (const std::size_t end : ends_) {
            double total = 0;
            for (; next < end; ++next) total += scores_[numbers_[next]];
            answers.push_back(total);
        }
        numbers_.clear();
        ends_.clear();
    }

  private:
    const ScoredArcs* arcs_ = nullptr;
    const PartFeatures* features_ = nullptr;
    const WeightTable* weights_ = nullptr;
    PartKinds kinds_;
    Memo memo_;
    std::vector<float> scores_;           // of the parts by their numbers
    Gathering gathering_;                 // for those that are not settled
    std::vector<std::uint32_t> numbers_;  // of the parts of the families asked for
    std::vector<std::size_t> ends_;
};

}  // namespace nonproj::learn
