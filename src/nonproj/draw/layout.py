"""Where arcs and words go, in whole units that are pixels for one drawing and terminal cells for another.

An arc rises from its left foot to the height of its level, runs flat, and falls to its right foot. The arc
from the dummy root is a vertical line from above. Levels and feet are chosen so that two arcs are drawn
crossing, exactly once, when they cross in the tree, and are drawn apart otherwise:

- of two arcs that overlap, the longer one is higher;
- at a word, arcs to the left stand left of arcs to the right, and on either side the longer stand further in;
- so the higher of two crossing arcs meets the lower one with a leg, and nothing else touches a flat run.

An arc is named by its dependent, which is unique, throughout this room. Between the columns of words there may be
others, of nodes without arcs and of places where the line is broken: the drawing is then cut there, and since arcs meet
at words alone, every meeting is on one line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nonproj.trees import Tree


@dataclass(frozen=True)
class Skeleton:
    """What a drawing has in every unit; each list is indexed by column or arc, from 1. Column i is word i at first."""

    left: list[int]  # the first column of the arc; that of a root is the root itself
    right: list[int]  # the last column of the arc
    level: list[int]  # from 1 for the lowest arcs; 0 for the roots, which are placed later
    feet: list[list[int]]  # the arcs that stand in a column, from left to right
    order: list[int]  # the arcs between words, from the lowest to the highest
    roots: list[int]
    legs: list[list[tuple[int, int]]]  # the legs (arc, column) that pass through the flat run of an arc

    def over(self, column_of: Sequence[int], columns: int) -> Skeleton:
        """The same with more columns: word i, from 0 for none, in ``column_of[i]``; ``columns`` counts from 0 too."""
        feet: list[list[int]] = [[] for _ in range(columns)]
        for word, arcs in enumerate(self.feet):
            feet[column_of[word]] = arcs
        return replace(
            self,
            left=[column_of[word] for word in self.left],
            right=[column_of[word] for word in self.right],
            feet=feet,
            legs=[[(arc, column_of[word]) for arc, word in legs] for legs in self.legs],
        )


def skeleton(tree: Tree) -> Skeleton:
    """Lay out what does not depend on any width."""
    heads = (0, *tree.heads)
    words = range(1, len(heads))
    left = [min(head, word) or word for word, head in enumerate(heads)]
    right = [max(head, word) for word, head in enumerate(heads)]
    roots = [word for word in words if heads[word] == 0]
    by_length = sorted((d for d in words if heads[d]), key=lambda d: (right[d] - left[d], left[d]))
    level = _levels(left, right, by_length)
    order = sorted(by_length, key=level.__getitem__)
    return Skeleton(left, right, level, _feet(heads), order, roots, _legs(tree, left, right, level))


def _levels(left: Sequence[int], right: Sequence[int], by_length: Sequence[int]) -> list[int]:
    """Stack the arcs on each other, shortest first; the skyline tells how high they are between two words."""
    skyline = [0] * len(left)
    level = [0] * len(left)
    for arc in by_length:
        first, last = left[arc], right[arc]
        level[arc] = 1 + max(skyline[first:last])
        skyline[first:last] = [level[arc]] * (last - first)
    return level


def _feet(heads: Sequence[int]) -> list[list[int]]:
    """The order of the module's rules: on either side of a word the other ends descend from left to right."""
    ends: list[list[tuple[int, int]]] = [[] for _ in heads]
    for dependent, head in enumerate(heads):
        if head:
            ends[head].append((dependent, dependent))
            ends[dependent].append((head, dependent))
    feet: list[list[int]] = []
    for word, arcs in enumerate(ends):
        arcs.sort(reverse=True)
        inner = [word] if word and heads[word] == 0 else []
        leftward = [arc for end, arc in arcs if end < word]
        rightward = [arc for end, arc in arcs if end > word]
        feet.append(leftward + inner + rightward)
    return feet


def _legs(tree: Tree, left: Sequence[int], right: Sequence[int], level: Sequence[int]) -> list[list[tuple[int, int]]]:
    legs: list[list[tuple[int, int]]] = [[] for _ in left]
    for (_, upper), (_, lower) in tree.crossings:
        # The arc of a root comes from above all others; no two of them cross.
        if level[lower] == 0 or 0 < level[upper] < level[lower]:
            upper, lower = lower, upper
        inside = left[upper] if left[lower] < left[upper] < right[lower] else right[upper]
        legs[lower].append((upper, inside))
    return legs


@dataclass(frozen=True)
class Columns:
    """What the words of a drawing need: a column each, in the drawing's unit, indexed from 1."""

    width: list[int]
    gap: list[int]  # the least space before a column
    offset: list[list[int]]  # of each foot of the word, within its column
    breaks: Sequence[int] = ()  # columns where the line is broken, so that no label may be there


