// The questions to the charts of M0I, M1I, M1IS, WG_1 and WG_1S, and to that of AD_2. They take long to compile, so that here they are only
// declared: a file of its own instantiates Answers<...> for each class.
#pragma once
#include <cstddef>
#include <cstdint>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/base/decoded_tree.hpp"

namespace nonproj::nested {

struct GapMinding;        // M0I
struct HeadSplitOne;      // M1IS
struct HeadSplitAny;      // WG_1S
struct PushComputations;  // AD_2, for all but the best tree
template <bool at_most_one>
struct GapInheriting;
using AnyInheriting = GapInheriting<false>;  // WG_1
using OneInheriting = GapInheriting<true>;   // M1I

template <class Family>
struct Answers {
    static DecodedTree best(const ArcScores<double>& scores, bool single_root);
    static double bytes(int words);  // of the tables of `best`; the others take up to four times as much
    static double log_partition(const ArcScores<double>& scores, bool single_root);
    // Modulo a number from 2 to 2^62.
    static std::uint64_t count(const ArcScores<double>& scores, bool single_root, std::uint64_t modulus);
    // probability[head * (words + 1) + dependent]
    static void marginals(const ArcScores<double>& scores, bool single_root, double* probability);
    // One tree after the other in heads. False when there is none to draw.
    static bool sample(const ArcScores<double>& scores, bool single_root, std::size_t samples, std::uint64_t seed,
                       std::int32_t* heads);
};

}  // namespace nonproj::nested
