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
PEERS: tuple[str, ...] = ()

AVERAGES: list[tuple[str, Callable[[list[float]], float], Target]] = [
    ("median", statistics.median, Target("share", 1.5)),
    ("mean", statistics.fmean, Target("share", 5)),
]


def run() -> Iterator[Row]:
    """The median and the mean time of every class, and how many trees are not proven optimal."""
    tables = model_scores()
    size = f"{treebanks.label('nl_alpino test')}: {len(tables)} sentences"
    unproven: dict[str, int] = {}
    for cls in CATALOGUE:
        try:
            inside, spanning = decoded(cls, tables)
        except (Absent, NonprojError) as reason:
            for average, _, target in AVERAGES:
                yield Row(f"{cls.name}: spanning tree, {average}", size, target=target, note=str(reason))
            continue
        first = judge(cls, tables, inside, spanning)
        note = f"{100 * first / len(tables):.1f}% solved by the first spanning tree"
        for average, of, target in AVERAGES:
            times = of([side.best for side in inside]), of([side.best for side in spanning])
            yield Row(f"{cls.name}: spanning tree, {average}", size, *times, target=target, note=note)
            note = ""
        unproven[cls.name] = sum(not side.answer.is_optimal for side in inside)
    if unproven:
        names = " ".join(name for name, count in unproven.items() if count)
        number = sum(unproven.values())
        yield Row("all classes: trees not proven optimal", size, number=number, target=Target("most", 0), note=names)


def decoded(cls: TreeClass, tables: list[Scores]) -> tuple[list[Timed[Any]], list[Timed[Any]]]:
    """Every sentence within the class, then every sentence without, one call each, over and over.

    Not a sentence both ways and then the next: whichever way came second would find the scores in the cache, and
    the order alone would move the ratio from 0.9 to 1.6.
    """
    decode = decoder("decode")

    def best(table: Scores, within: str) -> Timed[Any]:
        return Timed(lambda: decode(table, within=within, single_root=True), shortest=0)

    inside, spanning = [best(table, cls.name) for table in tables], [best(table, "spanning") for table in tables]
    in_turn(*inside, *spanning, rounds=10, limit=4.0)
    return inside, spanning


def judge(cls: TreeClass, tables: list[Scores], inside: list[Timed[Any]], spanning: list[Timed[Any]]) -> int:
    """See that the trees are in the class and nothing better was at hand; how often the best spanning tree was it."""
    first = 0
    for table, ours, free in zip(tables, inside, spanning, strict=True):
        best, bound = ours.answer, free.answer
        agree(best.tree in cls, f"{cls.name}: the tree is not in the class")
        agree(abs(total(table, best.heads) - best.score) < 1e-6, f"{cls.name}: the tree has another score")
        agree(best.score <= bound.score + 1e-6, f"{cls.name}: better than the best spanning tree")
        if bound.tree in cls:
            agree(best.tree == bound.tree, f"{cls.name}: not the best spanning tree, which is in the class")
            first += 1
    return first
