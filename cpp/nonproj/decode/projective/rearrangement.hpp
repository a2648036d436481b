// Better trees by hill-climbing: as long as giving one word another head makes a better tree, the best such change is
// made (McDonald & Pereira 2006, "Online learning of approximate dependency parsing algorithms"). What it ends with may
// cross, and need not be the best tree. O(n^3) a change.
#pragma once
#include <cstdint>
#include <vector>

#include "nonproj/decode/base/decoded_tree.hpp"
#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/interrupt.hpp"

namespace nonproj {

inline bool is_above(int ancestor, int word, const std::vector<std::int32_t>& heads) {
    while (word != 0 && word != ancestor) word = heads[word - 1];
    return word == ancestor;
}

inline DecodedTree rearranged(const PartList& given, DecodedTree tree, bool single_root) {
    auto& heads = tree.heads;
    for (bool changes = !heads.empty(); changes;) {
        Interrupt::check();
        changes = false;
        int word = 0, head = 0;
        for (int d = 1; d <= given.words(); ++d) {
            const int old = heads[d - 1];
            for (int h = 0; h <= given.words(); ++h) {
                if (h == old || is_above(d, h, heads) || (single_root && (h == 0 || old == 0))) continue;
                if (given.arcs(h, d) == minus_infinity<double>) continue;
                heads[d - 1] = h;
                const double score = given.of_tree(heads.data());
                heads[d - 1] = old;
                if (score > tree.score) tree.score = score, word = d, head = h;
            }
        }
        if (word == 0) continue;
        heads[word - 1] = head;
        changes = true;
    }
    return tree;
}

}  // namespace nonproj
