"""The best tree under scores of pairs of arcs: siblings and grandparents."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.best import MEMORY_LIMIT, Decoded
from nonproj.decode.scores import Mask, Scores, prepared
from nonproj.errors import NonprojError
from nonproj.trees import TreeClass, tree_class

Triples: TypeAlias = npt.NDArray[np.floating] | Iterable[tuple[int, int, int, float]]
"""Scores of pairs of arcs: an array of shape (n+1, n+1, n+1), or (a, b, c, score) for those that are not 0."""

_CHART = 2  # the road that is told as strategy "chart"


def decode_second_order(
    scores: Scores,
    within: str | TreeClass = "Pr",
    *,
    grandparents: Triples | None = None,
    siblings: Triples | None = None,
    rearrange: bool = False,
    single_root: bool = False,
    mask: Mask | None = None,
    memory_limit: int = MEMORY_LIMIT,
) -> Decoded:
    """Find the best tree when pairs of arcs have scores as well.

    ``grandparents[g, h, d]`` is added for arcs g -> h and h -> d, ``siblings[h, s, d]`` for children s and d of h on
    the same side of it, s the next one between h and d; ``siblings[h, h, d]`` for the child d that is nearest to h on
    its side. Both are arrays, or lists of (g, h, d, score) for the triples that are not 0.

    Exact for projective trees (Koo & Collins 2010) and, with grandparents alone, for gap-minding trees
    (``within="M0I"``; Pitler, Kannan & Marcus 2012). Few possible heads, by -inf or a ``mask`` (see
    `candidate_heads`), make the latter much faster. ``rearrange`` then changes one head at a time as long as the
    score grows, across any arcs (McDonald & Pereira 2006): the result is no longer proven, and ``.is_optimal`` is
    false.

    >>> import numpy as np
    >>> scores = np.zeros((4, 4))
    >>> decode_second_order(scores, grandparents=[(0, 3, 2, 1.0), (3, 2, 1, 1.0)]).heads.tolist()
    [2, 3, 0]
    """
    cls = tree_class(within)
    if cls.name not in ("Pr", "M0I"):
        raise NonprojError(f"scores of pairs of arcs are for Pr and M0I, not for {cls.name}")
    if cls.name == "M0I" and (siblings is not None or rearrange):
        raise NonprojError("for M0I there are scores of grandparents; siblings and rearrange are for Pr")
    table = np.ascontiguousarray(prepared(scores, mask), dtype=np.float64)
    words = len(table) - 1
    grand, sib = _cube("grandparents", grandparents, words), _cube("siblings", siblings, words)
    heads_of_a_word = float((table[:, 1:] > -np.inf).sum()) / words
    needed = _core.second_order_bytes(cls.name == "M0I", words, heads_of_a_word, grand is not None)
    if needed > memory_limit:
        raise NonprojError(
            f"the chart for {words} words needs about {needed / 2**20:.0f} MiB, more than memory_limit "
            f"({memory_limit / 2**20:.0f} MiB): raise it, or allow fewer heads (mask)"
        )
    if cls.name == "Pr":
        score, heads = _core.second_order_projective(table, sib, grand, single_root, rearrange)
    else:
        score, heads = _core.second_order_gap_minding(table, grand, single_root)
    if len(heads) == 0:
        root = " with a single root" if single_root else ""
        raise NonprojError(f"no {cls.name} tree{root} avoids the forbidden arcs (-inf): allow more of them")
    best = Decoded.__new__(Decoded)
    best.__setstate__((heads.tolist(), [], score, math.inf if rearrange else score, _CHART, 0))
    return best


def _cube(name: str, triples: Triples | None, words: int) -> npt.NDArray[np.float64] | None:
    if triples is None:
        return None
    side = words + 1
    if not isinstance(triples, np.ndarray):
        rows = [(int(a), int(b), int(c), float(score)) for a, b, c, score in triples]
        if any(not (0 <= a <= words and 0 <= b <= words and 1 <= c <= words) for a, b, c, _ in rows):
            raise NonprojError(f"{name} name words from 0 to {words}, and the last of each triple is not 0")
        cube = np.zeros((side, side, side))
        for a, b, c, score in rows:
            cube[a, b, c] = score
    else:
        cube = np.ascontiguousarray(triples, dtype=np.float64)
    if cube.shape != (side, side, side):
        raise NonprojError(f"{name} must have the shape ({side}, {side}, {side}), not {cube.shape}")
    if np.isnan(cube).any() or (cube == np.inf).any():
        raise NonprojError(f"{name} must be numbers below +inf; -inf forbids a pair of arcs")
    return cube
