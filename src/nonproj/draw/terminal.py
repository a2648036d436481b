"""A dependency tree as text for the terminal."""

from __future__ import annotations

import shutil

from nonproj.draw.above import arcs_above
from nonproj.draw.beside import lines_beside
from nonproj.draw.canvas import ASCII, UNICODE
from nonproj.draw.content import Content, Drawable, Tags, tree_of
from nonproj.draw.direction import Direction
from nonproj.draw.planes import Planes, drawn_planes
from nonproj.draw.theme import ansi_plane


def text(
    what: Drawable,
    *,
    width: int | None = None,
    labels: bool = True,
    stars: bool = False,
    tags: Tags = None,
    features: bool = False,
    direction: Direction = "auto",
    color: bool = False,
    planes: Planes = "fewest",
    ascii: bool = False,
) -> str:
    """Draw a tree or a sentence with box-drawing characters.

    The arcs run above the words. A sentence that would be wider than ``width`` is drawn with one word a row
    and lines at the left: the line to a word begins at an upright, which has a joint in the row of the head.

    Parameters
    ----------
    what
        The tree, whose words are shown by their numbers if it has no forms, or the sentence, with its multiword tokens
        and its empty nodes.
    width
        How many cells a line has; by default as many as the terminal, or 80. Where even one word a row does
        not fit, because of long words or many heads nested in each other, the drawing is wider; 0 always
        draws so.
    labels
        Write the dependency relations, where the tree has them.
    stars, tags, features, direction
        As for `svg`. Words that are written from right to left have marks around them, so that a terminal that
        reorders text leaves them where they are.
    color
        Colour the arcs by plane, with escape sequences.
    planes
        As for `svg`.
    ascii
        Draw with ASCII characters.

    Examples
    --------
    >>> from nonproj.trees import Tree
    >>> print(text(Tree([3, 4, 0, 3]), width=80))
            ╷
       ╭────┼──────╮
    ╭──┼──╮ │ ╭──╮ │
    ▼  ▼  │ ▼ │  ▼ │
    1  2    3     4
    """
    tree = tree_of(what)
    content = Content.of(what, labels=labels, stars=stars, tags=tags, features=features, direction=direction)
    plane_of = drawn_planes(tree, planes) if color else [0] * (len(tree) + 1)
    renditions = [ansi_plane(plane) for plane in plane_of]
    pens = ASCII if ascii else UNICODE
    width = shutil.get_terminal_size().columns if width is None else width
    canvas = arcs_above(tree, content, renditions, pens, width)
    canvas = canvas or lines_beside(tree, content, renditions, pens, width)
    return canvas.render(color)
