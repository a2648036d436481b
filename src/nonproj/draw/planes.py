"""Which plane an arc is coloured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree

# The search for the fewest planes may take long beyond this, and no picture could show so many.
MAX_CROSSINGS = 2000


def drawn_planes(tree: Tree) -> list[int]:
    """The plane of the arc into each word, from 1; all 0 for a tree whose planes are too many to tell apart.

    >>> from nonproj.trees import Tree
    >>> drawn_planes(Tree([3, 4, 0, 3]))
    [0, 0, 1, 0, 0]
    """
    planes = [0] * (len(tree) + 1)
    if len(tree.crossings) > MAX_CROSSINGS:
        return planes
    try:
        plane_of = tree.plane_of
    except NonprojError:  # too entangled to settle
        return planes
    for (_, dependent), plane in plane_of.items():
        planes[dependent] = plane
    return planes
