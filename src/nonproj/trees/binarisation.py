"""Binarisations of mildly ill-nested trees: the children of each word joined two at a time, within few gaps.

Gómez-Rodríguez, Weir & Carroll 2009, section 5.1: a tree is in MG_k when it has a binarisation of gap degree at most k,
the place of the head itself aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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

    def nodes(self) -> Iterator[BinaryNode]:
        """The nodes of the binarised tree, each before its children; joins have no label.

        >>> [(node.label, node.depth, sorted(node.words)) for node in binarise(Tree([3, 0, 2, 2])).nodes()]
        [(2, 0, [1, 2, 3, 4]), (3, 1, [1, 3]), (1, 2, [1]), (4, 1, [4])]
        """
        for part in self._parts(0):
            yield from self._below(part, 0, 0)

    def _parts(self, head: int) -> Sequence[Bracket]:
        """What the children of a word, or of the dummy, are joined of in the end."""
        below = self.brackets.get(head, ())
        return (below,) if isinstance(below, int) else below

    def _below(self, bracket: Bracket, head: int, depth: int) -> Iterator[BinaryNode]:
        words = _covered(self.tree, bracket)
        parts: Sequence[Bracket]
        if not isinstance(bracket, int):
            yield BinaryNode(None, head, depth, words, _gaps(_without(_bits(words), head)))
            parts = bracket
        else:
            yield BinaryNode(bracket, head, depth, words, _gaps(_bits(words)))
            head, parts = bracket, self._parts(bracket)
        for part in parts:
            yield from self._below(part, head, depth + 1)


@dataclass(frozen=True)
class BinaryNode:
    """A node of a binarised tree: a word, or a join of subtrees of children of a word."""

    label: int | None
    """The word; None for a join."""
    head: int
    """The word above, across joins."""
    depth: int
    words: frozenset[int]
    """The words below, the node's own included."""
    gap_degree: int
    """The gaps of these words; of a join, with the place of its head taken out of the sentence."""


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
        if tree.children(head):
            brackets[head], degree = _joined_children(tree, yields, head, degree)
    return Binarisation(tree, brackets, degree)


def best_attempt(tree: Tree, k: int) -> tuple[int, Bracket, int] | None:
    """The first head whose children cannot be joined within k gaps, how they can be, and within how many.

    None for a tree of MG_k, and for one in which a single yield has more gaps already.

    >>> best_attempt(Tree([8, 1, 10, 7, 9, 2, 1, 0, 1, 1]), 1)
    (1, ((9, 10), (2, 7)), 2)
    """
    yields = _yields(tree)
    if max(_gaps(each) for each in yields) > k:
        return None
    for head in range(len(tree) + 1):
        if tree.children(head):
            bracket, degree = _joined_children(tree, yields, head, k)
            if degree > k:
                return head, bracket, degree
    return None


def bracket_text(bracket: Bracket) -> str:
    """A bracket as it is written: children by number, joins in round brackets.

    >>> bracket_text(((1, 4), 5))
    '((1 4) 5)'
    """
    return str(bracket) if isinstance(bracket, int) else f"({' '.join(map(bracket_text, bracket))})"


def _joined_children(tree: Tree, yields: list[_Set], head: int, bound: int) -> tuple[Bracket, int]:
    """The children of a head in one, and the gaps that it takes: the bound, or the fewest beyond it that do."""
    pieces: list[_Piece] = [(_without(yields[child], head), child) for child in tree.children(head)]
    while (joined := _joined(pieces, bound, set())) is None:
        bound += 1
    return joined[1], bound


def _covered(tree: Tree, bracket: Bracket) -> frozenset[int]:
    """The words below the children of a bracket, and these."""
    if isinstance(bracket, int):
        return frozenset(tree.yield_of(bracket))
    return frozenset().union(*(_covered(tree, part) for part in bracket))


def _bits(words: Iterable[int]) -> _Set:
    return sum(1 << word for word in words)


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
