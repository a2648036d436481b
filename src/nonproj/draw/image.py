"""A dependency tree as PNG or PDF: the SVG picture, painted with matplotlib."""

from __future__ import annotations

import io
import math
import re
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Literal

from nonproj.draw.content import Drawable
from nonproj.draw.direction import turned
from nonproj.draw.vector import svg
from nonproj.errors import NonprojError

DOTS_AN_INCH = 216  # three to a pixel of the SVG picture
_PIXELS_AN_INCH = 72
_TOKEN = re.compile(r"[A-Za-z]|-?[\d.]+")
_SHAPING = (3, 11)  # the matplotlib that joins letters and writes from right to left
_JOINED_LETTERS = ((0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x17FF))  # Indic and related scripts


def image(what: Drawable, format: Literal["png", "pdf"] = "png", **options: Any) -> bytes:
    """Draw a tree or a sentence as a PNG or PDF file, with options as for `svg`; needs ``nonproj[plot]``.

    >>> from nonproj.trees import Tree
    >>> image(Tree([3, 4, 0, 3]), "pdf")[:5]
    b'%PDF-'
    """
    if format not in ("png", "pdf"):
        raise NonprojError(f"format must be 'png' or 'pdf', not {format!r}")
    package = painter()
    # What follows the viewer in SVG is light here, as on paper.
    picture = ElementTree.fromstring(svg(what, **{**options, "dark": bool(options.get("dark"))}))
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    zoom = width / float(picture.attrib["viewBox"].split()[2])
    families = _families("".join(element.text or "" for element in picture))
    with package.rc_context({"pdf.fonttype": 42, "font.family": families}):
        figure = _figure(width / _PIXELS_AN_INCH, height / _PIXELS_AN_INCH)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width / zoom), ylim=(height / zoom, 0))
        axes.axis("off")
        is_turned = picture.get("direction") == "rtl"
        for element in picture:
            if is_turned and element.text:
                element.text = turned(element.text)
            _paint(axes, element, zoom)
        out = io.BytesIO()
        undated = {"CreationDate": None} if format == "pdf" else None  # the same tree gives the same file
        figure.savefig(out, format=format, dpi=DOTS_AN_INCH, metadata=undated, facecolor="none")
    return out.getvalue()


def painter() -> Any:
    """The package that paints, to be asked for before there is anything to paint."""
    try:
        import matplotlib
    except ImportError:
        raise NonprojError("PNG and PDF need matplotlib: pip install 'nonproj[plot]', or draw SVG") from None
    return matplotlib


def _figure(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure


def _paint(axes: Any, element: ElementTree.Element, zoom: float) -> None:
    from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle

    given = element.attrib
    kind = element.tag.rpartition("}")[2]
    line: dict[str, Any] = {
        "linewidth": float(given.get("stroke-width", 0)) * zoom,
        "edgecolor": given.get("stroke", "none"),
    }
    line["facecolor"] = given.get("fill", "none")
    if "stroke-dasharray" in given:
        # matplotlib counts dashes in widths of the line
        dashes = [float(dash) / float(given["stroke-width"]) for dash in given["stroke-dasharray"].split()]
        line["linestyle"] = (0, dashes)
    if kind == "rect" and "x" in given:
        x, y, width, height, rounding = (float(given[name]) for name in ("x", "y", "width", "height", "rx"))
        style = f"round,pad=0,rounding_size={rounding}"
        axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, capstyle="butt", **line))
    elif kind == "rect":
        axes.add_patch(Rectangle((0, 0), 1, 1, transform=axes.transAxes, facecolor=given["fill"], edgecolor="none"))
    elif kind == "path":
        axes.add_patch(PathPatch(_path(given["d"]), capstyle="butt", joinstyle="miter", **line))
    elif kind == "text":
        axes.text(
            float(given["x"]),
            float(given["y"]),
            (element.text or "").replace("$", r"\$"),
            size=float(given["font-size"]) * zoom,
            weight=int(given.get("font-weight", 400)),
            color=given["fill"],
            horizontalalignment="center",
            verticalalignment="baseline",
        )


