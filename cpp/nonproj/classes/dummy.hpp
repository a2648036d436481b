// Where the dummy root stands: left of the first word, as everywhere else in this library, right of the last one, or
// nowhere (Ballesteros & Nivre 2013; Gomez-Rodriguez 2016, footnote 1).
//
//                 right                                             none
//   k-C           changes, since intervals end elsewhere            changes: the dummy's arcs do not count
//   1EC           stays: the dummy's arcs cross the same arcs       changes: the dummy's arcs do not count
//   MH_k, AD_d    change where a tree has several roots             have no meaning: their items and stacks hold it
//   AV_k, DD_d    change where a tree has several roots             have no meaning
//   the others    look at yields of words, or at arcs between words: they stay
//
// On the right the dummy is like one more word, at the end, which has the only arc from a dummy on the left: that arc
// crosses none and no word has it for its parent. The charts of MH_k and what DD_d drops know no direction: there the sentence is read backwards.
#pragma once
#include <span>
#include <vector>

#include "nonproj/classes/profile.hpp"

namespace nonproj {

enum class Dummy { left, right, none };

// The tree with its dummy as the last word.
std::vector<int> with_last_word_for_dummy(std::span<const int> heads);

// The profile with the dummy elsewhere; `mh`, `ad` and `drop_distance` without a dummy are undetermined.
Profile measure_with_dummy(Profiler& profiler, std::span<const int> heads, PropertySet wanted, Dummy dummy);

}  // namespace nonproj
