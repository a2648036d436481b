"""The tree in the terminal with its arcs above the words, for sentences that fit on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from nonproj.draw.canvas import Canvas, Pens
from nonproj.draw.content import Content
from nonproj.draw.layout import Columns, Skeleton, place, skeleton
from nonproj.draw.measure import cell_width
from nonproj.draw.theme import ANSI_FAINT

if TYPE_CHECKING:
    from nonproj.trees import Tree

SPREADS = (2, 1)  # cells from foot to foot and from word to word: with air, or without where width is scarce
LABEL_CLEARANCE = 3  # a leg, and a cell of line on either side
ROOT_CLEARANCE = 2


def arcs_above(tree: Tree, content: Content, renditions: Sequence[str], pens: Pens, width: int) -> Canvas | None:
    """Draw each arc with the rendition of its dependent; None where the width does not allow it."""
    if sum(map(cell_width, content.words)) > width:
        return None
    bones = skeleton(tree)
    for spread in SPREADS:
        drawing = _Drawing(bones, content, spread)
        if drawing.width <= width:
            return drawing.drawn(renditions, pens)
    return None


def _columns(bones: Skeleton, content: Content, spread: int) -> Columns:
    width: list[int] = [0]
    offset: list[list[int]] = [[]]
    for word, feet in enumerate(bones.feet[1:], 1):
        span = spread * (len(feet) - 1) + 1
        width.append(max(cell_width(content.words[word]), len(str(word)), span))
        offset.append([(width[word] - span) // 2 + spread * i for i in range(len(feet))])
    return Columns(width, [0, 0, *[spread] * (len(width) - 2)], offset)


class _Drawing:
    """The words on one row, the feet of arcs on the row above, and a row for each level above that."""

    def __init__(self, bones: Skeleton, content: Content, spread: int) -> None:
        self.bones, self.content = bones, content
        self.label_width = [cell_width(label) for label in content.labels] or [0] * len(bones.feet)
        clearance = [LABEL_CLEARANCE] * len(bones.feet)
        for root in bones.roots:
            clearance[root] = ROOT_CLEARANCE
        room = [wide and wide + free for wide, free in zip(self.label_width, clearance, strict=True)]
        self.columns = _columns(bones, content, spread)
        self.at = place(bones, self.columns, room)
        self.foot_row = max(self.at.level)
        # Labels of roots may reach beyond the outermost words.
        starts = [self._root_label(root) for root in bones.roots]
        ends = [start + self.label_width[root] for start, root in zip(starts, bones.roots, strict=True)]
        self.shift = max(0, -min(starts))
        self.width = self.shift + max(self.at.start[-1] + self.columns.width[-1], *ends)

    def _root_label(self, root: int) -> int:
        return self.at.left_foot[root] - self.label_width[root] // 2

    def drawn(self, renditions: Sequence[str], pens: Pens) -> Canvas:
        """Paint the runs, then the legs that cross them, then the labels, which keep clear of legs."""
        canvas = Canvas(self.foot_row + (3 if self.content.numbers else 2), self.width)
        for arc in self.bones.order:
            self._run(canvas, arc, pens, renditions[arc])
        for arc in chain(self.bones.order, self.bones.roots):
            self._legs(canvas, arc, pens, renditions[arc])
        self._labels(canvas, renditions)
        self._words(canvas)
        return canvas

    def _row(self, arc: int) -> int:
        return self.foot_row - self.at.level[arc]

    def _run(self, canvas: Canvas, arc: int, pens: Pens, rendition: str) -> None:
        row = self._row(arc)
        first, last = self.shift + self.at.left_foot[arc], self.shift + self.at.right_foot[arc]
        canvas.put(row, first, pens.first_corner, rendition)
        for column in range(first + 1, last):
            canvas.put(row, column, pens.across, rendition)
        canvas.put(row, last, pens.last_corner, rendition)

    def _legs(self, canvas: Canvas, arc: int, pens: Pens, rendition: str) -> None:
        ends = {self.bones.left[arc]: self.at.left_foot[arc], self.bones.right[arc]: self.at.right_foot[arc]}
        top = self._row(arc)
        for word, foot in ends.items():
            column = self.shift + foot
            for row in range(top + 1, self.foot_row):
                is_crossing = canvas.at(row, column) == pens.across
                canvas.put(row, column, pens.crossing if is_crossing else pens.down, rendition)
            canvas.put(self.foot_row, column, pens.arrow_down if word == arc else pens.down, rendition)
        if len(ends) == 1:
            canvas.put(top, self.shift + self.at.left_foot[arc], pens.source, rendition)

    def _labels(self, canvas: Canvas, renditions: Sequence[str]) -> None:
        roots = set(self.bones.roots)
        for arc, label in enumerate(self.content.labels):
            middle = self.at.label[arc] - (self.label_width[arc] - 1) / 2
            start = self._root_label(arc) if arc in roots else math.floor(middle)
            canvas.write(self._row(arc), self.shift + start, label, renditions[arc])

    def _words(self, canvas: Canvas) -> None:
        lines = [(self.content.words, "")]
        if self.content.numbers:
            lines.append((self.content.numbers, ANSI_FAINT))
        for row, (texts, rendition) in enumerate(lines, self.foot_row + 1):
            for text, start, wide in zip(texts, self.at.start, self.columns.width, strict=True):
                canvas.write(row, self.shift + start + (wide - cell_width(text)) // 2, text, rendition)
