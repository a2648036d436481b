"""What the tables, plots and lists of a coverage ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from nonproj.treebank import Skipped, Treebank
from nonproj.trees import Profiles, TreeClass


class MeasuredTreebank(Protocol):
    """One row: a treebank, or several taken together."""

    name: str
    profiles: Profiles
    treebanks: list[Treebank]

    @property
    def trees(self) -> int:
        """The number of trees measured."""
        ...

    @property
    def entangled(self) -> int:
        """How many trees could not be settled."""
        ...

    @property
    def outside(self) -> dict[str, int]:
        """How many trees are outside each class."""
        ...

    @property
    def loss(self) -> dict[str, float | None]:
        """The share of trees outside each class."""
        ...


class Measured(Protocol):
    """All rows, as `Coverage` has them."""

    classes: list[TreeClass]
    only: str
    dummy: str

    @property
    def groups(self) -> Mapping[str, Measured]:
        """The groups of treebanks, by name; none where they were not grouped."""
        ...

    @property
    def treebanks(self) -> Sequence[MeasuredTreebank]:
        """The rows."""
        ...

    @property
    def skipped(self) -> list[Skipped]:
        """The sentences that were left out."""
        ...

    @property
    def trees(self) -> int:
        """The number of trees measured."""
        ...

    @property
    def mean_loss(self) -> dict[str, float | None]:
        """The macro average of the loss in each class."""
        ...
