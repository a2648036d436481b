"""The charts of well-nested and ill-nested trees: a product's time, and what few possible heads save."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.measure import Row, Target, Timed, agree, in_turn, race
from benchmarks.scores import Scores, decoder, like_a_model, random_scores, total
from nonproj import tree_class

NAME = "nested"
QUESTION = "What do the charts of well-nested and ill-nested trees cost? (one thread, N(0, 1) scores, one sentence)"
PEERS: tuple[str, ...] = ()

PRODUCTS = {"M0I": 17e6, "M1IS": 59e6, "WG1S": 122e6, "M1I": 142e6, "WG1": 226e6}
"""Products that the recurrences ask for at n = 40."""
NANOSECONDS = 3.0
CANDIDATES = 10
GROWTH = {"MG1": (7, (14, 20, 28, 40)), "WG2": (9, (14, 17, 20, 24, 28))}
"""The exponent in theory of the charts for any number of gaps, and the sizes that it is fitted over."""


def run() -> Iterator[Row]:
    """The dense charts, AD_2 beside the projective chart, then those for few possible heads."""
    for name, products in PRODUCTS.items():
        yield product_time(Row(f"{name}: ns a product", "n = 40", target=Target("most", NANOSECONDS)), name, products)
    yield attardi(Row("AD2: n = 40 : Eisner n = 80", target=Target("share", 0.2 / 180e-6)))
    row = Row(f"M0I: all heads : {CANDIDATES} a word", "n = 40", target=Target("faster", 5.0))
    yield few_heads(row)
    row = Row(f"M0I + grandparents, {CANDIDATES} heads : M0I", "n = 40", target=Target("share", 20.0))
    yield grandparents(row)
    for name, (exponent, sizes) in GROWTH.items():
        row = Row(f"{name}, {CANDIDATES} heads a word", "n = 30", target=Target("seconds", 10.0))
        yield any_gaps(row, name, random_scores(30, 3))
        row = Row(f"{name}, {CANDIDATES} heads a word, like a model's", "n = 30")
        yield any_gaps(row, name, scores_around_trees(30, 3))
        row = Row(f"{name}: exponent of its growth, all heads", target=Target("most", exponent + 0.3))
        yield growth(row, name, sizes)


def by_chart(scores: Scores, name: str, **options: Any) -> Callable[[], Any]:
    """Decodes one table by the chart of a class."""
    decode = decoder("decode")
    return lambda: decode(scores, within=name, strategy="chart", memory_limit=1 << 40, **options)


def judged(scores: Scores, timed: Timed[Any]) -> float:
    """The time, once the tree scores what is said."""
    agree(abs(total(scores, timed.answer.heads) - timed.answer.score) < 1e-6, "the tree has another score")
    return timed.best


def product_time(row: Row, name: str, products: float) -> Row:
    """Nanoseconds for each product of the recurrences."""
    scores = random_scores(40, 1)[0]
    timed = Timed(by_chart(scores, name))
    in_turn(timed, rounds=3)
    seconds = judged(scores, timed)
    return replace(row, ours=seconds, number=1e9 * seconds / products)


def attardi(row: Row) -> Row:
    """AD_2 beside the projective chart."""
    scores, longer = random_scores(40, 1)[0], random_scores(80, 1)[0]
    ours, theirs = race(by_chart(scores, "AD2"), by_chart(longer, "Pr"), rounds=3)
    return replace(row, ours=judged(scores, ours), peer=judged(longer, theirs))


def candidates(scores: Scores) -> Any:
    """The likeliest heads of each word, and the root, so that there is a tree."""
    mask = decoder("candidate_heads")(scores, k=CANDIDATES, threshold=0.0)
    return mask


def few_heads(row: Row) -> Row:
    """Gap-minding trees with few possible heads beside all."""
    scores = random_scores(40, 1)[0]
    mask = candidates(scores)
    ours, theirs = race(by_chart(scores, "M0I", mask=mask), by_chart(scores, "M0I"), rounds=5)
    return replace(row, ours=judged(scores, ours), peer=judged(scores, theirs))


def grandparents(row: Row) -> Row:
    """Gap-minding trees with few possible heads and grandparents, beside the chart of single arcs with all heads."""
    scores = random_scores(40, 1)[0]
    mask = candidates(scores)
    cube = np.random.default_rng(0).normal(size=(41, 41, 41))
    decode_second_order = decoder("decode_second_order")
    ours, theirs = race(
        lambda: decode_second_order(scores, "M0I", grandparents=cube, mask=mask), by_chart(scores, "M0I"), rounds=5
    )
    return replace(row, ours=ours.best, peer=judged(scores, theirs))


def scores_around_trees(words: int, count: int) -> list[Scores]:
    """Tables as a trained parser gives them, around well-nested trees drawn at random."""
    drawn = decoder("sample")(np.zeros((words + 1, words + 1)), count, "WG1", seed=words)
    rng = np.random.default_rng(words)
    return [like_a_model(heads, rng) for heads in drawn.heads]


def any_gaps(row: Row, name: str, tables: list[Scores]) -> Row:
    """The charts for any number of gaps: the slowest of several tables, decoded by ``strategy="chart"``.

    That is the chart which makes only items that matter, and, when it has taken too many steps, the chart with all
    items. No spanning tree is solved, and no arc is pruned but by the mask.
    """
    slowest = 0.0
    for scores in tables:
        timed = Timed(by_chart(scores, name, mask=candidates(scores)))
        in_turn(timed, rounds=1)
        agree(timed.answer.tree in tree_class(name), f"the tree is not in {name}")
        slowest = max(slowest, judged(scores, timed))
    return replace(row, ours=slowest, note=f"the slowest of {len(tables)}")


def growth(row: Row, name: str, sizes: tuple[int, ...]) -> Row:
    """Fit the exponent of n to the times of a chart on random scores of all arcs, which are the hardest."""
    seconds = []
    for words in sizes:
        scores = random_scores(words, 1)[0]
        timed = Timed(by_chart(scores, name))
        in_turn(timed, rounds=3)
        seconds.append(judged(scores, timed))
    slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    return replace(row, size=f"n = {sizes[0]} to {sizes[-1]}", ours=seconds[-1], number=float(slope))
