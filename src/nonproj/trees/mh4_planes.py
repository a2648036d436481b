"""The two planes into which the parser of MH_4 parts the arcs of a tree.

Gómez-Rodríguez 2016, "Restricted Non-Projectivity: Coverage vs. Efficiency", section 5, shows with them that MH_4 lies
in 2-P. A node of an item may have a forbidden plane: that of an arc that was made across it. An arc takes a plane that
neither of its ends forbids; if there is a choice, the one that a node between them forbids, so that no node ever
forbids both; and else 0. At most one node of an item forbids a plane, and it is neither the first nor the last.

The parser itself is the schema ``MH4-2P``. Here a tree's own arcs are given, and a node is linked as soon as it can be:
an item [i .. j] then is i, j and those words between whose subtrees or heads reach beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class _Item(NamedTuple):
    nodes: tuple[int, ...]
    forbidden: dict[int, int]  # a node and its plane, or nothing


def mh4_planes(heads: Sequence[int]) -> list[int] | None:
    """The plane of the arc into each word, arcs from the dummy included; None for a tree outside MH_4.

    >>> mh4_planes([3, 4, 0, 3])
    [1, 0, 1, 1]
    """
    last = len(heads) + 1
    reach = _reach(heads)

    def open_between(i: int, j: int) -> int:
        return sum(not (i <= reach[word][0] and reach[word][1] <= j) for word in range(i + 1, j))

    # Of each item that can be made of at most four nodes, how many are inside and where its two parts meet.
    inside = {(i, i + 1): 0 for i in range(last)}
    middle: dict[tuple[int, int], int] = {}
    for width in range(2, last + 1):
        for i in range(last - width + 1):
            j = i + width
            for k in range(i + 1, j):
                if inside.get((i, k), 2) + inside.get((k, j), 2) <= 1:
                    middle[i, j], inside[i, j] = k, open_between(i, j)
                    break
    if (0, last) not in inside:
        return None
    planes: dict[int, int] = {}
    items: dict[tuple[int, int], _Item] = {}
    for i, j in _from_narrow_to_wide(middle, last):
        item = _Item((i, j), {})
        if j > i + 1:
            left, right = items[i, middle[i, j]], items[middle[i, j], j]
            item = _Item(left.nodes + right.nodes[1:], left.forbidden | right.forbidden)
            while (linked := _linked(heads, item, planes)) is not None:
                item = linked
        items[i, j] = item
    return [planes[word] for word in range(1, last)]


def _reach(heads: Sequence[int]) -> list[tuple[int, int]]:
    """How far an item has to reach to link each word: to its head, and to one place on either side of its subtree."""
    first, final = list(range(len(heads) + 1)), list(range(len(heads) + 1))
    for word in range(1, len(heads) + 1):
        above = word
        while above := heads[above - 1]:
            first[above], final[above] = min(first[above], word), max(final[above], word)
    ends = zip(first[1:], final[1:], heads, strict=True)
    return [(0, 0), *((min(left - 1, head), max(right + 1, head)) for left, right, head in ends)]


def _from_narrow_to_wide(middle: dict[tuple[int, int], int], last: int) -> list[tuple[int, int]]:
    """The items of the derivation, each after its parts."""
    order = [(0, last)]
    for i, j in order:
        if j > i + 1:
            order += [(i, middle[i, j]), (middle[i, j], j)]
    return order[::-1]


def _linked(heads: Sequence[int], item: _Item, planes: dict[int, int]) -> _Item | None:
    """The item with one node linked to its head and dropped, and the plane of the arc noted; None if none can be."""
    for node in item.nodes[1:-1]:
        head = heads[node - 1]
        waits = any(above == node and word not in planes for word, above in enumerate(heads, 1))
        if head not in item.nodes or waits:
            continue
        between = [other for other in item.nodes if min(node, head) < other < max(node, head)]
        plane = 0
        for other, forbidden in item.forbidden.items():
            plane = 1 - forbidden if other in (node, head) else forbidden if other in between else 0
        planes[node] = plane
        kept = {other: forbidden for other, forbidden in item.forbidden.items() if other != node}
        return _Item(tuple(other for other in item.nodes if other != node), kept | dict.fromkeys(between, plane))
    return None
