// The score of a family: a head, its head, and its children on both sides, by the parts of part_features.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/memo.hpp"
#include "nonproj/learn/part_features.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

class Families {
  public:
    // The features must outlive this.
    void assign(const PartFeatures& features, int words, const Parts& parts) {
        features_ = &features;
        parts_ = parts;
        memo_.clear(words);
        scores_.clear();
        gathering_.clear();
    }

    // Adds the numbers of the parts of a family to `numbers`. Weights of parts that are new are asked for; `settle` them
    // before `sum`, and after as many families as can be listed together: memory then works on all of them at once.
    // `children` in order of position, `grandparent` is -1 above the root.
    void list(int head, int grandparent, std::span<const int> children, const WeightTable& weights,
              std::vector<std::uint32_t>& numbers) {
        const Addressing at = weights.addressing();
        const std::size_t begin = numbers.size();
        numbers.resize(begin + max_parts(children.size()));
        std::uint32_t* next = numbers.data() + begin;
        each_part(head, grandparent, children, [&](std::uint64_t key, const auto& features) {
            const std::uint32_t known = memo_.size(), number = memo_.number(key);
            *next++ = number;
            if (number < known) return;
            features(at, gathering_.features());
            gathering_.end_sum();
        });
        numbers.resize(static_cast<std::size_t>(next - numbers.data()));
    }
    void settle(const WeightTable& weights) {
        gathering_.each_sum(weights, [&](std::size_t, float sum) { scores_.push_back(sum); });
    }
    double sum(std::span<const std::uint32_t> numbers) const {
        double total = 0;
        for (const std::uint32_t number : numbers) total += scores_[number];
        return total;
    }

    template <class Take>
    void each_feature(int head, int grandparent, std::span<const int> children, const Addressing& at,
                      const Take& take) const {
        each_part(head, grandparent, children, [&](std::uint64_t, const auto& features) { features(at, take); });
    }

  private:
    enum Kind { sibling = 1, grandparent };
    // Two for each child, and the ends of both sides.
    static std::size_t max_parts(std::size_t children) { return 2 * children + 2; }

    template <class Visit>
    void each_part(int head, int above, std::span<const int> children, const Visit& visit) const {
        std::size_t left = 0;
        while (left < children.size() && children[left] < head) ++left;
        side(head, above, children.first(left).rbegin(), children.first(left).rend(), false, visit);
        side(head, above, children.subspan(left).begin(), children.end(), true, visit);
    }

    template <class Iterator, class Visit>
    void side(int head, int above, Iterator child, Iterator end, bool is_right, const Visit& visit) const {
        int previous = -1;
        for (; child != end; ++child) {
            add(head, above, previous, *child, is_right, visit);
            previous = *child;
        }
        if (parts_.siblings)
            visit(Memo::key(sibling, head, previous, -1, is_right), [&](const Addressing& at, const auto& take) {
                features_->sibling(head, previous, -1, is_right, at, take);
            });
    }

    template <class Visit>
    void add(int head, int above, int previous, int child, bool is_right, const Visit& visit) const {
        if (parts_.siblings)
            visit(Memo::key(sibling, head, previous, child, -1), [&](const Addressing& at, const auto& take) {
                features_->sibling(head, previous, child, is_right, at, take);
            });
        if (parts_.grandparents && above >= 0)
            visit(Memo::key(grandparent, above, head, child, -1), [&](const Addressing& at, const auto& take) {
                features_->grandparent(above, head, child, at, take);
            });
    }

    const PartFeatures* features_ = nullptr;
    Parts parts_;
    Memo memo_;
    std::vector<float> scores_;  // of the parts by their numbers
    Gathering gathering_;        // for those that are not settled
};

}  // namespace nonproj::learn
