"""Limits of time and memory: honest answers, and never worse than those of affordable classes within."""

from __future__ import annotations

import time

import numpy as np
import pytest

from nonproj import NonprojError, _core, decode, decode_batch, k_best, tree_class
from nonproj.trees import CATALOGUE

INNER = [
    ("WG2", "WG1S"),
    ("WG1", "WG1S"),
    ("MG1", "M0I"),
    ("MH7", "MH5"),
    ("2-P", "1EC"),
    ("2-P", "1-P"),
    ("3-P", "1EC"),
]


@pytest.mark.parametrize(("name", "inner"), INNER)
def test_no_worse_than_a_class_within(name: str, inner: str) -> None:
    """Without memory for its own chart, or without one."""
    scores = np.random.default_rng(1).normal(size=(26, 26))
    within = decode(scores, within=inner, strategy="chart")
    enough = int(tree_class(inner).solver.chart_bytes(25)) + 4096
    found = decode(scores, within=name, memory_limit=enough, work_limit=300)
    assert found.score >= within.score - 1e-9
    assert found.bound >= found.score
    assert found.tree in tree_class(name)
    if found.best_of is not None:
        assert not found.is_optimal
        assert found.tree in tree_class(found.best_of)
        assert found.score == pytest.approx(decode(scores, within=found.best_of).score)


def test_bounds_count_the_words_left_out_of_the_kernel() -> None:
    """The last three words are leaves next to their heads in every tree that matters."""
    unproven = 0
    for seed in range(20):
        words = 14
        scores = np.random.default_rng(seed).normal(size=(words + 1, words + 1))
        for word in range(12, words + 1):
            scores[:, word] = scores[word] = -50
        for word in range(12, words + 1):
            scores[word - 1, word] = 50
        few, exact = decode(scores, within="2-C", work_limit=230), decode(scores, within="2-C", work_limit=10**6)
        assert exact.is_optimal
        assert few.score <= exact.score + 1e-9 <= few.bound + 2e-9
        assert not few.is_optimal or few.score == pytest.approx(exact.score)
        unproven += not few.is_optimal
    assert unproven > 0


def test_a_time_limit_is_kept() -> None:
    scores = np.random.default_rng(2).normal(size=(46, 46))
    begun = time.process_time()
    found = decode(scores, within="WG2", time_limit=0.5)
    assert time.process_time() - begun < 3  # the machine may be busy, and a step takes a while
    assert found.tree in tree_class("WG2")
    assert found.bound >= found.score >= decode(scores, within="Pr").score - 1e-9


@pytest.mark.parametrize("name", ["Pr", "1EC", "WG1", "MH4", "2-P"])
def test_a_time_limit_is_kept_for_long_sentences(name: str) -> None:
    """Where the chart of projective trees would take ten times the limit; five times leave room for a slow machine."""
    scores = np.random.default_rng(4).normal(size=(2001, 2001))
    limit = 0.25
    begun = time.process_time()
    found = decode(scores, within=name, time_limit=limit, memory_limit=256 << 20)
    assert time.process_time() - begun < 5 * limit
    assert found.tree in tree_class(name)
    assert found.bound >= found.score


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["Pr", "1-P", "1EC", "WG1", "MH5"])
def test_without_any_time_the_best_spanning_tree_is_lifted(name: str, single_root: bool) -> None:
    rng = np.random.default_rng(5)
    lifted = 0
    for words in [*range(1, 30), 60]:
        scores = rng.normal(size=(words + 1, words + 1))
        best = decode(scores, single_root=single_root).tree
        found = decode(scores, within=name, time_limit=1e-9, single_root=single_root)
        if best in tree_class(name):
            assert found.is_optimal
            continue
        lifted += 1
        assert found.tree in tree_class("Pr")
        for word, head in enumerate(found.heads.tolist(), 1):
            above = best.heads[word - 1]
            while above not in (head, 0):
                above = best.heads[above - 1]
            assert above == head
    assert lifted > 0


