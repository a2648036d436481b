"""The outline of an arc in a picture: a flat run between two rounded corners, interrupted where legs pass."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

CORNER = 12  # smaller than the distance of two levels, so that arcs meet on straight legs only
BREAK = 3.2  # on either side of a leg that passes
SHORTEST = 4  # a piece between two breaks shorter than this would be a mere dot, and is left out


def number(value: float) -> str:
    """A coordinate, with at most one decimal.

    >>> number(3.0), number(2.25), number(-0.04)
    ('3', '2.2', '0')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


@dataclass(frozen=True)
class Curve:
    """From the end of the left leg to the end of the right one, both CORNER below the top."""

    left: float
    right: float
    top: float
    comes_in: bool = False  # from the line before, instead of rising from a leg
    goes_on: bool = False  # to the next line, instead of falling to a leg

    @property
    def radius(self) -> float:
        """How wide a corner is; arcs between close feet have narrow ones."""
        corners = 2 - self.comes_in - self.goes_on
        return min(CORNER, (self.right - self.left) / max(1, corners))

    def height(self, x: float) -> float:
        """The ordinate of the curve at an abscissa."""
        if self.comes_in and self.goes_on:
            return self.top
        from_left = math.inf if self.comes_in else x - self.left
        from_right = math.inf if self.goes_on else self.right - x
        inward = max(0.0, 1 - min(from_left, from_right) / self.radius)
        return self.top + CORNER * (1 - math.sqrt(1 - min(inward, 1.0) ** 2))

    def between(self, legs: Iterable[float]) -> list[tuple[float, float]]:
        """The stretches that remain when the curve is interrupted at legs."""
        begin, stretches = self.left, []
        for leg in sorted(legs):
            end = leg - BREAK
            if end - begin >= SHORTEST or begin == self.left:
                stretches.append((begin, max(end, begin)))
            begin = leg + BREAK
        return [*stretches, (min(begin, self.right), self.right)]

    def outline(self, legs: Iterable[float]) -> str:
        """SVG path data that continue from the left leg and end at the right one.

        >>> Curve(0, 60, 10).outline([])
        'L0 22A12 12 0 0 1 12 10H48A12 12 0 0 1 60 22'
        >>> Curve(0, 60, 10).outline([30])
        'L0 22A12 12 0 0 1 12 10H26.8M33.2 10H48A12 12 0 0 1 60 22'
        >>> Curve(0, 60, 10, goes_on=True).outline([]), Curve(0, 60, 10, comes_in=True).outline([])
        ('L0 22A12 12 0 0 1 12 10H60', 'M0 10H48A12 12 0 0 1 60 22')
        """
        return ("M" if self.comes_in else "L") + "M".join(self._piece(begin, end) for begin, end in self.between(legs))

    def _piece(self, begin: float, end: float) -> str:
        corner = f"A{number(self.radius)} {CORNER} 0 0 1 "
        flat_begin = self.left + (0 if self.comes_in else self.radius)
        flat_end = self.right - (0 if self.goes_on else self.radius)
        path = f"{number(begin)} {number(self.height(begin))}"
        if begin < flat_begin:
            stop = min(end, flat_begin)
            path += f"{corner}{number(stop)} {number(self.height(stop))}"
        if end > flat_begin and begin < flat_end:
            path += f"H{number(min(end, flat_end))}"
        if end > flat_end:
            path += f"{corner}{number(end)} {number(self.height(end))}"
        return path
