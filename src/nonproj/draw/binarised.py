"""A binarised tree as an SVG picture: nodes by their depth above the words, joins of dependents as rings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from nonproj.draw import theme
from nonproj.draw.content import LONGEST
from nonproj.draw.curve import number
from nonproj.draw.direction import is_right_to_left, turned
from nonproj.draw.measure import printable, text_width
from nonproj.draw.paint import Paint
from nonproj.errors import NonprojError

if TYPE_CHECKING:
    from nonproj.trees import Binarisation
    from nonproj.trees.binarisation import BinaryNode

_WORD, _LABEL, _GAP, _LEVEL, _MARGIN, _RADIUS = 16, 10, 18, 30, 16, 4


def binarised_svg(found: Binarisation, *, title: str = "", dark: bool | None = None) -> str:
    """Draw the nodes of a binarised tree above the words; joins are rings, with their gaps where they have some.

    >>> from nonproj import Tree
    >>> from nonproj.trees import binarise
    >>> picture = binarised_svg(binarise(Tree([3, 4, 0, 3, 3])))
    >>> picture.count('class="node'), picture.count('class="join'), picture.count('class="edge')
    (5, 1, 5)
    """
    if not 0 < len(found.tree) <= LONGEST:
        raise NonprojError(f"a picture holds 1 to {LONGEST} words, not {len(found.tree)}")
    return _Picture(found, printable(title), Paint(dark)).text()


class _Picture:
    """Nodes with their places; a word's node stands above the word, a join between the nodes that it joins."""

    def __init__(self, found: Binarisation, title: str, paint: Paint) -> None:
        tree = found.tree
        forms = list(tree.forms) if tree.forms is not None else [str(word) for word in range(1, len(tree) + 1)]
        self.turned = is_right_to_left(forms)
        self.forms = [printable(turned(form) if self.turned else form) for form in forms]
        self.title, self.paint = title, paint
        widths = [max(text_width(form, _WORD), 24) for form in self.forms]
        words = sum(widths) + _GAP * (len(widths) - 1)
        self.width = max(words, text_width(title, 14)) + 2 * _MARGIN
        self.column, at = [0.0], (self.width - words) / 2
        for width in widths:
            middle = at + width / 2
            self.column.append(self.width - middle if self.turned else middle)
            at += width + _GAP
        self.nodes = list(found.nodes())
        self.above = self._above()
        self.across = self._across()
        self.top = _MARGIN + (26 if title else 0) + _RADIUS
        self.base = self.top + _LEVEL * (max(node.depth for node in self.nodes) + 1)

    def _above(self) -> list[int | None]:
        """The node above each, by number."""
        above: list[int | None] = []
        path: list[int] = []
        for place, node in enumerate(self.nodes):
            del path[node.depth :]
            above.append(path[-1] if path else None)
            path.append(place)
        return above

    def _across(self) -> list[float]:
        across = [0.0] * len(self.nodes)
        for place in reversed(range(len(self.nodes))):
            label = self.nodes[place].label
            below = [across[at] for at, over in enumerate(self.above) if over == place]
            across[place] = self.column[label] if label is not None else sum(below) / len(below)
        return across

    def _down(self, node: BinaryNode) -> float:
        return self.top + _LEVEL * node.depth

    def text(self) -> str:
        """The picture."""
        height = number(self.base + 30)
        body = [f'<rect {self.paint("ground", fill="ground")} width="100%" height="100%"/>']
        if self.title:
            body.append(self._text("title", self.title, self.width / 2, _MARGIN + 10, 14))
        body += self._lines()
        for place, node in enumerate(self.nodes):
            body += self._node(place, node)
        body += [
            self._text("word", form, self.column[at], self.base + 16, _WORD) for at, form in enumerate(self.forms, 1)
        ]
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.paint.name}" role="img" '
            f"aria-label={quoteattr(self.title or ' '.join(self.forms))} "
            f'width="{number(self.width)}" height="{height}" viewBox="0 0 {number(self.width)} {height}" '
            f'font-family="{theme.FONT}" text-anchor="middle">'
        )
        return "\n".join([opening, *self.paint.style(), *body, "</svg>\n"])

    def _lines(self) -> Iterator[str]:
        for place, node in enumerate(self.nodes):
            x, y, over = self.across[place], self._down(node), self.above[place]
            if node.label is not None:
                way = f"M{number(x)} {number(y)}V{number(self.base)}"
                yield f'<path {self.paint("foot", stroke="faint")} stroke-dasharray="1 4" fill="none" d="{way}"/>'
            if over is not None:
                way = f"M{number(self.across[over])} {number(self._down(self.nodes[over]))}L{number(x)} {number(y)}"
                yield f'<path {self.paint("edge", stroke="ink")} stroke-width="1.3" fill="none" d="{way}"/>'

    def _node(self, place: int, node: BinaryNode) -> Iterator[str]:
        x, y = number(self.across[place]), number(self._down(node))
        if node.label is not None:
            yield f'<circle {self.paint("node", fill="ink")} cx="{x}" cy="{y}" r="{_RADIUS}"/>'
            return
        role = theme.plane_role(1) if node.gap_degree else "ink"
        ring = self.paint("join", fill="ground", stroke=role)
        yield f'<circle {ring} stroke-width="1.3" cx="{x}" cy="{y}" r="{_RADIUS}"/>'
        if node.gap_degree:
            gaps = f"{node.gap_degree} gap{'s' * (node.gap_degree != 1)}"
            yield self._text("label", gaps, self.across[place] + 24, self._down(node) - 5, _LABEL, role)

    def _text(self, kind: str, text: str, x: float, y: float, size: int, role: str = "ink") -> str:
        place = f'x="{number(x)}" y="{number(y)}" font-size="{size}"'
        return f"<text {self.paint(kind, fill=role)} {place}>{escape(text)}</text>"
