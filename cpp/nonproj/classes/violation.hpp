// Why a tree is outside a class: a violation is a set of its arcs such that no tree that holds all of them is
// in the class. It explains, and it tells a decoder what to branch on. Words are those of the whole tree.
//
//   reason        witnesses, in this order
//   crossing      -                          two arcs that cross
//   planes        -                          arcs whose crossing graph needs more than k colours
//   endpoints     -                          an arc, then two that cross it and share no end
//   interval      left end, right end, the vertices needed
//   gaps          v, then words in, out, in, ... of Y(v) from left to right
//   nesting       p, q, then i < k < j < l, of Y(p), Y(q), Y(p), Y(q)
//   inheritance   v, a word of its gap, the children that lie on both sides of it
//   head_split    h, m, then a word of h's gap, and one of Y(m) that parts it from h
//   obstruction   the words of the smallest part found, closed under heads, that is outside by itself
//   whole_tree    all words
//
// For a witness inside Y(v) the violation holds the arcs from it up to v. For one outside it holds the arcs
// from it and from v up to their lowest common ancestor: in any tree that holds those, v is not above it. An
// obstruction is a violation for MG_k, MH_k, AD_d and DD_d because deleting a leaf never takes a tree out of them.
#pragma once
#include <vector>

#include "nonproj/tree/tree.hpp"

namespace nonproj {

enum class Reason {
    crossing,
    planes,
    endpoints,
    interval,
    gaps,
    nesting,
    inheritance,
    head_split,
    obstruction,
    whole_tree
};

struct Violation {
    Reason reason;
    std::vector<Arc> arcs;
    std::vector<int> words;
};

}  // namespace nonproj