@dataclass(frozen=True)
class Placement:
    """Where everything stands, from left to right."""

    start: list[int]  # of each column
    left_foot: list[int]  # of each arc
    right_foot: list[int]
    label: list[float]  # the middle of each arc's label
    level: list[int]  # of each arc, roots included


class _Stretch(NamedTuple):
    """A piece of an arc's flat run between two legs."""

    begin: int
    end: int
    first: int  # the columns whose feet the legs are
    last: int

    @property
    def length(self) -> int:
        return self.end - self.begin


class _Row:
    """The columns side by side, which can be widened."""

    def __init__(self, bones: Skeleton, columns: Columns) -> None:
        self.bones = bones
        self.width = columns.width
        self.gap = columns.gap[:]
        self.breaks = columns.breaks
        self.offset = {
            (arc, word): offset
            for word, arcs in enumerate(bones.feet)
            for arc, offset in zip(arcs, columns.offset[word], strict=True)
        }
        self.start: list[int] = []
        self.align()

    def align(self) -> None:
        ends = accumulate(map(sum, zip(self.gap, self.width, strict=True)))
        self.start = [end - width for end, width in zip(ends, self.width, strict=True)]

    def foot(self, arc: int, word: int) -> int:
        return self.start[word] + self.offset[arc, word]

    def widen(self, first: int, last: int, missing: int) -> None:
        """Share what is missing among the gaps between two columns."""
        gaps = last - first
        for i in range(gaps):
            self.gap[first + 1 + i] += missing * (i + 1) // gaps - missing * i // gaps
        self.align()

    def stretches(self, arc: int) -> list[_Stretch]:
        left, right = self.bones.left[arc], self.bones.right[arc]
        stops = [(self.foot(*end), end[1]) for end in [(arc, left), (arc, right), *self.bones.legs[arc]]]
        stops += [(self.start[column], column) for column in self.breaks if left < column < right]
        stops.sort()
        return [_Stretch(begin, end, first, last) for (begin, first), (end, last) in pairwise(stops)]


def place(bones: Skeleton, columns: Columns, label_width: Sequence[int]) -> Placement:
    """Place the columns as closely as the labels allow.

    A label keeps clear of the legs through its arc, so an arc that has no free stretch of its label's width
    is widened, which never narrows another. Widths of labels include what should stay free around them.
    """
    row = _Row(bones, columns)
    _part_roots(row, label_width)
    for arc in bones.order:
        stretches = row.stretches(arc)
        if all(stretch.length < label_width[arc] for stretch in stretches):
            # The feet of one word keep their distance, but every arc has a stretch between two words.
            between_words = (stretch for stretch in stretches if stretch.first < stretch.last)
            longest = max(between_words, key=lambda stretch: stretch.length)
            row.widen(longest.first, longest.last, label_width[arc] - longest.length)

    arcs = range(1, len(bones.left))
    left_foot = [0, *(row.foot(arc, bones.left[arc]) for arc in arcs)]
    right_foot = [0, *(row.foot(arc, bones.right[arc]) for arc in arcs)]
    label = [(one + two) / 2 for one, two in zip(left_foot, right_foot, strict=True)]
    for arc in bones.order:
        if bones.legs[arc] or any(bones.left[arc] < column < bones.right[arc] for column in columns.breaks):
            label[arc] = _nearest_free(row.stretches(arc), label[arc], label_width[arc])
    level = _root_levels(row, left_foot, right_foot, label_width)
    return Placement(row.start, left_foot, right_foot, label, level)


def _part_roots(row: _Row, label_width: Sequence[int]) -> None:
    column = row.bones.left
    for one, two in pairwise(row.bones.roots):
        apart = row.foot(two, column[two]) - row.foot(one, column[one])
        missing = (label_width[one] + label_width[two] + 1) // 2 - apart
        if missing > 0:
            row.widen(column[one], column[two], missing)


def _nearest_free(stretches: Sequence[_Stretch], middle: float, width: int) -> float:
    """The place nearest to the middle where a label of this width meets no leg."""
    places = [
        min(max(middle, stretch.begin + width / 2), stretch.end - width / 2)
        for stretch in stretches
        if stretch.length >= width
    ]
    return min(places, key=lambda place: abs(place - middle))


def _root_levels(
    row: _Row, left_foot: Sequence[int], right_foot: Sequence[int], label_width: Sequence[int]
) -> list[int]:
    """The levels with those of the roots, which begin above every arc near them or their labels."""
    bones = row.bones
    level = bones.level[:]
    for root in bones.roots:
        column = bones.left[root]
        first, last = row.foot(bones.feet[column][0], column), row.foot(bones.feet[column][-1], column)
        low = min(first, left_foot[root] - label_width[root] / 2)
        high = max(last, left_foot[root] + label_width[root] / 2)
        near = (level[arc] for arc in bones.order if left_foot[arc] <= high and right_foot[arc] >= low)
        level[root] = 1 + max(near, default=0)
    return level
