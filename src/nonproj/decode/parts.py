"""Scores of larger parts as callers have them: siblings and grandparents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj.errors import NonprojError

Triples: TypeAlias = npt.NDArray[np.floating] | Iterable[tuple[int, int, int, float]]
"""Scores of pairs of arcs: an array of shape (n+1, n+1, n+1), or (a, b, c, score) for those that are not 0."""


def as_cube(name: str, triples: Triples | None, words: int) -> npt.NDArray[np.float64] | None:
    """The scores as a table of (n+1)^3, checked, or None."""
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
