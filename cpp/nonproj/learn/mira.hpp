// One update by MIRA (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005): the smallest change of the weights after
// which the gold structure beats the one that was found by as much as that one is wrong; or by the perceptron.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

enum class Algorithm { mira, perceptron };

struct LearningRule {
    Algorithm algorithm = Algorithm::mira;
    double max_step = 1;  // of MIRA

    // How far to go for a violation, given the square of the difference of the features.
    double step(double violation, double square) const {
        // The perceptron does not care for the scale; this one is near MIRA's.
        if (algorithm == Algorithm::perceptron) return 0.01;
        return square > 0 ? std::min(max_step, violation / square) : 0;
    }
};

// Collects the features of both structures, then changes the weights.
class Update {
  public:
    explicit Update(std::size_t places) : count_(places) {}

    void gold(std::size_t place) { add(place, 1); }
    void found(std::size_t place) { add(place, -1); }

    // `violation`: by how much the found structure is ahead, with what it should have lost by. Forgets the features.
    void apply(const LearningRule& rule, double violation, AveragedWeights& weights) {
        double square = 0;
        for (const std::size_t place : touched_) square += static_cast<double>(count_[place]) * count_[place];
        const double step = rule.step(violation, square);
        for (const std::size_t place : touched_) {
            if (count_[place] != 0) weights.add(place, static_cast<float>(step * count_[place]));
            count_[place] = 0;
            seen_[place] = false;
        }
        touched_.clear();
    }

  private:
    void add(std::size_t place, int change) {
        if (!seen_[place]) {
            seen_[place] = true;
            touched_.push_back(place);
        }
        count_[place] = static_cast<std::int16_t>(count_[place] + change);
    }
    std::vector<std::int16_t> count_;
    std::vector<bool> seen_ = std::vector<bool>(count_.size());
    std::vector<std::size_t> touched_;
};

}  // namespace nonproj::learn
