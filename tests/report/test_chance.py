"""Chance against exact expectations, by formulas and by enumeration."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.enumeration import trees

from nonproj import NonprojError, Treebank, _core, example_treebank, read
from nonproj.report.chance import MEASURES, chance
from nonproj.trees import profile_trees, tree_classes

TREES = {n: list(trees(n)) for n in range(2, 7)}


def treebank_of(*several: tuple[int, ...]) -> Treebank:
    rows = ("".join(f"{w}\tw\t_\tX\t_\t_\t{h}\tdep\t_\t_\n" for w, h in enumerate(heads, 1)) for heads in several)
    return read("\n".join(rows).encode())


def shuffles(heads: tuple[int, ...]) -> list[tuple[int, ...]]:
    found = []
    for order in itertools.permutations(range(1, len(heads) + 1)):
        moved = [0] * len(heads)
        for word, head in enumerate(heads, 1):
            moved[order[word - 1] - 1] = order[head - 1] if head else 0
        found.append(tuple(moved))
    return found


@settings(deadline=None)
@given(st.integers(2, 6).flatmap(lambda n: st.sampled_from(TREES[n])), st.integers(0, 1000))
def test_shuffled_trees_come_from_all_orders(heads: tuple[int, ...], seed: int) -> None:
    """Every class and measure against all orders of the words of a tree."""
    times, every = 400, shuffles(heads)
    exact = profile_trees(np.concatenate(every), np.arange(len(every) + 1) * len(heads))
    lengths = [[abs(h - w) for w, h in enumerate(moved, 1) if h] for moved in every]
    found = chance(treebank_of(heads), times=times, seed=seed)
    pairs = [(found.outside[cls.name], cls.holds(exact) == 0) for cls in tree_classes("all")]
    pairs += [(found.measures["crossings"], exact.column("crossings"))]
    pairs += [(found.measures["gap degree"], exact.column("gap_degree"))]
    pairs += [(found.measures["dependency length"], np.array([np.mean(each or [0]) for each in lengths]))]
    for expected, values in pairs:
        # What is rare may be drawn once more than it should.
        bound = 5 * values.std() / np.sqrt(times) + values.max() / times
        assert expected.mean == pytest.approx(values.mean(), abs=bound + 1e-9)
    disjoint = sum(
        not {a, heads[a - 1]} & {b, heads[b - 1]} for a, b in itertools.combinations(range(1, len(heads) + 1), 2)
    )
    # Any two arcs without a common end cross with the chance 1/3.
    assert exact.column("crossings").mean() == pytest.approx(disjoint / 3)


@pytest.mark.parametrize("n", [2, 5, 20, 80])
def test_the_expected_sum_of_lengths_is_known(n: int) -> None:
    rng = np.random.default_rng(n)
    heads = (0, *(int(rng.integers(1, word)) for word in range(2, n + 1)))
    found = chance(treebank_of(heads), "Pr", times=2000).measures["dependency length"]
    assert found.mean * (n - 1) == pytest.approx((n * n - 1) / 3, abs=5 * found.error * (n - 1) + 1e-9)


@pytest.mark.parametrize(
    ("n", "single_root"), [(1, True), (1, False), (2, False), (3, True), (3, False), (4, True), (4, False)]
)
def test_every_tree_has_the_same_chance(n: int, single_root: bool) -> None:
    every = list(trees(n, single_root))
    assert len(every) == (n ** (n - 1) if single_root else (n + 1) ** (n - 1))
    draws = 500 * len(every)
    drawn = _core.random_trees(np.array([0, n]), np.array([single_root]), draws, 1, 1)
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) == set(every)
    squares = sum((counts[tree] - 500) ** 2 / 500 for tree in every)
    freedom = len(every) - 1
    assert squares < freedom + 5 * np.sqrt(2 * freedom) + 1e-9


def test_real_trees_cross_less_than_chance_and_seeds_repeat() -> None:
    sample = example_treebank()
    one, two = (chance(sample, "Pr MH4", baseline="uniform", times=30, threads=threads) for threads in (1, 2))
    assert one == two
    assert one != chance(sample, "Pr MH4", baseline="uniform", times=30, seed=7)
    assert list(one.measures) == list(MEASURES)
    assert (one.outside["Pr"].z_score or 0) < -3
    assert len(one.table().rows) == 5
    assert one.to_dict()["times"] == 30


def test_errors() -> None:
    with pytest.raises(NonprojError, match="expected one of"):
        chance(example_treebank(), baseline="dice")  # type: ignore[arg-type]
    with pytest.raises(NonprojError, match="at least 2"):
        chance(example_treebank(), times=1)
    with pytest.raises(NonprojError, match="no trees"):
        chance(Treebank())
    with pytest.raises(NonprojError, match="seed"):
        chance(example_treebank(), seed=-1)
