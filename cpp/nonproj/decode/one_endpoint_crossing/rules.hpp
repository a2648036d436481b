// The rules for 1-endpoint-crossing trees: O(n^4) time, O(n^3) space.
//
// A tree is 1-endpoint-crossing when all the arcs that cross an arc share a vertex (Pitler, Kannan & Marcus 2013,
// "Finding optimal 1-endpoint-crossing trees"). The rules below are ours; arcs count without their direction.
//
//   I[i,j]    graphs on the positions i..j                                  a span item
//   I[i,j,x]  graphs on i..j and the arcs (x,m), i < m < j, of a point x     `left` items: x < i, `right` items: x > j
//   I[i,j,x]  graphs on i..j in which the inner point x is still open        `inner` items: i < x < j
//
// An item stands for forests in which every vertex has its head inside the graph, except the item's own two or three
// points. Its *state* says who roots whom: the root of the tree that each of these points stands in. So cycles and
// second heads are excluded by the states alone, and the rules need only look at crossings.
//
//   A <- B C | D      A is built from B and C together, or from D. Points only on the right are run over: k is a split
//                     point, i < k < j, and x in a span rule is a point left of k.
//   (a,b)  (a,b)?     an arc, in either direction; an arc or none
//   (i,j)!            the only arc of the root, when a single root is asked for
//   # ...             a comment
//
// A prime means that the arc (i,j) is absent. A split point of a graph on i..j is a point that no arc of i..j passes
// over; split points cut the graph into blocks.
//
//   Int Int'      any graph                              Q        longest i-arc (i,k) crossed by arcs of j alone
//   N1 N2 Nx XN   x-arcs are uncrossed                   CL CR    one crossed x-arc (x,m), still to come, marks m
//   L L' Le       x-arcs are crossed by i-arcs only      A AR AS  left part of a crossing of x-arcs by j-arcs
//   R R' Re       x-arcs are crossed by j-arcs only      D AL     left part of a crossing of x-arcs by i-arcs
//   LB RB         L and R in one block                   K M      AL and more to its right, M with the arc (x,j)
//   H G           L with (x,j), R with (x,i) allowed, the last (first) x-arc being there or inside the only block
//   XR XS         right part: L with (x,j) allowed       LR' E    by i-arcs or by j-arcs, to go with the arc (i,j)
//   Lo            L with (x,j) allowed, or no x-arc      1 2      with exactly one x-arc, with two or more
//   e             with the arc (i,j)                     B        A before its arc (i,j)
//   Ld Rh         what D and LR' have a use for of L and R
//   Ti Te Tq TR TS T                                     Int', R', Q, A with the only arc of the root
// Items with a third point outside have at least one x-arc, but for Lo.
#pragma once
#include <string_view>

namespace nonproj::one_endpoint_crossing {

// Every tree has a derivation, some have several: right for the best tree, wrong for sums.
inline constexpr std::string_view overlapping_rules = R"(
inner: CL CR A B D AL K M T
left:  LB' L' Le L LB Ld H
right: LB' L' Le L H RB' R' Re R RB Rh G LR' E Te

CL[i,j,x]  <- Int[i,x] LB[x,j,i]
CR[i,j,x]  <- RB[i,x,j] Int[x,j]
B[i,j,x]   <- Int[i,x] Int[x,j] | R[i,x,j] Int[x,j]
A[i,j,x]   <- B[i,j,x] (i,j) | Re[i,x,j] Int[x,j]
D[i,j,x]   <- Int[i,x] Ld[x,j,i]
K[i,j,x]   <- AL[i,k,x] Int[k,j]
M[i,j,x]   <- K[i,j,x] (j,x)
AL[i,j,x]  <- D[i,j,x] (i,j) | M[i,j,x]
Q[i,j]     <- E[i,k,j] Int[k,j]
Int'[i,j]  <- Unit[i,j] | Int[i,k] Int[k,j]                    # a split point; or
Int'[i,j]  <- Q[i,j] | A[i,k,x] H[k,j,x] | M[i,j,k]            # as in the unique rules, up to the last split point
Int[i,j]   <- Int'[i,j] (i,j)?

LB'[i,j,x] <- CL[i,j,k] (k,x)                                  # a second x-arc would need (i,j)
L'[i,j,x]  <- LB'[i,j,x] | H[i,k,x] Int[k,j]
Le[i,j,x]  <- L'[i,j,x] (i,j)
L[i,j,x]   <- L'[i,j,x] | Le[i,j,x]
LB[i,j,x]  <- LB'[i,j,x] | Le[i,j,x]
Ld[i,j,x]  <- L[i,j,x]
H[i,j,x]   <- LB'[i,j,x] | Le[i,j,x] | Int[i,j] (j,x) | L[i,j,x] (j,x)

RB'[i,j,x] <- CR[i,j,k] (k,x)
R'[i,j,x]  <- RB'[i,j,x] | Int[i,k] G[k,j,x]
Re[i,j,x]  <- R'[i,j,x] (i,j)
R[i,j,x]   <- R'[i,j,x] | Re[i,j,x]
RB[i,j,x]  <- RB'[i,j,x] | Re[i,j,x]
Rh[i,j,x]  <- R'[i,j,x] | Re[i,j,x]
G[i,j,x]   <- RB[i,j,x] | R[i,j,x] (i,x) | Int[i,j] (i,x)
LR'[i,j,x] <- L'[i,j,x] | R'[i,j,x] | H[i,k,x] Rh[k,j,x]       # no block has both kinds of x-arcs
E[i,j,x]   <- LR'[i,j,x] (i,j)

Te[i,j,x]  <- R'[i,j,x] (i,j)!
T[i,j,x]   <- B[i,j,x] (i,j)! | Te[i,x,j] Int[x,j]
Ti[i,j]    <- Int'[i,j] (i,j)! | Te[i,k,j] Int[k,j] | T[i,k,x] H[k,j,x]
Goal[i,j]  <- Ti[i,j] | Ti[i,k] Int[k,j]
)";

