"""Which plane an arc is coloured by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree

Planes: TypeAlias = Literal["fewest", "mh4"]
# The search for the fewest planes may take long beyond this, and no picture could show so many.
MAX_CROSSINGS = 2000


def drawn_planes(tree: Tree, kind: Planes = "fewest") -> list[int]:
    """The plane of the arc into each word, from 1; all 0 for a tree whose planes are too many to tell apart.

    ``kind`` says which planes: the fewest, or the two of the parser of MH4, which is an error outside MH4.

    >>> from nonproj.trees import Tree
    >>> drawn_planes(Tree([3, 4, 0, 3]))
    [0, 0, 1, 0, 0]
    """
    planes = [0] * (len(tree) + 1)
    if kind not in ("fewest", "mh4"):
        raise NonprojError(f"planes are 'fewest' or 'mh4', not {kind!r}")
    if kind == "mh4":
        return [0, *(plane for _, plane in sorted(tree.planes_of("MH4").items(), key=lambda each: each[0].dependent))]
    if len(tree.crossings) > MAX_CROSSINGS:
        return planes
    try:
        plane_of = tree.plane_of
    except NonprojError:  # too entangled to settle
        return planes
    for (_, dependent), plane in plane_of.items():
        planes[dependent] = plane
    return planes
