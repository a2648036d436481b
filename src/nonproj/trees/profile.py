"""Structural profiles: the numbers from which membership in every class follows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nonproj import _core
from nonproj.errors import NonprojError
from nonproj.processors import processors
from nonproj.trees.distinct import distinct_rows

PROPERTIES: tuple[str, ...] = tuple(_core.property_names())
EVERY_PROPERTY = (1 << len(PROPERTIES)) - 1
_FEWEST_ROWS = 1 << 16  # that are worth the while to gather


@dataclass(frozen=True)
class Profiles:
    """The profiles of many trees, one row a tree and one column a property.

    ``-1`` stands for a value that could not be settled (a tree too entangled for the search behind it), and ``-b`` in
    the column ``planes`` for planes of which it is settled only that they are at least b. `column` gives the values of
    one property; ``table`` has them all, as they are stored.
    """

    table: npt.NDArray[np.int32]
    held: Mapping[str, npt.NDArray[np.int8]] = field(default_factory=dict)
    """Membership in classes that properties do not decide, by name: 1 inside, 0 outside."""
    counts: npt.NDArray[np.int64] | None = None
    """How many trees share each row, where they were `gathered`; else each row is one tree."""
    dummy: str = "left"
    """Where the dummy root stood when they were measured, one of `DUMMIES`."""

    def __len__(self) -> int:
        return len(self.table) if self.counts is None else int(self.counts.sum())

    def column(self, name: str) -> npt.NDArray[np.int32]:
        """The values of one property, by its name in `PROPERTIES`.

        In the column ``ad``, which is a masked array, trees are masked that Attardi's system derives with no degree.

        >>> print(profile_trees([2, 3, 0, 2, 5, 5, 1, 0], [0, 3, 8]).column("ad"))
        [1 --]
        """
        if name not in PROPERTIES:
            raise NonprojError(f"no property {name!r}; there are: {', '.join(PROPERTIES)}")
        if self.dummy == "none" and name in NEED_A_DUMMY:
            raise NonprojError(f"{name} has no meaning without a dummy root: measure it with the dummy left or right")
        values = self.table[:, PROPERTIES.index(name)]
        return np.ma.masked_equal(values, _core.UNBOUNDED, copy=False) if name == "ad" else values

    def count(self, rows: npt.NDArray[np.bool_]) -> int:
        """How many trees there are in the rows marked."""
        return int(np.count_nonzero(rows) if self.counts is None else self.counts[rows].sum())

    def gathered(self) -> Profiles:
        """The same trees with equal rows made one, in any order: few rows, however many trees there are.

        >>> gathered = profile_trees([0, 1, 0, 1, 2, 0], [0, 2, 4, 6]).gathered()
        >>> len(gathered), len(gathered.table), gathered.count(gathered.column("core") == 0)
        (3, 1, 3)
        """
        held = [column.astype(np.int32)[:, None] for column in self.held.values()]
        rows, which = distinct_rows(np.hstack([self.table, *held]))
        # Sums of doubles are exact here: nobody has 2^53 trees.
        counts = np.bincount(which, self.counts, len(rows)).astype(np.int64)
        width = self.table.shape[1]
        columns = {name: rows[:, width + i].astype(np.int8) for i, name in enumerate(self.held)}
        return Profiles(np.ascontiguousarray(rows[:, :width]), columns, counts, self.dummy)

    def to_state(self) -> list[list[int]]:
        """The gathered rows in a fixed order: the properties, membership in classes that need it, how many trees.

        >>> profile_trees([0, 1, 0, 1], [0, 2, 4], wanted=["words"]).to_state()[0][-1]
        2
        """
        rows = self.gathered()
        assert rows.counts is not None
        held = [column.astype(np.int64)[:, None] for column in rows.held.values()]
        whole: list[list[int]] = np.hstack([rows.table.astype(np.int64), *held, rows.counts[:, None]]).tolist()
        return whole

    @staticmethod
    def from_state(rows: object, held: Sequence[str] = (), dummy: str = "left") -> Profiles:
        """The profiles that `to_state` gave, with the names of the classes that rows say membership in."""
        width = len(PROPERTIES) + len(held) + 1
        try:
            table = np.array(rows, np.int64).reshape(-1, width) if rows else np.zeros((0, width), np.int64)
            numbers = table[:, :-1].astype(np.int32)
            is_sound = isinstance(rows, list) and len(rows) == len(table) and bool((numbers == table[:, :-1]).all())
        except (ValueError, TypeError, OverflowError):
            is_sound = False
        if not is_sound or (table[:, -1] < 1).any():
            raise NonprojError(f"the profiles are no rows of {width} whole numbers")
        columns = {name: numbers[:, len(PROPERTIES) + i].astype(np.int8) for i, name in enumerate(held)}
        profiles = Profiles(np.ascontiguousarray(numbers[:, : len(PROPERTIES)]), columns, table[:, -1].copy(), dummy)
        return profiles.gathered()

    @staticmethod
    def joined(parts: Sequence[Profiles]) -> Profiles:
        """The profiles of several treebanks, one after the other; where some are gathered, all are counted."""
        held = {name: np.concatenate([part.held[name] for part in parts]) for name in parts[0].held}
        counts = None
        if any(part.counts is not None for part in parts):
            counts = np.concatenate(
                [np.ones(len(part), np.int64) if part.counts is None else part.counts for part in parts]
            )
        return Profiles(np.concatenate([part.table for part in parts]), held, counts, parts[0].dummy)


class Gathering:
    """Profiles that come bit by bit, gathered when what waits has more rows than what was gathered before.

    So each row is looked at a few times in all, however many parts there are.

    >>> gathering = Gathering(profile_trees([0, 1], [0, 2]))
    >>> gathering.add(profile_trees([0, 1, 2, 0], [0, 2, 4]))
    >>> whole = gathering.whole()
    >>> len(whole), len(whole.table)
    (3, 1)
    """

    def __init__(self, first: Profiles) -> None:
        self._gathered = first.gathered()
        self._waiting: list[Profiles] = []
        self._rows = 0

    def add(self, profiles: Profiles) -> None:
        """Take some more trees in."""
        self._waiting.append(profiles)
        self._rows += len(profiles.table)
        if self._rows > max(len(self._gathered.table), _FEWEST_ROWS):
            self.whole()

    def whole(self) -> Profiles:
        """The profiles of all trees so far, gathered."""
        if self._waiting:
            self._gathered = Profiles.joined([self._gathered, *self._waiting]).gathered()
            self._waiting, self._rows = [], 0
        return self._gathered


DUMMIES = ("left", "right", "none")
"""Where the dummy root may stand: left of the first word, right of the last one, or nowhere."""
NEED_A_DUMMY = ("mh", "ad", "drop_distance")
"""Properties of parsers that hold the dummy root in items or on stacks: without one they have no meaning."""


def profile_trees(
    heads: npt.ArrayLike,
    offsets: npt.ArrayLike,
    *,
    wanted: Iterable[str] | None = None,
    solvers: Iterable[_core.ClassSolver] = (),
    threads: int = 0,
    dummy: str = "left",
) -> Profiles:
    """Measure many trees at once: their heads one after the other, and where each tree starts and ends.

    ``wanted`` names the properties to measure (all of them by default); ``solvers`` are those of the classes that will
    be asked for, since some are told by a test of the whole tree alone; ``threads=0`` uses every core.

    ``dummy`` says where the dummy root stands: ``"left"`` of the first word, ``"right"`` of the last one, or
    ``"none"``. On the right ``crossing_interval`` changes, and ``mh``, ``ad`` and ``drop_distance`` of trees with
    several roots. Without a dummy its arcs do not count for ``crossings``, ``one_endpoint_crossing`` and
    ``crossing_interval``, and ``mh``, ``ad`` and ``drop_distance`` have no meaning. Nothing else depends on it: yields
    are made of words, planes of arcs between words.

    >>> profile_trees([0, 1, 2, 3, 0, 2], [0, 2, 6], wanted=["gap_degree"]).column("gap_degree").tolist()
    [0, 1]
    >>> tree = [2, 0, 1, 3, 4, 4, 5]
    >>> [profile_trees(tree, [0, 7], dummy=dummy).column("crossing_interval")[0].item() for dummy in DUMMIES]
    [2, 4, 2]
    """
    check_dummy(dummy)
    bits = EVERY_PROPERTY if wanted is None else sum(1 << PROPERTIES.index(name) for name in set(wanted))
    every_head = np.ascontiguousarray(heads, dtype=np.int32)
    at = np.ascontiguousarray(offsets, dtype=np.int64)
    place = getattr(_core.Dummy, dummy)
    table = _core.profile(every_head, at, bits, threads or processors(), place)
    held = {}
    for solver in solvers:
        if solver.has_only_a_test:
            ends = itertools.pairwise(at.tolist())
            held[solver.name] = np.array([solver.contains(every_head[a:b], place) for a, b in ends], dtype=np.int8)
    return Profiles(table, held, dummy=dummy)


def check_dummy(dummy: str) -> None:
    """Refuse what is not one of `DUMMIES`."""
    if dummy not in DUMMIES:
        raise NonprojError(f"dummy is {dummy!r}, expected one of {', '.join(DUMMIES)}")
