"""Log-partitions and marginals with gradients: the first derivative of the one is the other, whose derivative in a
direction is a chart over dual numbers. The matrix of second derivatives is symmetric, so that serves backwards too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, get_num_threads
from torch.autograd.function import once_differentiable

from nonproj import _core
from nonproj.torch.batch import Batch
from nonproj.torch.team import lend_threads

lend_threads()


class LogPartition(torch.autograd.Function):  # type: ignore[misc]
    """Scores to the log-partition of each sentence."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, batch: Batch, solver: _core.ClassSolver, single_root: bool) -> Tensor:
        """Ask for the marginals at once where a gradient will be."""
        ctx.question = (batch, solver, single_root)
        array = batch.array(scores)
        if not ctx.needs_input_grad[0]:
            return batch.tensor(_core.log_partition_batch(solver, array, batch.lengths, single_root, get_num_threads()))
        log_partition, marginals = _sums(batch, array, solver, single_root)
        ctx.save_for_backward(scores, marginals)
        return log_partition

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Marginals, with a gradient of their own where one is asked for."""
        scores, marginals = ctx.saved_tensors
        if torch.is_grad_enabled():
            marginals = Marginals.apply(scores, *ctx.question)
        return gradients[0][:, None, None] * marginals, None, None, None


class Marginals(torch.autograd.Function):  # type: ignore[misc]
    """Scores to the chances of their arcs."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, batch: Batch, solver: _core.ClassSolver, single_root: bool) -> Tensor:
        """Ask for the marginals."""
        ctx.question = (batch, solver, single_root)
        ctx.save_for_backward(scores)
        return _sums(batch, batch.array(scores), solver, single_root)[1]

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The change of the marginals in the direction of the gradient."""
        batch, solver, single_root = ctx.question
        (scores,) = ctx.saved_tensors
        table, direction = batch.array(scores), batch.array(gradients[0])
        change = _core.marginal_changes_batch(solver, table, direction, batch.lengths, single_root, get_num_threads())
        return batch.tensor(change), None, None, None


def _sums(
    batch: Batch, scores: npt.NDArray[Any], solver: _core.ClassSolver, single_root: bool
) -> tuple[Tensor, Tensor]:
    """The log-partition of each sentence, and the chances of its arcs."""
    marginals = np.empty_like(scores)
    found = _core.marginals_batch(solver, scores, batch.lengths, single_root, get_num_threads(), marginals)
    return batch.tensor(found), batch.tensor(marginals)
