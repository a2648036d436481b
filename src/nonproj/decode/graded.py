"""Graded classes: a rising chain of classes with a price each, given wherever a class can be given.

A tree pays the price of the smallest class of the chain that holds it, so that a class is a preference: in
``{"Pr": 0, "1EC": 1.5, "spanning": 4}`` a tree that is not projective must score 1.5 more than the projective ones to
win, and one that is not 1-endpoint-crossing either 4 more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.offers import solver_with_sums
from nonproj.decode.scores import Table
from nonproj.errors import NonprojError
from nonproj.trees import TreeClass, tree_class

Within: TypeAlias = str | TreeClass | Mapping[str, float] | Mapping[TreeClass, float]
"""A class, or a graded class: the classes of a rising chain, each with its price."""

Chain: TypeAlias = tuple[tuple[TreeClass, float], ...]


def chain(within: Within) -> Chain:
    """The classes and prices of a graded class, checked; a single class costs nothing.

    >>> [(cls.name, price) for cls, price in chain({"pr": 0, "spanning": 2})]
    [('Pr', 0.0), ('spanning', 2.0)]
    """
    if not isinstance(within, Mapping):
        return ((tree_class(within), 0.0),)
    steps = tuple((tree_class(name), _number(price)) for name, price in within.items())
    native(steps)
    return steps


def native(steps: Chain) -> _core.Grades:
    """The chain as decoders take it; an error where its classes or prices do not rise."""
    return _core.Grades([(cls.solver, price) for cls, price in steps])


@dataclass(frozen=True, eq=False)
class Mixture:
    """The distribution over the trees of a graded class, as a mixture of those over its classes.

    A tree whose smallest class is the j-th weighs exp(score - p_j). Let w_k = exp(-p_k) - exp(-p_(k+1)), and w_m =
    exp(-p_m) for the last class: then p_j is paid by the w_k from j on, exp(-p_j) = w_j + ... + w_m, and
    Z = w_1 Z_1 + ... + w_m Z_m. Prices rise, so no term is negative: nothing cancels, and each class has its share of
    the whole, w_k Z_k / Z.
    """

    solvers: list[_core.ClassSolver]
    prices: npt.NDArray[np.float64]
    log_partitions: npt.NDArray[np.float64]
    log_partition: float
    shares: npt.NDArray[np.float64]
    """All 0 when there is no tree."""

    @property
    def log_chances(self) -> npt.NDArray[np.float64]:
        """The logarithm of the chance that a tree's smallest class is the k-th."""
        smaller = np.concatenate([[-np.inf], self.log_partitions[:-1]])
        with np.errstate(divide="ignore", invalid="ignore"):
            outside = np.log(-np.expm1(np.minimum(smaller - self.log_partitions, 0)))
            return np.where(
                np.isfinite(self.log_partitions),
                self.log_partitions + outside - self.prices - self.log_partition,
                -np.inf,
            )


def mixture(question: str, within: Within, table: Table, single_root: bool) -> Mixture:
    """The mixture for a sentence; an error where a class of the chain has no sums."""
    steps = chain(within)
    solvers = [solver_with_sums(question, cls) for cls, _ in steps]
    prices = np.array([price for _, price in steps])
    log_partitions = np.array([_core.log_partition(solver, table, single_root) for solver in solvers])
    with np.errstate(divide="ignore"):
        log_weights = np.append(np.log(-np.expm1(prices[:-1] - prices[1:])), 0.0) - prices
    total = float(np.logaddexp.reduce(log_partitions + log_weights))
    exist = np.isfinite(total)
    shares = np.exp(log_partitions + log_weights - total) if exist else np.zeros(len(steps))
    return Mixture(solvers, prices, log_partitions, total, shares / shares.sum() if exist else shares)


def _number(price: object) -> float:
    try:
        return float(price)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise NonprojError(f"the prices of a graded class are numbers, not {price!r}") from None


def parse_within(text: str) -> Within:
    """A class as the command line names it: ``1EC``, or with prices ``Pr:0,1EC:1.5,spanning:4``.

    >>> parse_within("1EC"), parse_within("Pr:0, 1EC:1.5")
    ('1EC', {'Pr': 0.0, '1EC': 1.5})
    """
    if ":" not in text:
        return text
    steps = [[part.strip() for part in step.split(":")] for step in text.split(",")]
    if any(len(step) != 2 for step in steps):
        raise NonprojError(
            f"a graded class is written CLASS:PRICE,CLASS:PRICE, such as Pr:0,1EC:1.5,spanning:4; not {text!r}"
        )
    prices: dict[str, float] = {}
    for name, price in steps:
        if name in prices:
            raise NonprojError(f"a graded class has a price for each class, and {name!r} has two in {text!r}")
        prices[name] = _number(price)
    return prices
