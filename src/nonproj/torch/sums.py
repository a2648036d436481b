"""Log-partitions with gradients: the derivative of a log-partition is the marginals.

Sentences are shared out to threads; the core releases the GIL.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from torch import Tensor

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.torch.batch import Batch


class LogPartition(torch.autograd.Function):  # type: ignore[misc]
    """Scores to the log-partition of each sentence."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, batch: Batch, solver: _core.ClassSolver, single_root: bool) -> Tensor:
        """Ask the core."""
        ctx.question = (batch, solver, single_root)
        ctx.save_for_backward(scores)
        found = _each(batch, scores, lambda table: _core.log_partition(solver, table, single_root))
        return batch.tensor(np.array(found))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The marginals."""
        (scores,) = ctx.saved_tensors
        marginals: Tensor = Marginals.apply(scores, *ctx.question)
        return gradients[0][:, None, None] * marginals, None, None, None


class Marginals(torch.autograd.Function):  # type: ignore[misc]
    """Scores to the chances of their arcs."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, batch: Batch, solver: _core.ClassSolver, single_root: bool) -> Tensor:
        """Ask the core."""
        chances = np.zeros(tuple(scores.shape))
        found = _each(batch, scores, lambda table: _core.marginals(solver, table, single_root))
        for chance, words, one in zip(chances, batch.lengths.tolist(), found, strict=True):
            chance[: words + 1, : words + 1] = one
        return batch.tensor(chances)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Not offered: an error, rather than a wrong gradient."""
        raise NonprojError(
            "marginals have no gradient here yet, nor have entropy, kl and expected_score, which are made of them; "
            "detach them, or use a loss of log_partition and log_prob"
        )


def _each(batch: Batch, scores: Tensor, ask: Callable[[Any], Any]) -> list[Any]:
    tables = [np.ascontiguousarray(table) for table in batch.tables(scores)]
    if len(tables) == 1:
        return [ask(tables[0])]
    with ThreadPoolExecutor(processors()) as threads:
        return list(threads.map(ask, tables))
