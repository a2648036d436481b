"""Which arcs cross: planes, 1-endpoint-crossing, crossing intervals."""

from itertools import combinations
from typing import TypeAlias

from .enumeration import Heads
from .yields import children

Arc: TypeAlias = tuple[int, int]
"""An arc without its direction: its left end and its right end."""


def arcs(heads: Heads, with_dummy: bool) -> list[Arc]:
    """List the arcs, with or without those from the dummy."""
    return [(min(head, word), max(head, word)) for word, head in enumerate(heads, start=1) if with_dummy or head != 0]


def cross(one: Arc, other: Arc) -> bool:
    """Say whether exactly one end of one arc lies strictly between the ends of the other."""
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def crossing_pairs(heads: Heads, with_dummy: bool) -> list[tuple[Arc, Arc]]:
    """List the pairs of arcs that cross."""
    return [pair for pair in combinations(arcs(heads, with_dummy), 2) if cross(*pair)]


def is_k_planar(heads: Heads, k: int) -> bool:
    """Say whether the arcs between words can be put in k planes without a crossing within a plane."""

    def can_place(rest: list[Arc], placed: list[list[Arc]]) -> bool:
        if not rest:
            return True
        arc = rest[0]
        for plane in placed:
            if not any(cross(arc, other) for other in plane):
                plane.append(arc)
                if can_place(rest[1:], placed):
                    return True
                plane.pop()
        return False

    return can_place(arcs(heads, with_dummy=False), [[] for _ in range(k)])


def planes(heads: Heads) -> int:
    """Give the smallest k >= 1 for which the tree is k-planar."""
    k = 1
    while not is_k_planar(heads, k):
        k += 1
    return k


def is_one_endpoint_crossing(heads: Heads) -> bool:
    """Say whether, for every arc, all the arcs that cross it share a vertex."""
    every = arcs(heads, with_dummy=True)
    for arc in every:
        crossing = [set(other) for other in every if cross(arc, other)]
        if crossing and not set.intersection(*crossing):
            return False
    return True


def crossing_groups(heads: Heads) -> list[list[Arc]]:
    """Group the crossed arcs, dummy arcs included: two whose closed intervals meet are in one group."""
    crossed = {arc for pair in crossing_pairs(heads, with_dummy=True) for arc in pair}
    groups: list[list[Arc]] = []
    for arc in sorted(crossed):
        if groups and arc[0] <= max(right for _, right in groups[-1]):
            groups[-1].append(arc)
        else:
            groups.append([arc])
    return groups


def has_child_beyond_parent(heads: Heads, vertex: int) -> bool:
    """Say whether the vertex's head lies strictly between it and one of its children."""
    if vertex == 0:
        return False
    head = heads[vertex - 1]
    return any(vertex < head < child or child < head < vertex for child in children(heads, vertex))


def is_crossing_interval(heads: Heads, k: int) -> bool:
    """Say whether each group of crossed arcs has k vertices that are enough for it.

    They touch every arc of the group, and among them is every vertex of its interval that has a child beyond
    its own parent.
    """
    for group in crossing_groups(heads):
        interval = range(min(left for left, _ in group), max(right for _, right in group) + 1)
        needed = {vertex for vertex in interval if has_child_beyond_parent(heads, vertex)}
        free = [vertex for vertex in interval if vertex not in needed]
        size = k - len(needed)
        if size < 0:
            return False
        candidates = combinations(free, min(size, len(free)))
        if not any(all(not (needed | set(chosen)).isdisjoint(arc) for arc in group) for chosen in candidates):
            return False
    return True


def crossing_interval(heads: Heads) -> int:
    """Give the smallest k >= 1 for which the tree is k-crossing-interval."""
    k = 1
    while not is_crossing_interval(heads, k):
        k += 1
    return k
