"""Which class of trees the paper's column AD_2 counts: readings of Attardi's system of degree 2, beside its figures.

    python -m experiments.attardi latin.conll train.conll+test.conll [--sentences 3681-18605,19892-21016] [--words 6]

A reading says what happens to the words that a link over another word leaves on top of the stack. RIGHT-2 links s0 to
its head s2, and s0 leaves: s2 s1 are left. LEFT-2 links s2 to its head s0, and s2 leaves: s1 s0 are left. Either may
put one of the two back into the input. A tree is outside when the oracle that reduces as soon as the tree allows it,
smallest distance first, does not come to an end. With ``--words`` the same is asked of all trees of so many words: how
many there are, and how many with one root are outside when they are read backwards.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import nonproj as npj
from nonproj.report.table import Column, Table

READINGS: dict[str, tuple[int | None, int | None]] = {
    "nothing (AD2)": (None, None),
    "RIGHT-2: s1": (1, None),
    "LEFT-2: s0": (None, 0),
    "the upper one (DD2)": (1, 0),
    "the head": (2, 0),
}
"""The word that RIGHT-2 and LEFT-2 put back: e of s_e."""


def is_derived(heads: Sequence[int], right: int | None, left: int | None, *, dummy_last: bool = False) -> bool:
    """Whether the oracle comes to an end on the tree."""
    if dummy_last:
        heads = [*(head or len(heads) + 1 for head in heads), 0]
    missing = [0] * (len(heads) + 1)
    for head in heads:
        missing[head] += 1
    stack, given = [0], list(range(len(heads), 0, -1))

    def can_leave(word: int, head: int) -> bool:
        return word != 0 and missing[word] == 0 and heads[word - 1] == head

    def put_back(words: tuple[int, int], back: int | None) -> None:
        stack.extend(word for word in words if word != back)
        if back is not None:
            given.append(back)

    while given or len(stack) > 1:
        top, s1, s2 = [*reversed(stack[-3:]), -1, -1][:3]
        if s1 >= 0 and can_leave(s1, top):
            del stack[-2]
            missing[top] -= 1
        elif s1 >= 0 and can_leave(top, s1):
            del stack[-1]
            missing[s1] -= 1
        elif s2 >= 0 and can_leave(s2, top):
            del stack[-3:]
            missing[top] -= 1
            put_back((s1, top), None if left is None else top)
        elif s2 >= 0 and can_leave(top, s2):
            del stack[-3:]
            missing[s2] -= 1
            put_back((s2, s1), None if right is None else (s1, s2)[right - 1])
        elif given:
            stack.append(given.pop())
        else:
            return False
    return True


def outside(trees: Sequence[Sequence[int]], reading: str, *, dummy_last: bool) -> int:
    """How many trees a reading leaves out."""
    return sum(not is_derived(heads, *READINGS[reading], dummy_last=dummy_last) for heads in trees)


def trees_of(paths: str, sentences: str) -> list[list[int]]:
    """The heads of the sentences of some files, or of those in some ranges, counted from 1."""
    trees = []
    for path in paths.split("+"):
        treebank = npj.read(path)
        heads, offsets = treebank.heads.tolist(), treebank.offsets.tolist()
        trees += [heads[begin:end] for begin, end in itertools.pairwise(offsets)]
    if not sentences:
        return trees
    ranges = [tuple(map(int, part.split("-"))) for part in sentences.split(",")]
    return [tree for number, tree in enumerate(trees, 1) if any(first <= number <= last for first, last in ranges)]


def all_trees(words: int) -> Iterator[tuple[int, ...]]:
    """The heads of every tree of so many words."""
    for heads in itertools.product(range(words + 1), repeat=words):
        try:
            yield npj.Tree(heads).heads
        except npj.NonprojError:
            continue


def census(words: int) -> Table:
    """How many trees of so many words each reading derives, and how it treats their mirror images."""
    trees = list(all_trees(words))
    columns = [Column("put back", "", True), Column("trees", f"of {len(trees)}"), Column("one root", "not reversed")]
    rows = []
    for name, reading in READINGS.items():
        held = {heads for heads in trees if is_derived(heads, *reading)}
        single = [heads for heads in held if heads.count(0) == 1]
        mirrored = [tuple(words + 1 - head if head else 0 for head in reversed(heads)) for heads in single]
        rows.append([name, str(len(held)), str(sum(heads not in held for heads in mirrored))])
    return Table(columns, rows, f"All trees of {words} words.")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="treebanks")
    parser.add_argument("--sentences", default="", help="only these, such as 1-100,200-250")
    parser.add_argument("--words", type=int, help="all trees of so many words as well")
    options = parser.parse_args()
    columns = [Column("treebank", "", True), Column("trees", ""), Column("dummy", "", True)]
    columns += [Column(name, "% outside") for name in READINGS]
    rows = []
    for path in options.paths:
        trees = trees_of(path, options.sentences)
        for dummy_last in (False, True):
            shares = [100 * outside(trees, name, dummy_last=dummy_last) / len(trees) for name in READINGS]
            side = "last" if dummy_last else "first"
            rows.append([Path(path).name, str(len(trees)), side, *(f"{share:.2f}" for share in shares)])
    if rows:
        print(Table(columns, rows, "Words put back into the input.").to_text())
    if options.words:
        print(census(options.words).to_text())


if __name__ == "__main__":
    main()
