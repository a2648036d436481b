"""Plots as SVG, drawn without any package, in colours that the page's style sheet sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from nonproj.sharing.elements import shown

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 58, 130, 16, 46


@dataclass
class Axes:
    """A frame for points, with marks along its sides."""

    across: tuple[float, float]
    up: tuple[float, float]
    is_log: bool = False
    body: list[str] = field(default_factory=list)

    def x(self, value: float) -> float:
        """Where a value is from left to right."""
        low, high = self.across
        return LEFT + (value - low) / ((high - low) or 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Where a value is from top to bottom."""
        low, high = (math.log(end) for end in self.up) if self.is_log else self.up
        height = ((math.log(value) if self.is_log else value) - low) / ((high - low) or 1)
        return HEIGHT - BOTTOM - height * (HEIGHT - TOP - BOTTOM)

    def line(self, points: Sequence[tuple[float, float]], look: str) -> None:
        """A line through points."""
        path = " ".join(f"{self.x(a):.1f},{self.y(b):.1f}" for a, b in points)
        self.body.append(f'<polyline class="{look}" points="{path}"/>')

    def dot(self, x: float, y: float, look: str, title: str) -> None:
        """A point that says what it is."""
        place = f'cx="{self.x(x):.1f}" cy="{self.y(y):.1f}"'
        self.body.append(f'<circle class="{look}" {place} r="4"><title>{shown(title)}</title></circle>')

    def bar(self, x: float, low: float, high: float, look: str) -> None:
        """An upright line from one value to another."""
        at = f'x1="{self.x(x):.1f}" x2="{self.x(x):.1f}" y1="{self.y(low):.1f}" y2="{self.y(high):.1f}"'
        self.body.append(f'<line class="{look}" {at}/>')

    def text(self, x: float, y: float, text: str, look: str = "label", anchor: str = "start") -> None:
        """Text at a place in pixels."""
        self.body.append(f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown(text)}</text>')

    def picture(
        self,
        name: str,
        x_marks: Sequence[tuple[float, str]],
        y_marks: Sequence[float],
        x_title: str,
        y_title: str,
        is_crowded: bool = False,
    ) -> str:
        """The whole picture; where marks are crowded they stand aslant."""
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        frame = [f'<path class="frame" d="M{LEFT} {TOP}V{bottom}H{right}"/>']
        for value, label in x_marks:
            x, below = f"{self.x(value):.1f}", bottom + (12 if is_crowded else 17)
            look = f'text-anchor="end" transform="rotate(-40 {x} {below})"' if is_crowded else 'text-anchor="middle"'
            frame.append(f'<text class="mark" x="{x}" y="{below}" {look}>{shown(label)}</text>')
        for value in y_marks:
            y = self.y(value)
            frame.append(f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>')
            frame.append(f'<text class="mark" x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        middle = (LEFT + right) / 2
        frame.append(f'<text class="mark" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{shown(x_title)}</text>')
        turned = f"rotate(-90 14 {HEIGHT / 2})"
        side = f'x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="{turned}"'
        frame.append(f'<text class="mark" {side}>{shown(y_title)}</text>')
        return (
            f'<svg class="plot" role="img" aria-label="{shown(name)}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f"{''.join(frame)}{''.join(self.body)}</svg>"
        )


def round_marks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers between two values.

    >>> round_marks(0, 7)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    """
    if not high > low:
        return [low]
    step = 10.0 ** math.floor(math.log10(high - low))
    while (high - low) / step < most / 2:
        step /= 2 if f"{step:e}"[0] != "5" else 2.5
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, math.floor(high / step + 1e-9) + 1)]


def spread(wanted: Sequence[float], lowest: float, line: float = 12) -> list[float]:
    """Heights for lines of text, from top to bottom, that neither meet nor go below the lowest.

    >>> spread([10, 11, 50, 100, 100], 100)
    [10, 22, 50, 88, 100]
    """
    found: list[float] = []
    for at in wanted:
        found.append(max(at, found[-1] + line) if found else at)
    for i in reversed(range(len(found))):
        found[i] = min(found[i], lowest)
        lowest = found[i] - line
    return found


def coverage_plot(points: Sequence[tuple[str, int | None, float]], front: Sequence[tuple[int, float]]) -> str:
    """Trees outside each class, in percent, by the exponent of its parser's time; the best ones joined by a line."""
    exponents = sorted({exponent for _, exponent, _ in points if exponent is not None})
    last = exponents[-1] if exponents else 3
    beyond = last + 1.5
    positive = [loss for _, _, loss in points if loss > 0]
    floor = min(positive, default=0.01) / 3
    axes = Axes((min([*exponents, last]) - 0.3, beyond + 0.5), (floor, max([*positive, floor * 10]) * 1.4), True)
    steps: list[tuple[float, float]] = []
    for time, loss in front:
        height = max(loss, floor)
        steps += [(time, steps[-1][1]), (time, height)] if steps else [(time, height)]
    if steps:
        axes.line([*steps, (last, steps[-1][1])], "front")
    names: dict[float, list[tuple[float, str]]] = {}
    for name, exponent, loss in sorted(points, key=lambda point: -point[2]):
        x, y = exponent if exponent is not None else beyond, max(loss, floor)
        is_best = exponent is not None and (exponent, loss) in front
        axes.dot(x, y, "dot best" if is_best else "dot", f"{name}: {loss:.3g} %")
        names.setdefault(x, []).append((axes.y(y) + 4, name))
    for x, wanted in names.items():
        for at, (_, name) in zip(spread([at for at, _ in wanted], HEIGHT - BOTTOM + 4), wanted, strict=True):
            axes.text(axes.x(x) + 8, at, name)
    marks = [(float(exponent), f"n^{exponent}") for exponent in exponents]
    if any(exponent is None for _, exponent, _ in points):
        marks.append((beyond, "no exact parser"))
    powers = range(math.floor(math.log10(axes.up[0])), math.ceil(math.log10(axes.up[1])) + 1)
    y_marks = [10.0**power for power in powers if axes.up[0] <= 10.0**power <= axes.up[1]]
    return axes.picture("coverage", marks, y_marks, "time of the exact parser", "trees outside the class (%)")


def lines_plot(lines: dict[str, list[tuple[float, float, float]]], name: str, x_title: str, y_title: str) -> str:
    """Lines through points with their errors: the first stands out, the last is dashed."""
    every = [point for points in lines.values() for point in points]
    most = max(y for _, y, _ in every)
    axes = Axes((min(x for x, _, _ in every), max(x for x, _, _ in every)), (0, most))
    names = list(lines)
    ends = []
    for number, (label, points) in enumerate(lines.items()):
        if not points:
            continue
        look = "line first" if number == 0 else "line last" if label == names[-1] else f"line series-{number % 6}"
        axes.line([(x, y) for x, y, _ in points], look)
        for x, y, error in points:
            if error > 0:
                axes.bar(x, max(0.0, y - error), min(most, y + error), look)
        ends.append((axes.y(points[-1][1]), axes.x(points[-1][0]), label))
    ends.sort()
    for at, (_, x, label) in zip(spread([y + 4 for y, _, _ in ends], HEIGHT - BOTTOM + 4, 13), ends, strict=True):
        axes.text(max(x, axes.x(axes.across[1])) + 8, at, label)
    marks = [(value, f"{value:g}") for value in round_marks(*axes.across)]
    return axes.picture(name, marks, round_marks(*axes.up), x_title, y_title)


def chance_plot(rows: Sequence[tuple[str, float, float, float, float]]) -> str:
    """For each class what is observed, and what is expected with its interval, in percent."""
    axes = Axes((-0.6, len(rows) - 0.4), (0, 100))
    for place, (name, observed, mean, low, high) in enumerate(rows):
        axes.bar(place, low, high, "interval")
        axes.dot(place, mean, "dot", f"{name}: {mean:.2f} % expected, 95 % of draws from {low:.2f} to {high:.2f}")
        axes.dot(place, observed, "dot best", f"{name}: {observed:.2f} % observed")
    side = WIDTH - RIGHT + 12
    axes.body.append(f'<circle class="dot best" cx="{side}" cy="{TOP + 8}" r="4"/>')
    axes.text(side + 9, TOP + 12, "observed")
    axes.body.append(f'<circle class="dot" cx="{side}" cy="{TOP + 26}" r="4"/>')
    axes.text(side + 9, TOP + 30, "by chance")
    marks = [(float(place), name) for place, (name, *_) in enumerate(rows)]
    y_title = "trees outside the class (%)"
    return axes.picture("chance", marks, [0, 20, 40, 60, 80, 100], "", y_title, is_crowded=len(marks) > 12)
