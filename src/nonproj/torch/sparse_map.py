"""SparseMAP (Niculae, Martins, Blondel & Cardie 2018): the point of the hull of a class's trees nearest to the scores.

It is a mean of few trees, found with nothing but the decoder, so that every class has one, by the algorithm of Wolfe
(1976) for the nearest point of a polytope: a set of trees is kept, of which the best mean is known; the decoder finds
the tree that would improve on it most, or proves that none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from nonproj.decode import Within, decode
from nonproj.errors import NonprojError
from nonproj.torch.batch import Batch

Vector = npt.NDArray[np.float64]
MAX_STEPS = 1000
TOLERANCE = 1e-10


def sparse_map(
    scores: Tensor,
    lengths: Tensor | Sequence[int] | None = None,
    within: Within = "1EC",
    single_root: bool = True,
) -> Tensor:
    """The arcs of the mean of trees that is nearest to the scores, in the shape of the scores, with a gradient.

    >>> sparse_map(torch.tensor([[[0, 9, 0], [0, 0, 9], [0, 0, 0.]]]), within="Pr")[0].tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    batch = Batch.of(scores, lengths)
    found: Tensor = _SparseMap.apply(batch.scores, batch, within, single_root)
    return found


def sparse_map_loss(
    scores: Tensor,
    heads: Tensor | Sequence[Sequence[int]],
    lengths: Tensor | Sequence[int] | None = None,
    within: Within = "1EC",
    single_root: bool = True,
) -> Tensor:
    """The loss whose gradient is the difference between that mean and the gold tree; 0 when the mean is the tree."""
    batch = Batch.of(scores, lengths)
    gold = batch.arcs(batch.checked(heads))
    with torch.no_grad():
        mean = _SparseMap.apply(batch.scores, batch, within, single_root)
    values = torch.where(batch.inside & (scores > -torch.inf), scores, 0)
    return ((mean - gold) * values).sum((1, 2)) - (mean.square() - gold.square()).sum((1, 2)) / 2


class _SparseMap(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, scores: Tensor, batch: Batch, within: Within, single_root: bool) -> Tensor:
        ctx.batch = batch
        width = scores.shape[1]
        means = np.zeros((len(batch.lengths), width, width))
        ctx.trees = []
        for number, table in enumerate(batch.tables(scores)):
            trees, weights = _nearest(table.astype(np.float64), within, single_root)
            side = len(table)
            means[number, :side, :side] = (weights @ trees).reshape(side, side)
            ctx.trees.append(trees)
        return batch.tensor(means)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        # While the set of trees stays, the mean is the projection of the scores onto the plane through them.
        result = np.zeros(tuple(gradients[0].shape))
        for number, (trees, table) in enumerate(zip(ctx.trees, ctx.batch.tables(gradients[0]), strict=True)):
            side = len(table)
            steps = trees[1:] - trees[0]
            along = np.linalg.lstsq(steps.T, table.astype(np.float64).ravel(), rcond=None)[0]
            result[number, :side, :side] = (along @ steps).reshape(side, side)
        return ctx.batch.tensor(result), None, None, None


def _nearest(table: Vector, within: Within, single_root: bool) -> tuple[Vector, Vector]:
    """Trees as 0 and 1, one a row, and their weights."""
    target = np.where(np.isfinite(table), table, 0.0).ravel()

    def best(scores: Vector) -> Vector:
        allowed = np.where(np.isfinite(table), scores.reshape(table.shape), -np.inf)
        heads = decode(allowed, within=within, single_root=single_root).heads
        tree = np.zeros(table.shape)
        tree[heads, np.arange(1, len(heads) + 1)] = 1.0
        return tree.ravel()

    trees, weights = best(target)[None], np.ones(1)
    for _ in range(MAX_STEPS):
        point = weights @ trees
        tree = best(target - point)
        gain = (target - point) @ (tree - point)
        if gain <= TOLERANCE * (1 + np.abs(target).max()) or (trees == tree).all(1).any():
            return trees, weights
        trees, weights = _improved(np.vstack([trees, tree]), np.append(weights, 0.0), target)
    raise NonprojError(f"SparseMAP did not end within {MAX_STEPS} steps: scale the scores down")


def _improved(trees: Vector, weights: Vector, target: Vector) -> tuple[Vector, Vector]:
    """The best mean of some of the trees: from the plane through all of them, dropping trees of no weight."""
    while True:
        # The nearest point of the plane, by weights that sum to 1.
        size = len(trees)
        system = np.zeros((size + 1, size + 1))
        system[:size, :size] = trees @ trees.T
        system[:size, size] = system[size, :size] = 1
        wanted = np.linalg.lstsq(system, np.append(trees @ target, 1.0), rcond=None)[0][:size]
        if (wanted > 1e-12).all():
            return trees, wanted / wanted.sum()
        falling = wanted <= 1e-12
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.where(falling, weights / (weights - wanted), np.inf)
        step = float(min(1.0, np.nanmin(steps)))
        weights = weights + step * (wanted - weights)
        kept = weights > 1e-12
        trees, weights = trees[kept], weights[kept] / weights[kept].sum()
