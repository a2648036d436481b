"""Sorting into projective order: the order of a tree, and how many swaps the trees of a treebank need."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.transition.system import transition_system
from nonproj.treebank import Treebank
from nonproj.trees import Tree


class SortedTree(NamedTuple):
    """The words in projective order, and how many pairs of them stand the other way round in the sentence."""

    order: list[int]
    inversions: int


def sort_words(tree: Tree) -> SortedTree:
    """The projective order (Nivre 2009): the inorder traversal of the tree, in which it is projective.

    The sorting system swaps as often as there are inversions.

    >>> sort_words(Tree([2, 3, 0, 3, 2, 7, 5, 4, 3]))
    SortedTree(order=[1, 2, 5, 6, 7, 3, 4, 8, 9], inversions=6)
    """
    order, inversions = _core.projective_order(tree._array)
    return SortedTree(list(order), int(inversions))


@dataclass(frozen=True)
class SwapStatistics:
    """How many swaps the trees of a treebank need; one entry a tree, -1 where the oracle does not derive it.

    ``inversions`` are the swaps of sorting, ``completion`` and ``printed`` those of the oracles of sort-parse,
    ``eager`` and ``lazy`` those of the swap system.
    """

    words: npt.NDArray[np.int64] = field(repr=False)
    inversions: npt.NDArray[np.int64] = field(repr=False)
    completion: npt.NDArray[np.int64] = field(repr=False)
    printed: npt.NDArray[np.int64] = field(repr=False)
    eager: npt.NDArray[np.int64] = field(repr=False)
    lazy: npt.NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.words)

    def means(self) -> dict[str, float]:
        """Swaps a tree on average over the trees that are derived, by oracle."""
        found = ((name, swaps[swaps >= 0]) for name, swaps in self._by_oracle())
        return {name: float(swaps.mean()) if len(swaps) else math.nan for name, swaps in found}

    def derived(self) -> dict[str, int]:
        """How many trees are derived, by oracle."""
        return {name: int((swaps >= 0).sum()) for name, swaps in self._by_oracle()}

    def histogram(self) -> list[tuple[str, dict[str, int]]]:
        """How many trees need 0, 1, 2, 3-4, 5-8, 9-16, ... swaps, by oracle."""
        most = max((int(swaps.max()) for _, swaps in self._by_oracle() if len(self)), default=0)
        bins = [(0, 0), (1, 1), (2, 2)]
        while bins[-1][1] < most:
            bins.append((bins[-1][1] + 1, 2 * bins[-1][1]))
        return [
            (
                str(low) if low == high else f"{low}-{high}",
                {name: int(((low <= swaps) & (swaps <= high)).sum()) for name, swaps in self._by_oracle()},
            )
            for low, high in bins
        ]

    def by_length(self, width: int = 10) -> list[tuple[str, int, dict[str, float]]]:
        """For sentences of 1-10, 11-20, ... words: how many there are, and their swaps a word by oracle."""
        rows = []
        for low in range(1, int(self.words.max(initial=0)) + 1, width):
            chosen = (self.words >= low) & (self.words < low + width)
            if chosen.any():
                swaps = {}
                for name, counts in self._by_oracle():
                    derived = chosen & (counts >= 0)
                    words = self.words[derived].sum()
                    swaps[name] = float(counts[derived].sum() / words) if words else math.nan
                rows.append((f"{low}-{low + width - 1}", int(chosen.sum()), swaps))
        return rows

    def exponents(self) -> dict[str, float]:
        """How the number of transitions grows: e in n^e, fitted to the mean at each length, by oracle.

        Linear is 1. ``nan`` where the treebank has fewer than two lengths.
        """
        found = {}
        for name, swaps in self._by_oracle():
            derived = swaps >= 0
            words, cost = self.words[derived], 2 if name.endswith("swap") else 1  # a swap there is undone by a SHIFT
            found[name] = _growth(words, 2 * words + cost * swaps[derived])
        return found

    def _by_oracle(self) -> list[tuple[str, npt.NDArray[np.int64]]]:
        return [
            ("sorting", self.inversions),
            ("sort-parse", self.completion),
            ("as printed", self.printed),
            ("eager swap", self.eager),
            ("lazy swap", self.lazy),
        ]


def swap_statistics(treebank: Treebank, *, threads: int = 0) -> SwapStatistics:
    """Count the swaps of every tree of a treebank.

    >>> from nonproj import example_treebank
    >>> found = swap_statistics(example_treebank())
    >>> {name: round(mean, 2) for name, mean in found.means().items()}
    {'sorting': 4.29, 'sort-parse': 3.19, 'as printed': 2.0, 'eager swap': 2.87, 'lazy swap': 1.95}
    """
    words = np.diff(treebank.offsets).astype(np.int64)

    def swaps(name: str, oracle: str | None = None, others: int = 2, cost: int = 1) -> npt.NDArray[np.int64]:
        """What is left of the transitions without ``others`` a word, each swap with its ``cost``."""
        lengths = transition_system(name, oracle=oracle).oracles(treebank, threads=threads).lengths.astype(np.int64)
        return np.where(lengths < 0, -1, (lengths - others * words) // cost)

    return SwapStatistics(
        words,
        swaps("sorting", others=1),
        swaps("sort-parse", "completion"),
        swaps("sort-parse", "printed"),
        swaps("swap", "eager", cost=2),
        swaps("swap", "lazy", cost=2),
    )


def _growth(words: npt.NDArray[np.int64], transitions: npt.NDArray[np.int64]) -> float:
    """The slope of log(mean transitions) over log(words), each length weighted by its number of sentences."""
    lengths, place, counts = np.unique(words, return_inverse=True, return_counts=True)
    if len(lengths) < 2:
        return math.nan
    means = np.bincount(place, weights=transitions) / counts
    return float(np.polyfit(np.log(lengths), np.log(means), 1, w=np.sqrt(counts))[0])
