// Trees by lot: a tree with its words in another order, and a tree drawn from all those of its size.
//
// Pruefer's code is a one-to-one map between the n^(n-2) trees over n nodes and the sequences of n - 2 of them. With the
// dummy among the nodes it gives each of the (n+1)^(n-1) trees of n words the same chance; without it, and with a root
// drawn apart, each of the n^(n-1) that have one root. Linear time.
#pragma once
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace nonproj {

class RandomTree {
  public:
    explicit RandomTree(std::uint64_t seed) : random_(seed) {}

    // The words of a tree in an order drawn from all.
    void shuffle(std::span<const std::int32_t> heads, std::span<std::int32_t> shuffled) {
        const int words = static_cast<int>(heads.size());
        place_.resize(words + 1);
        std::iota(place_.begin(), place_.end(), 0);
        for (int w = words; w > 1; --w) std::swap(place_[w], place_[1 + below(w)]);
        for (int w = 1; w <= words; ++w) shuffled[place_[w] - 1] = place_[heads[w - 1]];
    }

    void draw(bool single_root, std::span<std::int32_t> heads) {
        const int words = static_cast<int>(heads.size());
        if (words == 0) return;
        if (!single_root) {  // node i stands for word words - i: the last is the dummy
            decode(words + 1);
            for (int node = 0; node < words; ++node) heads[words - node - 1] = words - above_[node];
            return;
        }
        // The code leads to the last node, which changes places with the root.
        decode(words);
        const int last = words - 1, root = below(words);
        const auto word = [&](int node) { return 1 + (node == last ? root : node == root ? last : node); };
        heads[word(last) - 1] = 0;
        for (int node = 0; node < last; ++node) heads[word(node) - 1] = word(above_[node]);
    }

  private:
    // The head of every node but the last, towards which all arcs lead.
    void decode(int nodes) {
        code_.resize(nodes > 2 ? nodes - 2 : 0);
        missing_.assign(nodes, 1);
        for (int& node : code_) ++missing_[node = below(nodes)];
        above_.assign(nodes, nodes - 1);
        int next = 0;
        while (missing_[next] != 1) ++next;
        int leaf = next;
        for (int node : code_) {
            above_[leaf] = node;
            if (--missing_[node] == 1 && node < next) {
                leaf = node;
            } else {
                for (++next; missing_[next] != 1;) ++next;
                leaf = next;
            }
        }
    }

    // A number below a bound, each with the same chance; the standard distributions differ between libraries.
    int below(int bound) {
        const auto limit = static_cast<std::uint32_t>(bound);
        const std::uint32_t uneven = (0 - limit) % limit;
        for (;;) {
            const std::uint64_t product = (random_() >> 32) * limit;
            if (static_cast<std::uint32_t>(product) >= uneven) return static_cast<int>(product >> 32);
        }
    }

    std::mt19937_64 random_;
    std::vector<int> place_, code_, missing_, above_;
};

}  // namespace nonproj
