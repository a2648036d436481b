#include "nonproj/classes/planes.hpp"

#include "nonproj/error.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

template class PlaneColouring<4>;
template class PlaneColouring<32>;

std::vector<int> most_crossing_arcs(const Tree& tree) {
    std::vector<int> arcs;
    for (int d = 1; d <= tree.words(); ++d)
        if (tree.head(d) != 0) arcs.push_back(d);
    const auto left = [&](int d) { return tree.arc(d).left(); };
    const auto right = [&](int d) { return tree.arc(d).right(); };
    // Of those that open at one word, no two are in a sequence that rises.
    std::sort(arcs.begin(), arcs.end(),
              [&](int a, int b) { return left(a) != left(b) ? left(a) < left(b) : right(a) > right(b); });
    std::vector<int> most, before(tree.words() + 1), last;  // last[i] of the sequences of i + 1 arcs closes first
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const int first = arcs[i];
        last.clear();
        for (std::size_t j = i + 1; j < arcs.size() && left(arcs[j]) < right(first); ++j) {
            const int d = arcs[j];
            if (left(d) == left(first) || right(d) <= right(first)) continue;
            const auto place =
                std::lower_bound(last.begin(), last.end(), d, [&](int a, int b) { return right(a) < right(b); });
            before[d] = place == last.begin() ? first : *std::prev(place);
            if (place == last.end())
                last.push_back(d);
            else
                *place = d;
        }
        if (last.size() + 1 <= most.size()) continue;
        most.assign(1, first);
        for (int d = last.empty() ? first : last.back(); d != first; d = before[d]) most.push_back(d);
        std::reverse(most.begin() + 1, most.end());
    }
    return most;
}

std::vector<int> planes_of_words(std::span<const int> heads) {
    Core core;
    core.assign(heads);
    const int left = core.tree().words();
    const auto planes = left <= Shape<1>::max_words    ? assign_planes<1>(core.tree())
                        : left <= Shape<4>::max_words  ? assign_planes<4>(core.tree())
                        : left <= Shape<32>::max_words ? assign_planes<32>(core.tree())
                                                       : std::nullopt;
    if (!planes) throw Error("this tree is too entangled: its planes could not be settled");
    std::vector<int> plane(heads.size());
    for (std::size_t i = 0; i < heads.size(); ++i) plane[i] = heads[i] == 0 ? -1 : 0;
    for (int place = 1; place <= left; ++place) plane[core.word(place) - 1] = (*planes)[place];
    return plane;
}

}  // namespace nonproj
