"""What the yields of a tree look like: gaps, nesting, inheritance, head-split."""

from itertools import combinations, pairwise

from .enumeration import Heads


def children(heads: Heads, node: int) -> list[int]:
    """List the dependents of a word, or of the dummy, from left to right."""
    return [word for word, head in enumerate(heads, start=1) if head == node]


def yields(heads: Heads) -> dict[int, set[int]]:
    """Map each word to itself with all its descendants."""
    found: dict[int, set[int]] = {word: set() for word in range(1, len(heads) + 1)}
    for word in found:
        ancestor = word
        while ancestor != 0:
            found[ancestor].add(word)
            ancestor = heads[ancestor - 1]
    return found


def gaps(positions: set[int]) -> list[set[int]]:
    """List the maximal runs of positions missing between positions of the set, from left to right."""
    ordered = sorted(positions)
    return [set(range(left + 1, right)) for left, right in pairwise(ordered) if right > left + 1]


def gap_degree(heads: Heads) -> int:
    """Give the largest number of gaps of any yield."""
    return max((len(gaps(covered)) for covered in yields(heads).values()), default=0)


def is_projective(heads: Heads) -> bool:
    """Say whether every yield is an interval."""
    return gap_degree(heads) == 0


def edge_degree(heads: Heads) -> int:
    """Give the largest number, over arcs, of components within the arc that its head does not dominate.

    The components are those of the tree restricted to the words strictly between the ends of the arc.
    """
    dominated = yields(heads)
    dominated[0] = set(range(1, len(heads) + 1))
    largest = 0
    for dependent, head in enumerate(heads, start=1):
        within = range(min(head, dependent) + 1, max(head, dependent))
        component_roots = [word for word in within if heads[word - 1] not in within]
        largest = max(largest, sum(root not in dominated[head] for root in component_roots))
    return largest


def interleave(one: set[int], other: set[int]) -> bool:
    """Say whether i < k < j < l, with i and j in one set and k and l in the other."""

    def leads(first: set[int], second: set[int]) -> bool:
        return any(
            i < k < j < last for i in first for k in second for j in first if k < j for last in second if j < last
        )

    return leads(one, other) or leads(other, one)


def is_well_nested(heads: Heads) -> bool:
    """Say whether no two disjoint yields interleave."""
    return not any(
        one.isdisjoint(other) and interleave(one, other) for one, other in combinations(yields(heads).values(), 2)
    )


def inheritance_degree(heads: Heads) -> int:
    """Give the largest number, over words with exactly one gap, of children that lie on both sides of it."""
    covered = yields(heads)
    largest = 0
    for word in covered:
        holes = gaps(covered[word])
        if len(holes) != 1:
            continue
        (gap,) = holes
        inheriting = [
            child
            for child in children(heads, word)
            if min(covered[child]) < min(gap) and max(covered[child]) > max(gap)
        ]
        largest = max(largest, len(inheriting))
    return largest


def is_head_split(heads: Heads) -> bool:
    """Say whether, for every arc h-m between words, a gap of m that contains h contains every gap of h."""
    covered = yields(heads)
    for word, head in enumerate(heads, start=1):
        if head == 0:
            continue
        for gap in gaps(covered[word]):
            if head in gap and not all(hole <= gap for hole in gaps(covered[head])):
                return False
    return True
