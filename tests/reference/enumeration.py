"""All trees of n words."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

Heads: TypeAlias = Sequence[int]


def is_tree(heads: Heads) -> bool:
    """Say whether every word reaches the dummy by going from head to head."""
    n = len(heads)
    if any(not 0 <= head <= n for head in heads):
        return False
    for word in range(1, n + 1):
        ancestor = word
        for _ in range(n):  # a path to the dummy has at most n arcs
            ancestor = heads[ancestor - 1] if ancestor != 0 else 0
        if ancestor != 0:
            return False
    return True


def trees(n: int, single_root: bool = False) -> Iterator[tuple[int, ...]]:
    """Yield the (n+1)^(n-1) trees of n words in lexicographic order, or the n^(n-1) with a single root."""
    for heads in product(range(n + 1), repeat=n):
        if single_root and heads.count(0) != 1:
            continue
        if is_tree(heads):
            yield heads
