"""Binarisations of mildly ill-nested trees: the children of each word joined two at a time, within few gaps.

Gómez-Rodríguez, Weir & Carroll 2009, section 5.1: a tree is in MG_k when it has a binarisation of gap degree at most k,
the place of the head itself aside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from nonproj.errors import NonprojError
from nonproj.trees.tree import Tree

Bracket: TypeAlias = int | tuple[Any, Any]
"""A child with all below it, or two brackets that are joined."""

_Set: TypeAlias = int  # positions as bits
_Piece: TypeAlias = tuple[_Set, Bracket]


@dataclass(frozen=True)
class Binarisation:
    """A tree in which every node has at most two children, and words have the heads they have in ``tree``.

    ``brackets[h]`` says how the children of word h, or of the dummy 0, are joined; words without children have none.
    ``gap_degree`` is the largest number of gaps of a union on the way, the place of its head taken out of the sentence,
    and of the yields themselves: the tree is in MG_k for this k.

    >>> binarised = binarise(Tree([3, 4, 0, 3, 3]))
    >>> binarised.brackets[3], binarised.gap_degree
    (((1, 4), 5), 1)
    """

    tree: Tree
    brackets: dict[int, Bracket]
    gap_degree: int

    @property
    def heads(self) -> list[int]:
        """The head of every node: of the words, then of the unlabelled nodes n+1, n+2, ... that joins are."""
        heads = [0] * len(self.tree)

        def hang(bracket: Bracket, head: int) -> None:
            if isinstance(bracket, int):
                heads[bracket - 1] = head
                return
            heads.append(head)
            node = len(heads)
            for part in bracket:
                hang(part, node)

        for head, bracket in self.brackets.items():
            for part in (bracket,) if isinstance(bracket, int) else bracket:
                hang(part, head)
        return heads


def binarise(tree: Tree, k: int | None = None) -> Binarisation:
    """A binarisation of gap degree at most k, or the smallest there is; an error for a tree outside MG_k.

    >>> binarise(Tree([0, 1, 1, 2, 3, 4])).brackets
    {0: 1, 1: (2, 3), 2: 4, 3: 5, 4: 6}
    """
    smallest = tree._measure("mg")
    if k is not None and smallest > k:
        raise NonprojError(f"the tree is not in MG{k}: its binarisations have {smallest} gaps or more")
    yields = _yields(tree)
    brackets: dict[int, Bracket] = {}
    degree = max(_gaps(each) for each in yields)
    for head in range(len(tree) + 1):
        children = [word for word, above in enumerate(tree.heads, 1) if above == head]
        if not children:
            continue
        pieces: list[_Piece] = [(_without(yields[child], head), child) for child in children]
        bound = degree
        while (
            joined := _joined(pieces, bound, set())
        ) is None:  # no more than the smallest k, which there is a way for
            bound += 1
        brackets[head], degree = joined[1], bound
    return Binarisation(tree, brackets, degree)


def _yields(tree: Tree) -> list[_Set]:
    """The words of each node's subtree, the dummy's first."""
    yields = [1 << word for word in range(len(tree) + 1)]
    for word in range(1, len(tree) + 1):
        above = word
        while above != 0:
            above = tree.heads[above - 1]
            yields[above] |= 1 << word
    return yields


def _gaps(words: _Set) -> int:
    """How many runs of positions, less one."""
    return (words & ~(words << 1)).bit_count() - 1


def _without(words: _Set, head: int) -> _Set:
    """The set with the head taken out of the sentence."""
    below = (1 << head) - 1
    return (words & below) | (words >> 1 & ~below)


def _joined(pieces: list[_Piece], k: int, failures: set[frozenset[_Set]]) -> _Piece | None:
    """All pieces in one, with at most k gaps on the way; None where there is no way.

    A piece each of whose runs touches another piece may join it at once (cpp/nonproj/classes/mildly_ill_nested.hpp).
    """
    pieces = _absorbed(pieces)
    if len(pieces) == 1:
        return pieces[0]
    key = frozenset(words for words, _ in pieces)
    if key in failures:
        return None
    for place, (a, first) in enumerate(pieces):
        for b, second in pieces[place + 1 :]:
            if _gaps(a | b) > k:
                continue
            rest = [piece for piece in pieces if piece[0] not in (a, b)]
            found = _joined([*rest, (a | b, (first, second))], k, failures)
            if found is not None:
                return found
    failures.add(key)
    return None


def _absorbed(pieces: list[_Piece]) -> list[_Piece]:
    for place, (a, first) in enumerate(pieces):
        for other, (b, second) in enumerate(pieces):
            if place != other and _touches(a, b):
                rest = [piece for at, piece in enumerate(pieces) if at not in (place, other)]
                return _absorbed([(a | b, (first, second)), *rest])
    return pieces


def _touches(a: _Set, b: _Set) -> bool:
    """Whether each run of b has a position of a next to it."""
    starts, stops = b & ~(b << 1), b & ~(b >> 1)
    while starts:
        start, stop = starts & -starts, stops & -stops
        if not a & (start >> 1 | stop << 1):
            return False
        starts, stops = starts ^ start, stops ^ stop
    return True
