"""Best trees within every class on scores like a model's, against the best spanning tree of the same scores."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import treebanks
from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn
from benchmarks.scores import Scores, decoder, model_scores, total
from nonproj import NonprojError, TreeClass
from nonproj.trees import CATALOGUE

NAME = "restricted"
QUESTION = "What does it cost to stay within a class, on scores like a model's? (one thread, single root)"
PEERS = ()

AVERAGES: list[tuple[str, Callable[[list[float]], float], Target]] = [
    ("median", statistics.median, Target("share", 1.5)),
    ("mean", statistics.fmean, Target("share", 5)),
]


def run() -> Iterator[Row]:
    """The median and the mean time of every class, and how many trees are not proven optimal."""
    tables = model_scores()
    size = f"{treebanks.label('nl_alpino test')}: {len(tables)} sentences"
    for cls in CATALOGUE:
        try:
            yield from within(cls, tables, size)
        except (Absent, NonprojError) as reason:
            yield Row(f"{cls.name}: spanning tree", size).unmeasured(Absent(str(reason)))


def within(cls: TreeClass, tables: list[Scores], size: str) -> Iterator[Row]:
    """One class: a sentence within the class and without, then the next."""
    decode = decoder("decode")

    def best(table: Scores, name: str | TreeClass) -> Timed[Any]:
        return Timed(lambda: decode(table, within=name, single_root=True), shortest=0)

    inside, spanning = [best(table, cls) for table in tables], [best(table, "spanning") for table in tables]
    pairs = list(zip(inside, spanning, strict=True))
    in_turn(*(side for pair in pairs for side in pair), rounds=5, limit=4.0)

    first = 0
    for table, (ours, free) in zip(tables, pairs, strict=True):
        agree(ours.answer.tree in cls, f"{cls.name}: the tree is not in the class")
        agree(abs(total(table, ours.answer.heads) - ours.answer.score) < 1e-6, f"{cls.name}: another score")
        agree(ours.answer.score <= free.answer.score + 1e-6, f"{cls.name}: better than the best spanning tree")
        if free.answer.tree in cls:
            agree(ours.answer.tree == free.answer.tree, f"{cls.name}: not the best spanning tree, which is in it")
            first += 1
    note = f"{100 * first / len(tables):.1f}% solved by the first spanning tree"
    for average, of, target in AVERAGES:
        times = of([side.best for side in inside]), of([side.best for side in spanning])
        yield Row(f"{cls.name}: spanning tree, {average}", size, *times, target=target, note=note)
        note = ""
    unproven = sum(not side.answer.is_optimal for side in inside)
    yield Row(f"{cls.name}: not proven optimal", size, number=unproven, target=Target("most", 0))
