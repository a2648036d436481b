"""Graded classes against every tree: each pays the price of the smallest class of the chain that holds it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import reference
from enumerated import SCORES, members, totals
from hypothesis import given, settings
from hypothesis import strategies as st

from nonproj import NonprojError, Tree, decode, decode_batch, define_class, k_best, tree_class
from nonproj.decode import count_trees, entropy, log_partition, marginals, parse_within, sample_trees

CHAINS: list[list[str]] = [
    ["Pr", "1EC", "spanning"],
    ["Pr", "WG1", "MG1", "spanning"],
    ["Pr", "M0I", "M1I", "WG1", "WG2", "spanning"],
    ["2-C", "1EC", "2-P", "3-P"],
    ["MH4", "MH5", "MH6"],
    ["Pr", "1-P", "2-P"],
    ["AD2", "AD3"],
    ["MH4", "DD2", "DD3"],
    ["M1IS", "WG1S", "WG1"],
    ["1EC"],
]
SUMMED = [
    ["Pr", "1EC", "spanning"],
    ["Pr", "M0I", "M1I", "WG1", "spanning"],
    ["M1IS", "WG1S", "WG1"],
    ["Pr", "1-P", "spanning"],
    ["AD2", "spanning"],
]
STRATEGIES = ["auto", "relax", "chart"]


def prices_of_trees(chain: dict[str, float], words: int, single_root: bool) -> tuple[npt.NDArray[np.int32], Any]:
    """Every tree of the widest class, and the price of the first class that holds it."""
    names = list(chain)
    heads = members(names[-1], words, single_root)
    held = [{tuple(row) for row in members(name, words, single_root).tolist()} for name in names]
    first = [next(k for k, trees in enumerate(held) if tuple(row) in trees) for row in heads.tolist()]
    return heads, np.array([chain[names[k]] for k in first], dtype=float)


def rising(rng: np.random.Generator, names: list[str]) -> dict[str, float]:
    steps = rng.integers(0, 5, size=len(names)) / 2
    return dict(zip(names, (np.cumsum(steps) - 1).tolist(), strict=True))


def nets(scores: Any, chain: dict[str, float], single_root: bool) -> tuple[npt.NDArray[np.int32], Any]:
    heads, prices = prices_of_trees(chain, len(scores) - 1, single_root)
    return heads, totals(scores, heads) - prices


@given(
    st.sampled_from(CHAINS),
    st.sampled_from(sorted(SCORES)),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from(STRATEGIES),
    st.integers(0, 2**32),
)
@settings(max_examples=300, deadline=None)
def test_best_tree_agrees_with_enumeration(
    names: list[str], kind: str, words: int, single_root: bool, strategy: Any, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scores, chain = SCORES[kind](rng, words), rising(rng, names)
    if strategy == "chart" and any(tree_class(name).solver.chart is None for name in names if name != "spanning"):
        strategy = "auto"
    _, expected = nets(scores, chain, single_root)
    options: Any = {"within": chain, "single_root": single_root, "strategy": strategy}
    if not (expected > -np.inf).any():
        with pytest.raises(NonprojError, match="forbidden"):
            decode(scores, **options)
        return
    best = decode(scores, **options)
    assert best.is_optimal
    assert best.score == pytest.approx(expected.max(), abs=1e-9)
    smallest = next(name for name in chain if best.tree in tree_class(name))
    assert chain[smallest] == best.price == chain[str(best.grade)]
    assert best.score + best.price == pytest.approx(totals(scores, best.heads[None])[0], abs=1e-9)


@pytest.mark.parametrize("names", CHAINS, ids="<".join)
@pytest.mark.parametrize("single_root", [False, True])
def test_k_best_agrees_with_enumeration(names: list[str], single_root: bool) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        scores, chain = rng.normal(size=(6, 6)), rising(rng, names)
        _, expected = nets(scores, chain, single_root)
        found = k_best(scores, 25, within=chain, single_root=single_root)
        assert [best.score for best in found] == pytest.approx(np.sort(expected)[::-1][:25].tolist())
        assert len({tuple(best.heads.tolist()) for best in found}) == len(found)


@pytest.mark.parametrize("names", CHAINS, ids="<".join)
def test_larger_parts(names: list[str]) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        words = 4
        scores, chain = rng.normal(size=(words + 1, words + 1)), rising(rng, names)
        cube = rng.normal(size=(words + 1,) * 3)
        heads, expected = nets(scores, chain, False)
        for i, row in enumerate(heads.tolist()):
            expected[i] += sum(cube[row[h - 1], h, d] for d, h in enumerate(row, 1) if h > 0)
        best = decode(scores, within=chain, grandparents=cube)
        assert best.is_optimal
        assert best.score == pytest.approx(expected.max())
        assert chain[str(best.grade)] == best.price
        batch = decode_batch([scores] * 2, within=chain, grandparents=[cube] * 2)
        assert [each.score for each in batch] == [best.score] * 2


def test_batches_and_pickles() -> None:
    rng = np.random.default_rng(5)
    sentences = [rng.normal(size=(n + 1, n + 1)) for n in range(1, 20)]
    chain = {"Pr": 0, "1EC": 1.5, "spanning": 4}
    batch = decode_batch(sentences, within=chain)
    assert [best.score for best in batch] == [decode(scores, within=chain).score for scores in sentences]
    assert {best.grade for best in batch} == {"Pr", "1EC", "spanning"}
    copy = pickle.loads(pickle.dumps(batch[-1]))
    assert (copy.grade, copy.price, copy.score) == (batch[-1].grade, batch[-1].price, batch[-1].score)
    assert decode(sentences[3]).grade is None
    assert decode(sentences[3]).price == 0


def test_longer_sentences_take_the_best_of_all_classes() -> None:
    chain = {"Pr": 0.0, "1EC": 1.0, "2-P": 3.0, "spanning": 4.0}
    for seed in range(6):
        scores = np.random.default_rng(seed).normal(size=(26, 26))
        best = decode(scores, within=chain, time_limit=20)
        single = {name: decode(scores, within=name, time_limit=20) for name in chain}
        assert best.score >= max(single[name].score - price for name, price in chain.items()) - 1e-9
        assert best.bound <= max(single[name].bound - price for name, price in chain.items()) + 1e-9


def test_a_limit_leaves_a_bound() -> None:
    for seed in range(10):
        scores = np.random.default_rng(seed).normal(size=(15, 15))
        chain = {"2-C": 0.0, "2-P": 1.0}
        few, exact = decode(scores, within=chain, work_limit=1), decode(scores, within=chain, work_limit=100_000)
        assert exact.is_optimal
        assert few.score <= exact.score + 1e-9 <= few.bound + 2e-9
        assert few.is_optimal == (few.bound <= few.score)


def test_a_class_of_ones_own_stands_before_spanning() -> None:
    define_class("short-arcs", lambda tree: all(abs(h - d) < 3 for d, h in enumerate(tree.heads, 1) if h))
    scores = np.random.default_rng(3).normal(size=(6, 6))
    chain: dict[str, float] = {"short-arcs": 0, "spanning": 1}
    values = [
        totals(scores, np.array([heads]))[0] - (0 if Tree(heads) in tree_class("short-arcs") else 1)
        for heads in reference.trees(5)
    ]
    assert decode(scores, within=chain).score == pytest.approx(max(values))


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        ({"spanning": 0, "Pr": 1}, "Pr lies within spanning"),
        ({"2-P": 0, "2-C": 1}, "2-C lies within 2-P"),
        ({"WG1": 0, "1EC": 1}, "WG1 is not known to lie within 1EC"),
        ({"Pr": 1, "1EC": 0.5}, "prices of a graded class must not fall: Pr costs 1 and 1EC 0.5"),
        ({"Pr": 0, "1EC": float("inf")}, "finite"),
        ({"Pr": 0, "1EC": float("nan")}, "finite"),
        ({"Pr": 0, "1EC": "dear"}, "numbers"),
        ({"Pr": 0, "no-such": 1}, "no class"),
        ({}, "at least one class"),
    ],
)
def test_chains_that_do_not_rise_are_errors(chain: Any, message: str) -> None:
    for ask in (decode, log_partition, sample_trees):
        with pytest.raises(NonprojError, match=message):
            ask(np.zeros((4, 4)), within=chain)


def test_known_inclusions() -> None:
    """Every pair that a chain accepts holds on all trees of five words; large numbers take no time."""
    names = ["Pr", "1-P", "2-P", "3-P", "1EC", "2-C", "3-C", "WG1", "WG2", "M0I", "M1I", "WG1S", "M1IS", "MG1", "MG2",
             "MH4", "MH5", "AD2", "AD3", "DD1", "DD2", "DD3", "spanning"]  # fmt: skip
    accepted = set()
    for inner in names:
        for outer in names:
            try:
                decode(np.zeros((2, 2)), within={inner: 0, outer: 1} if inner != outer else {inner: 0})
            except NonprojError:
                continue
            accepted.add((inner, outer))
            trees = {tuple(row) for row in members(outer, 5, False).tolist()}
            assert all(tuple(row) in trees for row in members(inner, 5, False).tolist()), (inner, outer)
    for pair in [("2-C", "2-P"), ("1EC", "3-P"), ("M1IS", "WG2"), ("WG1", "MG2"), ("MH4", "3-P"), ("M0I", "MG1"),
                 ("MH4", "DD2"), ("AD2", "DD3")]:  # fmt: skip
        assert pair in accepted
    assert decode(np.zeros((2, 2)), within={"WG1": 0, "MG1000000000": 1, "spanning": 1}).score == 0
    with pytest.raises(NonprojError, match="not known"):
        decode(np.zeros((2, 2)), within={"WG1000000000": 0, "MH1000000000": 1})


@pytest.mark.parametrize("names", SUMMED, ids="<".join)
@pytest.mark.parametrize("single_root", [False, True])
def test_sums_agree_with_enumeration(names: list[str], single_root: bool) -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        words = int(rng.integers(1, 6))
        chain = rising(rng, names)
        scores = SCORES["sparse" if seed % 3 == 0 else "random"](rng, words)
        if not (scores[:, 1:] + np.where(np.eye(words + 1)[:, 1:], -np.inf, 0) > -np.inf).any(axis=0).all():
            continue  # a word without any head is an error in itself
        options: Any = {"within": chain, "single_root": single_root}
        heads, values = nets(scores, chain, single_root)
        heads, values = heads[values > -np.inf], values[values > -np.inf]
        assert count_trees(scores, **options) == len(values)
        if len(values) == 0:
            assert log_partition(scores, **options) == -np.inf
            for ask in (marginals, entropy, sample_trees):
                with pytest.raises(NonprojError, match="forbidden"):
                    ask(scores, **options)
            continue
        log_z = np.logaddexp.reduce(values)
        chances = np.exp(values - log_z)
        expected = np.zeros_like(scores)
        np.add.at(expected, (heads, np.arange(1, words + 1)), chances[:, None])
        assert log_partition(scores, **options) == pytest.approx(log_z)
        assert marginals(scores, **options) == pytest.approx(expected, abs=1e-12)
        assert entropy(scores, **options) == pytest.approx(-(chances * (values - log_z)).sum(), abs=1e-9)


def test_samples_follow_the_distribution() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(5, 5))
    chain = {"Pr": 0.5, "1EC": 1.0, "spanning": 2.5}
    heads, values = nets(scores, chain, True)
    chances = np.exp(values - np.logaddexp.reduce(values))
    drawn = sample_trees(scores, 40_000, within=chain, single_root=True, seed=7)
    place = {tuple(row): i for i, row in enumerate(heads.tolist())}
    counts = np.bincount([place[tuple(row)] for row in drawn.heads.tolist()], minlength=len(heads))
    assert np.abs(counts / len(drawn) - chances).max() < 0.012
    again = sample_trees(scores, 40_000, within=chain, single_root=True, seed=7)
    assert (again.heads == drawn.heads).all()


def test_sums_need_sums_of_every_class() -> None:
    with pytest.raises(NonprojError, match="not for MH4"):
        log_partition(np.zeros((4, 4)), within={"MH4": 0, "spanning": 1})


def test_rearrange_takes_no_prices() -> None:
    with pytest.raises(NonprojError, match="single class"):
        decode(np.zeros((4, 4)), within={"Pr": 0, "spanning": 1}, rearrange=True)


@pytest.mark.parametrize("text", ["Pr:0,1EC", "Pr:a", "Pr:0:1", "Pr:0,,1EC:1"])
def test_text_that_is_no_chain(text: str) -> None:
    with pytest.raises(NonprojError):
        parse_within(text)
