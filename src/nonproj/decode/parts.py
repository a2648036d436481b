"""Scores of parts larger than an arc, as callers have them: siblings, grandparents and more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError

Triples: TypeAlias = npt.NDArray[np.floating] | Iterable[tuple[int, int, int, float]]
"""Scores of pairs of arcs: an array of shape (n+1, n+1, n+1), or (a, b, c, score) for those that are not 0."""

Quadruples: TypeAlias = Iterable[tuple[int, int, int, int, float]]
"""Scores of three arcs: (a, b, c, d, score) for those that are not 0."""


def part_list(
    arcs: npt.NDArray[np.float64],
    siblings: Triples | None = None,
    grandparents: Triples | None = None,
    grand_siblings: Quadruples | None = None,
    three_siblings: Quadruples | None = None,
    ends: npt.ArrayLike | None = None,
    valency: npt.ArrayLike | None = None,
) -> _core.PartList:
    """Scores of arcs and of larger parts as the decoder takes them, checked."""
    side = len(arcs)
    parts = _core.PartList(arcs)
    for name, triples in (("siblings", siblings), ("grandparents", grandparents)):
        if isinstance(triples, np.ndarray) and triples.ndim == 3:
            parts.set_table(name, _table(name, triples, (side, side, side)))
        elif triples is not None:
            parts.set_list(name, *_listed(name, triples, 3, side - 1))
    for name, quadruples in (("grand_siblings", grand_siblings), ("three_siblings", three_siblings)):
        if quadruples is not None:
            parts.set_list(name, *_listed(name, quadruples, 4, side - 1))
    if ends is not None:
        parts.set_ends(_table("ends", ends, (side, side)))
    if valency is not None:
        shape = np.shape(valency)
        counts = shape[1:] if len(shape) == 3 and min(shape) > 0 else ("left", "right")
        parts.set_valency(_table("valency", valency, (side, *counts)))
    return parts


def _table(name: str, given: npt.ArrayLike, shape: tuple[Any, ...]) -> npt.NDArray[np.float64]:
    table = np.ascontiguousarray(given, dtype=np.float64)
    if table.shape != shape:
        raise NonprojError(f"{name} must have the shape ({', '.join(map(str, shape))}), not {table.shape}")
    _check(name, table)
    return table


def _listed(
    name: str, given: Iterable[Any], size: int, words: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    try:
        rows = np.array(given if isinstance(given, np.ndarray) else list(given), dtype=np.float64)
        rows = rows.reshape(-1, size + 1) if rows.size == 0 else rows
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != size + 1:
        tables = f"an array of shape ({words + 1}, {words + 1}, {words + 1}), or " if size == 3 else ""
        raise NonprojError(f"{name} must be {tables}rows of {size} words and a score")
    places = rows[:, :size]
    if not (((places >= 0) & (places <= words) & (places == np.floor(places))).all() and (places[:, -1] > 0).all()):
        raise NonprojError(f"{name} name words from 0 to {words}, and the last of each row is not 0")
    scores = np.ascontiguousarray(rows[:, size])
    _check(name, scores)
    return np.ascontiguousarray(places, dtype=np.int32), scores


def _check(name: str, scores: npt.NDArray[np.float64]) -> None:
    if np.isnan(scores).any() or (scores > 1e300).any() or ((scores < -1e300) & (scores > -np.inf)).any():
        raise NonprojError(f"{name} must be numbers below +inf, within +-1e300; -inf forbids what it stands for")
