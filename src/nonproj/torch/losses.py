"""Losses that need the best trees only, so that there is one for every class, graded or without sums."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from nonproj.decode import Within
from nonproj.decode.graded import chain
from nonproj.errors import NonprojError
from nonproj.torch.batch import Batch


def structured_hinge(
    scores: Tensor,
    heads: Tensor | Sequence[Sequence[int]],
    lengths: Tensor | Sequence[int] | None = None,
    within: Within = "1EC",
    single_root: bool = True,
    *,
    cost: float = 1.0,
) -> Tensor:
    """By how much the worst offender beats the gold tree of each sentence, every wrong head of it counted for ``cost``.

    The tree is found exactly, by decoding with costs added to the scores. With a gold tree outside the class
    the difference may be below 0, and counts as 0.

    >>> scores = torch.zeros(1, 3, 3, requires_grad=True)
    >>> structured_hinge(scores, [[2, 0]]).tolist()
    [2.0]
    """
    if cost < 0:
        raise NonprojError(f"the cost of a wrong head is 0 or more, not {cost}")
    batch = Batch.of(scores, lengths)
    gold = batch.checked(heads)
    costs = cost * (1 - batch.arcs(gold)) * batch.inside
    worst = batch.best(scores + costs, within, single_root)
    steps = chain(within)
    price = batch.prices(worst, steps) - batch.prices(gold, steps)
    return torch.relu(batch.score(scores + costs, worst) - batch.score(scores, gold) - price)


def perceptron(
    scores: Tensor,
    heads: Tensor | Sequence[Sequence[int]],
    lengths: Tensor | Sequence[int] | None = None,
    within: Within = "1EC",
    single_root: bool = True,
) -> Tensor:
    """By how much the best tree of each sentence beats the gold tree."""
    return structured_hinge(scores, heads, lengths, within, single_root, cost=0.0)


def perturb_and_map(
    scores: Tensor,
    heads: Tensor | Sequence[Sequence[int]],
    lengths: Tensor | Sequence[int] | None = None,
    within: Within = "1EC",
    single_root: bool = True,
    *,
    samples: int = 4,
    temperature: float = 1.0,
) -> Tensor:
    """The mean score of the best trees under Gumbel noise, less that of the gold tree: the perturbed log-likelihood.

    Its gradient is the difference between the mean of those trees and the gold tree (Papandreou & Yuille 2011; Berthet
    et al. 2020): what the log-likelihood is for classes with sums, for those that have only a decoder. The noise is
    drawn by the generator of torch; ``temperature`` scales it.
    """
    if samples < 1:
        raise NonprojError(f"samples must be 1 or more, not {samples}")
    batch = Batch.of(scores, lengths)
    gold = batch.checked(heads)
    steps = chain(within)
    total = torch.zeros(scores.shape[0], dtype=scores.dtype, device=scores.device)
    for _ in range(samples):
        noise = temperature * -torch.empty_like(scores).exponential_().log()
        noisy = scores + noise
        best = batch.best(noisy, within, single_root)
        total = total + batch.score(noisy, best) - batch.prices(best, steps)
    return total / samples - batch.score(scores, gold) + batch.prices(gold, steps)
