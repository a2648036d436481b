"""The rule-FSMs of grammars as pictures: SVG, and Graphviz's dot for who has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from nonproj.draw import theme
from nonproj.draw.measure import text_width
from nonproj.draw.paint import Paint

if TYPE_CHECKING:
    from nonproj.grammar.steps import Letter
    from nonproj.lifting import Automaton

RADIUS, MARGIN, LINE_HEIGHT, SIZE, TITLE = 15, 18, 14, 11, 14
LEVEL = 22  # from one arc to the next above it
LOOP = 34  # how high a loop stands


def shown(letter: Letter) -> str:
    """A letter as it is written on a step: a lifted dependent has an arrow before it, one lifted away behind it."""
    role, category = letter
    return {"own": f"{category}", "in": f"↑ {category}", "out": f"{category} ↑"}.get(role, role)


def edges_of(fsm: Automaton[Letter]) -> dict[tuple[int, int], list[str]]:
    """The steps from state to state, with all that is read on each; states go by their places in `in_order`."""
    place = {state: at for at, state in enumerate(in_order(fsm))}
    found: dict[tuple[int, int], list[str]] = {}
    for state, row in enumerate(fsm.steps):
        for letter, after in row.items():
            found.setdefault((place[state], place[after]), []).append(shown(letter))
    return dict(sorted(found.items()))


def in_order(fsm: Automaton[Letter]) -> list[int]:
    """The states so that steps mostly go forwards: those from which a state is reached come before it."""
    finished: list[int] = []
    seen = {fsm.start}
    walk = [(fsm.start, iter([*fsm.steps[fsm.start].values()]))]
    while walk:
        state, rest = walk[-1]
        after = next((a for a in rest if a not in seen), None)
        if after is None:
            finished.append(state)
            walk.pop()
        else:
            seen.add(after)
            walk.append((after, iter([*fsm.steps[after].values()])))
    return finished[::-1]


def fsm_dot(fsm: Automaton[Letter], title: str = "") -> str:
    """A rule-FSM in Graphviz's language.

    >>> from nonproj.grammar import Grammar
    >>> grammar = Grammar.load("beans.gdg")
    >>> print(fsm_dot(grammar.rule_fsm("Adv")))
    digraph {
      rankdir=LR; node [shape=circle, fontname=Helvetica]; edge [fontname=Helvetica];
      0 [style=bold];
      1 [shape=doublecircle];
      0 -> 1 [label="#"];
    }
    """
    lines = ["digraph {", "  rankdir=LR; node [shape=circle, fontname=Helvetica]; edge [fontname=Helvetica];"]
    if title:
        lines.append(f"  label={_quoted(title)};")
    for state, number in enumerate(in_order(fsm)):
        style = ["style=bold"] * (number == fsm.start) + ["shape=doublecircle"] * (number in fsm.finals)
        lines.append(f"  {state} [{', '.join(style)}];" if style else f"  {state};")
    for (before, after), letters in edges_of(fsm).items():
        label = "\\n".join(_escaped(letter) for letter in letters)
        lines.append(f'  {before} -> {after} [label="{label}"];')
    return "\n".join([*lines, "}"])


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def fsm_svg(fsm: Automaton[Letter], title: str = "", *, dark: bool | None = None) -> str:
    """A rule-FSM as an SVG picture: states on a line, steps back below it.

    A thick ring is where it begins, a double one where it may end; what is lifted stands out.
    """
    return _FsmPicture(fsm, title, Paint(dark)).render()


class _FsmPicture:
    """States on a line, steps between neighbours on it, others as arcs above; loops and steps back below."""

    def __init__(self, fsm: Automaton[Letter], title: str, paint: Paint) -> None:
        self.fsm, self.title, self.paint = fsm, title, paint
        self.edges = edges_of(fsm)
        self.finals = {at for at, state in enumerate(in_order(fsm)) if state in fsm.finals}
        widths = {edge: max(text_width(letter, SIZE) for letter in letters) for edge, letters in self.edges.items()}
        at = [float(MARGIN + RADIUS + max(0, widths.get((0, 0), 0) / 2 - RADIUS))]
        for state in range(1, len(fsm)):
            near = widths.get((state - 1, state), 0)
            loops = (widths.get((state - 1, state - 1), 0) + widths.get((state, state), 0)) / 2
            at.append(at[-1] + max(2 * RADIUS + near + 30, loops + 12, 4 * RADIUS))
        # An arc is as wide as what is written on it.
        for (before, after), width in widths.items():
            lack = width + 40 - abs(at[after] - at[before])
            if abs(after - before) > 1 or after < before:
                for state in range(max(before, after), len(at)) if lack > 0 else ():
                    at[state] += lack
        self.at = at
        self.height_of = self._heights()
        over = [self._room(edge) for edge in self.edges if edge[0] < edge[1]]
        under = [self._room(edge) for edge in self.edges if edge[0] >= edge[1]]
        last = widths.get((len(fsm) - 1, len(fsm) - 1), 0) / 2
        self.base = MARGIN + (TITLE + 10 if title else 0) + max([RADIUS, *over])
        self.height = self.base + max([RADIUS, *under]) + MARGIN
        self.width = max(at[-1] + max(RADIUS, last) + MARGIN, text_width(title, TITLE) + 2 * MARGIN)

    def _heights(self) -> dict[tuple[int, int], float]:
        """How far each arc stands off the line: above those that it spans, and what is written on them."""
        heights: dict[tuple[int, int], float] = {}
        for edge in sorted(self.edges, key=lambda edge: (abs(edge[1] - edge[0]), edge)):
            first, last = min(edge), max(edge)
            if edge[0] == edge[1]:
                heights[edge] = LOOP
                continue
            if edge[1] == edge[0] + 1:
                heights[edge] = 0
                continue
            inner = [
                heights[other] + LINE_HEIGHT * len(self.edges[other])
                for other in heights
                if min(other) < last and first < max(other) and (other[0] > other[1]) == (edge[0] > edge[1])
            ]
            if edge[0] > edge[1]:
                loops = [s for s in range(first, last + 1) if (s, s) in self.edges]
                inner += [LOOP + LINE_HEIGHT * len(self.edges[s, s]) for s in loops]
            heights[edge] = max([RADIUS, *inner]) + LEVEL
        return heights

    def _room(self, edge: tuple[int, int]) -> float:
        return self.height_of[edge] + LINE_HEIGHT * len(self.edges[edge]) + 6

    def render(self) -> str:
        """The picture as text."""
        body = [f'<rect {self.paint("ground", fill="ground")} width="100%" height="100%"/>']
        if self.title:
            body.append(self._text(self.title, self.width / 2, MARGIN + TITLE, "ink", TITLE))
        for edge in self.edges:
            body += self._edge(edge)
        for state in range(len(self.fsm)):
            body += self._state(state)
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{self.paint.name}" role="img" '
            f'width="{self.width:.0f}" height="{self.height:.0f}" viewBox="0 0 {self.width:.0f} {self.height:.0f}" '
            f'font-family="{theme.FONT}" text-anchor="middle">'
        )
        return "\n".join([opening, *self.paint.style(), *body, "</svg>\n"])

    def _state(self, state: int) -> Iterator[str]:
        rings = [RADIUS, RADIUS - 4] if state in self.finals else [RADIUS]
        for ring, radius in enumerate(rings):
            width = 2.6 if state == 0 and ring == 0 else 1.3
            fill = self.paint("state", fill="ground", stroke="ink")
            yield f'<circle {fill} stroke-width="{width}" cx="{self.at[state]:.1f}" cy="{self.base:.1f}" r="{radius}"/>'
        yield self._text(str(state), self.at[state], self.base + 4, "ink", SIZE)

    def _text(self, text: str, x: float, y: float, role: str, size: int) -> str:
        return f'<text {self.paint("text", fill=role)} x="{x:.1f}" y="{y:.1f}" font-size="{size}">{escape(text)}</text>'

    def _edge(self, edge: tuple[int, int]) -> Iterator[str]:
        before, after = edge
        a, b, y, height = self.at[before], self.at[after], self.base, self.height_of[edge]
        down = before >= after
        if before == after:
            path = f"M{a + 7:.1f} {y + RADIUS - 2:.1f}C{a + 22:.1f} {y + LOOP + 8:.1f} {a - 22:.1f} {y + LOOP + 8:.1f} "
            path += f"{a - 7:.1f} {y + RADIUS + 4:.1f}"
            tip, label_y = (a - 7, y + RADIUS - 2, "up"), y + LOOP - 2
        elif height == 0:
            path = f"M{a + RADIUS:.1f} {y}H{b - RADIUS - 6:.1f}"
            tip, label_y = (b - RADIUS, y, "right"), y - 6
        else:
            side = 1 if down else -1
            top = y + side * height
            begin, end = self._leg(edge, before), self._leg(edge, after)
            turn = -12 if down else 12
            path = (
                f"M{begin:.1f} {y + side * (RADIUS - 1):.1f}L{begin:.1f} {top - side * 12:.1f}"
                f"Q{begin:.1f} {top:.1f} {begin + turn:.1f} {top:.1f}H{end - turn:.1f}"
                f"Q{end:.1f} {top:.1f} {end:.1f} {top - side * 12:.1f}V{y + side * (RADIUS + 5):.1f}"
            )
            tip, label_y = (end, y + side * (RADIUS - 1), "up" if down else "down"), top - 5
        yield f'<path {self.paint("step", stroke="ink")} fill="none" stroke-width="1.3" d="{path}"/>'
        yield self._tip(*tip)
        letters = self.edges[edge]
        first = label_y + 16 if down else label_y - LINE_HEIGHT * (len(letters) - 1)
        for line, letter in enumerate(letters):
            role = "highlight" if letter.startswith("↑") or letter.endswith("↑") else "ink"
            yield self._text(letter, (a + b) / 2, first + LINE_HEIGHT * line, role, SIZE)

    def _leg(self, edge: tuple[int, int], state: int) -> float:
        """Where an arc stands at a state: of several on one side the longer nearer to the middle."""
        is_right = max(edge) != state
        sisters = [e for e in self.edges if state in e and abs(e[0] - e[1]) > 0 and (max(e) != state) == is_right]
        arcs = [e for e in sisters if self.height_of[e] > 0 and (e[0] > e[1]) == (edge[0] > edge[1])]
        place = sorted(arcs, key=lambda e: -self.height_of[e]).index(edge)
        return self.at[state] + (1 if is_right else -1) * min(3 + 4 * place, RADIUS - 2)

    def _tip(self, x: float, y: float, way: str) -> str:
        wings = {"down": "l-3.2 -7.5h6.4z", "up": "l-3.2 7.5h6.4z", "right": "l-7.5 -3.2v6.4z"}[way]
        return f'<path {self.paint("tip", fill="ink")} d="M{x:.1f} {y:.1f}{wings}"/>'
