"""The columns of a picture: words, the empty nodes between them, and the places where a line is broken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nonproj.draw.content import Content, Node


@dataclass(frozen=True)
class Slots:
    """What stands in each column, from 1: a word by its number, an empty node, or None where a line is broken."""

    items: list[int | Node | None]
    column_of: list[int]  # of each word, from 1; 0 for no word

    @classmethod
    def of(cls, content: Content, breaks: Iterable[int] = ()) -> Slots:
        """The columns of a content with breaks after these items, which are counted from 1."""
        items: list[int | Node | None] = [None]
        column_of = [0]
        after = set(breaks)
        for number, item in enumerate(in_order(content), 1):
            if isinstance(item, int):
                column_of.append(len(items))
            items.append(item)
            if number in after:
                items.append(None)
        return cls(items, column_of)

    @property
    def breaks(self) -> list[int]:
        """The columns where lines are broken."""
        return [column for column, item in enumerate(self.items) if item is None and column]

    @property
    def nodes(self) -> list[tuple[int, Node]]:
        """The empty nodes with their columns."""
        return [(column, item) for column, item in enumerate(self.items) if isinstance(item, Node)]

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The first and the last column of each line."""
        ends = [*self.breaks, len(self.items)]
        return [(begin + 1, end - 1) for begin, end in zip([0, *ends], ends, strict=False)]


def in_order(content: Content) -> list[int | Node]:
    """Words and empty nodes as they follow each other.

    >>> from nonproj.trees import Tree
    >>> in_order(Content.of(Tree([2, 0]), labels=False))
    [1, 2]
    """
    nodes: dict[int, list[int | Node]] = {}
    for node in content.nodes:
        nodes.setdefault(node.after, []).append(node)
    items = nodes.get(0, [])[:]
    for word in range(1, len(content.words)):
        items += [word, *nodes.get(word, [])]
    return items


def broken(width: Sequence[float], gap: Sequence[float], is_whole: Sequence[bool], room: float) -> list[int]:
    """After which items, from 1, lines end so that none is wider than the room, if that can be.

    ``gap`` is the space before an item, and ``is_whole`` forbids a break after it.

    >>> broken([4, 4, 4, 4], [0, 1, 1, 1], [False, False, True, False], 14)
    [2]
    """
    breaks: list[int] = []
    filled, candidate = 0.0, 0
    item = 0
    while item < len(width):
        first = breaks[-1] if breaks else 0
        filled += width[item] + (gap[item] if item > first else 0)
        if filled > room and item > first:
            breaks.append(candidate if candidate > first else item)
            item, filled, candidate = breaks[-1], 0.0, 0
            continue
        if not is_whole[item]:
            candidate = item + 1
        item += 1
    return breaks
