"""The charts of all classes: what a wider class costs, and how the time grows with the sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Absent, Row, Target, Timed, agree, in_turn, race
from benchmarks.scores import Scores, decoder, random_scores, total
from nonproj import NonprojError, TreeClass, tree_class
from nonproj.trees import CATALOGUE

NAME = "charts"
QUESTION = "What do the charts cost, and how does it grow? (one thread, N(0, 1) scores, times for one sentence)"
PEERS: tuple[str, ...] = ()

WIDER = [("1-P", 40, 5), ("1-P", 80, 5), ("MH4", 40, 20), ("1EC", 40, 200), ("1EC", 80, 500)]
"""A class, the words of a sentence, and how many times the time of the projective chart it may take."""
SUMMED = [("Pr", 160, 1, 12), ("Pr", 200, 1, 12), ("Pr", 80, 3, 12), ("Pr", 40, 10, 12), ("1EC", 60, 10, 30)]
"""A class, the words of a sentence, how far scores lie apart, and how many times the time of half the words is met.

Sums that leave doubles for numbers with exponents of their own take 6 to 60 times as long."""
GROWING = (5, 7, 10, 14, 20, 28, 40, 56, 80)
LONGEST = 0.5
"""A chart that should take more than these seconds, by its exponent, is not asked for the next size."""
FITTED = 4
"""The exponent is fitted to this many of the largest sizes: the small ones mostly measure the call."""
JUDGED = 10
"""Up to this many words the answers are compared with those of the other strategy."""


def run() -> Iterator[Row]:
    """The ratios to the projective chart, sums where doubles run out of exponents, and the growth of every chart."""
    for name, words, times in WIDER:
        row = Row(f"{name}: projective", f"n = {words}", target=Target("share", times))
        try:
            yield against_projective(row, tree_class(name), random_scores(words, 3))
        except Absent as absent:
            yield row.unmeasured(absent)
    for name, words, deviation, times in SUMMED:
        row = Row(f"{name}: sums, of half the words", f"n = {words}, N(0, {deviation})", target=Target("share", times))
        try:
            yield sums(row, name, words, deviation)
        except Absent as absent:
            yield row.unmeasured(absent)
    for cls in CATALOGUE:
        row = Row(f"{cls.name}: exponent of its growth")
        try:
            yield growth(row, cls)
        except Absent as absent:
            yield row.unmeasured(absent)


def charted(cls: TreeClass) -> Callable[[list[Scores]], list[Any]]:
    """Decodes tables by the chart of a class."""
    decode, offers = decoder("decode"), decoder("offers")
    if offers(cls).chart is None:
        raise Absent("has no chart")
    return lambda tables: [decode(table, within=cls, strategy="chart") for table in tables]


def judge(cls: TreeClass, tables: list[Scores], answers: list[Any]) -> None:
    """See that trees are in the class and score what is said; small ones what the other strategy finds."""
    for table, answer in zip(tables, answers, strict=True):
        agree(answer.tree in cls, f"{cls.name}: the tree is not in the class")
        agree(abs(total(table, answer.heads) - answer.score) < 1e-6, f"{cls.name}: the tree has another score")
        if len(table) - 1 <= JUDGED:
            relaxed = decoder("decode")(table, within=cls, strategy="relax")
            agree(
                abs(relaxed.score - answer.score) < 1e-6, f"{cls.name}: relax finds {relaxed.score - answer.score:+g}"
            )


def against_projective(row: Row, cls: TreeClass, tables: list[Scores]) -> Row:
    """One class and the projective trees, the best of which cannot score more."""
    projective = tree_class("Pr")
    wide, narrow = charted(cls), charted(projective)
    ours, theirs = race(lambda: wide(tables), lambda: narrow(tables), rounds=10, limit=3.0)
    judge(cls, tables, ours.answer)
    judge(projective, tables, theirs.answer)
    for more, less in zip(ours.answer, theirs.answer, strict=True):
        agree(more.score >= less.score - 1e-6, f"{cls.name}: a projective tree scores more")
    return replace(row, ours=ours.best / len(tables), peer=theirs.best / len(tables))


def sums(row: Row, name: str, words: int, deviation: int) -> Row:
    """The logarithm of the sum over all trees, for a sentence and for one of half its length."""
    log_partition = decoder("log_partition")
    long, short = (deviation * random_scores(length, 1)[0] for length in (words, words // 2))
    ours, half = race(
        lambda: log_partition(long, within=name), lambda: log_partition(short, within=name), rounds=10, limit=3.0
    )
    # What is added to every score is added once a word.
    agree(abs(log_partition(long + 1, within=name) - ours.answer - words) < 1e-6, f"{row.what}: added scores")
    return replace(row, ours=ours.best, peer=half.best)


def growth(row: Row, cls: TreeClass) -> Row:
    """Fit the exponent of n to the times of the largest sizes."""
    decode_all = charted(cls)
    measured: dict[int, float] = {}
    for words in GROWING:
        if measured:
            last = max(measured)
            if measured[last] * (words / last) ** (cls.exponent or 0) > LONGEST:
                break
        tables = random_scores(words, 3)
        timed = Timed(partial(decode_all, tables))
        try:
            in_turn(timed, rounds=5, limit=1.0)
        except NonprojError:  # it would need more memory than allowed
            break
        judge(cls, tables, timed.answer)
        measured[words] = timed.best / len(tables)
    if len(measured) < 2:
        raise Absent("too slow for a fit")
    sizes = list(measured)[-FITTED:]
    slope = np.polyfit(np.log(sizes), np.log([measured[words] for words in sizes]), 1)[0]
    return replace(
        row,
        size=f"n = {sizes[0]} to {sizes[-1]}",
        ours=measured[sizes[-1]],
        number=float(slope),
        note=f"at most {cls.exponent} in theory; the time is for n = {sizes[-1]}",
    )
