#include "nonproj/classes/planes.hpp"

#include "nonproj/error.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

template class PlaneColouring<4>;
template class PlaneColouring<32>;

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
