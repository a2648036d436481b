"""A sheet of terminal cells to draw on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from nonproj.draw.direction import held
from nonproj.draw.measure import cells


@dataclass(frozen=True)
class Pens:
    """The characters that lines are drawn with."""

    across: str
    down: str
    crossing: str
    first_corner: str  # of an arc above the words, at its left
    last_corner: str
    arrow_down: str
    source: str  # where the arrow to a root begins, when it has no label
    upper_corner: str  # of a line beside the words, at its top
    lower_corner: str
    last_lower_corner: str  # of what is bracketed from below, at its right
    branch: str
    joint: str
    arrow_right: str


UNICODE = Pens("─", "│", "┼", "╭", "╮", "▼", "╷", "╭", "╰", "╯", "├", "●", "▶")
ASCII = Pens("-", "|", "+", ".", ".", "v", "|", ".", "'", "'", "|", "o", ">")


class Canvas:
    """Rows of cells, each with what it shows and its graphic rendition; wide characters take two cells."""

    def __init__(self, rows: int, columns: int) -> None:
        self._shown = [[" "] * columns for _ in range(rows)]
        self._rendition = [[""] * columns for _ in range(rows)]

    def at(self, row: int, column: int) -> str:
        """What a cell shows."""
        return self._shown[row][column]

    def put(self, row: int, column: int, shown: str, rendition: str = "") -> None:
        """Set one cell."""
        self._shown[row][column] = shown
        self._rendition[row][column] = rendition

    def write(self, row: int, column: int, text: str, rendition: str = "") -> None:
        """Set cells to a text; characters without width of their own join the one before them.

        Marks around what a terminal would reorder join the text itself, so that they come and go with it.
        """
        here = column
        opening = ""
        for character in held(text):
            width = cells(character)
            if width == 0 and here == column:
                opening += character
            elif width > 0 and opening:
                character, opening = opening + character, ""
            if width == 0 and here > column:
                before = here - 1 if self._shown[row][here - 1] else here - 2
                self._shown[row][before] += character
            if width > 0:
                self.put(row, here, character, rendition)
            if width == 2:
                self.put(row, here + 1, "", rendition)
            here += width

    def render(self, color: bool) -> str:
        """The rows as lines without trailing space, with escape sequences for the renditions if asked for."""
        lines = []
        for shown, rendition in zip(self._shown, self._rendition, strict=True):
            if color:
                runs = groupby(zip(shown, rendition, strict=True), key=itemgetter(1))
                lines.append("".join(_rendered("".join(cell for cell, _ in run), code) for code, run in runs))
            else:
                lines.append("".join(shown))
        return "\n".join(line.rstrip(" ") for line in lines)


def _rendered(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if code else text
