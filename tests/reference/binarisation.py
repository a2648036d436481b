"""Mildly ill-nested trees, MG_k: Gómez-Rodríguez, Weir and Carroll 2009, section 5."""

from functools import cache

from .enumeration import Heads
from .yields import children, gap_degree, gaps, yields


def mg(heads: Heads) -> int:
    """Give the smallest k of MG_k.

    Every yield has at most k gaps, and at every head, the dummy included, the children's yields can be joined
    two at a time, in some bracketing, so that each union U on the way has min(gaps(U), gaps(U + head)) <= k:
    the head's own position may be counted as inside or outside, whichever is better.
    """
    return max([gap_degree(heads), *(best_bracketing(heads, head) for head in range(len(heads) + 1))])


def is_mildly_ill_nested(heads: Heads, k: int) -> bool:
    """Say whether the tree is in MG_k."""
    return mg(heads) <= k


def best_bracketing(heads: Heads, head: int) -> int:
    """Give the largest number of gaps on the way, with the best bracketing of the head's children."""
    covered = yields(heads)

    def gaps_of_union(joined: frozenset[int]) -> int:
        union = set().union(*(covered[child] for child in joined))
        return min(len(gaps(union)), len(gaps(union | {head})))

    @cache
    def least(joined: frozenset[int]) -> int:
        if len(joined) <= 1:
            return 0  # no union made: the child's own gaps are counted by the gap degree
        first, *rest = sorted(joined)
        splits = []
        for chosen in range(2 ** len(rest) - 1):  # which of the others go with the first; not all of them
            part = frozenset([first, *(child for bit, child in enumerate(rest) if chosen >> bit & 1)])
            splits.append(max(least(part), least(joined - part)))
        return max(gaps_of_union(joined), min(splits))

    return least(frozenset(children(heads, head)))
