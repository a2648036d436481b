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

PROPERTIES: tuple[str, ...] = tuple(_core.property_names())
EVERY_PROPERTY = (1 << len(PROPERTIES)) - 1


@dataclass(frozen=True)
class Profiles:
    """The profiles of many trees, one row a tree and one column a property.

    ``-1`` stands for a value that could not be settled (a tree too entangled for the search behind it), and
    ``2147483647`` in the column ``ad`` for a tree that Attardi's system derives with no degree at all.
    """

    table: npt.NDArray[np.int32]
    held: Mapping[str, npt.NDArray[np.int8]] = field(default_factory=dict)
    """Membership in classes that properties do not decide, by name: 1 inside, 0 outside."""

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> npt.NDArray[np.int32]:
        """The values of one property, by its name in `PROPERTIES`."""
        if name not in PROPERTIES:
            raise NonprojError(f"no property {name!r}; there are: {', '.join(PROPERTIES)}")
        return self.table[:, PROPERTIES.index(name)]

    @staticmethod
    def joined(parts: Sequence[Profiles]) -> Profiles:
        """The profiles of several treebanks, one after the other."""
        held = {name: np.concatenate([part.held[name] for part in parts]) for name in parts[0].held}
        return Profiles(np.concatenate([part.table for part in parts]), held)


def profile_trees(
    heads: npt.ArrayLike,
    offsets: npt.ArrayLike,
    *,
    wanted: Iterable[str] | None = None,
    solvers: Iterable[_core.ClassSolver] = (),
    threads: int = 0,
) -> Profiles:
    """Measure many trees at once: their heads one after the other, and where each tree starts and ends.

    ``wanted`` names the properties to measure (all of them by default); ``solvers`` are those of the classes that will
    be asked for, since some are told by a test of the whole tree alone; ``threads=0`` uses every core.

    >>> profile_trees([0, 1, 2, 3, 0, 2], [0, 2, 6], wanted=["gap_degree"]).column("gap_degree").tolist()
    [0, 1]
    """
    bits = EVERY_PROPERTY if wanted is None else sum(1 << PROPERTIES.index(name) for name in set(wanted))
    every_head = np.ascontiguousarray(heads, dtype=np.int32)
    at = np.ascontiguousarray(offsets, dtype=np.int64)
    table = _core.profile(every_head, at, bits, threads or processors())
    held = {}
    for solver in solvers:
        if solver.has_only_a_test:
            ends = itertools.pairwise(at.tolist())
            held[solver.name] = np.array([solver.contains(every_head[a:b]) for a, b in ends], dtype=np.int8)
    return Profiles(table, held)
