"""Numbers that are settled on sentences that were not learnt from: those of a dev set, or of folds in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TypeVar

import numpy as np

from nonproj.treebank import Treebank

Candidate = TypeVar("Candidate")


def settle(
    candidates: Iterable[Candidate], score: Callable[[Candidate], float], *, while_rising: bool = False
) -> Candidate:
    """The candidate with the best score, and of equal ones the first.

    ``while_rising`` stops at the first that is no better than the best one before it.

    >>> settle([1, 2, 3, 4], lambda x: x % 3), settle([1, 3, 4, 5], lambda x: x % 3, while_rising=True)
    (2, 1)
    """
    found = None
    for candidate in candidates:
        value = score(candidate)
        if found is None or value > found[1]:
            found = candidate, value
        elif while_rising:
            break
    if found is None:
        raise ValueError("there must be a candidate")
    return found[0]


def folds(treebank: Treebank, number: int) -> list[tuple[Treebank, Treebank]]:
    """Consecutive parts of a treebank, each behind the rest of it; fewer than asked for of very few sentences.

    >>> from nonproj.treebank import example_treebank
    >>> [(len(rest), len(part)) for rest, part in folds(example_treebank()[:5], 3)]
    [(4, 1), (3, 2), (3, 2)]
    """
    bounds = sorted(set(np.linspace(0, len(treebank), number + 1).astype(int).tolist()))
    return [(treebank[:begin] + treebank[end:], treebank[begin:end]) for begin, end in pairwise(bounds)]
