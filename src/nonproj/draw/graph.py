"""A graph over the words of a sentence as an SVG picture: enhanced dependencies, semantic graphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from nonproj.draw import theme
from nonproj.draw.content import LONGEST
from nonproj.draw.curve import number
from nonproj.draw.direction import is_right_to_left, turned
from nonproj.draw.measure import printable, text_width
from nonproj.draw.paint import Paint
from nonproj.errors import NonprojError

WORD, LABEL = 16, 10
GAP, LEVEL, MARGIN = 26, 20, 14
_ARROW = "l-3.2 -7.5l3.2 1.5l3.2 -1.5z"


def graph_svg(
    forms: Sequence[str],
    arcs: Iterable[tuple[int, int, str]],
    *,
    planes: dict[tuple[int, int], int] | None = None,
    empty: Iterable[int] = (),
    title: str = "",
    dark: bool | None = None,
) -> str:
    """Draw nodes in order with arcs above them, each (head, dependent, label) by places from 1; 0 is the root.

    ``planes`` gives the plane of each edge, left node first, which chooses its colour. ``empty`` are the places of
    nodes that are no words, drawn faintly.

    >>> picture = graph_svg(["a", "b"], [(0, 1, "root"), (1, 2, "x"), (2, 1, "y")])
    >>> picture.startswith("<svg"), picture.count('class="arc')
    (True, 3)
    """
    if not 0 < len(forms) <= LONGEST:
        raise NonprojError(f"a picture holds 1 to {LONGEST} nodes, not {len(forms)}")
    wanted = sorted(set(arcs), key=lambda arc: (abs(arc[0] - arc[1]), arc))
    if any(not (0 <= head <= len(forms) and 1 <= dependent <= len(forms)) for head, dependent, _ in wanted):
        raise NonprojError(f"an arc leads out of the {len(forms)} nodes")
    return _Drawn(forms, wanted, planes or {}, set(empty), printable(title), Paint(dark)).text()


class _Drawn:
    """Nodes and arcs with their places."""

    def __init__(
        self,
        forms: Sequence[str],
        arcs: list[tuple[int, int, str]],
        planes: dict[tuple[int, int], int],
        empty: set[int],
        title: str,
        paint: Paint,
    ) -> None:
        self.turned = is_right_to_left(forms)
        self.forms = [printable(turned(form) if self.turned else form) for form in forms]
        self.arcs, self.planes, self.empty, self.title, self.paint = arcs, planes, empty, title, paint
        self.level = _levels(arcs)
        feet = [0] * (len(forms) + 1)
        for head, dependent, _ in arcs:
            feet[head] += 1
            feet[dependent] += 1
        widths = [max(text_width(form, WORD), 7 * feet[at]) for at, form in enumerate(self.forms, 1)]
        self.width = 2 * MARGIN + sum(widths) + GAP * (len(widths) - 1)
        self.middle, at = [0.0], float(MARGIN)
        for width in widths:
            middle = at + width / 2
            self.middle.append(self.width - middle if self.turned else middle)
            at += width + GAP
        self.base = MARGIN + (24 if title else 0) + LABEL + 10 + LEVEL * max(self.level, default=0)
        self.foot = self._feet()

    def _feet(self) -> dict[tuple[int, int], float]:
        """Where each arc stands at each of its nodes: side by side, in the order of the other ends."""
        places: dict[int, list[tuple[float, int]]] = {}
        for index, (head, dependent, _) in enumerate(self.arcs):
            for own, other in ((head, dependent), (dependent, head)):
                if own:
                    far = self.middle[other] - self.middle[own] if other else 0.0
                    # The longer of two arcs to one side stands further inside.
                    places.setdefault(own, []).append((1e6 / far if far else 0.0, index))
        found = {}
        for node, feet in places.items():
            ordered = sorted(feet)
            for rank, (_, index) in enumerate(ordered):
                found[index, node] = self.middle[node] + 7 * (rank - (len(ordered) - 1) / 2)
        return found

    def text(self) -> str:
        height = self.base + 34
        body = [f'<rect {self.paint("ground", fill="ground")} width="100%" height="100%"/>']
        if self.title:
            body.append(self._text("title", self.title, self.width / 2, MARGIN + 12, 14, "ink"))
        for index, arc in enumerate(self.arcs):
            body += self._arc(index, *arc)
        for place, form in enumerate(self.forms, 1):
            role = "faint" if place in self.empty else "ink"
            body.append(self._text("word", form, self.middle[place], self.base + 18, WORD, role))
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.paint.name}" role="img" '
            f"aria-label={quoteattr(self.title or ' '.join(self.forms))} "
            f'width="{number(self.width)}" height="{height}" viewBox="0 0 {number(self.width)} {height}" '
            f'font-family="{theme.FONT}" text-anchor="middle">'
        )
        return "\n".join([opening, *self.paint.style(), *body, "</svg>\n"])

    def _arc(self, index: int, head: int, dependent: int, label: str) -> list[str]:
        plane = self.planes.get((min(head, dependent), max(head, dependent)), 0) if head else 0
        role = theme.plane_role(plane)
        top = self.base - 10 - LEVEL * self.level[index]
        to = self.foot[index, dependent]
        line = f"M{number(to)} {top}V{self.base - 5}"
        if head:
            start = self.foot[index, head]
            bend = min(9.0, abs(to - start) / 2)
            side = bend if to > start else -bend
            line = (
                f"M{number(start)} {self.base}V{number(top + bend)}Q{number(start)} {top} {number(start + side)} {top}"
                f"H{number(to - side)}Q{number(to)} {top} {number(to)} {number(top + bend)}V{self.base - 5}"
            )
        middle = (to + self.foot[index, head]) / 2 if head else to
        return [
            f'<path {self.paint("arc", stroke=role)} fill="none" stroke-width="1.3" d="{line}"/>',
            f'<path {self.paint("head", fill=role)} d="M{number(to)} {self.base}{_ARROW}"/>',
            self._text("label", printable(label), middle, top - 3, LABEL, role),
        ]

    def _text(self, kind: str, text: str, x: float, y: float, size: int, role: str) -> str:
        return f'<text {self.paint(kind, fill=role)} x="{number(x)}" y="{y}" font-size="{size}">{escape(text)}</text>'


def _levels(arcs: list[tuple[int, int, str]]) -> list[int]:
    """How high each arc runs: above all shorter ones that lie below it or overlap it."""
    level: list[int] = []
    for index, (head, dependent, _) in enumerate(arcs):
        low, high = sorted((head or dependent, dependent))
        below = [0]
        for before in range(index):
            other_low, other_high = sorted((arcs[before][0] or arcs[before][1], arcs[before][1]))
            if other_low <= high and low <= other_high and not (other_low == high or other_high == low):
                below.append(level[before])
        level.append(1 + max(below))
    for index, (head, _, _) in enumerate(arcs):
        if not head:
            level[index] = 1 + max(level)  # what comes from the root comes from above all
    return level
