"""The transition sequences of many trees."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nonproj.processors import processors
from nonproj.transition.named_system import NamedSystem
from nonproj.transition.transition import Transition


@dataclass(frozen=True)
class Sequences:
    """What `TransitionSystem.oracles` found, as arrays: for training, and for whole treebanks.

    ``numbers`` holds the transitions of all trees one after the other, as numbers that ``names`` explains; ``lengths``
    how many each tree has, -1 for a tree that the system does not derive. There are no labels in it.
    """

    system: NamedSystem
    numbers: npt.NDArray[np.int32] = field(repr=False)
    lengths: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64] = field(repr=False)
    """Where the words of each tree start, as in a treebank."""

    def __len__(self) -> int:
        return len(self.lengths)

    @cached_property
    def names(self) -> list[str]:
        """The name of each number."""
        return self.system.names(max([1, *np.diff(self.offsets).tolist()]))

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(np.maximum(self.lengths, 0), dtype=np.int64)])

    def __getitem__(self, tree: int) -> list[Transition] | None:
        """The sequence of one tree, or None."""
        if self.lengths[tree] < 0:
            return None
        start = self._starts[tree]
        return [Transition(self.names[number]) for number in self.numbers[start : start + self.lengths[tree]].tolist()]

    def derive(self, *, threads: int = 0) -> npt.NDArray[np.int32]:
        """The heads that the sequences build, for all words; -1 in the trees that are not derived."""
        return self.system._native.derive_batch(self.numbers, self.lengths, self.offsets, threads or processors())
