"""The k best trees by arcs and larger parts."""

from __future__ import annotations

import heapq
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from nonproj.decode.best import Decoded, decode, k_best
from nonproj.decode.graded import Within


def k_best_with_parts(
    scores: npt.NDArray[np.float64], k: int, *, within: Within, single_root: bool, **parts: Any
) -> list[Decoded]:
    """The k best trees, best first, or all of them if there are fewer; parts are those of `decode`.

    Lawler (1972): the trees besides the best one T are parted by the first arc of T that they lack. The best tree of
    each part is found, with that arc forbidden and those before it required, and waits for its turn.

    >>> scores = np.array([[0, 3, 1], [0, 0, 4], [0, 5, 0.0]])
    >>> found = k_best_with_parts(scores, 3, within="spanning", single_root=False, siblings=[(0, 1, 2, 2.5)])
    >>> [(best.heads.tolist(), best.score) for best in found]
    [([0, 1], 7.0), ([0, 0], 6.5), ([2, 0], 6.0)]
    """
    waiting: list[tuple[float, int, Decoded, npt.NDArray[np.float64], int]] = []
    number = itertools.count()

    def wait(allowed: npt.NDArray[np.float64], settled: int) -> None:
        if k_best(allowed, 1, within=within, single_root=single_root):  # else no tree is left
            best = decode(allowed, within=within, single_root=single_root, **parts)
            heapq.heappush(waiting, (-best.score, next(number), best, allowed, settled))

    scores = np.where(np.eye(len(scores), dtype=bool), -np.inf, scores)
    wait(scores, 0)
    found: list[Decoded] = []
    while waiting and len(found) < k:
        _, _, best, allowed, settled = heapq.heappop(waiting)
        found.append(best)
        if len(found) == k:
            break
        allowed = allowed.copy()
        for word in range(settled + 1, len(scores)):
            head = best.heads[word - 1]
            lacking = allowed.copy()
            lacking[head, word] = -np.inf
            if np.isfinite(lacking[:, word]).any():
                wait(lacking, word - 1)
            others = np.arange(len(scores)) != head
            allowed[others, word] = -np.inf
    return found
