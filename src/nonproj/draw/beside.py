"""The tree in the terminal with one word a row and lines at the left, for sentences of any length.

Every head has an upright that spans the rows of its dependents and its own, where it has a joint. From the
upright a line runs to each dependent. The upright of a word stands right of that of its head, so the line to
the word passes its own joint, and where it passes the upright of another word the two cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonproj.draw.canvas import Canvas, Pens
from nonproj.draw.content import Content
from nonproj.draw.measure import cell_width
from nonproj.draw.theme import ANSI_FAINT

if TYPE_CHECKING:
    from nonproj.trees import Tree

SPREADS = (2, 1)  # cells from upright to upright: with air, or without where width is scarce
COLUMN_GAP = 2


def lines_beside(tree: Tree, content: Content, renditions: Sequence[str], pens: Pens, width: int) -> Canvas:
    """Draw each line with the rendition of its dependent."""
    uprights = _uprights((0, *tree.heads))
    columns = _columns(content, renditions)
    for spread in SPREADS:
        arrow = 1 + spread * max(uprights.track)
        total = arrow + sum(column.width + COLUMN_GAP for column in columns)
        if total <= width:
            break
    canvas = Canvas(len(tree), total)
    _lines(canvas, uprights, arrow, spread, renditions, pens)
    start = arrow + 2
    for column in columns:
        for row, (text, rendition) in enumerate(zip(column.texts, column.renditions, strict=True)):
            canvas.write(row, start, text, rendition)
        start += column.width + COLUMN_GAP
    return canvas


@dataclass(frozen=True)
class _Column:
    """Texts at the right of the lines, one a row."""

    texts: Sequence[str]
    renditions: Sequence[str]

    @property
    def width(self) -> int:
        return max(map(cell_width, self.texts))


def _columns(content: Content, renditions: Sequence[str]) -> list[_Column]:
    size = len(content.words) - 1
    columns = [_Column(content.words[1:], [""] * size)]
    if content.numbers:
        numbers = [number.rjust(len(str(size))) for number in content.numbers[1:]]
        columns.insert(0, _Column(numbers, [ANSI_FAINT] * size))
    if content.labels:
        columns.append(_Column(content.labels[1:], renditions[1:]))
    return columns


@dataclass(frozen=True)
class _Uprights:
    """Each list is indexed by word from 1."""

    heads: Sequence[int]
    dependents: list[list[int]]
    first: list[int]
    last: list[int]
    track: list[int]  # from 1, next to the words; 0 for words without dependents


def _uprights(heads: Sequence[int]) -> _Uprights:
    dependents: list[list[int]] = [[] for _ in heads]
    for dependent, head in enumerate(heads[1:], 1):
        dependents[head].append(dependent)
    first = [min([word, *below]) for word, below in enumerate(dependents)]
    last = [max([word, *below]) for word, below in enumerate(dependents)]
    return _Uprights(heads, dependents, first, last, _tracks(heads, dependents, first, last))


def _tracks(
    heads: Sequence[int], dependents: Sequence[Sequence[int]], first: Sequence[int], last: Sequence[int]
) -> list[int]:
    """Give each upright the nearest track that is left of its dependents' tracks and free in all its rows."""
    height = [0] * len(heads)
    for word in reversed(_from_roots(dependents)):
        height[heads[word]] = max(height[heads[word]], height[word] + 1)
    track = [0] * len(heads)
    taken = [0] * (len(heads) + 1)  # for each row the tracks in use, as a set of bits
    uprights = [word for word in range(1, len(heads)) if dependents[word]]
    for word in sorted(uprights, key=lambda word: (height[word], last[word] - first[word])):
        # A joint at the lower end shall not touch a joint at the upper end of the next upright.
        rows = range(first[word], last[word] + (2 if last[word] == word else 1))
        unfit = (1 << max(track[dependent] + 1 for dependent in dependents[word])) - 1
        for row in rows:
            unfit |= taken[row]
        free = ~unfit & (unfit + 1)
        track[word] = free.bit_length() - 1
        for row in rows:
            taken[row] |= free
    return track


def _from_roots(dependents: Sequence[Sequence[int]]) -> list[int]:
    """All words, each after its head."""
    words = list(dependents[0])
    for word in words:
        words.extend(dependents[word])
    return words


def _lines(canvas: Canvas, uprights: _Uprights, arrow: int, spread: int, renditions: Sequence[str], pens: Pens) -> None:
    column = [arrow - spread * track for track in uprights.track]
    for head, dependents in enumerate(uprights.dependents[1:], 1):
        # Where arcs share an upright those of the first plane give way.
        for dependent in sorted(dependents, key=renditions.__getitem__):
            for word in range(min(head, dependent), max(head, dependent) + 1):
                canvas.put(word - 1, column[head], pens.down, renditions[dependent])
    for word, head in enumerate(uprights.heads[1:], 1):
        row, rendition = word - 1, renditions[word]
        start = column[head] if head else 0
        canvas.put(row, start, _corner(uprights, head, word, pens), rendition)
        for here in range(start + 1, arrow):
            is_crossing = canvas.at(row, here) == pens.down
            canvas.put(row, here, pens.crossing if is_crossing else pens.across, rendition)
        if uprights.dependents[word]:
            canvas.put(row, column[word], pens.joint, rendition)
        canvas.put(row, arrow, pens.arrow_right, rendition)


def _corner(uprights: _Uprights, head: int, word: int, pens: Pens) -> str:
    if head == 0:
        return pens.across
    if word == uprights.first[head]:
        return pens.upper_corner
    return pens.lower_corner if word == uprights.last[head] else pens.branch
