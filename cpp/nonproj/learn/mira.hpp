// One step of MIRA (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005): the smallest change of the weights after
// which the gold structure beats the one that was found by as much as that one is wrong; and the perceptron's step.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

enum class Algorithm { mira, perceptron };

class Step {
  public:
    // The perceptron does not care for the scale; this one is near MIRA's.
    static constexpr double perceptron_step = 0.01;

    explicit Step(std::size_t places) : count_(places) {}

    void gold(std::size_t place) { add(place, 1); }
    void found(std::size_t place) { add(place, -1); }

    // `violation`: by how much the found structure is ahead, with what it should have lost by. Forgets the features.
    void take(Algorithm algorithm, double violation, double most, AveragedTable& weights) {
        double square = 0;
        for (const std::size_t place : touched_) square += static_cast<double>(count_[place]) * count_[place];
        double size = algorithm == Algorithm::perceptron ? perceptron_step : 0;
        if (algorithm == Algorithm::mira && square > 0) size = std::min(most, violation / square);
        for (const std::size_t place : touched_) {
            if (count_[place] != 0) weights.add(place, static_cast<float>(size * count_[place]));
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