def test_k_best_trees_keep_a_time_limit() -> None:
    scores = np.random.default_rng(6).normal(size=(1201, 1201))
    begun = time.process_time()
    with pytest.raises(NonprojError, match=r"could be proven within the limits|takes about .* more than time_limit"):
        k_best(scores, 3, within="Pr", time_limit=0.1)
    assert time.process_time() - begun < 2


def test_a_time_limit_does_not_matter_when_there_is_time() -> None:
    rng = np.random.default_rng(3)
    for name in ("Pr", "1EC", "WG1", "MH5", "2-P"):
        scores = rng.normal(size=(11, 11))
        free, limited = decode(scores, within=name), decode(scores, within=name, time_limit=60)
        assert limited.is_optimal
        assert limited.score == pytest.approx(free.score)
    assert decode_batch([np.zeros((3, 3))], within="WG1", time_limit=10)[0].is_optimal


def test_what_a_chart_needs_is_said() -> None:
    scores = np.zeros((61, 61))
    with pytest.raises(NonprojError, match=r"takes about .* s, more than time_limit \(0.01 s\)"):
        decode(scores, within="WG1", strategy="chart", time_limit=0.01, memory_limit=1 << 40)
    with pytest.raises(NonprojError, match=r"needs about \d+ MiB, more than memory_limit"):
        decode(scores, within="WG1", strategy="chart", memory_limit=1 << 20)
    for bad in (0, -1, float("nan")):
        with pytest.raises(NonprojError, match="time_limit must be"):
            decode(scores, time_limit=bad)


def planned(name: str, words: int, seconds: float, shares_time: bool = True) -> dict[str, float]:
    """The charts that a search fills, in order, and the seconds that each is foreseen to take."""
    return dict(_core.planned_charts(tree_class(name).solver, words, 2.0**31, seconds, shares_time))


@pytest.mark.parametrize("words", [20, 40, 50, 60, 80, 120, 200])
@pytest.mark.parametrize("seconds", [0.1, 1, 10, 100])
@pytest.mark.parametrize("name", [cls.name for cls in CATALOGUE])
def test_charts_are_planned_within_the_time(name: str, words: int, seconds: float) -> None:
    plan = planned(name, words, seconds)
    assert list(plan.values()) == sorted(plan.values())
    assert sum(plan.values()) <= seconds
    asked = tree_class(name).solver
    for other in CATALOGUE:
        alone = planned(other.name, words, seconds)
        if other.name not in alone or not other.solver.is_known_within(asked):
            continue
        # What can be afforded is within a class of the plan, unless that has no time left for it.
        held = any(other.solver.is_known_within(tree_class(chosen).solver) for chosen in plan)
        assert held or sum(plan.values()) + alone[other.name] > seconds


def test_the_dearest_chart_that_fits_is_planned() -> None:
    """The classes that once fell below others within them, at ten seconds."""
    assert list(planned("MH7", 80, 10)) == ["MH5", "MH6"]
    assert list(planned("MH9", 50, 10)) == ["MH6", "MH7"]
    assert {"M0I", "M1IS"} <= set(planned("WG1", 80, 10))
    assert {"M0I", "M1IS"} <= set(planned("WG2", 80, 10))
    assert list(planned("WG1", 20, 10)) == ["WG1"]  # so quick that nothing need come before
    assert list(planned("WG1", 50, 1e6, shares_time=False)) == ["WG1"]
    assert planned("AD3", 200, 1e-9) == {}


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("name", ["2-P", "2-C", "AD3"])
def test_where_there_is_no_chart_trees_are_climbed_to(name: str, single_root: bool) -> None:
    """From the best trees of classes within; what is found is in the class, and better than projective trees."""
    scores = np.random.default_rng(4).normal(size=(21, 21))
    found = decode(scores, within=name, single_root=single_root, work_limit=400)
    assert found.tree in tree_class(name)
    assert found.score <= found.bound
    assert found.score > decode(scores, within="Pr", single_root=single_root).score
    heads = found.heads.tolist()
    assert found.score == pytest.approx(sum(scores[h, d] for d, h in enumerate(heads, 1)))
    assert not single_root or heads.count(0) == 1
    if not found.is_optimal:
        assert found.strategy == "climb"
        assert found.best_of is None
