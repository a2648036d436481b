"""The best tree when arcs are scored by the categories of their words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.best import MEMORY_LIMIT, Decoded
from nonproj.decode.scores import Scores, as_table
from nonproj.errors import NonprojError


def decode_unlexicalised(
    scores: Scores,
    categories: Sequence[int] | npt.NDArray[np.integer],
    *,
    single_root: bool = False,
    memory_limit: int = MEMORY_LIMIT,
) -> Decoded:
    """Find the best tree of WG1 when the score of an arc depends on the categories of its words alone.

    ``categories`` are numbers from 1 on, one a word: of its part of speech, say. ``scores[c, d]`` is the score of an
    arc from a head of category ``c`` to a dependent of category ``d``; row 0 is the root, ``-inf`` forbids such arcs,
    and column 0 is ignored. `decode` finds the same with the scores of all pairs of words, in O(n^7); this takes
    O(n^6) (Gómez-Rodríguez, Weir & Carroll 2009, section 3.3), times the number of different categories.

    >>> verb, noun, particle = 1, 2, 3
    >>> scores = [[0, 5, 0, 0], [0, 0, 3, 2], [0, 0, 1, 1], [0, 0, 0, 0]]
    >>> decode_unlexicalised(scores, [noun, verb, noun, particle]).heads.tolist()
    [2, 0, 2, 2]
    """
    table = np.ascontiguousarray(as_table(scores), dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        raise NonprojError(f"scores by category must have the shape (c+1, c+1) for c categories, not {table.shape}")
    if np.isnan(table[:, 1:]).any() or (table[:, 1:] == np.inf).any():
        raise NonprojError("scores must be numbers below +inf; -inf forbids arcs between two categories")
    given = np.asarray(categories)
    if given.ndim != 1 or len(given) == 0 or given.dtype.kind not in "iu":
        raise NonprojError("categories must be whole numbers, one for each of at least one word")
    if given.min() < 1 or given.max() >= len(table):
        raise NonprojError(
            f"categories must lie between 1 and {len(table) - 1}, the last row of scores; "
            f"they go from {given.min()} to {given.max()}"
        )
    needed = _core.decode_categories_bytes(len(given), len(np.unique(given)))
    if needed > memory_limit:
        raise NonprojError(
            f"the chart for {len(given)} words needs about {needed / 2**20:.0f} MiB, more than memory_limit "
            f"({memory_limit / 2**20:.0f} MiB): raise it, or take fewer categories"
        )
    best: Decoded = _core.decode_categories(Decoded, np.ascontiguousarray(given, dtype=np.int32), table, single_root)
    return best