// Every tree has exactly one derivation: for sums, counts and samples.
inline constexpr std::string_view unique_rules = R"(
inner: CL CR AR B AS D AL TR TS
left:  N1 N2 Nx1 Nx2 XN LB' L1' L2' Le1 Le2 L2 L LB Ld H1 H2 XR XS
right: LB' L' Le L H Lo RB' R' Re R RB G LR' E Te

CL[i,j,x]  <- Int[i,x] LB[x,j,i]
CR[i,j,x]  <- RB[i,x,j] Int[x,j]
AR[i,j,x]  <- Re[i,x,j] Int[x,j]
B[i,j,x]   <- Int[i,x] Int[x,j] | R[i,x,j] Int[x,j]
AS[i,j,x]  <- B[i,j,x] (i,j)
D[i,j,x]   <- Int[i,x] Ld[x,j,i]
AL[i,j,x]  <- D[i,j,x] (i,j)
Q[i,j]     <- E[i,k,j] Int[k,j]
Int'[i,j]  <- Unit[i,j] | Unit[i,k] Int[k,j]                   # i has no arc; else its longest is
Int'[i,j]  <- Inte[i,k] Int[k,j]                               # (i,k), which is not crossed, or
Int'[i,j]  <- Q[i,j] | Q[i,k] Int[k,j]                         # crossed by arcs of one point to its right, or
Int'[i,j]  <- AR[i,k,x] XR[k,j,x]                              # (i,x), so crossed by k, and x has arcs beyond k, or
Int'[i,j]  <- AS[i,k,x] XS[k,j,x]                              # (i,k), crossed by arcs of x, and these by k, or
Int'[i,j]  <- AL[i,k,x] XN[k,j,x]                              # (i,k), crossed by arcs of x, and these by i
Inte[i,j]  <- Int'[i,j] (i,j)
Int[i,j]   <- Int'[i,j] | Inte[i,j]

N1[i,j,x]  <- Nx1[i,k,x] Int[k,j]
N2[i,j,x]  <- Nx2[i,k,x] Int[k,j]
Nx1[i,j,x] <- Int[i,j] (j,x)
Nx2[i,j,x] <- N1[i,j,x] (j,x) | N2[i,j,x] (j,x)
XN[i,j,x]  <- N2[i,j,x] | Nx2[i,j,x]

LB'[i,j,x] <- CL[i,j,k] (k,x)                                  # a second x-arc would need (i,j)
L1'[i,j,x] <- LB'[i,j,x] | H1[i,k,x] Int[k,j]
L2'[i,j,x] <- H2[i,k,x] Int[k,j]
Le1[i,j,x] <- L1'[i,j,x] (i,j)
Le2[i,j,x] <- L2'[i,j,x] (i,j)
L2[i,j,x]  <- L2'[i,j,x] | Le2[i,j,x]
L[i,j,x]   <- L1'[i,j,x] | Le1[i,j,x] | L2[i,j,x]
LB[i,j,x]  <- LB'[i,j,x] | Le1[i,j,x] | Le2[i,j,x]
Ld[i,j,x]  <- L[i,j,x]
H1[i,j,x]  <- LB'[i,j,x] | Le1[i,j,x] | Int[i,j] (j,x)
H2[i,j,x]  <- Le2[i,j,x] | L[i,j,x] (j,x)
XR[i,j,x]  <- L[i,j,x] (j,x)? | Int[i,j] (j,x)
XS[i,j,x]  <- L[i,j,x] (j,x) | L2[i,j,x]

L'[i,j,x]  <- LB'[i,j,x] | H[i,k,x] Int[k,j]
Le[i,j,x]  <- L'[i,j,x] (i,j)
L[i,j,x]   <- L'[i,j,x] | Le[i,j,x]
H[i,j,x]   <- LB'[i,j,x] | Le[i,j,x] | Int[i,j] (j,x) | L[i,j,x] (j,x)
Lo[i,j,x]  <- L[i,j,x] (j,x)? | Int[i,j] (j,x)?

RB'[i,j,x] <- CR[i,j,k] (k,x)
R'[i,j,x]  <- RB'[i,j,x] | Int[i,k] G[k,j,x]
Re[i,j,x]  <- R'[i,j,x] (i,j)
R[i,j,x]   <- R'[i,j,x] | Re[i,j,x]
RB[i,j,x]  <- RB'[i,j,x] | Re[i,j,x]
G[i,j,x]   <- RB[i,j,x] | R[i,j,x] (i,x) | Int[i,j] (i,x)
LR'[i,j,x] <- L'[i,j,x] | RB'[i,j,x] | Lo[i,k,x] RB[k,j,x]     # no block has both kinds of x-arcs
E[i,j,x]   <- LR'[i,j,x] (i,j)

Ti[i,j]    <- Int'[i,j] (i,j)!
Te[i,j,x]  <- R'[i,j,x] (i,j)!
Tq[i,j]    <- Te[i,k,j] Int[k,j]
TR[i,j,x]  <- Te[i,x,j] Int[x,j]
TS[i,j,x]  <- B[i,j,x] (i,j)!
Goal[i,j]  <- Ti[i,j] | Ti[i,k] Int[k,j] | Tq[i,j] | Tq[i,k] Int[k,j]
Goal[i,j]  <- TR[i,k,x] XR[k,j,x] | TS[i,k,x] XS[k,j,x]
)";

}  // namespace nonproj::one_endpoint_crossing
