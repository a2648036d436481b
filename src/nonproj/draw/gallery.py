"""Several dependency trees on one HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Literal

from nonproj.draw import theme
from nonproj.draw.boxes import BoxedNodes
from nonproj.draw.content import Drawable
from nonproj.draw.direction import Direction
from nonproj.draw.measure import printable
from nonproj.draw.planes import Planes
from nonproj.draw.vector import svg

WIDTH = 1100
"""How wide the pictures of a page are at most, by default: longer sentences are broken into lines."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 2rem; font-family: {font}; }}
figure {{ margin: 0 0 2.5rem; overflow-x: auto; }}
figcaption {{ position: sticky; left: 0; margin-bottom: 0.5rem; }}
{colours}
</style>
</head>
<body>
<h1>{title}</h1>
{figures}
</body>
</html>
"""


def page(
    trees_with_titles: Iterable[tuple[str, Drawable]],
    *,
    title: str = "Dependency trees",
    tags: Literal["upos", "xpos"] | None = None,
    features: bool = False,
    show_planes: bool = True,
    planes: Planes = "fewest",
    mark_crossings: bool = True,
    boxes: BoxedNodes = (),
    labels: bool = True,
    stars: bool = False,
    direction: Direction = "auto",
    width: float | None = WIDTH,
    scale: float = 1.0,
    dark: bool | None = None,
) -> str:
    """Draw several trees or sentences on one self-contained HTML page, each beneath its title, as `svg` does.

    >>> from nonproj.trees import Tree
    >>> html = page([("Projective", Tree([2, 0])), ("Not projective", Tree([3, 0, 2, 1]))], boxes="gaps")
    >>> html.count("<figure>"), html.count("<svg")
    (2, 2)
    """
    figures = []
    for caption, what in trees_with_titles:
        picture = svg(
            what,
            tags=tags,
            features=features,
            show_planes=show_planes,
            planes=planes,
            mark_crossings=mark_crossings,
            boxes=boxes,
            labels=labels,
            stars=stars,
            direction=direction,
            width=width,
            scale=scale,
            dark=dark,
        )
        figures.append((caption, picture))
    return page_of(figures, title, dark)


def page_of(pictures: Iterable[tuple[str, str]], title: str, dark: bool | None = None) -> str:
    """A self-contained HTML page of SVG pictures, each beneath its caption."""
    figures = "\n".join(
        f"<figure>\n<figcaption>{escape(printable(caption))}</figcaption>\n{picture}</figure>"
        for caption, picture in pictures
    )
    return PAGE.format(title=escape(printable(title)), font=theme.FONT, colours=_colours(dark), figures=figures)


def _colours(dark: bool | None) -> str:
    """The rules for the page around the pictures, which follow the viewer when the pictures do."""
    rule = "body {{ background: {ground}; color: {ink}; }}"
    if dark is not None:
        return rule.format(**theme.DARK if dark else theme.LIGHT)
    on_dark = f"@media (prefers-color-scheme: dark) {{ {rule.format(**theme.DARK)} }}"
    return "\n".join([":root { color-scheme: light dark; }", rule.format(**theme.LIGHT), on_dark])
