// The scores of parts, remembered for one sentence: a part is up to four words and a kind.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

class Memo {
  public:
    static constexpr int most_words = (1 << 15) - 3;  // what a part of a key holds

    Memo() : cells_(1024) {}
    void clear() {
        if (++age_ == 0) {
            cells_.assign(cells_.size(), {});
            age_ = 1;
        }
        used_ = 0;
    }

    // Words from -1 (none) on.
    static std::uint64_t key(int kind, int a, int b, int c, int d) {
        const auto part = [](int word) { return static_cast<std::uint64_t>(word + 2); };
        return static_cast<std::uint64_t>(kind) << 60 | part(a) << 45 | part(b) << 30 | part(c) << 15 | part(d);
    }

    template <class Compute>
    float get(std::uint64_t key, const Compute& compute) {
        std::size_t place = mixed(key) & (cells_.size() - 1);
        for (; cells_[place].age == age_; place = (place + 1) & (cells_.size() - 1))
            if (cells_[place].key == key) return cells_[place].score;
        const float score = compute();
        cells_[place] = {key, score, age_};
        if (++used_ * 2 > cells_.size()) grow();
        return score;
    }

  private:
    struct Cell {
        std::uint64_t key = 0;
        float score = 0;
        std::uint32_t age = 0;
    };
    void grow() {
        std::vector<Cell> old(cells_.size() * 2);
        old.swap(cells_);
        for (const Cell& cell : old) {
            if (cell.age != age_) continue;
            std::size_t place = mixed(cell.key) & (cells_.size() - 1);
            while (cells_[place].age == age_) place = (place + 1) & (cells_.size() - 1);
            cells_[place] = cell;
        }
    }

    std::vector<Cell> cells_;
    std::uint32_t age_ = 1;
    std::size_t used_ = 0;
};

}  // namespace nonproj::learn
