"""Trees from a forest whose links are between categories: the word that is the head is known only later.

Each partial result is its arcs, its head if that has been met, and the words that wait for a head. A link leaves the
head of what it links waiting; as soon as a head is met, those that wait for it depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from nonproj.schema.semiring import Edge, TreeSets

_Part: TypeAlias = tuple[int, int | None, frozenset[int]]


def category_trees(
    order: Sequence[int], edges: Sequence[Sequence[Edge]], words: Mapping[int, int | None], trees: TreeSets
) -> set[int]:
    """The arcs of every tree, as bits.

    ``order`` has the items of a forest, each after all that it follows from and the goal last; ``words`` the word that
    each hypothesis among them is about, if any.
    """
    if not order:
        return set()
    found: dict[int, set[_Part]] = {}
    for node in order:
        found[node] = {(0, words[node], frozenset())} if node in words else set()
        for _, antecedents, link in edges[node]:
            parts: set[_Part] = {(0, None, frozenset())}
            for below in antecedents:
                parts = {_joined(a, b, trees) for a in parts for b in found[below]}
            if link is not None:
                parts = {(arcs, None, frozenset({head})) for arcs, head, _ in parts if head is not None}
                if node == order[-1]:
                    parts = {_joined(part, (0, 0, frozenset()), trees) for part in parts}
            found[node] |= parts
    return {arcs for arcs, _, _ in found[order[-1]]}


def _joined(a: _Part, b: _Part, trees: TreeSets) -> _Part:
    arcs, waiting = a[0] | b[0], a[2] | b[2]
    head = a[1] if a[1] is not None else b[1]
    if head is None:
        return arcs, None, waiting
    for word in waiting:
        arcs |= trees.bit(head, word)
    return arcs, head, frozenset()
