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

    ``-1`` stands for a value that could not be settled (a tree too entangled for the search behind it), ``-b`` in the
    column ``planes`` for planes of which it is settled only that they are at least b, and ``2147483647`` in the column
    ``ad`` for a tree that Attardi's system derives with no degree at all.
    """

    table: npt.NDArray[np.int32]
    held: Mapping[str, npt.NDArray[np.int8]] = field(default_factory=dict)
    """Membership in classes that properties do not decide, by name: 1 inside, 0 outside."""
    counts: npt.NDArray[np.int64] | None = None
    """How many trees share each row, where they were `gathered`; else each row is one tree."""

    def __len__(self) -> int:
        return len(self.table) if self.counts is None else int(self.counts.sum())

    def column(self, name: str) -> npt.NDArray[np.int32]:
        """The values of one property, by its name in `PROPERTIES`."""
        if name not in PROPERTIES:
            raise NonprojError(f"no property {name!r}; there are: {', '.join(PROPERTIES)}")
        return self.table[:, PROPERTIES.index(name)]

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
        return Profiles(np.ascontiguousarray(rows[:, :width]), columns, counts)

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
    def from_state(rows: object, held: Sequence[str] = ()) -> Profiles:
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
        profiles = Profiles(np.ascontiguousarray(numbers[:, : len(PROPERTIES)]), columns, table[:, -1].copy())
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
        return Profiles(np.concatenate([part.table for part in parts]), held, counts)


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


DUMMY_SIDES = ("left", "right")


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
    be asked for, since some are told by a test of the whole tree alone; ``threads=0`` uses every core. ``dummy`` is the
    side of the sentence on which the dummy root stands: it matters for ``mh`` and ``ad`` of trees with several roots.

    >>> profile_trees([0, 1, 2, 3, 0, 2], [0, 2, 6], wanted=["gap_degree"]).column("gap_degree").tolist()
    [0, 1]
    """
    bits = EVERY_PROPERTY if wanted is None else sum(1 << PROPERTIES.index(name) for name in set(wanted))
    every_head = np.ascontiguousarray(heads, dtype=np.int32)
    at = np.ascontiguousarray(offsets, dtype=np.int64)
    table = _core.profile(every_head, at, bits, threads or processors())
    if dummy not in DUMMY_SIDES:
        raise NonprojError(f"dummy is {dummy!r}, expected one of {', '.join(DUMMY_SIDES)}")
    if dummy == "right":
        _put_dummy_right(table, every_head, at, bits, threads or processors())
    held = {}
    for solver in solvers:
        if solver.has_only_a_test:
            ends = itertools.pairwise(at.tolist())
            held[solver.name] = np.array([solver.contains(every_head[a:b]) for a, b in ends], dtype=np.int8)
    return Profiles(table, held)


def _put_dummy_right(
    table: npt.NDArray[np.int32],
    heads: npt.NDArray[np.int32],
    offsets: npt.NDArray[np.int64],
    bits: int,
    threads: int,
) -> None:
    """Measure again what depends on the dummy's side: the trees with several roots are few."""
    sides = {"mh": _mirrored, "ad": _with_last_word_for_dummy, "drop_distance": _mirrored}
    several = np.flatnonzero((table[:, PROPERTIES.index("roots")] > 1) & (table[:, PROPERTIES.index("core")] > 0))
    for name, changed in sides.items():
        column = PROPERTIES.index(name)
        if bits >> column & 1 and len(several):
            trees = [changed(heads[offsets[i] : offsets[i + 1]]) for i in several]
            ends = np.cumsum([0, *map(len, trees)], dtype=np.int64)
            table[several, column] = _core.profile(np.concatenate(trees), ends, 1 << column, threads)[:, column]


def _mirrored(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The sentence read backwards: items of the chart know no direction, so that only the dummy changes sides."""
    return np.where(heads == 0, 0, len(heads) + 1 - heads)[::-1].astype(np.int32)


def _with_last_word_for_dummy(heads: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Attardi's system reads from left to right: the dummy is the last word that it reads."""
    return np.append(np.where(heads == 0, len(heads) + 1, heads), 0).astype(np.int32)