def _path(data: str) -> Any:
    """The outlines that our pictures have: the commands M, L, H, V, A, l and z."""
    from matplotlib.path import Path

    points: list[tuple[float, float]] = []
    codes: list[int] = []
    tokens = iter(_TOKEN.findall(data))
    for command in tokens:
        x, y = points[-1] if points else (0.0, 0.0)
        if command in "ML":
            points.append(_pair(tokens))
            codes.append(int(Path.MOVETO if command == "M" else Path.LINETO))
        elif command == "H":
            points.append((float(next(tokens)), y))
            codes.append(int(Path.LINETO))
        elif command == "V":
            points.append((x, float(next(tokens))))
            codes.append(int(Path.LINETO))
        elif command == "l":
            across, down = _pair(tokens)
            points.append((x + across, y + down))
            codes.append(int(Path.LINETO))
        elif command == "A":
            radii = _pair(tokens)
            _rotation, _is_large, _is_clockwise = next(tokens), next(tokens), next(tokens)
            points += _corner((x, y), _pair(tokens), radii)
            codes += [int(Path.CURVE4)] * 3
        else:
            points.append((0.0, 0.0))
            codes.append(int(Path.CLOSEPOLY))
    return Path(points, codes)


def _pair(tokens: Iterator[str]) -> tuple[float, float]:
    return float(next(tokens)), float(next(tokens))


def _corner(
    begin: tuple[float, float], end: tuple[float, float], radii: tuple[float, float]
) -> list[tuple[float, float]]:
    """A part of an ellipse, clockwise and less than half of it, as the last three points of a Bézier curve.

    >>> [(round(x, 1), round(y, 1)) for x, y in _corner((0, 12), (12, 0), (12, 12))]
    [(0.0, 5.4), (5.4, 0.0), (12, 0)]
    """
    radius, stretch = radii[0], radii[1] / radii[0] if radii[0] else 1.0
    (x0, y0), (x1, y1) = (begin[0], begin[1] / stretch), (end[0], end[1] / stretch)
    distance = math.hypot(x1 - x0, y1 - y0)
    if distance == 0 or radius == 0:
        return [begin, end, end]
    radius = max(radius, distance / 2)
    height = math.sqrt(radius**2 - (distance / 2) ** 2) / distance
    x, y = (x0 + x1) / 2 - height * (y1 - y0), (y0 + y1) / 2 + height * (x1 - x0)
    first, last = math.atan2(y0 - y, x0 - x), math.atan2(y1 - y, x1 - x)
    pull = 4 / 3 * math.tan(((last - first) % (2 * math.pi)) / 4)
    inner = (x0 - pull * radius * math.sin(first), y0 + pull * radius * math.cos(first))
    outer = (x1 + pull * radius * math.sin(last), y1 - pull * radius * math.cos(last))
    return [(px, py * stretch) for px, py in (inner, outer)] + [end]


def _families(text: str) -> list[str]:
    """Fonts of this machine that have all the characters between them; an error where there are none."""
    from matplotlib import font_manager

    _refuse_what_is_not_shaped(text)
    names = {font.name for font in font_manager.fontManager.ttflist}
    usual = ("Helvetica", "Arial", "Liberation Sans", "Noto Sans", "DejaVu Sans")
    families = [name for name in usual if name in names]
    missing = {character for character in text if not character.isspace()}
    missing -= _characters(_file(name) for name in families)
    for font in font_manager.fontManager.ttflist if missing else ():
        found = missing & _characters([font.fname])
        # The font of last resort has a sign for every script, and no letters.
        if found and font.name not in families and not font.name.startswith("Last Resort"):
            families.append(font.name)
            missing -= _characters([_file(font.name)])
    if missing:
        shown = " ".join(sorted(missing)[:10])
        raise NonprojError(f"no font of this machine has {shown}: install one, such as Noto Sans, or draw SVG")
    return families


def _file(family: str) -> str:
    from matplotlib import font_manager

    return str(font_manager.findfont(font_manager.FontProperties(family=[family])))


def _characters(files: Iterable[str]) -> set[str]:
    return {character for file in files for character in _charmap(file)}


@cache
def _charmap(file: str) -> frozenset[str]:
    from matplotlib import font_manager

    try:
        return frozenset(map(chr, font_manager.get_font(file).get_charmap()))
    except RuntimeError:  # fonts made of pictures cannot be drawn with
        return frozenset()


def _refuse_what_is_not_shaped(text: str) -> None:
    version = tuple(int(part) for part in painter().__version__.split(".")[:2])
    if version < _SHAPING and any(_needs_shaping(character) for character in text):
        raise NonprojError("this script needs matplotlib 3.11 or newer in PNG and PDF: update it, or draw SVG")


def _needs_shaping(character: str) -> bool:
    is_joined = any(first <= ord(character) <= last for first, last in _JOINED_LETTERS)
    return is_joined or unicodedata.bidirectional(character) in ("R", "AL")
