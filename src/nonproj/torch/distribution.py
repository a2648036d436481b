"""The distribution over the trees of a class that scores give, in the manner of ``torch.distributions``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf

import numpy as np
import torch
from torch import Tensor

from nonproj.decode import Within, k_best, sample_trees
from nonproj.decode.graded import chain
from nonproj.decode.offers import solver_with_sums
from nonproj.errors import NonprojError
from nonproj.torch.batch import Batch
from nonproj.torch.sums import LogPartition, Marginals
from nonproj.trees import Tree


class TreeDistribution:
    """Trees of each sentence of a batch, with probability exp(score) / Z.

    ``scores`` have the shape (batch, n+1, n+1), float32 or float64: ``scores[b, h, d]`` is that of the arc from h to d.
    ``lengths`` says how many words each sentence has, all n by default. ``mask`` is true for arcs that may be used.
    ``within`` is a class that has sums (see `offers`), or a graded class of such. Everything but samples and best trees
    has gradients; log-partitions have exact second derivatives, and so losses may hold marginals, the entropy, a
    divergence or a risk.

    >>> scores = torch.zeros(1, 4, 4, requires_grad=True)
    >>> trees = TreeDistribution(scores, within="Pr", single_root=False)
    >>> round(trees.log_partition.exp().item()), trees.entropy.shape
    (12, torch.Size([1]))
    >>> trees.log_partition.sum().backward()
    >>> bool(torch.allclose(scores.grad, trees.marginals))
    True
    """

    def __init__(
        self,
        scores: Tensor,
        lengths: Tensor | Sequence[int] | None = None,
        within: Within = "1EC",
        single_root: bool = True,
        mask: Tensor | None = None,
        *,
        validate_args: bool = True,
    ) -> None:
        """Check scores; ``validate_args`` has trees checked too, see `log_prob`."""
        self.within, self.single_root, self.validate_args = within, single_root, validate_args
        self.chain = chain(within)
        self._solvers = [solver_with_sums("TreeDistribution", cls) for cls, _ in self.chain]
        self.batch = Batch.of(scores, lengths, mask)

    @property
    def scores(self) -> Tensor:
        """The scores, -inf for arcs that the mask forbids."""
        return self.batch.scores

    def __repr__(self) -> str:
        size, width = self.scores.shape[:2]
        return f"TreeDistribution({size} sentences of up to {width - 1} words, within {self.within!r})"

    @cached_property
    def log_partition(self) -> Tensor:
        """The logarithm of the sum of exp(score) over the trees of each sentence; an error where one has none."""
        found = self._log_weighted
        total = found[0] if len(found) == 1 else torch.logsumexp(torch.stack(found), 0)
        if bool((total == -inf).any()):
            at = int((total == -inf).nonzero()[0])
            raise NonprojError(f"sentence {at}: no tree of the class has only arcs that are allowed")
        return total

    @cached_property
    def _log_weighted(self) -> list[Tensor]:
        """The log-partition of each class of the chain with its weight: see `Mixture`."""
        prices = [price for _, price in self.chain]
        parts = []
        for number, solver in enumerate(self._solvers):
            following = prices[number + 1] if number + 1 < len(prices) else inf
            weight = float(np.log(-np.expm1(prices[number] - following))) - prices[number]
            part = LogPartition.apply(self.scores, self.batch, solver, self.single_root)
            parts.append(part + weight if weight else part)
        return parts

    @cached_property
    def marginals(self) -> Tensor:
        """The chance of every arc, in the shape of the scores."""
        chances = [Marginals.apply(self.scores, self.batch, solver, self.single_root) for solver in self._solvers]
        whole = self.log_partition  # also tells of a sentence without a tree
        if len(chances) == 1:
            return chances[0]
        shares = [torch.exp(part - whole)[:, None, None] for part in self._log_weighted]
        return sum(
            (share * chance for share, chance in zip(shares, chances, strict=True)), torch.zeros_like(chances[0])
        )

    def expected_score(self, scores: Tensor | None = None) -> Tensor:
        """The mean over the trees of their own score, or of another: the risk, given costs of arcs."""
        values = self.scores if scores is None else scores
        # A forbidden arc has chance 0, and 0 times -inf is no number.
        return (self.marginals * torch.where(self.batch.inside & (self.scores > -inf), values, 0)).sum((1, 2))

    @cached_property
    def entropy(self) -> Tensor:
        """The entropy of each sentence, in nats."""
        if len(self.chain) > 1:
            raise NonprojError("the entropy of a graded class is not offered here: use nonproj.entropy")
        return self.log_partition - self.expected_score()

    def log_prob(self, heads: Tensor | Sequence[Sequence[int]]) -> Tensor:
        """The logarithm of the probability of a tree of each sentence: heads of shape (batch, n), padded by anything.

        A tree outside the class has no probability, and is an error that names the sentence; with
        ``validate_args=False`` it is not looked for, and is scored as if it were inside.
        """
        gold = self.batch.checked(heads)
        price = self._prices(gold) if self.validate_args or len(self.chain) > 1 else 0.0
        return self.batch.score(self.scores, gold) - price - self.log_partition

    def _prices(self, heads: Tensor) -> Tensor:
        prices = []
        for number, (row, words) in enumerate(zip(heads.cpu().tolist(), self.batch.lengths.tolist(), strict=True)):
            try:
                tree = Tree(row[:words])
            except NonprojError as error:
                raise NonprojError(f"sentence {number}: {error}") from None
            if self.single_root and len(tree.roots) > 1:
                raise NonprojError(f"sentence {number}: the tree has {len(tree.roots)} roots, and single_root is true")
            found = next((price for cls, price in self.chain if tree in cls), None)
            if found is None:
                name = self.chain[-1][0].name
                raise NonprojError(f"sentence {number}: the tree is not in {name}; leave it out, or take a wider class")
            prices.append(found)
        return torch.tensor(prices, dtype=self.scores.dtype, device=self.scores.device)

    @property
    def mode(self) -> Tensor:
        """The heads of the best trees, (batch, n), -1 behind the last word."""
        return self.batch.best(self.scores, self.within, self.single_root)

    def k_best(self, k: int) -> list[list[Tree]]:
        """The k best trees of each sentence, best first; fewer where there are not so many."""
        return [
            [best.tree for best in k_best(table, k, within=self.within, single_root=self.single_root)]
            for table in self.batch.tables()
        ]

    def sample(self, k: int = 1) -> Tensor:
        """Heads of k trees of each sentence, (k, batch, n), drawn by the generator of torch."""
        seeds = torch.randint(2**62, (self.scores.shape[0],)).tolist()
        drawn = [
            sample_trees(table, k, within=self.within, single_root=self.single_root, seed=seed).heads
            for table, seed in zip(self.batch.tables(), seeds, strict=True)
        ]
        return torch.stack([self.batch.heads([trees[number] for trees in drawn]) for number in range(k)])

    def kl(self, other: TreeDistribution) -> Tensor:
        """The divergence KL(self || other) of each sentence, between distributions over the trees of one class."""
        if self.chain != other.chain or self.single_root != other.single_root or len(self.chain) > 1:
            raise NonprojError("kl is for two distributions over the trees of one class, which is not graded")
        if not np.array_equal(self.batch.lengths, other.batch.lengths):
            raise NonprojError("kl is for two distributions over trees of the same sentences")
        return self.expected_score() - self.expected_score(other.scores) - self.log_partition + other.log_partition
