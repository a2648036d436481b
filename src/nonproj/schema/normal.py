"""Normalisation (paper section 3.1): a head counts as part of its item wherever it stands, so items have two names.

An item of the WG and MG schemata stands for its head h together with a set S of words, written as blocks. S with h and
S without h are the same item. The form kept is the one in which h is in S exactly if h+1 is; it never has more gaps
than the other, and two items of one head that can be combined never both contain it. This is nm() of Gómez-Rodríguez,
Weir & Carroll 2009, with `r < j-1` for the printed `r <= j-1`, for any number of gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import TypeAlias

from nonproj.schema.pattern import Item

Blocks: TypeAlias = list[tuple[int, int]]


def blocks_of(item: Item) -> Blocks:
    """The set S of an item [i, j, h, gaps...] as blocks (first, last); none when a block or a gap would be empty."""
    i, j, _, *gaps = item[1:]
    cuts = [value for value in gaps if isinstance(value, int)]
    assert isinstance(i, int)
    assert isinstance(j, int)
    firsts = [i, *(right + 1 for right in cuts[1::2])]
    lasts = [*(left - 1 for left in cuts[::2]), j]
    blocks = list(zip(firsts, lasts, strict=True))
    are_blocks = all(first <= last for first, last in blocks)
    return (
        blocks if are_blocks and all(left <= right for left, right in zip(cuts[::2], cuts[1::2], strict=True)) else []
    )


def with_head(blocks: Blocks, head: int) -> Blocks:
    """The blocks of S with the head."""
    if any(first <= head <= last for first, last in blocks):
        return blocks
    return _merged(sorted([*blocks, (head, head)]))


def without_head(blocks: Blocks, head: int) -> Blocks:
    """The blocks of S without the head."""
    cut = []
    for first, last in blocks:
        parts = [(first, head - 1), (head + 1, last)] if first <= head <= last else [(first, last)]
        cut += [(a, b) for a, b in parts if a <= b]
    return cut


def _merged(blocks: Blocks) -> Blocks:
    merged = blocks[:1]
    for first, last in blocks[1:]:
        if first == merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return merged


def _gap_list(blocks: Blocks, head: int) -> Item:
    gaps: list[int] = []
    for (_, left), (right, _) in pairwise(blocks):
        gaps += [left + 1, right - 1]
    return ("", blocks[0][0], blocks[-1][1], head, *gaps)


def with_diamonds(item: Item) -> Item:
    """An item with a list of gaps as the schemata for one gap write it."""
    return (*item, None, None) if len(item) == 4 else item


def _normaliser(write: Callable[[Item], Item]) -> Callable[[Item], Item]:
    def normalise(item: Item) -> Item:
        head = item[3]
        assert isinstance(head, int)
        blocks = blocks_of(item)
        if not blocks:
            return item  # no item at all: the constraints of the item form will refuse it
        follows = any(first <= head + 1 <= last for first, last in blocks)
        kept = with_head(blocks, head) if follows else without_head(blocks, head)
        return write(_gap_list(kept, head)) if kept else item

    return normalise


def _forms(write: Callable[[Item], Item]) -> Callable[[Item], Iterable[Item]]:
    def forms(item: Item) -> Iterator[Item]:
        head = item[3]
        assert isinstance(head, int)
        blocks = blocks_of(item)
        for form in (with_head(blocks, head), without_head(blocks, head)):
            if form:
                yield write(_gap_list(form, head))

    return forms


normalise_gaps, gap_forms = _normaliser(lambda item: item), _forms(lambda item: item)
normalise_one_gap, one_gap_forms = _normaliser(with_diamonds), _forms(with_diamonds)
