"""The prices of a graded class, learnt on sentences that the parser did not learn from.

The best tree of a graded class is the best over its classes of (best tree of the class) - price. So each sentence is
parsed once within every class of the chain; then any prices can be judged at once, and those that get most heads right
are taken. Few sentences have other best trees in other classes, and a single one should not settle a price: near ties
are shared out between the classes, so that what is maximised changes gradually with the prices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from nonproj.parser.learner import Model
from nonproj.parser.options import within_name
from nonproj.parser.settling import settle
from nonproj.parser.training import Progress
from nonproj.processors import processors
from nonproj.treebank import Treebank

CHAIN = ("Pr", "WG1", "spanning")
"""The classes of a parser that learns its prices."""

LEAST_SENTENCES = 100
"""Fewer sentences settle no prices."""

# So many prices are tried; between each two lie as many sentences.
_PLACES = 24
# Scores are near each other within this part of the middle difference between the widest class and the smallest.
_NEARNESS = 0.25


@dataclass(frozen=True)
class Answers:
    """The best trees of held-out sentences, a row a class of the chain: their scores, and how many heads are right."""

    scores: npt.NDArray[np.float64]
    right: npt.NDArray[np.int64]

    def __add__(self, other: Answers) -> Answers:
        """The sentences of both."""
        scores = np.concatenate([self.scores, other.scores], axis=1)
        return Answers(scores, np.concatenate([self.right, other.right], axis=1))

    def expected(self, prices: Sequence[float], width: float) -> float:
        """How many heads are right at these prices, when scores less than about ``width`` apart are shared out."""
        net = self.scores - np.array(prices)[:, None]
        shares = np.exp((net - net.max(axis=0)) / width)
        return float((shares * self.right).sum(axis=0) @ (1 / shares.sum(axis=0)))


def best_trees(models: Sequence[Model], treebank: Treebank, threads: int, progress: Progress) -> Answers:
    """Parse a treebank within every class of a chain; there is a model for each."""
    scores, right = [], []
    for k, model in enumerate(models):
        block = treebank.block()
        scores.append(model.run(block, threads or processors())[:, 0])
        right.append(np.add.reduceat((block.heads == treebank.heads).astype(np.int64), treebank.offsets[:-1]))
        progress("prices", k + 1, len(models))
    return Answers(np.stack(scores), np.stack(right))


def graded(names: Sequence[str], answers: Answers) -> str:
    """The graded class of a chain whose prices the answers settle, or the only class of it that is worth its price."""
    prices = learnt_prices(names, answers)
    return within_name(prices if len(prices) > 1 else next(iter(prices)))


def learnt_prices(names: Sequence[str], answers: Answers) -> dict[str, float]:
    """The classes of a chain that are worth their prices, each with it; a class must bring at least one right head.

    Of four sentences, one gains much outside the projective trees, rightly, and two gain little, wrongly:

    >>> scores = np.array([[9.0, 9.0, 9.0, 9.0], [9.0, 10.0, 10.5, 14.0]])
    >>> right = np.array([[5, 5, 5, 3], [5, 4, 4, 5]])
    >>> prices = learnt_prices(["Pr", "spanning"], Answers(scores, right))
    >>> prices["Pr"], 1.5 <= prices["spanning"] <= 5
    (0.0, True)
    >>> learnt_prices(["Pr", "spanning"], Answers(scores, np.array([[3, 3, 3, 3], [3, 5, 5, 5]])))
    {'spanning': 0.0}
    """
    gains = answers.scores[-1] - answers.scores[0]
    gains = gains[gains > 1e-6]
    if len(gains) == 0:
        return {names[0]: 0.0}
    width = _NEARNESS * float(np.median(gains))
    places = [0.0, *np.quantile(gains, (np.arange(_PLACES) + 0.5) / _PLACES).tolist(), np.inf]
    tried = [(0.0, *prices) for prices in combinations_with_replacement(places, len(names) - 1)]
    best = settle(tried, lambda prices: answers.expected(prices, width) - len(_worth(prices)))
    return {names[k]: round(best[k], 3) for k in _worth(best)}


def _worth(prices: Sequence[float]) -> list[int]:
    """The classes that do something: one that costs as much as the next wider one does not."""
    return [k for k, price in enumerate(prices) if np.isfinite(price) and price not in prices[k + 1 :]]
