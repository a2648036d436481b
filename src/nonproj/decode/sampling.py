"""Random trees of a class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.decode.graded import Within, mixture
from nonproj.decode.scores import Mask, Scores, Table, prepared
from nonproj.errors import NonprojError
from nonproj.trees import Tree, TreeClass, profile_trees, tree_class

_PORTION = 10_000  # draws at a time


@dataclass(frozen=True, eq=False)
class Samples:
    """Independent random trees, one a row of ``heads``, and the share of draws that were accepted."""

    heads: npt.NDArray[np.int32]
    acceptance_rate: float

    def __len__(self) -> int:
        return len(self.heads)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    @cached_property
    def trees(self) -> list[Tree]:
        """The samples as trees."""
        return [Tree(row) for row in self.heads.tolist()]


def sample_trees(
    scores: Scores,
    samples: int = 1,
    *,
    within: Within = "spanning",
    single_root: bool = False,
    seed: int | None = None,
    mask: Mask | None = None,
    max_draws: int = 1_000_000,
) -> Samples:
    """Draw trees of a class at random, each with probability proportional to exp(score).

    Spanning trees and the trees of classes that have sums (see `offers`) are drawn directly. For other classes
    spanning trees are drawn until enough are in the class: exact, and quick as long as the class holds most of the
    probability. ``max_draws`` bounds the search, and `Samples.acceptance_rate` tells how it went.

    Trees of a graded class have probability proportional to exp(score - price); its classes must all have sums.

    >>> import numpy as np
    >>> drawn = sample_trees(np.zeros((7, 7)), 100, within="MG1", seed=1)
    >>> len(drawn), all(tree in tree_class("MG1") for tree in drawn), 0 < drawn.acceptance_rate < 1
    (100, True, True)
    """
    if samples < 0:
        raise NonprojError(f"samples must be 0 or more, not {samples}")
    table = prepared(scores, mask)
    seeds = _seeds(seed)
    if isinstance(within, Mapping):
        return _of_grades(table, samples, within, single_root, seeds)
    cls = tree_class(within)
    if cls.solver.has_sums:
        return Samples(_core.sample(cls.solver, table, single_root, samples, next(seeds)), 1.0)
    return _by_rejection(table, samples, cls, single_root, seeds, max_draws)


def _of_grades(table: Table, samples: int, within: Within, single_root: bool, seeds: Iterator[int]) -> Samples:
    """Each tree from a class of the mixture, chosen by its share."""
    parts = mixture("sample_trees", within, table, single_root)
    if not parts.shares.any():
        return Samples(_core.sample(parts.solvers[-1], table, single_root, samples, next(seeds)), 1.0)  # there is none
    rng = np.random.default_rng(next(seeds))
    counts = rng.multinomial(samples, parts.shares)
    drawn = [
        _core.sample(solver, table, single_root, int(count), next(seeds))
        for solver, count in zip(parts.solvers, counts, strict=True)
        if count > 0 or solver is parts.solvers[-1]
    ]
    return Samples(rng.permutation(np.concatenate(drawn)), 1.0)


def _by_rejection(
    table: Table, samples: int, cls: TreeClass, single_root: bool, seeds: Iterator[int], max_draws: int
) -> Samples:
    spanning = tree_class("spanning").solver
    accepted: list[npt.NDArray[np.int32]] = [np.empty((0, len(table) - 1), dtype=np.int32)]
    found = draws = 0
    portion = min(_PORTION, max(16, samples))
    while found < samples and draws < max_draws:
        drawn = _core.sample(spanning, table, single_root, min(portion, max_draws - draws), next(seeds))
        inside = _are_inside(drawn, cls)
        # Only the draws up to the last tree that is needed count, so that the rate is that of the draws.
        needed = np.flatnonzero(inside)[: samples - found]
        draws += len(drawn) if found + len(needed) < samples else int(needed[-1]) + 1
        found += len(needed)
        accepted.append(drawn[needed])
        portion = _PORTION
    if found < samples:
        raise NonprojError(
            f"only {found} of {draws} random spanning trees were in {cls.name}, and {samples} were wanted: "
            f"raise max_draws, or sharpen the scores"
        )
    return Samples(np.concatenate(accepted), found / draws if draws else 1.0)


def _are_inside(heads: npt.NDArray[np.int32], cls: TreeClass) -> npt.NDArray[np.bool_]:
    draws, words = heads.shape
    profiles = profile_trees(heads.ravel(), np.arange(draws + 1) * words, wanted=cls.properties, solvers=[cls.solver])
    held = cls.holds(profiles)
    if (held < 0).any():
        raise NonprojError(f"a random spanning tree is too entangled to say whether it is in {cls.name}")
    inside: npt.NDArray[np.bool_] = held == 1
    return inside


def _seeds(seed: int | None) -> Iterator[int]:
    """As many seeds as needed, all drawn from one."""
    if seed is not None and seed < 0:
        raise NonprojError(f"seed must be 0 or more, not {seed}")
    source = np.random.SeedSequence(seed)
    while True:
        yield int(source.spawn(1)[0].generate_state(1, np.uint64)[0])
