"""Scores as callers have them: arrays, lists and tensors, masks and arcs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError

Scores: TypeAlias = Any
"""An array of shape (n+1, n+1), or (n+1, n+1, labels) where labels are taken; lists and tensors will do."""

Table: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Mask: TypeAlias = npt.ArrayLike
Arcs: TypeAlias = Iterable[tuple[int, int]]

FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)


def as_table(scores: Scores) -> Table:
    """The scores as a contiguous float32 or float64 array: as they are if they are one, else a copy."""
    if type(scores) is not np.ndarray:
        scores = _as_array(scores)
    dtype = scores.dtype
    if dtype is not FLOAT64 and dtype is not FLOAT32:
        if dtype.kind not in "fiub":
            raise NonprojError(f"scores must be numbers, not {dtype}")
        scores = scores.astype(np.float32 if dtype == FLOAT32 else np.float64)
    return scores if scores.flags.c_contiguous else np.ascontiguousarray(scores)


def _as_array(scores: Scores) -> npt.NDArray[Any]:
    if hasattr(scores, "detach"):  # a torch tensor: off the graph, off the device, and in a type that numpy has
        scores = scores.detach().cpu()
        if "bfloat16" in str(scores.dtype):
            scores = scores.float()
    try:
        return np.asarray(scores)
    except (TypeError, ValueError) as error:
        raise NonprojError(f"scores must be an array of numbers: {error}") from None


def refuse_gradient(question: str, scores: Scores) -> None:
    """An error for a tensor that asks for a gradient, which a number or an array cannot carry."""
    if getattr(scores, "requires_grad", False):
        raise NonprojError(
            f"{question} of a tensor that requires a gradient would lose it: use nonproj.torch.TreeDistribution, which "
            "has gradients, or give scores.detach()"
        )


def as_mask(mask: Mask | None) -> npt.NDArray[np.bool_] | None:
    """A table of arcs that may be used, or None for all."""
    if mask is None:
        return None
    table = np.ascontiguousarray(mask)
    if table.dtype != np.bool_ or table.ndim != 2:
        raise NonprojError(f"mask must be a boolean array of shape (n+1, n+1), not {table.dtype} of {table.shape}")
    return table


def as_arcs(name: str, arcs: Arcs | None) -> npt.NDArray[np.int32] | None:
    """Pairs (head, dependent) as rows, or None."""
    if arcs is None:
        return None
    try:
        rows = np.array([(int(head), int(dependent)) for head, dependent in arcs], dtype=np.int32).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        raise NonprojError(f"{name} must be pairs of a head and a dependent, such as [(0, 2), (2, 1)]") from None
    return rows


def prepared(scores: Scores, mask: Mask | None, required: Arcs | None = None, forbidden: Arcs | None = None) -> Table:
    """A table of shape (n+1, n+1): checked, and -inf for the arcs that may not be used."""
    table = as_table(scores)
    if table.ndim == 3:
        raise NonprojError(
            "this question takes scores of shape (n+1, n+1); to sum over labels as well, "
            "give np.logaddexp.reduce(scores, axis=2)"
        )
    arcs = as_arcs("required", required), as_arcs("forbidden", forbidden)
    allowed: Table = _core.allowed_scores(table, as_mask(mask), *arcs)
    return allowed
