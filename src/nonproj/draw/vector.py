"""A dependency tree as an SVG picture for pages, notebooks and papers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from nonproj.draw import theme
from nonproj.draw.boxes import BoxedNodes, framed
from nonproj.draw.content import Content, Drawable, Tags, tree_of
from nonproj.draw.direction import Direction
from nonproj.draw.measure import printable
from nonproj.draw.paint import Paint
from nonproj.draw.picture import Picture
from nonproj.draw.planes import Planes, drawn_planes
from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Tree


def svg(
    what: Drawable,
    *,
    tags: Tags = None,
    features: bool = False,
    title: str | None = None,
    show_planes: bool = True,
    planes: Planes = "fewest",
    mark_crossings: bool = True,
    boxes: BoxedNodes = (),
    highlight: Iterable[tuple[int, int]] = (),
    labels: bool = True,
    stars: bool = False,
    direction: Direction = "auto",
    width: float | None = None,
    scale: float = 1.0,
    dark: bool | None = None,
) -> str:
    """Draw a tree or a sentence as a self-contained SVG picture.

    Arcs run above the words from head to dependent; roots have an arrow from above. The arcs of a tree that
    needs several planes are coloured by plane, and where two arcs cross the lower one is interrupted. Of a sentence
    the multiword tokens are bracketed below their words, and the empty nodes stand faintly between them.

    Parameters
    ----------
    what
        The tree, whose words are shown by their numbers if it has no forms, or the sentence.
    tags
        What is set beneath the words: ``"upos"`` or ``"xpos"`` of a sentence, or a text for each word.
    features
        Set the morphological features of a sentence beneath its words, one a line.
    title
        A line above the drawing.
    show_planes
        Colour the arcs by plane, unless thousands of crossings would leave nothing to tell apart.
    planes
        Which planes: ``"fewest"``, or ``"mh4"`` for the two of the parser of MH4 (see `Tree.planes_of`).
    mark_crossings
        Interrupt arcs where others cross them.
    boxes
        Nodes whose yields are framed, with one rectangle a block, alike in colour and dashes; the nodes
        themselves have that colour too. ``"gaps"`` frames all nodes that have a gap.
    highlight
        Arcs ``(head, dependent)`` that shall stand out.
    labels
        Write the dependency relations on the arcs, where the tree has them.
    stars
        Put a star on arcs that are not projective: between head and dependent stands a word that is not below the head.
    direction
        ``"ltr"``, ``"rtl"`` for right to left, or ``"auto"``, as most of the words are written.
    width
        How wide the picture may be, in pixels at scale 1: a longer sentence is broken into lines, and an arc from one
        line to another runs out at the end of the one and comes in where the other begins. By default one line.
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
    if width is not None and not width > 0:
        raise NonprojError(f"width: expected a positive number of pixels, got {width}")
    tree = tree_of(what)
    picture = Picture(
        tree,
        content=Content.of(what, labels=labels, stars=stars, tags=tags, features=features, direction=direction),
        title=printable(title or ""),
        roles=_roles(tree, drawn_planes(tree, planes) if show_planes else [0] * (len(tree) + 1), highlight),
        boxes=framed(tree, boxes),
        paint=Paint(dark),
        mark_crossings=mark_crossings,
        room=width,
    )
    return picture.render(scale)


def _roles(tree: Tree, planes: list[int], highlight: Iterable[tuple[int, int]]) -> list[str]:
    """What each arc is painted with."""
    roles = [theme.plane_role(plane) for plane in planes]
    for head, dependent in highlight:
        if not 1 <= dependent <= len(tree) or tree.heads[dependent - 1] != head:
            raise NonprojError(f"highlight: the tree has no arc {head} -> {dependent}; see tree.arcs")
        roles[dependent] = "highlight"
    return roles
