"""The classes that depend on the dummy: it stands at position 0, at position n + 1, or there is none.

Each definition is that of the paper, over positions: the dummy is a position like any other that has no head.
"""

from functools import cache
from itertools import combinations

from .crossings import Arc, cross
from .enumeration import Heads


def position(heads: Heads, dummy: str) -> int | None:
    """Give the dummy's position."""
    return {"left": 0, "right": len(heads) + 1, "none": None}[dummy]


def head_of(heads: Heads, dummy: str) -> dict[int, int]:
    """Give the position of each word's head; words below a dummy that is not there have none."""
    place = position(heads, dummy)
    found = {word: head or place for word, head in enumerate(heads, start=1)}
    return {word: head for word, head in found.items() if head is not None}


def arcs(heads: Heads, dummy: str) -> list[Arc]:
    """List all arcs by their left and right ends."""
    return [(min(pair), max(pair)) for pair in head_of(heads, dummy).items()]


def is_one_endpoint_crossing(heads: Heads, dummy: str) -> bool:
    """Say whether, for every arc, all the arcs that cross it share a vertex."""
    every = arcs(heads, dummy)
    crossing = [[set(other) for other in every if cross(arc, other)] for arc in every]
    return all(not ends or bool(set.intersection(*ends)) for ends in crossing)


def crossing_interval(heads: Heads, dummy: str) -> int:
    """Give the smallest k >= 1 for which the tree is k-crossing-interval."""
    above = head_of(heads, dummy)
    every = arcs(heads, dummy)
    far = {
        vertex
        for vertex, head in above.items()
        for child, its_head in above.items()
        if its_head == vertex and (vertex < head < child or child < head < vertex)
    }
    groups: list[set[Arc]] = []
    for arc in every:
        if any(cross(arc, other) for other in every):
            meeting = [group for group in groups if meet(arc, interval(group))]
            groups = [group for group in groups if group not in meeting] + [{arc}.union(*meeting)]
    most = 1
    for group in groups:
        left, right = interval(group)
        needed = {vertex for vertex in far if left <= vertex <= right}
        free = [vertex for vertex in range(left, right + 1) if vertex not in needed]
        for size in range(len(free) + 1):
            if any(all(needed.union(chosen) & set(arc) for arc in group) for chosen in combinations(free, size)):
                most = max(most, len(needed) + size)
                break
    return most


def interval(group: set[Arc]) -> Arc:
    """Give the smallest interval that holds the arcs of a group."""
    return min(left for left, _ in group), max(right for _, right in group)


def meet(one: Arc, other: Arc) -> bool:
    """Say whether two closed intervals have a position in common."""
    return one[0] <= other[1] and other[0] <= one[1]


def mh(heads: Heads, dummy: str) -> int:
    """Give the smallest k of MH_k: the deduction system over positions 0 to n + 1 with the dummy at one of them."""
    above, last = head_of(heads, dummy), len(heads) + 1

    def derives(k: int) -> bool:
        items: dict[tuple[int, int], set[tuple[int, ...]]] = {(i, i + 1): {(i, i + 1)} for i in range(last)}
        for width in range(2, last + 1):
            for left in range(last - width + 1):
                right = left + width
                agenda = [
                    first + second[1:]
                    for middle in range(left + 1, right)
                    for first in items[left, middle]
                    for second in items[middle, right]
                    if len(first) + len(second) - 1 <= k
                ]
                derived: set[tuple[int, ...]] = set()
                while agenda:
                    item = agenda.pop()
                    if item not in derived:
                        derived.add(item)
                        inner = range(1, len(item) - 1)
                        agenda.extend(item[:j] + item[j + 1 :] for j in inner if above[item[j]] in item)
                items[left, right] = derived
        return (0, last) in items[0, last]

    k = 3
    while not derives(k):
        k += 1
    return k


def can_reduce(heads: Heads, dummy: str, pairs: str) -> bool:
    """Say whether shifts and reductions, in any order, leave the dummy alone.

    The dummy is read first or last. ``s0<b0`` says that the top of the stack may get the next one read as its head and
    leave, once it has all its dependents; s1 is the one below it, and so on.
    """
    above, dummy_at = head_of(heads, dummy), position(heads, dummy)
    order = [*([0] if dummy == "left" else []), *range(1, len(heads) + 1), *([dummy_at] if dummy == "right" else [])]
    below = {head: {word for word in above if above[word] == head} for head in order}
    reductions = [tuple(pair.split("<")) for pair in pairs.split()]

    @cache
    def can_finish(stack: tuple[int, ...], read: int, gone: frozenset[int | None]) -> bool:
        if read == len(order) and stack == (dummy_at,):
            return True
        names = {f"s{e}": word for e, word in enumerate(reversed(stack))}
        if read < len(order):
            names["b0"] = order[read]
        for dependent, head in reductions:
            word = names.get(dependent)
            may_leave = word is not None and above.get(word) == names.get(head) and below[word] <= gone
            if may_leave and can_finish(tuple(other for other in stack if other != word), read, gone | {word}):
                return True
        return read < len(order) and can_finish((*stack, order[read]), read + 1, gone)

    return can_finish((), 0, frozenset())


def ad(heads: Heads, dummy: str) -> int | None:
    """Give the smallest degree of AD_d, or None."""
    for degree in range(1, len(heads) + 1):
        pairs = " ".join(f"s0<s{e} s{e}<s0" for e in range(1, degree + 1))
        if can_reduce(heads, dummy, pairs):
            return degree
    return None


def drop_distance(heads: Heads, dummy: str) -> int:
    """Give the smallest d for which all words can be dropped, each complete and its head at most d places away."""
    above = head_of(heads, dummy)

    @cache
    def can_drop_all(left: tuple[int, ...], d: int) -> bool:
        complete = [word for word in left if word in above and not any(above.get(other) == word for other in left)]
        near = [word for word in complete if abs(left.index(word) - left.index(above[word])) <= d]
        return len(left) == 1 or any(can_drop_all(tuple(w for w in left if w != word), d) for word in near)

    return next(d for d in range(1, len(heads) + 2) if can_drop_all(tuple(sorted({*above, *above.values()})), d))
