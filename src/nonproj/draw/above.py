"""The tree in the terminal with its arcs above the words, for sentences that fit on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from nonproj.draw.canvas import Canvas, Pens
from nonproj.draw.columns import Slots
from nonproj.draw.content import Content, Node, mirrored_tree
from nonproj.draw.direction import turned
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
    if content.is_right_to_left:
        tree, content, renditions = mirrored_tree(tree), content.mirrored(), [*renditions[:1], *renditions[:0:-1]]
    slots = Slots.of(content)
    bones = skeleton(tree).over(slots.column_of, len(slots.items))
    for spread in SPREADS:
        drawing = _Drawing(bones, content, slots, spread)
        if drawing.width <= width:
            return drawing.drawn(renditions, pens)
    return None


def _texts(content: Content, item: int | Node | None) -> list[str]:
    """What stands in a column, from the word down; the same rows in all columns."""
    form, tag, below, features = "", "", "", content.features_of(item)
    if isinstance(item, Node):
        form, tag, below = item.form, item.tag, item.number
    elif item is not None:
        form, tag = content.words[item], content.tags[item] if content.tags else ""
        below = content.numbers[item] if content.numbers else ""
    rows = [turned(form) if content.is_right_to_left else form]
    if content.tags:
        rows.append(tag)
    rows += [*features, *[""] * (content.feature_lines - len(features))]
    return [*rows, below] if content.numbers else rows


def _columns(bones: Skeleton, content: Content, slots: Slots, spread: int) -> Columns:
    width: list[int] = [0]
    offset: list[list[int]] = [[]]
    for item, feet in zip(slots.items[1:], bones.feet[1:], strict=True):
        span = spread * (len(feet) - 1) + 1
        written = max(map(cell_width, _texts(content, item)))
        width.append(max(written, len(str(item)) if isinstance(item, int) else 0, span))
        offset.append([(width[-1] - span) // 2 + spread * i for i in range(len(feet))])
    gap = [0, 0, *[spread] * (len(width) - 2)]
    for token in content.tokens:  # one may be longer than its words
        first, last = slots.column_of[token.first], slots.column_of[token.last]
        there = sum(width[first : last + 1]) + sum(gap[first + 1 : last + 1])
        gap[last] += max(0, cell_width(token.form) + 2 - there)
    return Columns(width, gap, offset)


class _Drawing:
    """The words on one row, the feet of arcs on the row above, and a row for each level above that."""

    def __init__(self, bones: Skeleton, content: Content, slots: Slots, spread: int) -> None:
        self.bones, self.content, self.slots = bones, content, slots
        self.label_width = [cell_width(label) for label in content.labels] or [0] * len(bones.left)
        clearance = [LABEL_CLEARANCE] * len(bones.left)
        for root in bones.roots:
            clearance[root] = ROOT_CLEARANCE
        room = [wide and wide + free for wide, free in zip(self.label_width, clearance, strict=True)]
        self.columns = _columns(bones, content, slots, spread)
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
        rows_below = len(_texts(self.content, None)) + bool(self.content.tokens)
        canvas = Canvas(self.foot_row + 1 + rows_below, self.width)
        for arc in self.bones.order:
            self._run(canvas, arc, pens, renditions[arc])
        for arc in chain(self.bones.order, self.bones.roots):
            self._legs(canvas, arc, pens, renditions[arc])
        self._labels(canvas, renditions)
        self._words(canvas)
        self._tokens(canvas, pens)
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
            canvas.put(
                self.foot_row, column, pens.arrow_down if word == self.slots.column_of[arc] else pens.down, rendition
            )
        if len(ends) == 1:
            canvas.put(top, self.shift + self.at.left_foot[arc], pens.source, rendition)

    def _labels(self, canvas: Canvas, renditions: Sequence[str]) -> None:
        roots = set(self.bones.roots)
        for arc, label in enumerate(self.content.labels):
            middle = self.at.label[arc] - (self.label_width[arc] - 1) / 2
            start = self._root_label(arc) if arc in roots else math.floor(middle)
            canvas.write(self._row(arc), self.shift + start, label, renditions[arc])

    def _words(self, canvas: Canvas) -> None:
        for column, item in enumerate(self.slots.items):
            start, wide = self.shift + self.at.start[column], self.columns.width[column]
            for row, text in enumerate(_texts(self.content, item)):
                rendition = ANSI_FAINT if row or isinstance(item, Node) else ""
                canvas.write(self.foot_row + 1 + row, start + (wide - cell_width(text)) // 2, text, rendition)

    def _tokens(self, canvas: Canvas, pens: Pens) -> None:
        """Brackets below the words that are one token, with what is written for them."""
        row = self.foot_row + 1 + len(_texts(self.content, None))
        for token in self.content.tokens:
            first, last = self.slots.column_of[token.first], self.slots.column_of[token.last]
            begin = self.shift + self.at.start[first]
            end = self.shift + self.at.start[last] + self.columns.width[last] - 1
            for column in range(begin + 1, end):
                canvas.put(row, column, pens.across)
            canvas.put(row, begin, pens.lower_corner)
            canvas.put(row, end, pens.last_lower_corner)
            canvas.write(row, begin + (end - begin + 1 - cell_width(token.form)) // 2, token.form)
