"""1-endpoint-crossing trees in O(n^4), each with one derivation: the rules of our own chart, as a schema.

A tree is 1-endpoint-crossing when all the arcs that cross an arc share a word (Pitler, Kannan & Marcus 2013, "Finding
Optimal 1-Endpoint-Crossing Trees", who found the first parser). The rules are ours. They speak of graphs, in which arcs
count without their direction:

    I[i, j]      graphs on the positions i..j
    I[i, j, x]   graphs on i..j and the arcs of a point x outside to words between i and j, or in which the point x
                 between i and j is still open

Every word has its head inside the graph, except the two or three points of the item. So an item has a *state*, the
letters after its name: for each point the root of the tree that it stands in. ``Int_ii[i, j]`` is a graph in which j
stands below i, ``Int_ij[i, j]`` one with two trees. A rule gives one step for every combination of states that
makes no circle and no second head, and leaves no word behind without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

from nonproj.schema.notation import Hypothesis, ItemForm, Step
from nonproj.schema.schema import Schema

# ``A <- B C | D``: A is built from B and C together, or from D. ``(a,b)`` is an arc in either direction, with ``?`` an
# arc or none, with ``!`` the only arc of the dummy where a single root is asked for. A prime says that the arc (i,j) is
# absent, e that it is there; 1 and 2 that there is exactly one arc of x, or more.
RULES = """
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
"""

_MEANINGS = {
    "Int": "any graph",
    "Q": "the longest arc of i is crossed by arcs of j alone",
    "N": "the arcs of x are not crossed",
    "L": "the arcs of x are crossed by arcs of i only",
    "R": "the arcs of x are crossed by arcs of j only",
    "H": "arcs of x, the last of them to j or in the only block; crossed by arcs of i only",
    "G": "arcs of x, the first of them to i or in the only block; crossed by arcs of j only",
    "C": "the open x has one arc to come, which is crossed",
    "A": "the left part of a crossing; arcs of the open x are to come",
    "B": "as AS, before its arc between i and j",
    "D": "as AL, before its arc between i and j",
    "X": "the right part of a crossing by arcs of x",
    "E": "arcs of x are crossed by arcs of i or of j, and there is an arc between i and j",
    "T": "with the only arc of the dummy",
    "Goal": "the whole, with one arc of the dummy",
    "Unit": "two neighbours without an arc",
}
_ITEM = re.compile(r"([A-Za-z]+\d?'?)\[([a-z,]+)\]")
_ARC = re.compile(r"\(([a-z]),([a-z])\)([?!]?)")
_State: TypeAlias = tuple[int, ...]  # for each point of an item the number of the point that is its root


@dataclass(frozen=True)
class _Named:
    """An item of a rule: its kind and the names of its points."""

    kind: str
    points: tuple[str, ...]

    def text(self, state: _State) -> str:
        """The item as it is written: those that are there from the start have no state to tell."""
        if self.kind in ("Unit", "point"):
            return f"{self.kind}[{', '.join(self.points)}]"
        letters = "".join("ijx"[root] for root in state)
        return f"{self.kind}_{letters}[{', '.join(self.points)}]"


@dataclass(frozen=True)
class _Rule:
    """One way to build an item: from others, maybe with an arc (head, dependent)."""

    built: _Named
    parts: tuple[_Named, ...]
    arc: tuple[str, str] | None
    is_only_arc: bool = False


def _rules() -> Iterator[_Rule]:
    for line in RULES.splitlines():
        left, arrow, right = line.partition("#")[0].partition("<-")
        for way in right.split("|") if arrow else ():
            (built,), parts = _items(left), tuple(_items(way))
            free = {*built.points, *"".join(re.findall(r"\((.*?)\)", way)).replace(",", "")}
            free -= {point for part in parts for point in part.points}
            parts += tuple(_Named("point", (point,)) for point in sorted(free))
            found = _ARC.search(way)
            if found is None:
                yield _Rule(built, parts, None)
            elif found[3] == "!":
                yield _Rule(built, parts, (found[1], found[2]), is_only_arc=True)
            else:
                yield _Rule(built, parts, (found[1], found[2]))
                yield _Rule(built, parts, (found[2], found[1]))
                if found[3] == "?":
                    yield _Rule(built, parts, None)


def _items(text: str) -> list[_Named]:
    return [_Named(kind, tuple(points.split(","))) for kind, points in _ITEM.findall(text)]


def _together(rule: _Rule, states: Sequence[_State]) -> _State | None:
    """The state of what a rule builds; None where that has a circle, a second head or a word left without one."""
    above: dict[str, str] = {}
    for part, state in zip(rule.parts, states, strict=True):
        for point, root in zip(part.points, state, strict=True):
            if part.points[root] != point:
                if point in above:
                    return None
                above[point] = part.points[root]
    if any(_root(above, point) is None for point in above):
        return None
    if rule.arc is not None:
        head, dependent = rule.arc
        if dependent in above or _root(above, head) == dependent:
            return None
        above[dependent] = head
    left = {point for part in rule.parts for point in part.points} - set(rule.built.points)
    if not left <= set(above):
        return None
    return tuple(rule.built.points.index(_root(above, point) or "") for point in rule.built.points)


def _root(above: dict[str, str], point: str) -> str | None:
    for _ in range(len(above) + 1):
        if point not in above:
            return point
        point = above[point]
    return None  # it goes round in a circle


def _steps() -> Iterator[tuple[_Named, _State, Step]]:
    """Every step that can come to be used, with what it builds."""
    known: dict[str, set[_State]] = {"Unit": {(0, 1)}, "point": {(0,)}}
    rules, seen = list(_rules()), set()
    is_growing = True
    while is_growing:
        is_growing = False
        for rule in rules:
            for states in product(*(sorted(known.get(part.kind, ())) for part in rule.parts)):
                built = _together(rule, states)
                if built is None or (rule, states) in seen:
                    continue
                seen.add((rule, states))
                known.setdefault(rule.built.kind, set()).add(built)
                is_growing = True
                yield rule.built, built, _step(rule, states, built)


def _step(rule: _Rule, states: Sequence[_State], built: _State) -> Step:
    made = rule.built.text(built)
    parts = [part.text(state) for part, state in zip(rule.parts, states, strict=True)]
    name = f"{_head(made)} from {' '.join(_head(part) for part in parts if not part.startswith('point'))}"
    if rule.arc is None:
        return Step(name, f"{' '.join(parts)} => {made}")
    head, dependent = rule.arc
    where = f"{head} == 0 and first == 1" if rule.is_only_arc else f"first <= {head}"
    return Step(f"{name}, {head} over {dependent}", f"{' '.join(parts)} => {made}", where, arc=f"{head} -> {dependent}")


def _head(item: str) -> str:
    return item.partition("[")[0]


def _form(item: _Named, state: _State, places: dict[str, set[str]]) -> ItemForm:
    where, sides = "0 <= i < j <= n", places.get(item.kind, set())
    if sides:
        where += " and 0 <= x <= n and (" + " or ".join(_SIDES[side] for side in sorted(sides)) + ")"
    shown = _Named(item.kind, ("i", "j", "x")[: len(state)])
    told = next(text for begin, text in _MEANINGS.items() if item.kind.startswith(begin) or begin == "T")
    return ItemForm(shown.text(state), where, f"{told}; {_said(state)}")


_SIDES = {"inner": "i < x < j", "left": "x < i", "right": "j < x"}


def _said(state: _State) -> str:
    """A state in words.

    >>> _said((0, 0, 2)), _said((0, 1))
    ('j stands below i', 'each point is a root')
    """
    below = [f"{'ijx'[point]} stands below {'ijx'[root]}" for point, root in enumerate(state) if root != point]
    return " and ".join(below) or "each point is a root"


@cache
def one_endpoint_crossing() -> Schema:
    """The schema; made when it is first asked for, since it has hundreds of steps."""
    places: dict[str, set[str]] = {}
    for side, kinds in re.findall(r"^(inner|left|right):(.*)$", RULES, re.MULTILINE):
        for kind in kinds.split():
            places.setdefault(kind, set()).add(side)
    made = list(_steps())
    forms = {item.kind + str(state): _form(item, state, places) for item, state, _ in made}
    return Schema(
        "1EC",
        "1-endpoint-crossing trees, each with one derivation",
        "nonproj, after Pitler, Kannan & Marcus 2013",
        class_name="1EC",
        items=list(forms.values()),
        hypotheses=[Hypothesis("Unit[i, i+1]", "0 <= i < n"), Hypothesis("point[x]", "0 <= x <= n")],
        steps=[step for _, _, step in made],
        final=Step("Final", "Int_ii[0, n]"),
        single_root_final=Step("Final", "Goal_ii[0, n]"),
    )
