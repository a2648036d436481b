"""Structural profiles: the numbers from which membership in every class follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> npt.NDArray[np.int32]:
        """The values of one property, by its name in `PROPERTIES`."""
        if name not in PROPERTIES:
            raise NonprojError(f"no property {name!r}; there are: {', '.join(PROPERTIES)}")
        return self.table[:, PROPERTIES.index(name)]


def profile_trees(
    heads: npt.ArrayLike, offsets: npt.ArrayLike, *, wanted: Iterable[str] | None = None, threads: int = 0
) -> Profiles:
    """Measure many trees at once: their heads one after the other, and where each tree starts and ends.

    ``wanted`` names the properties to measure (all of them by default); ``threads=0`` uses every core.

    >>> profile_trees([0, 1, 2, 3, 0, 2], [0, 2, 6], wanted=["gap_degree"]).column("gap_degree").tolist()
    [0, 1]
    """
    bits = EVERY_PROPERTY if wanted is None else sum(1 << PROPERTIES.index(name) for name in set(wanted))
    table = _core.profile(
        np.ascontiguousarray(heads, dtype=np.int32),
        np.ascontiguousarray(offsets, dtype=np.int64),
        bits,
        threads or processors(),
    )
    return Profiles(table)
