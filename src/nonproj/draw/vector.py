"""A dependency tree as an SVG picture for pages, notebooks and papers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nonproj.draw import theme
from nonproj.draw.boxes import BoxedNodes, framed
from nonproj.draw.content import Content
from nonproj.draw.measure import printable
from nonproj.draw.paint import Paint
from nonproj.draw.picture import Picture
from nonproj.draw.planes import drawn_planes
from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree


def svg(
    tree: Tree,
    *,
    tags: Sequence[str] | None = None,
    title: str | None = None,
    show_planes: bool = True,
    mark_crossings: bool = True,
    boxes: BoxedNodes = (),
    highlight: Iterable[tuple[int, int]] = (),
    labels: bool = True,
    scale: float = 1.0,
    dark: bool | None = None,
) -> str:
    """Draw a tree as a self-contained SVG picture.

    Arcs run above the words from head to dependent; roots have an arrow from above. The arcs of a tree that
    needs several planes are coloured by plane, and where two arcs cross the lower one is interrupted.

    Parameters
    ----------
    tree
        The tree; words without forms are shown by their numbers.
    tags
        A part of speech for each word, set beneath it.
    title
        A line above the drawing.
    show_planes
        Colour the arcs by plane, unless thousands of crossings would leave nothing to tell apart.
    mark_crossings
        Interrupt arcs where others cross them.
    boxes
        Nodes whose yields are framed, with one rectangle a block, alike in colour and dashes; the nodes
        themselves have that colour too. ``"gaps"`` frames all nodes that have a gap.
    highlight
        Arcs ``(head, dependent)`` that shall stand out.
    labels
        Write the dependency relations on the arcs, where the tree has them.
    scale
        Factor on the size of the picture.
    dark
        Whether the ground is dark; by default as the viewer prefers, and light on paper.

    Examples
    --------
    >>> from nonproj.trees import Tree
    >>> picture = svg(Tree([2, 0, 1]), title="The root is covered")
    >>> picture.startswith("<svg"), picture.count('class="arc')
    (True, 3)
    """
    if not (math.isfinite(scale) and scale > 0):
        raise NonprojError(f"scale: expected a positive number, got {scale}")
    if tags is not None and len(tags) != len(tree):
        raise NonprojError(f"tags: expected one for each of the {len(tree)} words, got {len(tags)}")
    picture = Picture(
        tree,
        content=Content.of(tree, labels=labels, tags=tags),
        title=printable(title or ""),
        roles=_roles(tree, show_planes, highlight),
        boxes=framed(tree, boxes),
        paint=Paint(dark),
        mark_crossings=mark_crossings,
    )
    return picture.render(scale)


def _roles(tree: Tree, show_planes: bool, highlight: Iterable[tuple[int, int]]) -> list[str]:
    """What each arc is painted with."""
    planes = drawn_planes(tree) if show_planes else [0] * (len(tree) + 1)
    roles = [theme.plane_role(plane) for plane in planes]
    for head, dependent in highlight:
        if not 1 <= dependent <= len(tree) or tree.heads[dependent - 1] != head:
            raise NonprojError(f"highlight: the tree has no arc {head} -> {dependent}; see tree.arcs")
        roles[dependent] = "highlight"
    return roles
