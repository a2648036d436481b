"""The charts of well-nested and ill-nested trees: a product's time, what few possible heads save, how time grows."""

from __future__ import annotations

import time
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
CATEGORIES = 17
SLACK = 0.3
"""What a growth exponent may lie above the stated one."""
LONG_ENOUGH = 0.3
"""Seconds for which a size is measured, and at least twice."""


def run() -> Iterator[Row]:
    """The dense charts, AD_2 beside the projective chart, those for few possible heads, then how time grows."""
    for name, products in PRODUCTS.items():
        yield product_time(Row(f"{name}: ns a product", "n = 40", target=Target("most", NANOSECONDS)), name, products)
    yield attardi(Row("AD2: n = 40 : Eisner n = 80", target=Target("share", 0.2 / 180e-6)))
    row = Row(f"M0I: all heads : {CANDIDATES} a word", "n = 40", target=Target("faster", 5.0))
    yield few_heads(row)
    row = Row(f"M0I + grandparents, {CANDIDATES} heads : M0I", "n = 40", target=Target("share", 20.0))
    yield grandparents(row)
    yield from growth_rows()
    for name in ("MG1", "WG2"):
        row = Row(f"{name}, {CANDIDATES} heads a word", "n = 30", target=Target("seconds", 10.0))
        yield any_gaps(row, name, random_scores(30, 3))
        row = Row(f"{name}, {CANDIDATES} heads a word, like a model's", "n = 30")
        yield any_gaps(row, name, scores_around_trees(30, 3))


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
    mask = decoder("candidate_heads")(scores, k=CANDIDATES - 1, threshold=0.0)
    mask[0] = True
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
    decode_parts = decoder("decode")
    ours, theirs = race(
        lambda: decode_parts(scores, within="M0I", grandparents=cube, mask=mask),
        by_chart(scores, "M0I"),
        rounds=5,
    )
    return replace(row, ours=ours.best, peer=judged(scores, theirs))


def scores_around_trees(words: int, count: int) -> list[Scores]:
    """Tables as a trained parser gives them, around well-nested trees drawn at random."""
    drawn = decoder("sample_trees")(np.zeros((words + 1, words + 1)), count, within="WG1", seed=words)
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


def growth_rows() -> Iterator[Row]:
    """How the time of each chart grows with the words of a sentence, over sizes from a few milliseconds to a second."""
    dense = {"M0I": (5, 24, 60), "M1IS": (5, 20, 52), "WG1S": (6, 16, 40), "M1I": (6, 16, 40), "WG1": (7, 16, 40)}
    dense |= {"AD2": (7, 16, 48), "AD3": (10, 12, 26)}
    dense |= {"MG1": (7, 14, 40), "WG2": (9, 14, 28)}
    for name, (exponent, first, last) in dense.items():
        yield growth(name, exponent, first, last, lambda words, name=name: by_chart(random_scores(words, 1)[0], name))
    yield growth(f"M0I, {CANDIDATES} heads a word", 4, 40, 100, with_few_heads)
    yield growth("M0I + grandparents", 6, 16, 40, lambda words: with_pairs(words, "M0I", "grandparents"))
    few = f"M0I + grandparents, {CANDIDATES} heads"
    yield growth(few, 4, 20, 60, lambda words: with_pairs(words, "M0I", "grandparents", few=True))
    yield growth("Pr + siblings", 3, 20, 120, lambda words: with_pairs(words, "Pr", "siblings"))
    yield growth("Pr + grandparents", 4, 20, 80, lambda words: with_pairs(words, "Pr", "grandparents"))
    yield growth("Pr + both", 4, 20, 80, lambda words: with_pairs(words, "Pr", "siblings", "grandparents"))
    yield growth(f"WG1, {CATEGORIES} categories", 6, 20, 48, with_categories)


def growth(name: str, exponent: int, first: int, last: int, make: Callable[[int], Callable[[], Any]]) -> Row:
    """The slope of a line through the logarithms of times and sizes: five sizes, evenly spread by their ratio."""
    sizes = [round(first * (last / first) ** (step / 4)) for step in range(5)]
    seconds = []
    for words in sizes:
        timed = Timed(make(words))
        start = time.perf_counter()
        while len(timed.seconds) < 2 or time.perf_counter() - start < LONG_ENOUGH:
            in_turn(timed, rounds=1)
        seconds.append(timed.best)
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    target = Target("most", exponent + SLACK)
    return Row(f"{name}: growth", f"n = {first} ... {last}", ours=seconds[-1], target=target, number=slope)


def with_few_heads(words: int) -> Callable[[], Any]:
    """Gap-minding trees with few possible heads."""
    scores = random_scores(words, 1)[0]
    return by_chart(scores, "M0I", mask=candidates(scores))


def with_pairs(words: int, name: str, *pairs: str, few: bool = False) -> Callable[[], Any]:
    """Trees with scores of pairs of arcs."""
    scores = random_scores(words, 1)[0]
    cube = np.random.default_rng(0).normal(size=(words + 1,) * 3)
    options = {**dict.fromkeys(pairs, cube), "mask": candidates(scores) if few else None, "memory_limit": 1 << 40}
    decode_parts = decoder("decode")
    return lambda: decode_parts(scores, within=name, **options)


def with_categories(words: int) -> Callable[[], Any]:
    """Trees with scores by category."""
    rng = np.random.default_rng(words)
    scores = rng.normal(size=(CATEGORIES + 1,) * 2)
    categories = rng.permutation(np.arange(words) % CATEGORIES + 1)  # all of them, in sentences of any length
    decode_unlexicalised = decoder("decode_unlexicalised")
    return lambda: decode_unlexicalised(scores, categories, memory_limit=1 << 40)
