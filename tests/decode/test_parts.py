"""Scores of larger parts, against all trees with the scores of their parts, the charts, and an integer programme."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
import time
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from enumerated import CLASSES, members, trees
from programme import Programme

from nonproj import NonprojError
from nonproj.decode import Decoded, candidate_heads, decode, decode_batch, sample_trees
from nonproj.trees import tree_class

Cube = npt.NDArray[np.float64]
Parts = dict[str, Any]
"""The larger parts by the names that `decode` gives them."""


def with_parts(scores: Cube, within: str = "Pr", **options: Any) -> Decoded:
    """The chart for larger parts, also where there are none."""
    if options.get("siblings") is None and options.get("grandparents") is None:
        options["grandparents"] = []
    return decode(scores, within=within, strategy="chart", **options)


def by_words(given: Any) -> Any:
    """Parts to be looked up by their words: of those in a list, the last counts."""
    return given if isinstance(given, np.ndarray) else {tuple(row[:-1]): row[-1] for row in given}


def looked_up(parts: Parts, name: str, *words: int) -> float:
    given = parts.get(name, {})
    return float(given[words] if isinstance(given, np.ndarray) else given.get(words, 0.0))


def total(heads: list[int], scores: Cube, **given: Any) -> float:
    """The score of a tree, by the definition."""
    return total_of(heads, scores, {name: by_words(parts) for name, parts in given.items()})


def total_of(heads: list[int], scores: Cube, parts: Parts) -> float:
    found = 0.0
    for h in range(len(heads) + 1):
        g = heads[h - 1] if h > 0 else -1
        sides = [
            [d for d in range(h - 1, 0, -1) if heads[d - 1] == h],
            [d for d in range(h + 1, len(heads) + 1) if heads[d - 1] == h],
        ]
        for side in sides:
            for place, d in enumerate(side):
                s = side[place - 1] if place > 0 else h
                found += scores[h, d] + looked_up(parts, "siblings", h, s, d)
                if h > 0:
                    found += looked_up(parts, "grandparents", g, h, d)
                    found += looked_up(parts, "grand_siblings", g, h, s, d)
                if place > 0:
                    found += looked_up(parts, "three_siblings", h, side[place - 2] if place > 1 else h, s, d)
            if side:
                found += looked_up(parts, "ends", h, side[-1])
        if "valency" in parts:
            most_left, most_right = (count - 1 for count in parts["valency"].shape[1:])
            found += parts["valency"][h, min(len(sides[0]), most_left), min(len(sides[1]), most_right)]
    return found


def some(rng: np.random.Generator, words: int, size: int, share: float, values: Any) -> list[tuple[Any, ...]]:
    """Some parts of so many words, the last of them not 0."""
    every = itertools.product(*[range(words + 1)] * (size - 1), range(1, words + 1))
    return [(*part, float(values(rng))) for part in every if rng.random() < share]


def normal(rng: np.random.Generator) -> float:
    return float(rng.normal())


def small(rng: np.random.Generator) -> float:
    return float(rng.integers(-1, 2))


def often_forbidden(rng: np.random.Generator) -> float:
    return -np.inf if rng.random() < 0.4 else float(rng.normal())


def make(seed: int, words: int, wanted: str, sparse: bool = False) -> tuple[Cube, Parts]:
    """Scores of arcs and of the wanted parts."""
    rng = np.random.default_rng(seed)
    side = words + 1
    value = small if "tied" in wanted else often_forbidden if "forbidden" in wanted else normal
    scores = rng.integers(-1, 2, size=(side, side)).astype(float) if "tied" in wanted else rng.normal(size=(side, side))
    if sparse:
        scores[rng.random((side, side)) < 0.4] = -np.inf
        scores[0, 1:] = np.maximum(scores[0, 1:], -3)
    parts: Parts = {}
    for name in ("siblings", "grandparents"):
        if name in wanted.split():
            parts[name] = rng.normal(size=(side, side, side))
        elif f"{name}-listed" in wanted:
            parts[name] = some(rng, words, 3, 0.3, value)
    for name in ("grand_siblings", "three_siblings"):
        if name in wanted:
            parts[name] = some(rng, words, 4, 0.5, value)
    if "ends" in wanted:
        parts["ends"] = rng.normal(size=(side, side))
    if "valency" in wanted:
        parts["valency"] = rng.normal(size=(side, 3, 4))
    return scores, parts


KINDS = [
    "siblings",
    "grandparents",
    "siblings grandparents",
    "siblings-listed grandparents-listed",
    "siblings-listed grandparents-listed tied",
    "siblings-listed grandparents-listed forbidden",
    "three_siblings",
    "grand_siblings siblings-listed",
    "valency ends",
    "siblings grandparents grand_siblings three_siblings ends valency",
    "siblings-listed grandparents-listed grand_siblings three_siblings ends valency tied",
    "siblings-listed grandparents-listed grand_siblings three_siblings forbidden",
]


@cache
def problem(kind: str, words: int, seed: int, sparse: bool) -> tuple[Cube, Parts, Cube]:
    """Scores, parts, and the total of every tree."""
    scores, parts = make(seed, words, kind, sparse)
    ready = {name: by_words(given) for name, given in parts.items()}
    return scores, parts, np.array([total_of(heads, scores, ready) for heads in trees(words)[0].tolist()])


def best_of_all(name: str, words: int, single_root: bool, totals: Cube) -> float:
    heads, profiles = trees(words)
    inside = tree_class(name).holds(profiles) == 1
    if single_root:
        inside &= (heads == 0).sum(axis=1) == 1
    return float(totals[inside].max())


def check(name: str, kind: str, words: int, seed: int, sparse: bool, single_root: bool, strategy: str) -> None:
    scores, parts, totals = problem(kind, words, seed, sparse)
    expected = best_of_all(name, words, single_root, totals)
    options: dict[str, Any] = {"within": name, "single_root": single_root, "strategy": strategy, **parts}
    if expected == -np.inf:
        with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
            decode(scores, **options)
        return
    best = decode(scores, **options)
    assert best.is_optimal
    assert best.bound == best.score
    assert best.score == pytest.approx(expected, abs=1e-8), (name, kind, words, seed, sparse, single_root)
    assert total(best.heads.tolist(), scores, **parts) == pytest.approx(expected, abs=1e-8)
    assert best.tree in tree_class(name)
    assert not single_root or len(best.tree.roots) == 1


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", CLASSES)
def test_every_class_against_all_trees(name: str, single_root: bool) -> None:
    for kind, sparse in itertools.product(KINDS, [False, True]):
        for words, seed in [(1, 0), (2, 1), (3, 2), (4, 3), (4, 4), (5, 5)]:
            check(name, kind, words, seed, sparse, single_root, "relax")


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "WG1", "MH4", "2-P", "2-C", "AD3"])
def test_six_words_against_all_trees(name: str, single_root: bool) -> None:
    for kind in KINDS[2:4] + KINDS[-3:-1]:
        check(name, kind, 6, 7, False, single_root, "relax")
        check(name, kind, 6, 7, False, single_root, "auto")


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("wanted", ["siblings", "grandparents", "siblings grandparents", "siblings-listed"])
def test_relaxation_agrees_with_the_chart_of_projective_trees(wanted: str, single_root: bool) -> None:
    names = [name.removesuffix("-listed") for name in wanted.split()]
    noise = [make(seed, words, wanted, sparse=True) for seed, words in enumerate([7, 9, 12])]
    likely = [model_like(seed, words, "Pr", 0.5) for seed, words in enumerate([7, 12, 16, 20, 25])]
    for scores, given in noise + likely:
        parts = {name: given[name] for name in names}
        by = {
            strategy: decode(
                scores, within="Pr", single_root=single_root, strategy=strategy, work_limit=200_000, **parts
            )
            for strategy in ("relax", "chart", "auto")
        }
        assert by["relax"].strategy == "relax"
        assert by["chart"].strategy == "chart"
        for best in by.values():
            assert best.is_optimal
            assert best.score == pytest.approx(by["chart"].score, abs=1e-8)


@pytest.mark.parametrize("single_root", [False, True])
def test_relaxation_agrees_with_the_chart_of_gap_minding_trees(single_root: bool) -> None:
    for seed, words in enumerate([7, 9, 12, 16, 20, 25]):
        scores, grandparents = model_like(seed, words, "M0I", pairs=0.6)
        grandparents.pop("siblings")
        options: dict[str, Any] = {"within": "M0I", "single_root": single_root, **grandparents}
        chart = decode(scores, strategy="chart", **options)
        for strategy in ("relax", "auto"):
            best = decode(scores, strategy=strategy, work_limit=100_000, **options)
            assert best.is_optimal
            assert best.score == pytest.approx(chart.score, abs=1e-8)
            assert best.tree in tree_class("M0I")


def model_like(seed: int, words: int, name: str, pairs: float, heads: int = 5) -> tuple[Cube, Parts]:
    """Scores as a trained model has them: a tree of the class stands out, a few heads a word, noise on all parts."""
    rng = np.random.default_rng(seed)
    side = words + 1
    places = np.arange(side)
    near = -0.3 * np.abs(places[:, None] - places[None, :])
    gold = sample_trees(near, 1, within=name, single_root=True, seed=seed).heads[0]
    scores = rng.normal(size=(side, side)) + near
    scores[gold, places[1:]] += 2.5
    for d in range(1, side):
        others = np.delete(places, d)
        kept = others[np.argsort(-scores[others, d])][:heads]
        mask = np.full(side, -np.inf)
        mask[kept] = 0
        scores[:, d] += mask
    possible = [(h, d) for h, d in itertools.product(range(side), range(1, side)) if scores[h, d] > -np.inf and h != d]
    return scores, {
        "siblings": [
            (h, s, d, pairs * rng.normal())
            for h, d in possible
            for s in range(side)
            if ((h < s < d or d < s < h) and (h, s) in possible) or s == h
        ],
        "grandparents": [
            (g, h, d, pairs * rng.normal()) for g, h in possible for d in range(1, side) if (h, d) in possible
        ],
    }


@pytest.mark.parametrize("name", ["spanning", "Pr", "1EC", "WG1"])
def test_model_like_scores_against_an_integer_programme(name: str) -> None:
    for seed, (words, pairs) in enumerate([(6, 0.8), (8, 0.8), (10, 0.8), (12, 0.6), (16, 0.4), (20, 0.3)]):
        scores, parts = model_like(seed, words, "WG1" if name == "spanning" else name, pairs)
        expected, heads = Programme(scores, parts, name).best()
        assert total(heads, scores, **parts) == pytest.approx(expected, abs=1e-5)
        best = decode(scores, within=name, strategy="relax", work_limit=100_000, **parts)
        assert best.is_optimal
        assert best.score == pytest.approx(expected, abs=1e-5), (name, seed, words, pairs)
        assert total(best.heads.tolist(), scores, **parts) == pytest.approx(best.score, abs=1e-8)
        assert best.tree in tree_class(name)


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("wanted", ["", "siblings", "grandparents", "siblings grandparents"])
def test_projective_trees_against_all_trees(wanted: str, sparse: bool, single_root: bool) -> None:
    for seed, words in enumerate([1, 2, 3, 4, 4, 5, 5, 6, 6]):
        scores, parts = make(seed, words, wanted, sparse)
        expected = max(total(t, scores, **parts) for t in members("Pr", words, single_root).tolist())
        options: dict[str, Any] = {**parts, "single_root": single_root}
        if expected == -np.inf:
            with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
                with_parts(scores, **options)
            continue
        best = with_parts(scores, **options)
        assert best.is_optimal
        assert best.strategy == "chart"
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert total(best.heads.tolist(), scores, **parts) == pytest.approx(expected, abs=1e-9)
        assert best.tree in tree_class("Pr")
        climbed = with_parts(scores, rearrange=True, **options)
        assert not climbed.is_optimal
        assert climbed.score >= best.score
        assert total(climbed.heads.tolist(), scores, **parts) == pytest.approx(climbed.score, abs=1e-9)
        every = members("spanning", words, single_root).tolist()
        assert climbed.score <= max(total(t, scores, **parts) for t in every) + 1e-9


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("wanted", ["", "grandparents"])
def test_gap_minding_trees_against_all_trees(wanted: str, sparse: bool, single_root: bool) -> None:
    for seed, words in enumerate([1, 2, 3, 4, 4, 5, 5, 5, 6]):
        scores, parts = make(seed, words, wanted, sparse)
        expected = max(total(t, scores, **parts) for t in members("M0I", words, single_root).tolist())
        if expected == -np.inf:
            with pytest.raises(NonprojError, match="avoids the forbidden arcs"):
                with_parts(scores, within="M0I", single_root=single_root, **parts)
            continue
        best = with_parts(scores, within="M0I", single_root=single_root, **parts)
        assert best.score == pytest.approx(expected, abs=1e-9)
        assert total(best.heads.tolist(), scores, **parts) == pytest.approx(expected, abs=1e-9)
        assert best.tree in tree_class("M0I")


@pytest.mark.parametrize("single_root", [False, True])
def test_pruning_keeps_the_best_tree_whose_arcs_survive(single_root: bool) -> None:
    """The chart for few possible heads, and the one that is not pruned."""
    rng = np.random.default_rng(4)
    for words in (6, 9, 14, 21):
        scores = rng.normal(size=(words + 1, words + 1))
        free = decode(scores, within="M0I", strategy="chart", single_root=single_root)
        mask = candidate_heads(scores, k=3, threshold=0.0)
        mask[free.heads, np.arange(1, words + 1)] = True
        assert decode(scores, within="M0I", strategy="chart", single_root=single_root, mask=mask).score == free.score
        few = with_parts(scores, within="M0I", single_root=single_root, mask=mask)
        assert few.score == pytest.approx(free.score, abs=1e-9)


@pytest.mark.parametrize("single_root", [False, True])
def test_gap_minding_trees_of_few_possible_heads(single_root: bool) -> None:
    """The two charts for possible arcs alone, against all trees, then against each other."""
    rng = np.random.default_rng(8)
    found = 0
    for words in [2, 3, 4, 5, 6] * 8 + [9, 12, 15, 20] * 3:
        scores = rng.integers(-3, 4, size=(words + 1, words + 1)).astype(np.float64)
        scores[rng.random(scores.shape) > (0.2 if words < 9 else 0.15)] = -np.inf
        tree = sample_trees(
            np.zeros((words + 1, words + 1)), 1, within="M0I", single_root=single_root, seed=words
        ).heads[0]
        scores[tree, np.arange(1, words + 1)] = rng.integers(-3, 1, size=words)
        best = decode(scores, within="M0I", strategy="chart", single_root=single_root)
        assert best.tree in tree_class("M0I")
        assert with_parts(scores, within="M0I", single_root=single_root).score == best.score
        if words <= 6:
            every = members("M0I", words, single_root).tolist()
            assert best.score == max(total(t, scores) for t in every)
        found += 1
    assert found == 52


def test_lists_of_triples_stand_for_arrays() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(6, 6))
    triples = [(0, 2, 3, 9.0), (0, 2, 3, 2.5), (2, 3, 1, 4.0), (3, 1, 5, -1.0), (3, 3, 4, 2.0), (3, 4, 5, 3.0)]
    cube = np.zeros((6, 6, 6))
    for g, h, d, score in triples:
        cube[g, h, d] = score
    for within, part, strategy in [
        ("Pr", "grandparents", "chart"),
        ("Pr", "siblings", "chart"),
        ("M0I", "grandparents", "chart"),
        ("Pr", "siblings", "relax"),
        ("WG1", "siblings", "relax"),
        ("1EC", "grandparents", "auto"),
    ]:
        options: dict[str, Any] = {"within": within, "strategy": strategy}
        shapes: list[dict[str, Any]] = [{part: given} for given in (triples, np.array(triples), cube)]
        listed, rows, dense = (decode(scores, **given, **options) for given in shapes)
        assert listed.heads.tolist() == rows.heads.tolist() == dense.heads.tolist()
        assert listed.score == rows.score == pytest.approx(dense.score, abs=1e-12)


def test_few_triples_of_a_long_sentence_take_little_memory() -> None:
    """A table of all triples of 400 words would take half a gigabyte."""
    words = 400
    scores = np.full((words + 1, words + 1), -1.0)
    scores[np.arange(words), np.arange(1, words + 1)] = 1.0
    best = decode(scores, within="Pr", siblings=[(0, 1, 3, 9.0)], strategy="relax", memory_limit=64 << 20)
    assert best.is_optimal
    assert best.score == words - 2 + 9
    assert best.heads[:4].tolist() == [0, 1, 0, 3]


def test_batches_take_parts() -> None:
    problems = [make(seed, words, "siblings grandparents-listed") for seed, words in enumerate([3, 5, 4, 8])]
    tables = [scores for scores, _ in problems]
    parts: dict[str, Any] = {name: [given[name] for _, given in problems] for name in ("siblings", "grandparents")}
    for threads in (1, 3):
        found = decode_batch(tables, within="1EC", threads=threads, **parts)
        for best, (scores, given) in zip(found, problems, strict=True):
            assert best.heads.tolist() == decode(scores, within="1EC", **given).heads.tolist()
    with pytest.raises(NonprojError, match="for each of the 4 sentences, not for 1"):
        decode_batch(tables, siblings=[[]])
    with pytest.raises(NonprojError, match="sentence 1: siblings name words from 0 to 5"):
        decode_batch(tables, siblings=[[], [(9, 9, 9, 1.0)], [], []])
    tables[2] = np.full((5, 5), -np.inf)
    tables[2][0, 1:] = 0
    forbidden = [[], [], [(0, s, d, -np.inf) for s in range(5) for d in range(1, 5)], []]
    with pytest.raises(NonprojError, match="sentence 2: no spanning tree"):
        decode_batch(tables, siblings=forbidden)


def hard(words: int) -> tuple[Cube, Parts]:
    """Noise alone, on all arcs and parts."""
    rng = np.random.default_rng(1)
    side = words + 1
    return rng.normal(size=(side, side)), {
        "siblings": rng.normal(size=(side, side, side)),
        "grandparents": rng.normal(size=(side, side, side)),
    }


def test_past_the_work_limit_the_tree_comes_with_a_bound() -> None:
    scores, parts = hard(15)
    best = decode(scores, within="1EC", strategy="relax", work_limit=20, **parts)
    assert not best.is_optimal
    assert best.relaxations <= 20
    assert best.bound > best.score
    assert best.tree in tree_class("1EC")
    assert total(best.heads.tolist(), scores, **parts) == pytest.approx(best.score)
    longer = decode(scores, within="1EC", strategy="relax", work_limit=300, **parts)
    assert best.score - 1e-9 <= longer.score <= longer.bound <= best.bound + 1e-9


def test_control_c_stops_the_relaxation() -> None:
    scores, parts = hard(30)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        decode(scores, within="spanning", strategy="relax", work_limit=10_000_000, **parts)
    assert time.monotonic() - started < 10
    timer.join()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": "WG1", "strategy": "chart", "siblings": []}, "for Pr, and of grandparents for M0I, not for WG1"),
        ({"within": "M0I", "strategy": "chart", "siblings": np.zeros((4, 4, 4))}, "siblings are for Pr"),
        ({"within": "Pr", "strategy": "chart", "ends": np.zeros((4, 4))}, "no larger parts"),
        ({"grandparents": np.zeros((3, 4, 4))}, "grandparents must have the shape"),
        ({"siblings": np.full((4, 4, 4), np.nan)}, "below \\+inf"),
        ({"grandparents": [(1, 2, 9, 1.0)]}, "name words from 0 to 3"),
        ({"grandparents": [(1, 2, 0, 1.0)]}, "the last of each row is not 0"),
        ({"grandparents": [(1, 2, 1.5, 1.0)]}, "name words from 0 to 3"),
        ({"grandparents": [(1, 2, 1.0)]}, "rows of 3 words and a score"),
        ({"grandparents": [("a", 2, 1, 1.0)]}, "rows of 3 words and a score"),
        ({"three_siblings": [(1, 2, 3, 1.0)]}, "rows of 4 words and a score"),
        ({"ends": np.zeros((3, 3))}, "ends must have the shape \\(4, 4\\)"),
        ({"valency": np.zeros((3, 2, 2))}, "valency must have the shape \\(4, 2, 2\\)"),
        ({"valency": np.zeros(3)}, "valency must have the shape \\(4, left, right\\)"),
        ({"within": "Pr", "strategy": "chart", "siblings": [], "memory_limit": 10}, "more than memory_limit"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(NonprojError, match=message):
        decode(np.zeros((4, 4)), **options)


ENDLESS = """
import numpy as np
from nonproj import decode

draws = np.random.default_rng(32)
scores = draws.normal(size=(9, 9))
parts = []
for _ in range(120):
    words = int(draws.integers(0, 9)), *draws.integers(1, 9, size=2).tolist()
    if len(set(words)) == 3:
        parts.append((*words, float(draws.normal() * 10.0 ** draws.integers(0, 30))))
found = decode(scores, siblings=parts[::2], grandparents=parts[1::2])
assert 0 in found.heads
"""


def test_a_climb_ends_though_gains_are_lost_in_rounding() -> None:
    """By these scores it went round in circles, and no signal was heard."""
    subprocess.run([sys.executable, "-c", ENDLESS], check=True, timeout=120)
