"""MH_k: the deduction system of Gómez-Rodríguez 2016, Figure 2, with items of at most k nodes."""

from .enumeration import Heads


def is_multiheaded(heads: Heads, k: int) -> bool:
    """Say whether [0, n+1] can be derived with the tree's own arcs.

    An item [h_1, ..., h_m] has 2 <= m <= k nodes.
        axioms   [i, i+1] for 0 <= i <= n
        combine  [h_1, ..., h_m] and [h_m, ..., h_p] give [h_1, ..., h_p], p <= k
        link     an item gives itself without h_j, 1 < j < m, when the head of h_j is another node of the item

    A combination is wider than its parts and a link keeps the ends, so the closure is taken from narrow to
    wide; `items[left, right]` holds all the items with these ends.
    """
    last = len(heads) + 1
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
                if item in derived:
                    continue
                derived.add(item)
                agenda.extend(item[:j] + item[j + 1 :] for j in range(1, len(item) - 1) if heads[item[j] - 1] in item)
            items[left, right] = derived
    return (0, last) in items[0, last]


def mh(heads: Heads) -> int:
    """Give the smallest k >= 3 of MH_k."""
    k = 3
    while not is_multiheaded(heads, k):
        k += 1
    return k
