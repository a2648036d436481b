"""What a treebank and a block of sentences have in common."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt


class Sentences(Protocol):
    """Sentences by columns: a treebank, or a block that the steps of a pipeline work on."""

    def __len__(self) -> int:
        """How many sentences there are."""

    def __getitem__(self, key: slice, /) -> Sentences:
        """Some of the sentences."""

    @property
    def heads(self) -> npt.NDArray[np.int32]:
        """The heads of all words in order; -1 where they are not known."""

    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Sentence i has the words from ``offsets[i]`` up to ``offsets[i + 1]``."""

    def column(self, name: str) -> list[str]:
        """One column of all words."""
