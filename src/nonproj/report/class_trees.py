"""Trees drawn uniformly from a class: directly where there are sums over its trees, else by rejection.

Rejection draws from the smallest class known to hold it that has sums, and from all trees where there is none. Few
trees of many words are in a small class, so that it comes to an end where they become too rare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.trees import TreeClass, profile_trees, tree_class

Heads: TypeAlias = npt.NDArray[np.int32]

FEWEST = 30
"""Trees without which nothing is said about a class."""
_MOST_WORDS = 60
_MOST_WORDS_REJECTED = 20  # beyond them trees are rare, or slow to be told
_MOST_WORDS_OF_CHART = {5: 50, 6: 35, 7: 30}  # by the exponent of its time: some seconds for all lengths
_MOST_DRAWS = 100_000
_PORTION = 20_000
_WIDER = {"2-C": "1EC"}  # with sums; 2-C lies within 1EC, which is proven in the table of solvers


@dataclass(frozen=True)
class ClassTrees:
    """Trees of one size, one a row of ``heads``, and the share of draws that were accepted."""

    heads: Heads
    accepted: float

    def __len__(self) -> int:
        return len(self.heads)


def longest_drawn(cls: TreeClass) -> int:
    """How many words the trees may have that are drawn from a class; for rejection the draws decide."""
    if cls.name == "spanning":
        return _MOST_WORDS
    if not cls.solver.has_sums or cls.exponent is None:
        return _MOST_WORDS_REJECTED
    return _MOST_WORDS if cls.exponent < 5 else _MOST_WORDS_OF_CHART.get(cls.exponent, 18)


def class_trees(
    cls: TreeClass, words: int, count: int, *, single_root: bool, seed: int, threads: int = 1
) -> ClassTrees | None:
    """Draw trees of so many words uniformly from a class: as many as asked for, or fewer by rejection.

    There is None where they are too long for the sampler or too rare to be met by rejection.

    >>> drawn = class_trees(tree_class("MH4"), 8, 100, single_root=True, seed=1)
    >>> drawn.heads.shape, 0.1 < drawn.accepted < 0.3
    ((100, 8), True)
    """
    if words > longest_drawn(cls):
        return None
    if cls.name == "spanning":
        return ClassTrees(_all_trees(words, count, single_root, seed), 1.0)
    if cls.solver.has_sums:
        table = np.zeros((words + 1, words + 1))
        return ClassTrees(_core.sample(cls.solver, table, single_root, count, seed), 1.0)
    found: list[Heads] = []
    draws = missing = 0
    seeds = np.random.SeedSequence(seed)
    portion = 2 * count + 16
    while draws < _MOST_DRAWS:
        portion = min(portion, _PORTION, _MOST_DRAWS - draws)
        drawn = _proposed(cls, words, portion, single_root, int(seeds.spawn(1)[0].generate_state(1)[0]))
        held = _held(cls, drawn, threads)
        if (held < 0).any():
            return None  # without the trees that cannot be settled the others are no fair sample
        found.append(drawn[held == 1])
        draws += len(drawn)
        missing = count - sum(map(len, found))
        if missing <= 0:
            break
        portion = int(1.3 * missing * draws / max(1, count - missing)) + 16
    every = np.concatenate(found)
    return ClassTrees(every[:count], len(every) / draws) if len(every) >= min(FEWEST, count) else None


def _proposed(cls: TreeClass, words: int, count: int, single_root: bool, seed: int) -> Heads:
    """Trees of a wider class."""
    if cls.name not in _WIDER:
        return _all_trees(words, count, single_root, seed)
    wider = tree_class(_WIDER[cls.name])
    return _core.sample(wider.solver, np.zeros((words + 1, words + 1)), single_root, count, seed)


def _all_trees(words: int, count: int, single_root: bool, seed: int) -> Heads:
    offsets = np.arange(count + 1, dtype=np.int64) * words
    return _core.random_trees(offsets, np.full(count, single_root), 1, seed, 1).reshape(count, words)


def _held(cls: TreeClass, heads: Heads, threads: int) -> npt.NDArray[np.int8]:
    at = np.arange(len(heads) + 1) * heads.shape[1]
    profiles = profile_trees(heads.ravel(), at, wanted=cls.properties, solvers=[cls.solver], threads=threads)
    return cls.holds(profiles)
