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
from nonproj.draw.columns import in_order
from nonproj.draw.content import Content, Node
from nonproj.draw.measure import cell_width
from nonproj.draw.theme import ANSI_FAINT

if TYPE_CHECKING:
    from nonproj.trees import Tree

SPREADS = (2, 1)  # cells from upright to upright: with air, or without where width is scarce
COLUMN_GAP = 2


def lines_beside(tree: Tree, content: Content, renditions: Sequence[str], pens: Pens, width: int) -> Canvas:
    """Draw each line with the rendition of its dependent."""
    uprights = _uprights((0, *tree.heads))
    items = in_order(content)
    columns = _columns(content, items, renditions, pens)
    for spread in SPREADS:
        arrow = 1 + spread * max(uprights.track)
        total = arrow + sum(column.width + COLUMN_GAP for column in columns)
        if total <= width:
            break
    canvas = Canvas(len(items), total)
    row_of = [0, *(row for row, item in enumerate(items) if isinstance(item, int))]
    _lines(canvas, uprights, row_of, arrow, spread, renditions, pens)
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


def _columns(content: Content, items: Sequence[int | Node], renditions: Sequence[str], pens: Pens) -> list[_Column]:
    """The columns at the right: numbers, words, tags, features, labels, multiword tokens, as far as they are shown."""
    faint = [ANSI_FAINT] * len(items)
    numbers = [item.number if isinstance(item, Node) else str(item) for item in items]
    widest = max(map(len, numbers))
    plain = [ANSI_FAINT if isinstance(item, Node) else "" for item in items]
    columns = [_Column([number.rjust(widest) for number in numbers], faint)] if content.numbers else []
    columns.append(_Column([item.form if isinstance(item, Node) else content.words[item] for item in items], plain))
    if content.tags:
        columns.append(_Column([item.tag if isinstance(item, Node) else content.tags[item] for item in items], faint))
    if content.feature_lines:
        columns.append(_Column(["|".join(content.features_of(item)) for item in items], faint))
    if content.labels:
        texts = ["" if isinstance(item, Node) else content.labels[item] for item in items]
        columns.append(_Column(texts, ["" if isinstance(item, Node) else renditions[item] for item in items]))
    if content.tokens:
        columns.append(_Column(_brackets(content, items, pens), plain))
    return columns


def _brackets(content: Content, items: Sequence[int | Node], pens: Pens) -> list[str]:
    """Beside the words of each multiword token a bracket, and in the first row what is written for them."""
    row_of = {item: row for row, item in enumerate(items) if isinstance(item, int)}
    texts = [""] * len(items)
    for token in content.tokens:
        first, last = row_of[token.first], row_of[token.last]
        texts[first + 1 : last] = [pens.down] * (last - first - 1)
        texts[first], texts[last] = f"{pens.last_corner} {token.form}", pens.last_lower_corner
    return texts


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


def _lines(
    canvas: Canvas,
    uprights: _Uprights,
    row_of: Sequence[int],
    arrow: int,
    spread: int,
    renditions: Sequence[str],
    pens: Pens,
) -> None:
    column = [arrow - spread * track for track in uprights.track]
    for head, dependents in enumerate(uprights.dependents[1:], 1):
        # Where arcs share an upright those of the first plane give way.
        for dependent in sorted(dependents, key=renditions.__getitem__):
            for row in range(row_of[min(head, dependent)], row_of[max(head, dependent)] + 1):
                canvas.put(row, column[head], pens.down, renditions[dependent])
    for word, head in enumerate(uprights.heads[1:], 1):
        row, rendition = row_of[word], renditions[word]
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
